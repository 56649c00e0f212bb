//! What somebody may have meant to type.

use quintain_atlas::WordId;
use quintain_atlas::names::Words;

/// Which letters each word has, so that most words need no closer look.
#[derive(Clone, Debug)]
pub(super) struct Spellings {
    letters: Vec<u32>,
    lengths: Vec<u8>,
}

impl Spellings {
    pub(super) fn new(words: &Words) -> Self {
        let letters = words.iter().map(|(_, word)| letters(word)).collect();
        Self { letters, lengths: words.iter().map(|(_, word)| word.len().min(255) as u8).collect() }
    }

    pub(super) fn n_bytes(&self) -> usize {
        self.letters.len() * 5
    }

    /// The word nearest to a text that is no word: at most two letters away, one for short texts.
    pub(super) fn nearest<'w>(&self, words: &'w Words, typed: &str) -> Option<&'w str> {
        let most = if typed.len() < 6 { 1 } else { 2 };
        if typed.len() < 4 || typed.len() > 40 {
            return None;
        }
        let wanted = letters(typed);
        let is_near = |nth: &usize| {
            usize::from(self.lengths[*nth]).abs_diff(typed.len()) <= most
                && (self.letters[*nth] ^ wanted).count_ones() as usize <= 2 * most
        };
        let near = (0..self.letters.len()).filter(is_near).map(|nth| words.spelling(WordId(nth as u32)));
        let far = near.map(|word| (strsim::osa_distance(&word.to_lowercase(), typed), word));
        far.filter(|(distance, _)| *distance <= most).min_by_key(|(distance, _)| *distance).map(|(_, word)| word)
    }
}

fn letters(word: &str) -> u32 {
    let bit = |byte: u8| if byte.is_ascii_alphabetic() { 1 << (byte.to_ascii_lowercase() - b'a') } else { 1 << 26 };
    word.bytes().fold(0, |all, byte| all | bit(byte))
}
