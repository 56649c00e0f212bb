//! Numbers: near an expected one, or within bounds.

use serde_json::{Number, Value};

use super::{Likeness, LikenessResult};
use crate::number::{distance, finite, float, rounding, within};
use crate::value::{Variant, brief, rewritten};

/// Near an expected number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Near {
    /// How far off it may be.
    pub(crate) absolute: f64,
    /// How far off it may be, as a share of the expected number; the greater of both counts.
    pub(crate) relative: f64,
    /// Whether a text that is nothing but a number will do.
    pub(crate) from_text: bool,
}

impl Near {
    fn tolerance(&self, expected: &Number) -> f64 {
        self.absolute.max(self.relative * float(expected).abs()).min(f64::MAX)
    }

    /// A little more than may be tolerated: too far by a hundredth, or by what rounding cannot explain.
    fn too_far(&self, expected: &Number) -> f64 {
        let tolerance = self.tolerance(expected);
        tolerance + (tolerance / 100.0).max(8.0 * rounding(float(expected))).max(8.0 * rounding(tolerance))
    }
}

impl Likeness for Near {
    fn fits(&self, expected: &Value) -> Result<(), String> {
        if expected.is_number() { Ok(()) } else { Err(format!("a number is expected, not {}", brief(expected))) }
    }

    fn compare(&self, expected: &Value, actual: &Value) -> LikenessResult {
        let (Some(expected), Some(number)) = (expected.as_number(), read(actual, self.from_text)) else {
            return LikenessResult::of(false, format!("it is {}, not a number", brief(actual)));
        };
        let tolerance = self.tolerance(expected);
        let holds = within(&number, expected, tolerance);
        let wanted =
            if tolerance > 0.0 { format!("{expected} give or take {tolerance}") } else { expected.to_string() };
        let because = if holds { format!("it is {number}") } else { format!("it is {number}, not {wanted}") };
        LikenessResult::of(holds, because).with("off", distance(&number, expected))
    }

    fn near(&self, expected: &Value, _actual: &Value) -> Vec<Variant> {
        let Some(expected) = expected.as_number() else { return Vec::new() };
        let mut near = wrong_types(expected, self.from_text);
        let (at, too_far) = (float(expected), self.too_far(expected));
        if self.tolerance(expected) == 0.0 {
            near.extend(next_to(expected));
        }
        let places = [
            ("just too much", at + too_far),
            ("just too little", at - too_far),
            ("one more than tolerated", at + too_far + 1.0),
            ("the other sign", -at),
            ("nothing of it", 0.0),
            ("ten times as much", at * 10.0),
            ("a tenth of it", at / 10.0),
            ("a percentage", at * 100.0),
        ];
        let numbers = places.into_iter().filter_map(|(how, place)| Some((how.to_owned(), finite(place)?)));
        near.extend(
            numbers
                .filter(|(_, n)| distance(n, expected) > self.tolerance(expected).midpoint(too_far))
                .map(|(how, n)| (how, Value::Number(n))),
        );
        if self.from_text {
            near.push(("just too much, as text".to_owned(), (at + too_far).to_string().into()));
            near.push(("more than a number".to_owned(), format!("{expected} or so").into()));
        }
        near
    }

    fn like(&self, expected: &Value, _actual: &Value) -> Vec<Variant> {
        let Some(number) = expected.as_number() else { return Vec::new() };
        let mut like = vec![("written the other way".to_owned(), rewritten(expected))];
        like.retain(|(_, value)| value != expected);
        let (at, tolerance) = (float(number), self.tolerance(number));
        if tolerance > 0.0 {
            let places =
                [("half the tolerance over", at + tolerance / 2.0), ("nearly all of it under", at - tolerance * 0.99)];
            like.extend(places.into_iter().filter_map(|(how, at)| Some((how.to_owned(), finite(at)?.into()))));
        }
        if self.from_text {
            like.push(("as text".to_owned(), format!(" {number} ").into()));
        }
        like
    }
}

/// Within bounds, both included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberBounds {
    /// The least.
    pub(crate) min: Option<f64>,
    /// The greatest.
    pub(crate) max: Option<f64>,
    /// Whether a text that is nothing but a number will do.
    pub(crate) from_text: bool,
}

impl NumberBounds {
    fn hold(&self, number: f64) -> bool {
        self.min.is_none_or(|min| number >= min) && self.max.is_none_or(|max| number <= max)
    }

    /// A step that leads out of the bounds from their edge.
    fn step(&self) -> f64 {
        let span = match (self.min, self.max) {
            (Some(min), Some(max)) => max - min,
            _ => 0.0,
        };
        let size = self.min.unwrap_or(0.0).abs().max(self.max.unwrap_or(0.0).abs());
        (span / 100.0).max(size * 1e-6).max(1e-6)
    }
}

impl Likeness for NumberBounds {
    fn fits(&self, _expected: &Value) -> Result<(), String> {
        Ok(())
    }

    fn compare(&self, _expected: &Value, actual: &Value) -> LikenessResult {
        let Some(number) = read(actual, self.from_text) else {
            return LikenessResult::of(false, format!("it is {}, not a number", brief(actual)));
        };
        let value = float(&number);
        let holds = self.hold(value);
        let edge = |edge: Option<f64>| edge.map_or_else(|| "any".to_owned(), |edge| edge.to_string());
        let range = format!("{} to {}", edge(self.min), edge(self.max));
        let because = if holds { format!("it is {number}") } else { format!("it is {number}, not from {range}") };
        let over = self.max.map_or(0.0, |max| value - max);
        let under = self.min.map_or(0.0, |min| min - value);
        LikenessResult::of(holds, because).with("off", over.max(under).max(0.0))
    }

    fn near(&self, _expected: &Value, actual: &Value) -> Vec<Variant> {
        let Some(number) = read(actual, self.from_text) else { return Vec::new() };
        let mut near = wrong_types(&number, self.from_text);
        let places = [
            ("just below the least", self.min.map(|min| min - self.step())),
            ("just above the greatest", self.max.map(|max| max + self.step())),
            ("far below the least", self.min.map(|min| min - min.abs().max(1.0) * 10.0)),
            ("far above the greatest", self.max.map(|max| max + max.abs().max(1.0) * 10.0)),
            ("the other sign", Some(-float(&number)).filter(|other| !self.hold(*other))),
        ];
        near.extend(places.into_iter().filter_map(|(how, at)| Some((how.to_owned(), finite(at?)?.into()))));
        near
    }

    fn like(&self, _expected: &Value, actual: &Value) -> Vec<Variant> {
        let places = [("the least", self.min), ("the greatest", self.max)];
        let mut like: Vec<Variant> =
            places.into_iter().filter_map(|(how, at)| Some((how.to_owned(), finite(at?)?.into()))).collect();
        let other = rewritten(actual);
        if other != *actual {
            like.push(("written the other way".to_owned(), other));
        }
        like
    }
}

/// The number a value is. A text counts only where it is nothing but a finite number.
fn read(value: &Value, from_text: bool) -> Option<Number> {
    match value {
        Value::Number(number) => Some(number.clone()),
        Value::String(text) if from_text => {
            let text = text.trim();
            match text.parse::<i64>() {
                Ok(whole) => Some(whole.into()),
                Err(_) => finite(text.parse().ok()?),
            }
        }
        _ => None,
    }
}

fn wrong_types(number: &Number, from_text: bool) -> Vec<Variant> {
    let mut wrong: Vec<Variant> = vec![
        ("nothing".to_owned(), Value::Null),
        ("true for a number".to_owned(), true.into()),
        ("in a list of its own".to_owned(), vec![Value::Number(number.clone())].into()),
        ("no number, as text".to_owned(), "NaN".into()),
        ("infinity, as text".to_owned(), "inf".into()),
    ];
    if !from_text {
        wrong.push(("as text".to_owned(), number.to_string().into()));
    }
    wrong
}

/// The numbers right beside one that must be met exactly.
fn next_to(number: &Number) -> Vec<Variant> {
    if let Some(whole) = number.as_i64() {
        let beside = [("one more", whole.checked_add(1)), ("one less", whole.checked_sub(1))];
        return beside.into_iter().filter_map(|(how, value)| Some((how.to_owned(), value?.into()))).collect();
    }
    let beside = [("the next number up", float(number).next_up()), ("the next number down", float(number).next_down())];
    beside.into_iter().filter_map(|(how, value)| Some((how.to_owned(), finite(value)?.into()))).collect()
}
