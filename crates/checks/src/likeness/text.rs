//! Texts, but for differences that do not count.

use serde_json::Value;

use super::{Likeness, LikenessResult, in_words};
use crate::fold::Folding;
use crate::value::{Variant, brief, other_letter};

/// The same words: one text, or any of several, but for differences that do not count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wording {
    /// What does not count.
    pub(crate) folding: Folding,
}

impl Wording {
    fn accepted(expected: &Value) -> Vec<&str> {
        match expected {
            Value::String(text) => vec![text],
            Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        }
    }

    fn holds(self, expected: &Value, text: &str) -> bool {
        let text = self.folding.fold(text);
        Self::accepted(expected).into_iter().any(|accepted| self.folding.fold(accepted) == text)
    }
}

impl Likeness for Wording {
    fn fits(&self, expected: &Value) -> Result<(), String> {
        let accepted = Self::accepted(expected);
        let complete = expected.as_array().is_none_or(|items| items.len() == accepted.len());
        if accepted.is_empty() || !complete {
            return Err(format!("a text or a list of texts is expected, not {}", brief(expected)));
        }
        if accepted.iter().any(|text| self.folding.fold(text).is_empty()) {
            return Err("an expected text is empty, or nothing is left of it once `ignore` has its way".to_owned());
        }
        Ok(())
    }

    fn compare(&self, expected: &Value, actual: &Value) -> LikenessResult {
        let holds = actual.as_str().is_some_and(|text| self.holds(expected, text));
        let because = in_words(holds, expected, actual);
        LikenessResult::of(holds, because)
    }

    fn near(&self, expected: &Value, actual: &Value) -> Vec<Variant> {
        let mut near: Vec<Variant> =
            vec![("nothing".to_owned(), Value::Null), ("in a list of its own".to_owned(), vec![actual.clone()].into())];
        let Some(text) = actual.as_str() else { return near };
        let changed = near_texts(text).into_iter().filter(|(_, other)| !self.holds(expected, other));
        near.extend(changed.map(|(how, other)| (how.to_owned(), other.into())));
        near
    }

    fn like(&self, expected: &Value, actual: &Value) -> Vec<Variant> {
        let Some(text) = actual.as_str() else { return Vec::new() };
        let mut like: Vec<(&str, String)> =
            Self::accepted(expected).into_iter().map(|other| ("as accepted", other.to_owned())).collect();
        if self.folding.case && text.is_ascii() {
            like.push(("in capitals", text.to_ascii_uppercase()));
            like.push(("in small letters", text.to_ascii_lowercase()));
        }
        if self.folding.space {
            like.push(("more space", format!("  {}\n", text.replace(' ', "  "))));
        }
        if self.folding.punctuation {
            like.push(("with a full stop", format!("{text}.")));
            like.push(("in quotation marks", format!("“{text}”")));
        }
        like.into_iter().filter(|(_, other)| other != text).map(|(how, other)| (how.to_owned(), other.into())).collect()
    }
}

fn near_texts(text: &str) -> Vec<(&'static str, String)> {
    let chars: Vec<char> = text.chars().collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut near = vec![
        ("no text", String::new()),
        ("one letter too many", format!("{text}x")),
        ("one word too many", format!("{text} too")),
        ("denied", format!("not {text}")),
        ("the other case", swap_case(text)),
        ("said twice", format!("{text} {text}")),
    ];
    if let Some(at) = chars.iter().rposition(|c| c.is_alphanumeric()) {
        let mut other = chars.clone();
        other[at] = other_letter(chars[at]);
        near.push(("another letter", other.iter().collect()));
        other.remove(at);
        near.push(("a letter missing", other.iter().collect()));
    }
    if words.len() > 1 {
        near.push(("the last word missing", words[..words.len() - 1].join(" ")));
        near.push(("the words in another order", words.iter().rev().copied().collect::<Vec<_>>().join(" ")));
        near.push(("in one word", words.concat()));
    }
    near
}

fn swap_case(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }).collect()
}
