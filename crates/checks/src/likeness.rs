//! Ways of comparing one value with what is expected.

mod date;
mod declared;
mod displayed;
mod entity;
mod expectation;
mod limits;
mod list;
mod measured;
mod money;
mod names;
mod number;
mod object_parts;
mod percent;
#[cfg(test)]
mod proof;
mod quantity;
mod record;
mod table;
mod text;

use std::collections::BTreeSet;

use quintain_core::check::Measures;
use quintain_core::score::Score;
use serde_json::{Map, Value};

pub(crate) use declared::DeclaredType;
pub(crate) use list::Unordered;
pub(crate) use number::{Near, NumberBounds};
pub(crate) use text::Wording;

use crate::fold::Folding;
use crate::value::{Variant, brief, neighbours, rewritten, same};

/// A way of comparing one value with what is expected.
pub(crate) trait Likeness: Send + Sync {
    /// Whether something can be compared with this at all. Asked before anything else.
    fn fits(&self, expected: &Value) -> Result<(), String>;

    /// Compares. The expected value fits.
    fn compare(&self, expected: &Value, actual: &Value) -> LikenessResult;

    /// Values that look nearly right and must fail. The actual value is a right one.
    fn near(&self, expected: &Value, actual: &Value) -> Vec<Variant>;

    /// Values that look different and must pass. The actual value is a right one.
    fn like(&self, expected: &Value, actual: &Value) -> Vec<Variant>;

    /// A right answer, as plainly as it can be given.
    fn right(&self, expected: &Value) -> Value {
        expected.clone()
    }
}

/// What a comparison came to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LikenessResult {
    pub(crate) score: Score,
    pub(crate) because: String,
    pub(crate) measures: Measures,
}

impl LikenessResult {
    /// Holds or not.
    pub(crate) fn of(holds: bool, because: String) -> Self {
        Self { score: Score::of(holds), because, measures: Measures::new() }
    }

    pub(crate) fn with(mut self, measure: &str, value: f64) -> Self {
        // An infinite distance has no place in a JSON record.
        self.measures.insert(measure.to_owned(), value.min(f64::MAX));
        self
    }
}

/// The same value: numbers by value, objects in any order, everything else to the letter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SameValue;

impl Likeness for SameValue {
    fn fits(&self, _expected: &Value) -> Result<(), String> {
        Ok(())
    }

    fn compare(&self, expected: &Value, actual: &Value) -> LikenessResult {
        let holds = same(expected, actual, Folding::default());
        let because = in_words(holds, expected, actual);
        LikenessResult::of(holds, because)
    }

    fn near(&self, expected: &Value, _actual: &Value) -> Vec<Variant> {
        neighbours(expected)
    }

    fn like(&self, expected: &Value, _actual: &Value) -> Vec<Variant> {
        let other = rewritten(expected);
        if other == *expected { Vec::new() } else { vec![("numbers written the other way".to_owned(), other)] }
    }
}

/// So many members that differ are told.
const MOST_MEMBERS: usize = 5;

/// What was found, and what was wanted where that is something else. Of something with members those are told that differ.
fn in_words(holds: bool, expected: &Value, actual: &Value) -> String {
    if let (false, Value::Object(expected), Value::Object(actual)) = (holds, expected, actual) {
        let names: BTreeSet<&String> = expected.keys().chain(actual.keys()).collect();
        let differing = names.into_iter().filter_map(|name| {
            let (expected, actual) = (member(expected, name), member(actual, name));
            let is_same = same(expected, actual, Folding::default());
            (!is_same).then(|| format!("`{name}` is {}, not {}", brief(actual), brief(expected)))
        });
        return differing.take(MOST_MEMBERS).collect::<Vec<_>>().join("; ");
    }
    let found = format!("it is {}", brief(actual));
    if holds { found } else { format!("{found}, not {}", brief(expected)) }
}

/// A member, nothing where there is none.
fn member<'a>(of: &'a Map<String, Value>, name: &str) -> &'a Value {
    of.get(name).unwrap_or(&Value::Null)
}
