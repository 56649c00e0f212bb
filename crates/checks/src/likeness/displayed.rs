//! Numbers that were shown with so many decimals and no more.

use serde_json::{Map, Value};

use crate::options::not_negative;
use crate::value::brief;
use crate::written::in_digits;

/// The most decimals that can be told, and the most places before the point that can be rounded away.
const MAX_DECIMALS: i64 = 9;
const MAX_ROUNDED: i64 = -15;

/// Beyond so many displayed units, floats no longer tell neighbours apart.
const MAX_UNITS: f64 = 1e14;

/// A number as it was shown: near it is what would be shown alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DisplayedNumber {
    pub(crate) value: f64,
    /// Decimals that were shown; below zero, places before the point that were rounded away.
    digits: i32,
    tolerance: f64,
}

impl DisplayedNumber {
    /// The keys that are read beside the number itself.
    pub(crate) const KEYS: [&'static str; 2] = ["digits", "tolerance"];

    /// Reads the number under a key, with `digits` and `tolerance` beside it.
    pub(crate) fn read(fields: &Map<String, Value>, key: &str) -> Result<Self, String> {
        let value = fields.get(key).ok_or_else(|| format!("`{key}` is missing"))?;
        let value = value.as_f64().ok_or_else(|| format!("`{key}` must be a number, not {}", brief(value)))?;
        let digits = match fields.get("digits") {
            Some(digits) => told_digits(digits)?,
            None => written_digits(value)?,
        };
        let unit = power_of_ten(-digits);
        if value.abs() > MAX_UNITS * unit {
            return Err(format!("`{key}` is too great a number for `digits` of {digits}"));
        }
        let tolerance = match fields.get("tolerance") {
            None => unit / 2.0,
            Some(told) => told_tolerance(told, value, unit)?,
        };
        Ok(Self { value, digits, tolerance })
    }

    /// Reads a number that stands alone, or in an object with `digits` and `tolerance`.
    pub(crate) fn read_plain(expected: &Value) -> Result<Self, String> {
        match expected {
            Value::Object(fields) => Self::read(fields, "value"),
            other => Self::read(&Map::from_iter([("value".to_owned(), other.clone())]), "value"),
        }
    }

    /// Whether a number would be shown alike.
    pub(crate) fn holds(&self, number: f64) -> bool {
        // Conversions round a few times.
        let slack = 8.0 * f64::EPSILON * self.value.abs().max(number.abs());
        (number - self.value).abs() <= self.tolerance + slack
    }

    /// The number as it was shown.
    pub(crate) fn shown(&self) -> String {
        if self.digits < 0 {
            return in_digits(rounded(self.value, self.digits));
        }
        format!("{:.*}", self.digits as usize, self.value)
    }

    /// Numbers that look nearly right and are not.
    pub(crate) fn wrong_numbers(&self) -> Vec<(&'static str, f64)> {
        let value = self.value;
        let step = (2.0 * self.tolerance).max(power_of_ten(-self.digits));
        let all = [
            ("one displayed unit more", value + step),
            ("one displayed unit less", value - step),
            ("rounded one place too far", rounded(value, self.digits - 1)),
            ("the other sign", -value),
            ("ten times as much", value * 10.0),
            ("a tenth of it", value / 10.0),
            ("a thousand times as much", value * 1e3),
            ("a thousandth of it", value / 1e3),
            ("nothing of it", 0.0),
        ];
        all.into_iter().filter(|(_, other)| self.is_off(*other)).collect()
    }

    /// Numbers that are right and look different.
    pub(crate) fn right_numbers(&self) -> Vec<(&'static str, f64)> {
        let most = self.tolerance * 0.9;
        vec![("most of the tolerance over", self.value + most), ("most of the tolerance under", self.value - most)]
    }

    /// Whether a number is wrong by more than any rounding.
    pub(crate) fn is_off(&self, number: f64) -> bool {
        let rounding = 4e-15 * self.value.abs().max(number.abs());
        number.is_finite() && (number - self.value).abs() > self.tolerance * 1.01 + rounding
    }
}

fn told_digits(digits: &Value) -> Result<i32, String> {
    let whole = digits.as_i64().filter(|digits| (MAX_ROUNDED..=MAX_DECIMALS).contains(digits));
    let why = || format!("`digits` must be a whole number from {MAX_ROUNDED} to {MAX_DECIMALS}, not {}", brief(digits));
    whole.map(|digits| digits as i32).ok_or_else(why)
}

/// The decimals a number is written with.
fn written_digits(value: f64) -> Result<i32, String> {
    let written = in_digits(value);
    let decimals = written.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let short = i32::try_from(decimals).ok().filter(|decimals| i64::from(*decimals) <= MAX_DECIMALS);
    short.ok_or_else(|| format!("`digits` is missing: how many decimals of {written} are shown?"))
}

fn told_tolerance(told: &Value, value: f64, unit: f64) -> Result<f64, String> {
    let tolerance = told.as_f64().ok_or_else(|| format!("`tolerance` must be a number, not {}", brief(told)))?;
    let tolerance = not_negative("tolerance", tolerance)?;
    if tolerance > MAX_UNITS * unit {
        return Err("`tolerance` is too great for these `digits`".to_owned());
    }
    let lost = (value - (value / unit).round() * unit).abs();
    if lost > tolerance + 4e-15 * value.abs() {
        return Err(format!("`tolerance` of {tolerance} is less than what `digits` rounds away"));
    }
    Ok(tolerance)
}

fn rounded(value: f64, digits: i32) -> f64 {
    let unit = power_of_ten(-digits);
    (value / unit).round() * unit
}

/// Ten to a small power, the same on every machine.
fn power_of_ten(power: i32) -> f64 {
    format!("1e{power}").parse().expect("a written power of ten is a number")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn half_a_displayed_unit_is_forgiven_unless_told() {
        let read = |expected| DisplayedNumber::read_plain(&expected).unwrap();
        let shown = read(json!({"value": 3.2174, "digits": 1}));
        assert!(shown.holds(3.2) && shown.holds(3.26) && !shown.holds(3.27) && !shown.holds(3.3));
        assert_eq!(shown.shown(), "3.2");
        let millions = read(json!({"value": 12_300_000, "digits": -5}));
        assert!(millions.holds(12_349_999.0) && !millions.holds(12_400_000.0));
        assert_eq!(millions.shown(), "12300000");
        assert!(read(json!(7)).holds(7.4) && !read(json!(7)).holds(7.6));
        assert!(!read(json!({"value": 7, "tolerance": 0})).holds(7.000_001));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let wrong = [
            json!("7"),
            json!({"digits": 1}),
            json!({"value": 7, "digits": 1.5}),
            json!({"value": 7, "digits": 10}),
            json!(0.1 + 0.2),
            json!({"value": 1e15, "digits": 0}),
            json!({"value": 7, "tolerance": -1}),
            json!({"value": 7.25, "digits": 1, "tolerance": 0.01}),
        ];
        insta::assert_snapshot!(wrong.map(|expected| DisplayedNumber::read_plain(&expected).unwrap_err()).join("\n"), @r#"
        `value` must be a number, not "7"
        `value` is missing
        `digits` must be a whole number from -15 to 9, not 1.5
        `digits` must be a whole number from -15 to 9, not 10
        `digits` is missing: how many decimals of 0.30000000000000004 are shown?
        `value` is too great a number for `digits` of 0
        `tolerance` must be a finite number of 0 or more, not -1
        `tolerance` of 0.01 is less than what `digits` rounds away
        "#);
    }
}
