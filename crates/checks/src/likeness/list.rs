//! Lists whose order does not matter.

use std::collections::BTreeMap;

use quintain_core::score::Score;
use serde_json::Value;

use super::{Likeness, LikenessResult};
use crate::fold::Folding;
use crate::value::{Variant, brief, key, neighbours, rewritten};

/// A list with the same things in it, in any order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unordered {
    /// Whether it matters how often a thing is listed.
    pub(crate) counted: bool,
    /// Whether some of the things are worth something: what is common to both lists as a share of what is in either.
    pub(crate) partial: bool,
    /// What does not count in texts.
    pub(crate) folding: Folding,
}

/// The things in a list: how often, and one of them, by what makes them the same.
type ThingCounts<'a> = BTreeMap<String, (usize, &'a Value)>;

/// How two lists differ.
struct ListDifference<'a> {
    n_common: usize,
    missing: Vec<&'a Value>,
    extra: Vec<&'a Value>,
}

impl Unordered {
    fn difference<'a>(self, expected: &'a [Value], actual: &'a [Value]) -> ListDifference<'a> {
        let (wanted, found) = (self.tally(expected), self.tally(actual));
        let beyond = |of: &ThingCounts<'a>, other: &ThingCounts<'a>| {
            let n_other = |key: &String| other.get(key).map_or(0, |(n, _)| *n);
            let more = of.iter().map(|(key, (n, item))| (n.saturating_sub(n_other(key)), *item));
            more.flat_map(|(n, item)| std::iter::repeat_n(item, n)).collect::<Vec<_>>()
        };
        let missing = beyond(&wanted, &found);
        let n_wanted: usize = wanted.values().map(|(n, _)| n).sum();
        ListDifference { n_common: n_wanted - missing.len(), extra: beyond(&found, &wanted), missing }
    }

    /// How often each thing is listed: at most once unless they are counted.
    fn tally(self, items: &[Value]) -> ThingCounts<'_> {
        let mut tally = ThingCounts::new();
        for item in items {
            let (n, _) = tally.entry(key(item, self.folding)).or_insert((0, item));
            *n = if self.counted { *n + 1 } else { 1 };
        }
        tally
    }
}

impl Likeness for Unordered {
    fn fits(&self, expected: &Value) -> Result<(), String> {
        if expected.is_array() { Ok(()) } else { Err(format!("a list is expected, not {}", brief(expected))) }
    }

    fn compare(&self, expected: &Value, actual: &Value) -> LikenessResult {
        let (Some(expected), Some(actual)) = (expected.as_array(), actual.as_array()) else {
            return LikenessResult::of(false, format!("it is {}, not a list", brief(actual)));
        };
        let difference = self.difference(expected, actual);
        let (n_missing, n_extra) = (difference.missing.len(), difference.extra.len());
        let holds = n_missing == 0 && n_extra == 0;
        let mut comparison = LikenessResult::of(holds, difference.in_words());
        if self.partial && !holds {
            let share = difference.n_common as f64 / (difference.n_common + n_missing + n_extra) as f64;
            comparison.score = Score::clamped(share);
        }
        comparison.with("missing", n_missing as f64).with("extra", n_extra as f64)
    }

    fn near(&self, expected: &Value, actual: &Value) -> Vec<Variant> {
        let Some(items) = actual.as_array() else { return Vec::new() };
        let mut near: Vec<Variant> =
            vec![("nothing".to_owned(), Value::Null), ("an empty list".to_owned(), Value::Array(Vec::new()))];
        near.push(("one too many".to_owned(), with(items, |items| items.push("one too many".into()))));
        near.push(("in a list of its own".to_owned(), vec![actual.clone()].into()));
        if let Some(last) = items.last() {
            near.push(("the last one missing".to_owned(), with(items, |items| drop(items.pop()))));
            near.push(("the last one twice".to_owned(), with(items, |items| items.push(last.clone()))));
            for (how, other) in neighbours(last) {
                let changed = with(items, |items| {
                    items.pop();
                    items.push(other);
                });
                near.push((format!("the last one: {how}"), changed));
            }
        }
        let wanted = expected.as_array().map_or(&[][..], Vec::as_slice);
        near.retain(|(_, other)| {
            let other = other.as_array().map(|other| self.difference(wanted, other));
            other.is_none_or(|difference| !difference.missing.is_empty() || !difference.extra.is_empty())
        });
        near
    }

    fn like(&self, _expected: &Value, actual: &Value) -> Vec<Variant> {
        let Some(items) = actual.as_array() else { return Vec::new() };
        let mut like = vec![
            ("the other way round".to_owned(), with(items, |items| items.reverse())),
            (
                "the first one last".to_owned(),
                with(items, |items| {
                    let by = items.len().min(1);
                    items.rotate_left(by);
                }),
            ),
            ("numbers written the other way".to_owned(), rewritten(actual)),
        ];
        if let Some(last) = items.last().filter(|_| !self.counted) {
            like.push(("the last one twice".to_owned(), with(items, |items| items.push(last.clone()))));
        }
        like.retain(|(_, other)| other != actual);
        like
    }
}

impl ListDifference<'_> {
    fn in_words(&self) -> String {
        let list = |items: &[&Value]| items.iter().take(3).map(|item| brief(item)).collect::<Vec<_>>().join(", ");
        match (self.missing.as_slice(), self.extra.as_slice()) {
            ([], []) => format!("all {} are there", self.n_common),
            (missing, []) => format!("{} missing: {}", missing.len(), list(missing)),
            ([], extra) => format!("{} too many: {}", extra.len(), list(extra)),
            (missing, extra) => {
                format!("{} missing: {}; {} too many: {}", missing.len(), list(missing), extra.len(), list(extra))
            }
        }
    }
}

fn with(items: &[Value], change: impl FnOnce(&mut Vec<Value>)) -> Value {
    let mut changed = items.to_vec();
    change(&mut changed);
    Value::Array(changed)
}
