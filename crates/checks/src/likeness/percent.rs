//! Numbers in percent, and numbers in percentage points.

use serde_json::Value;

use super::displayed::DisplayedNumber;
use super::expectation::{refuse_other_keys, say, text};
use super::measured::ExpectedQuantity;
use super::quantity::compared;
use super::{Likeness, LikenessResult};
use crate::number::finite;
use crate::units::KnownUnit;
use crate::value::Variant;
use crate::written::in_digits;

/// The same number in percent, or in percentage points where those are asked for. The sign for it may be left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SamePercent;

impl SamePercent {
    /// Keys that are understood.
    const KEYS: [&'static str; 4] = ["value", "digits", "tolerance", "unit"];

    fn read(expected: &Value) -> Result<ExpectedQuantity, String> {
        let number = DisplayedNumber::read_plain(expected)?;
        let unit = match expected {
            Value::Object(fields) => {
                refuse_other_keys(fields, Self::KEYS)?;
                text(fields, "unit")?
            }
            _ => None,
        };
        let symbol = match unit.as_deref() {
            None | Some("percent" | "%") => "%",
            Some("points") => "pp",
            Some(other) => return Err(format!("`unit` is `percent` or `points`, not `{other}`")),
        };
        let unit = KnownUnit::find(symbol).expect("percent and points are units");
        Ok(ExpectedQuantity::of_unit(number, unit))
    }
}

impl Likeness for SamePercent {
    fn fits(&self, expected: &Value) -> Result<(), String> {
        Self::read(expected).map(drop)
    }

    fn compare(&self, expected: &Value, actual: &Value) -> LikenessResult {
        compared(Self::read(expected), actual)
    }

    fn near(&self, expected: &Value, _actual: &Value) -> Vec<Variant> {
        let Ok(percent) = Self::read(expected) else { return Vec::new() };
        let mut near = percent.near();
        let fraction = percent.number.value / 100.0;
        if percent.number.is_off(fraction) {
            near.extend(finite(fraction).map(|number| ("a fraction".to_owned(), number.into())));
            near.push(say("a fraction, as text", in_digits(fraction)));
        }
        near
    }

    fn like(&self, expected: &Value, _actual: &Value) -> Vec<Variant> {
        Self::read(expected).map_or_else(|_| Vec::new(), |percent| percent.like())
    }

    fn right(&self, expected: &Value) -> Value {
        Self::read(expected).map_or(Value::Null, |percent| percent.number.value.into())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::proof::{hold_both_ways, odd_json, survive};
    use super::*;

    #[test]
    fn percent_is_no_fraction_and_no_point() {
        let holds = |expected: &Value, actual: Value| SamePercent.compare(expected, &actual).score.is_full();
        let percent = json!({"value": 12.3, "digits": 1});
        for right in
            [json!(12.3), json!("12.3"), json!("12.3 %"), json!("12.3%"), json!("12.3 percent"), json!("+12.34 %")]
        {
            assert!(holds(&percent, right.clone()), "{right}");
        }
        for wrong in
            [json!(0.123), json!(-12.3), json!(12.4), json!("12.3 percentage points"), json!("12.3 pp"), json!("12 %")]
        {
            assert!(!holds(&percent, wrong.clone()), "{wrong}");
        }
        let points = json!({"value": 0.25, "unit": "points"});
        for right in [json!(0.25), json!("0.25 percentage points"), json!("0.25 pp"), json!("25 basis points")] {
            assert!(holds(&points, right.clone()), "{right}");
        }
        assert!(!holds(&points, json!("0.25 %")) && !holds(&points, json!("0.25 percent")));
        assert!(holds(&json!(12.3), json!("12.3 %")), "a number says with how many decimals it is shown");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

        #[test]
        fn near_fails_and_like_passes(value in -1e4..1e4, digits in 0..5, unit in prop::sample::select(vec!["percent", "points"])) {
            let (n_near, n_like) = hold_both_ways(&SamePercent, &json!({"value": value, "digits": digits, "unit": unit}));
            prop_assert!(n_near >= 9 && n_like >= 9, "{n_near} {n_like}");
        }

        #[test]
        fn nothing_panics(expected in odd_json(), actual in odd_json()) {
            survive(&SamePercent, &expected, &actual);
        }
    }
}
