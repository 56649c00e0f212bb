//! Objects whose parts are each compared in a way of their own.

use quintain_core::score::Score;
use serde_json::{Map, Value};

use super::{Likeness, LikenessResult};
use crate::value::{Variant, brief};

/// How many near misses and variations are made of a single part.
const MAX_PART_VARIANTS: usize = 12;

/// Objects, compared part by part; the parts are read from what is expected. An object of which not every part holds is
/// worth the share of those that do.
pub(super) struct PartwiseObject(pub(super) fn(&Value) -> Result<ObjectParts, String>);

/// What is expected of an object, part by part. What else is in it does not count.
pub(super) struct ObjectParts {
    /// What parts are called, several of them.
    pub(super) noun: &'static str,
    pub(super) parts: Vec<ObjectPart>,
}

/// One part: what it is called, what is expected of it, and how that is compared.
pub(super) struct ObjectPart {
    pub(super) name: String,
    pub(super) expected: Value,
    pub(super) likeness: Box<dyn Likeness>,
}

impl Likeness for PartwiseObject {
    fn fits(&self, expected: &Value) -> Result<(), String> {
        self.0(expected)?
            .parts
            .iter()
            .try_for_each(|part| part.likeness.fits(&part.expected).map_err(|why| format!("`{}`: {why}", part.name)))
    }

    fn compare(&self, expected: &Value, actual: &Value) -> LikenessResult {
        self.0(expected).map_or_else(|why| LikenessResult::of(false, why), |parts| parts.compare(actual))
    }

    fn near(&self, expected: &Value, actual: &Value) -> Vec<Variant> {
        self.0(expected).map_or_else(|_| Vec::new(), |parts| parts.near(actual))
    }

    fn like(&self, expected: &Value, actual: &Value) -> Vec<Variant> {
        self.0(expected).map_or_else(|_| Vec::new(), |parts| parts.like(actual))
    }

    fn right(&self, expected: &Value) -> Value {
        let right = |part: ObjectPart| (part.name, part.likeness.right(&part.expected));
        self.0(expected).map_or(Value::Null, |read| read.parts.into_iter().map(right).collect::<Map<_, _>>().into())
    }
}

impl ObjectParts {
    /// The share of parts that hold, and the first that does not.
    fn compare(&self, actual: &Value) -> LikenessResult {
        let Some(fields) = actual.as_object() else {
            return LikenessResult::of(false, format!("it is {}, not an object", brief(actual)));
        };
        let wrong: Vec<String> = self.parts.iter().filter_map(|part| part.wrong_in(fields)).collect();
        let (noun, n_all) = (self.noun, self.parts.len());
        let n_right = n_all - wrong.len();
        let because = match wrong.first() {
            None => format!("all {n_all} {noun} hold"),
            Some(first) => format!("{n_right} of {n_all} {noun} hold; {first}"),
        };
        let mut result = LikenessResult::of(wrong.is_empty(), because);
        if !wrong.is_empty() {
            result.score = Score::clamped(n_right as f64 / n_all as f64);
        }
        result.with("n_right", n_right as f64)
    }

    fn near(&self, actual: &Value) -> Vec<Variant> {
        let mut near =
            vec![("nothing".to_owned(), Value::Null), ("an empty object".to_owned(), Value::Object(Map::new()))];
        let Some(fields) = actual.as_object() else { return near };
        near.push(("in a list of its own".to_owned(), vec![actual.clone()].into()));
        for part in &self.parts {
            let mut without = fields.clone();
            without.remove(&part.name);
            near.push((format!("{}: missing", part.name), without.into()));
        }
        near.extend(self.varied(fields, |part, value| part.likeness.near(&part.expected, value)));
        near
    }

    fn like(&self, actual: &Value) -> Vec<Variant> {
        let Some(fields) = actual.as_object() else { return Vec::new() };
        let mut with_another = fields.clone();
        with_another.insert("a-bystander".to_owned(), Value::Null);
        let mut like = vec![("another part beside them".to_owned(), with_another.into())];
        like.extend(self.varied(fields, |part, value| part.likeness.like(&part.expected, value)));
        like
    }

    /// The object with one part changed.
    fn varied(&self, fields: &Map<String, Value>, vary: impl Fn(&ObjectPart, &Value) -> Vec<Variant>) -> Vec<Variant> {
        let mut varied = Vec::new();
        for part in &self.parts {
            let Some(value) = fields.get(&part.name) else { continue };
            let variants = vary(part, value).into_iter().filter(|(_, other)| other != value);
            varied.extend(variants.take(MAX_PART_VARIANTS).map(|(how, other)| {
                let mut changed = fields.clone();
                changed.insert(part.name.clone(), other);
                (format!("{}: {how}", part.name), Value::Object(changed))
            }));
        }
        varied
    }
}

impl ObjectPart {
    /// What is wrong with it, if something is.
    fn wrong_in(&self, fields: &Map<String, Value>) -> Option<String> {
        let Some(value) = fields.get(&self.name) else { return Some(format!("{} is missing", self.name)) };
        let result = self.likeness.compare(&self.expected, value);
        (!result.score.is_full()).then(|| format!("{}: {}", self.name, result.because))
    }
}
