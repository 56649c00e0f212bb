//! Coining words from the sounds of a culture.

use super::blocked::BlockList;
use super::culture::{Culture, CultureId};
use super::words::Words;
use crate::dice::Dice;
use crate::ids::WordId;

/// What a word is coined for: it decides the ending and the length.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Use {
    Country,
    Region,
    Place,
    Family,
    Woman,
    Man,
    Stem,
}

impl Use {
    fn endings(self, culture: &Culture) -> &'static [&'static str] {
        match self {
            Self::Country => culture.countries,
            Self::Region => culture.regions,
            Self::Place => culture.places,
            Self::Family => culture.families,
            Self::Woman => culture.women,
            Self::Man => culture.men,
            Self::Stem => culture.stems,
        }
    }
}

/// Coins words and keeps the list of them.
pub(crate) struct Coiner {
    pub(crate) words: Words,
    blocked: BlockList,
}

impl Coiner {
    pub(crate) fn new() -> Self {
        Self { words: Words::new(), blocked: BlockList::new() }
    }

    /// Coins a word that is not in the list yet, and puts it there.
    pub(crate) fn coin(&mut self, culture: CultureId, what: Use, dice: &mut Dice) -> WordId {
        let mut attempts = 0;
        loop {
            let syllables = 1 + dice.below(2) + attempts / 20;
            let word = spelled(culture.culture(), what, syllables, dice);
            attempts += 1;
            let fits = (4..=12 + attempts / 20).contains(&word.len());
            if fits && self.words.find_small(&word).is_none() && !self.blocked.holds(&word) {
                return self.words.add(&capitalised(&word));
            }
        }
    }

    /// Coins so many words.
    pub(crate) fn coin_many(&mut self, culture: CultureId, what: Use, n: usize, dice: &mut Dice) -> Vec<WordId> {
        (0..n).map(|_| self.coin(culture, what, dice)).collect()
    }
}

fn spelled(culture: &Culture, what: Use, syllables: usize, dice: &mut Dice) -> String {
    let mut word = String::with_capacity(16);
    for _ in 0..syllables {
        word.push_str(dice.pick(culture.onsets));
        word.push_str(dice.pick(culture.nuclei));
        if dice.chance(culture.closed) {
            word.push_str(dice.pick(culture.codas));
        }
    }
    let ending = *dice.choose(what.endings(culture));
    joined(&mut word, ending, culture, dice);
    word
}

/// Puts an ending to a stem so that it can be spoken: no two vowels and no heap of consonants meet.
fn joined(word: &mut String, ending: &str, culture: &Culture, dice: &mut Dice) {
    let begins_with_vowel = ending.starts_with(is_vowel);
    if begins_with_vowel {
        let kept = word.trim_end_matches(is_vowel).len();
        word.truncate(kept);
        if word.is_empty() {
            word.push_str(dice.pick(culture.onsets));
        }
    } else if !ending.is_empty() && !word.ends_with(is_vowel) && word.chars().rev().take(2).all(|c| !is_vowel(c)) {
        word.push_str(culture.nuclei[0]);
    }
    word.push_str(ending);
}

fn is_vowel(c: char) -> bool {
    "aeiouy".contains(c)
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
