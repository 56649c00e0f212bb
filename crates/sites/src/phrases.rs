//! Wordings, from plain files that a writer can edit.
//!
//! A line `== company.founded` begins the wordings of one sentence; a line that begins with a star is held back. Slots
//! stand in braces: `{founded}` is a fact, `{a:sector}` a fact with its article, `{Subject}`, `{subject}`, `{its}` and
//! `{Its}` are whom the page is about, by name at first and by a pronoun later.

use std::collections::BTreeMap;

use crate::draw::Draw;
use crate::web::Reserve;

/// A piece of a wording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PhrasePart {
    Text(&'static str),
    Slot { name: &'static str, article: Article },
}

/// Whether a slot is to be given its article.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Article {
    None,
    Indefinite,
}

/// One wording of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PhraseLine {
    pub(crate) parts: Vec<PhrasePart>,
}

/// All wordings that a web uses.
#[derive(Clone, Debug)]
pub(crate) struct PhraseBook {
    lines: BTreeMap<&'static str, Vec<PhraseLine>>,
}

/// The files, one for each site, and one for all.
pub(crate) const FILES: &[(&str, &str)] = &[
    ("common", include_str!("../phrases/common.txt")),
    ("find", include_str!("../phrases/find.txt")),
    ("pedia", include_str!("../phrases/pedia.txt")),
    ("registry", include_str!("../phrases/registry.txt")),
    ("scholar", include_str!("../phrases/scholar.txt")),
    ("gazette", include_str!("../phrases/gazette.txt")),
    ("numbers", include_str!("../phrases/numbers.txt")),
    ("herald", include_str!("../phrases/herald.txt")),
];

impl PhraseBook {
    pub(crate) fn new(reserve: Reserve) -> Self {
        let mut lines: BTreeMap<&'static str, Vec<PhraseLine>> = BTreeMap::new();
        for (key, is_held_back, text) in FILES.iter().flat_map(|(_, file)| entries(file)) {
            let of_key = lines.entry(key).or_default();
            if !is_held_back || reserve == Reserve::Used {
                of_key.push(PhraseLine { parts: parts(text) });
            }
        }
        Self { lines }
    }

    /// One of the wordings of a sentence; `None` where the files have none.
    pub(crate) fn wording(&self, key: &str, mut draw: Draw) -> Option<&PhraseLine> {
        let lines = self.lines.get(key).filter(|lines| !lines.is_empty())?;
        Some(draw.choose(lines))
    }

    /// One of the wordings of something that has no slots.
    pub(crate) fn plain(&self, key: &str, draw: Draw) -> String {
        let text = |part: &PhrasePart| match part {
            PhrasePart::Text(text) => *text,
            PhrasePart::Slot { .. } => "",
        };
        self.wording(key, draw).map(|line| line.parts.iter().map(text).collect()).unwrap_or_default()
    }
}

/// The entries of a file: the sentence, whether the wording is held back, and the wording.
pub(crate) fn entries(file: &'static str) -> impl Iterator<Item = (&'static str, bool, &'static str)> {
    let mut key = "";
    file.lines().filter_map(move |line| match line.trim() {
        "" => None,
        line if line.starts_with('#') => None,
        line if line.starts_with("== ") => {
            key = line[3..].trim();
            None
        }
        line => {
            let held_back = line.strip_prefix('*').map(str::trim);
            Some((key, held_back.is_some(), held_back.unwrap_or(line)))
        }
    })
}

fn parts(line: &'static str) -> Vec<PhrasePart> {
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some((text, (slot, after))) =
        rest.split_once('{').and_then(|(text, tail)| Some((text, tail.split_once('}')?)))
    {
        parts.push(PhrasePart::Text(text));
        let (name, article) = slot.strip_prefix("a:").map_or((slot, Article::None), |name| (name, Article::Indefinite));
        parts.push(PhrasePart::Slot { name, article });
        rest = after;
    }
    parts.push(PhrasePart::Text(rest));
    parts.retain(|part| *part != PhrasePart::Text(""));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sentence_has_four_to_twelve_wordings_and_a_quarter_is_held_back() {
        let mut of_key: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (key, is_held_back, _) in FILES.iter().flat_map(|(_, file)| entries(file)) {
            let (all, held_back) = of_key.entry(key).or_default();
            *all += 1;
            *held_back += usize::from(is_held_back);
        }
        let wrong: Vec<_> = of_key.iter().filter(|(_, (all, held))| !(4..=12).contains(all) || *held == 0).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
        let (all, held): (usize, usize) = of_key.values().fold((0, 0), |sum, n| (sum.0 + n.0, sum.1 + n.1));
        assert!((20..=33).contains(&(held * 100 / all)), "{held} of {all} wordings are held back");
    }
}
