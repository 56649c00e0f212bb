//! The world's word list: names and titles are lists of its words, so that an index can be made without any text.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::column::RowId;
use crate::ids::WordId;

/// Every word of every name and title, once.
///
/// Coined words are written with a capital, words of the language without. Word 0 is empty and stands for "no word".
#[derive(Clone, Debug)]
pub struct Words {
    text: String,
    starts: Vec<u32>,
    // Asked, never walked through: its order is not the same twice.
    by_text: HashMap<Box<str>, WordId, BuildHasherDefault<WordHasher>>,
}

/// Which words of a title begin with a capital.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capitals {
    /// The first word, and coined words.
    First,
    /// All words but small ones, as in names of companies.
    Each,
}

impl Words {
    pub(crate) fn new() -> Self {
        let mut words = Self { text: String::new(), starts: vec![0], by_text: HashMap::default() };
        words.add("");
        words
    }

    /// The id of a word, which is added where it is new. Case tells no words apart.
    pub(crate) fn add(&mut self, word: &str) -> WordId {
        let key = word.to_lowercase();
        if let Some(&id) = self.by_text.get(key.as_str()) {
            return id;
        }
        let id = WordId::from_index(self.len());
        self.text.push_str(word);
        self.starts.push(self.text.len() as u32);
        self.by_text.insert(key.into(), id);
        id
    }

    /// The ids of the words of a text.
    pub(crate) fn add_all(&mut self, text: &str) -> Vec<WordId> {
        text.split_whitespace().map(|word| self.add(word)).collect()
    }

    /// Whether the list has a word, whatever its case.
    pub fn contains(&self, word: &str) -> bool {
        self.find(word).is_some()
    }

    /// The id of a word, whatever its case.
    pub fn find(&self, word: &str) -> Option<WordId> {
        self.find_small(&word.to_lowercase())
    }

    /// The id of a word in small letters.
    pub(crate) fn find_small(&self, word: &str) -> Option<WordId> {
        self.by_text.get(word).copied()
    }

    /// How many words there are; ids go up to it.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no word at all, which never happens in a world.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The spelling of a word.
    pub fn spelling(&self, word: WordId) -> &str {
        &self.text[self.starts[word.index()] as usize..self.starts[word.index() + 1] as usize]
    }

    /// All words with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (WordId, &str)> {
        (0..self.len()).map(WordId::from_index).map(|id| (id, self.spelling(id)))
    }

    /// A title as it is written.
    pub fn written(&self, title: &[WordId], capitals: Capitals) -> String {
        let mut text = String::with_capacity(title.len() * 9);
        for &word in title.iter().filter(|word| word.0 != 0) {
            let spelling = self.spelling(word);
            if !text.is_empty() && ![":", ","].contains(&spelling) {
                text.push(' ');
            }
            let raised = text.is_empty() || capitals == Capitals::Each && !SMALL_WORDS.contains(&spelling);
            push_word(&mut text, spelling, raised.then_some(()));
        }
        text
    }
}

/// Hashes short words quickly: nobody can choose them so that they collide.
#[derive(Clone, Debug, Default)]
struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
}

const SMALL_WORDS: [&str; 12] = ["of", "the", "and", "for", "in", "on", "to", "a", "by", "with", "from", "under"];

fn push_word(text: &mut String, spelling: &str, raised: Option<()>) {
    let mut chars = spelling.chars();
    match (raised, chars.next()) {
        (Some(()), Some(first)) => text.extend(first.to_uppercase().chain(chars)),
        _ => text.push_str(spelling),
    }
}
