//! The values that expressions work on, with JavaScript's conversions and comparisons.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::token::is_blank;

/// A value of an item. Lists and records are the same only where they are one and the same thing.
#[derive(Clone, Debug)]
pub(in super::super) enum ItemValue {
    Undefined,
    Null,
    Truth(bool),
    Number(f64),
    Text(Rc<str>),
    List(Rc<Vec<ItemValue>>),
    Record(Rc<BTreeMap<String, ItemValue>>),
}

impl ItemValue {
    pub(in super::super) fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    pub(in super::super) fn list(items: Vec<Self>) -> Self {
        Self::List(Rc::new(items))
    }

    pub(in super::super) fn record(fields: BTreeMap<String, Self>) -> Self {
        Self::Record(Rc::new(fields))
    }

    pub(in super::super) fn is_true(&self) -> bool {
        match self {
            Self::Undefined | Self::Null => false,
            Self::Truth(yes) => *yes,
            Self::Number(number) => *number != 0.0 && !number.is_nan(),
            Self::Text(text) => !text.is_empty(),
            Self::List(_) | Self::Record(_) => true,
        }
    }

    pub(in super::super) fn to_number(&self) -> f64 {
        match self {
            Self::Undefined => f64::NAN,
            Self::Null => 0.0,
            Self::Truth(yes) => f64::from(u8::from(*yes)),
            Self::Number(number) => *number,
            Self::Text(text) => text_number(text),
            Self::List(_) | Self::Record(_) => text_number(&self.to_text()),
        }
    }

    pub(in super::super) fn to_text(&self) -> String {
        match self {
            Self::Undefined => "undefined".to_owned(),
            Self::Null => "null".to_owned(),
            Self::Truth(yes) => yes.to_string(),
            Self::Number(number) => number_text(*number),
            Self::Text(text) => text.to_string(),
            Self::Record(_) => "[object Object]".to_owned(),
            Self::List(items) => {
                let entry = |item: &Self| match item {
                    Self::Undefined | Self::Null => String::new(),
                    item => item.to_text(),
                };
                items.iter().map(entry).collect::<Vec<_>>().join(",")
            }
        }
    }

    /// The value itself, or the text that stands for a list or a record.
    fn primitive(&self) -> Self {
        match self {
            Self::List(_) | Self::Record(_) => Self::text(&self.to_text()),
            other => other.clone(),
        }
    }

    /// `+`: joined as texts where either is one.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let (left, right) = (self.primitive(), other.primitive());
        if matches!(left, Self::Text(_)) || matches!(right, Self::Text(_)) {
            return Self::text(&(left.to_text() + &right.to_text()));
        }
        Self::Number(left.to_number() + right.to_number())
    }

    /// Which comes first: texts by their letters, everything else as numbers. Nothing where either is no number.
    pub(super) fn order(&self, other: &Self) -> Option<Ordering> {
        match (self.primitive(), other.primitive()) {
            (Self::Text(left), Self::Text(right)) => Some(left.cmp(&right)),
            (left, right) => left.to_number().partial_cmp(&right.to_number()),
        }
    }

    /// `===`.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Undefined, Self::Undefined) | (Self::Null, Self::Null) => true,
            (Self::Truth(left), Self::Truth(right)) => left == right,
            (Self::Number(left), Self::Number(right)) => is_equal(*left, *right),
            (Self::Text(left), Self::Text(right)) => left == right,
            (Self::List(left), Self::List(right)) => Rc::ptr_eq(left, right),
            (Self::Record(left), Self::Record(right)) => Rc::ptr_eq(left, right),
            _ => false,
        }
    }

    /// `==`.
    pub(super) fn is_loosely(&self, other: &Self) -> bool {
        let is_nothing = |value: &Self| matches!(value, Self::Undefined | Self::Null);
        let is_thing = |value: &Self| matches!(value, Self::List(_) | Self::Record(_));
        match (self, other) {
            (left, right) if is_nothing(left) || is_nothing(right) => is_nothing(left) && is_nothing(right),
            (left, right) if is_thing(left) && is_thing(right) => left.is_same(right),
            (Self::Text(left), Self::Text(right)) => left == right,
            (left, right) if is_thing(left) || is_thing(right) => left.primitive().is_loosely(&right.primitive()),
            (left, right) => is_equal(left.to_number(), right.to_number()),
        }
    }

    /// Whether two outcomes are alike: what is no number is like itself, lists and records by what they hold.
    pub(in super::super) fn is_alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(left), Self::Number(right)) => is_equal(*left, *right) || (left.is_nan() && right.is_nan()),
            (Self::List(left), Self::List(right)) => {
                left.len() == right.len() && left.iter().zip(&**right).all(|(left, right)| left.is_alike(right))
            }
            (Self::Record(left), Self::Record(right)) => {
                let fields = left.iter().zip(&**right);
                left.len() == right.len() && fields.into_iter().all(|(a, b)| a.0 == b.0 && a.1.is_alike(b.1))
            }
            (left, right) => left.is_same(right),
        }
    }
}

/// Whether numbers are equal, to the last bit but for the sign of zero; what is no number equals none.
fn is_equal(left: f64, right: f64) -> bool {
    left.partial_cmp(&right) == Some(Ordering::Equal)
}

/// A number as JavaScript writes it.
pub(in super::super) fn number_text(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 {
        return "0".to_owned();
    }
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if (1e-6..1e21).contains(&size) {
        return number.to_string();
    }
    let short = format!("{number:e}");
    if size < 1.0 { short } else { short.replace('e', "e+") }
}

/// The number that JavaScript reads in a text.
fn text_number(text: &str) -> f64 {
    let text = text.trim_matches(is_blank);
    let by_radix = [("0x", 16), ("0o", 8), ("0b", 2)].into_iter().find_map(|(prefix, radix)| {
        let digits = text.to_ascii_lowercase().strip_prefix(prefix)?.to_owned();
        Some(radix_number(&digits, radix))
    });
    match text {
        "" => 0.0,
        "Infinity" | "+Infinity" => f64::INFINITY,
        "-Infinity" => f64::NEG_INFINITY,
        _ if by_radix.is_some() => by_radix.expect("just asked"),
        _ if text.chars().all(|c| c.is_ascii_digit() || ".eE+-".contains(c)) => text.parse().unwrap_or(f64::NAN),
        _ => f64::NAN,
    }
}

fn radix_number(digits: &str, radix: u32) -> f64 {
    let whole: Option<f64> =
        digits.chars().try_fold(0.0, |sum, c| Some(sum * f64::from(radix) + f64::from(c.to_digit(radix)?)));
    whole.filter(|_| !digits.is_empty()).unwrap_or(f64::NAN)
}
