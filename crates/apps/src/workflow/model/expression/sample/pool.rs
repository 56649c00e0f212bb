//! The values that fields of sample items take.

use std::collections::BTreeSet;

use super::super::evaluate::{ItemValue, number_text};
use super::fields::FieldUses;

/// The longest text or list that is made to be of a certain length.
const MAX_LENGTH: f64 = 40.0;

/// The values that most likely make a difference: those that are spoken of, and those next to them.
pub(super) fn telling(uses: &FieldUses) -> Vec<ItemValue> {
    let mut values = vec![ItemValue::Truth(true), ItemValue::Truth(false)];
    let numbers = uses.numbers.iter().flat_map(|number| [*number, number - 1.0, number + 1.0]);
    add(&mut values, numbers.map(ItemValue::Number));
    let filler = filler(uses);
    let texts = uses.texts.iter().flat_map(|text| [text.clone(), format!("{text}{filler}")]);
    add(&mut values, texts.map(|text| ItemValue::text(&text)));
    values
}

/// All other values: of every kind, and what becomes of the numbers and texts that are spoken of.
pub(super) fn others(uses: &FieldUses) -> Vec<ItemValue> {
    let mut values = vec![ItemValue::Null, ItemValue::record([("x".to_owned(), ItemValue::Number(1.0))].into())];
    add(&mut values, [ItemValue::record([].into()), ItemValue::list(Vec::new())]);
    add(&mut values, [0.0, 1.0, -1.0, 2.0, 0.5].map(ItemValue::Number));
    add(&mut values, ["", "a", "0", "1", "true", " "].map(ItemValue::text));
    add(&mut values, numbers(&uses.numbers));
    add(&mut values, texts(&uses.texts, filler(uses)));
    add(&mut values, lists(uses));
    values
}

/// Whether a value may be added to a number without making a text that depends on which of the two comes first.
pub(super) fn adds_up(value: &ItemValue) -> bool {
    match value {
        ItemValue::Text(text) => text.is_empty(),
        ItemValue::List(_) | ItemValue::Record(_) => false,
        _ => true,
    }
}

fn add(values: &mut Vec<ItemValue>, more: impl IntoIterator<Item = ItemValue>) {
    for value in more {
        if !values.iter().any(|known| known.is_alike(&value)) {
            values.push(value);
        }
    }
}

/// Numbers between and opposite to those that are spoken of, and what two of them come to: `item.n * 2 < 30` changes its
/// mind at 15. Whole ones, and all that are spoken of, as texts, too.
fn numbers(spoken: &[f64]) -> Vec<ItemValue> {
    let mut all = spoken.to_vec();
    for &one in spoken {
        all.extend([one + 0.5, one - 0.5, -one, one * 1.001, one * 0.999]);
        for &other in spoken {
            all.extend([one + other, one - other, one * other, one / other, one * other + 1.0, one / other - 1.0]);
        }
    }
    all.retain(|number| number.is_finite());
    let written = all.iter().filter(|number| number.fract() == 0.0 || spoken.contains(number));
    let as_texts = written.map(|number| ItemValue::text(&number_text(*number)));
    all.iter().copied().map(ItemValue::Number).chain(as_texts).collect()
}

/// A letter that no text has that is spoken of, to be put around them.
fn filler(uses: &FieldUses) -> char {
    let is_free = |letter: &char| !uses.texts.iter().any(|text| text.contains(*letter));
    "xqz#~".chars().find(is_free).unwrap_or('~')
}

/// Texts around those that are spoken of, and two of them in one.
fn texts(spoken: &BTreeSet<String>, filler: char) -> Vec<ItemValue> {
    let mut all = Vec::new();
    for one in spoken {
        let shorter: String = one.chars().take(one.chars().count().saturating_sub(1)).collect();
        all.extend([format!("{filler}{one}"), format!("{filler}{one}{filler}"), format!(" {one} "), shorter]);
        all.extend([one.to_uppercase(), one.to_lowercase()]);
        all.extend(spoken.iter().flat_map(|other| [format!("{one}{other}"), format!("{one}{filler}{other}")]));
    }
    all.iter().map(|text| ItemValue::text(text)).collect()
}

/// Lists of what is spoken of, and texts and lists of the lengths that are.
fn lists(uses: &FieldUses) -> Vec<ItemValue> {
    let texts = uses.texts.iter().map(|text| ItemValue::text(text));
    let spoken: Vec<ItemValue> = texts.chain(uses.numbers.iter().copied().map(ItemValue::Number)).collect();
    let mut all: Vec<ItemValue> = spoken.iter().map(|value| ItemValue::list(vec![value.clone()])).collect();
    all.push(ItemValue::list(spoken));
    let whole = uses.numbers.iter().flat_map(|number| [number - 1.0, *number, number + 1.0]);
    for length in whole.filter(|length| (0.0..=MAX_LENGTH).contains(length) && length.fract() == 0.0) {
        all.push(ItemValue::text(&"x".repeat(length as usize)));
        all.push(ItemValue::list(vec![ItemValue::text("x"); length as usize]));
    }
    all
}
