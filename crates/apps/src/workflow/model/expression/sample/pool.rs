//! The values that fields of sample items take.

use std::collections::BTreeSet;

use super::super::evaluate::{ItemValue, number_text};
use super::fields::FieldUses;

/// The longest list, and the longest text, that is made to be of a certain length.
const MAX_LIST: f64 = 40.0;
const MAX_TEXT: f64 = 2000.0;

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

/// Values that make a difference only where conditions nearly agree. There are many, and they are not drawn.
pub(super) fn fine(uses: &FieldUses) -> Vec<ItemValue> {
    let opposite = uses.numbers.iter().flat_map(|number| [1.0 - number, -1.0 - number]);
    let roots = uses.numbers.iter().flat_map(|number| [number.sqrt(), number.cbrt()]).filter(|root| root.is_finite());
    let mut values = Vec::new();
    add(&mut values, opposite.chain(roots).chain(between(&related(&uses.numbers))).map(ItemValue::Number));
    let filler = filler(uses);
    let inside = |text: &String| ItemValue::list(vec![ItemValue::text(&format!("{filler}{text}{filler}"))]);
    add(&mut values, uses.texts.iter().map(inside));
    if uses.minds_length {
        let lengths = lengths(uses, MAX_TEXT);
        add(&mut values, lengths.iter().map(|length| ItemValue::text(&"x".repeat(*length))));
        add(
            &mut values,
            lengths.iter().flat_map(|length| uses.texts.iter().flat_map(move |text| so_long(text, *length, filler))),
        );
    }
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

/// Whether a value may be compared with another by `==` and by `===` alike: a list that holds a text equals that text
/// by the first alone.
pub(super) fn is_plain(value: &ItemValue) -> bool {
    !matches!(value, ItemValue::List(_) | ItemValue::Record(_))
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
    let all = related(spoken);
    let written = all.iter().filter(|number| number.fract() == 0.0 || spoken.contains(number));
    let as_texts = written.map(|number| ItemValue::text(&number_text(*number)));
    all.iter().copied().map(ItemValue::Number).chain(as_texts).collect()
}

/// What is spoken of, what lies next to it, and what two of them come to.
fn related(spoken: &[f64]) -> Vec<f64> {
    let mut all = spoken.to_vec();
    for &one in spoken {
        all.extend([one + 0.5, one - 0.5, -one, one * 1.001, one * 0.999]);
        for &other in spoken {
            all.extend([one + other, one - other, one * other, one / other, one * other + 1.0, one / other - 1.0]);
        }
    }
    all.retain(|number| number.is_finite());
    all
}

/// The middle of every two numbers next to each other: what tells `n > 49.99` from `n >= 50`.
fn between(numbers: &[f64]) -> Vec<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middles = sorted.windows(2).map(|pair| f64::midpoint(pair[0], pair[1]));
    middles.collect()
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
    for length in lengths(uses, MAX_LIST) {
        all.push(ItemValue::text(&"x".repeat(length)));
        all.push(ItemValue::list(vec![ItemValue::text("x"); length]));
    }
    all
}

/// The lengths that are spoken of, and those next to them.
fn lengths(uses: &FieldUses, most: f64) -> BTreeSet<usize> {
    let near = uses.numbers.iter().flat_map(|number| [number - 1.0, *number, number + 1.0]);
    near.filter(|length| (0.0..=most).contains(length) && length.fract() == 0.0).map(|length| length as usize).collect()
}

/// A text at the end and at the start of so many letters, and behind so many.
fn so_long(text: &str, length: usize, filler: char) -> Vec<ItemValue> {
    let letters = |n: usize| filler.to_string().repeat(n);
    let rest = letters(length.saturating_sub(text.chars().count()));
    let all = [format!("{rest}{text}"), format!("{text}{rest}"), format!("{}{text}", letters(length))];
    all.iter().map(|text| ItemValue::text(text)).collect()
}
