//! Numbers with a unit, and numbers alone.

use serde_json::Value;

use super::measured::ExpectedQuantity;
use super::{Likeness, LikenessResult};
use crate::value::Variant;

/// The same quantity, in the same unit or in one that measures the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SameQuantity;

/// The same number, as a number or in writing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SameNumber;

impl Likeness for SameQuantity {
    fn fits(&self, expected: &Value) -> Result<(), String> {
        ExpectedQuantity::measured(expected).map(drop)
    }

    fn compare(&self, expected: &Value, actual: &Value) -> LikenessResult {
        compared(ExpectedQuantity::measured(expected), actual)
    }

    fn near(&self, expected: &Value, _actual: &Value) -> Vec<Variant> {
        ExpectedQuantity::measured(expected).map_or_else(|_| Vec::new(), |quantity| quantity.near())
    }

    fn like(&self, expected: &Value, _actual: &Value) -> Vec<Variant> {
        let Ok(quantity) = ExpectedQuantity::measured(expected) else { return Vec::new() };
        let mut like = quantity.like();
        like.push(quantity.as_object());
        like
    }

    fn right(&self, expected: &Value) -> Value {
        ExpectedQuantity::measured(expected).map_or(Value::Null, |quantity| quantity.told().into())
    }
}

impl Likeness for SameNumber {
    fn fits(&self, expected: &Value) -> Result<(), String> {
        ExpectedQuantity::plain(expected).map(drop)
    }

    fn compare(&self, expected: &Value, actual: &Value) -> LikenessResult {
        compared(ExpectedQuantity::plain(expected), actual)
    }

    fn near(&self, expected: &Value, _actual: &Value) -> Vec<Variant> {
        ExpectedQuantity::plain(expected).map_or_else(|_| Vec::new(), |quantity| quantity.near())
    }

    fn like(&self, expected: &Value, _actual: &Value) -> Vec<Variant> {
        ExpectedQuantity::plain(expected).map_or_else(|_| Vec::new(), |quantity| quantity.like())
    }

    fn right(&self, expected: &Value) -> Value {
        ExpectedQuantity::plain(expected).map_or(Value::Null, |quantity| quantity.number.value.into())
    }
}

/// Compares with what was expected, if that made sense.
pub(super) fn compared(expected: Result<ExpectedQuantity, String>, actual: &Value) -> LikenessResult {
    match expected {
        Ok(quantity) => quantity.compare(actual),
        Err(why) => LikenessResult::of(false, why),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::proof::{hold_both_ways, odd_json, survive};
    use super::*;
    use crate::units::all_unit_names;

    #[test]
    fn a_quantity_is_read_in_every_unit_that_measures_the_same() {
        let expected = json!({"value": 3.2, "unit": "km", "digits": 1});
        let why = |actual: Value| SameQuantity.compare(&expected, &actual).because;
        let all = [
            json!("3.2 km"),
            json!("3,200 m"),
            json!("2 miles"),
            json!({"value": 3.2, "unit": "km"}),
            json!({"value": "3 200", "unit": "metres"}),
            json!(3.2),
            json!("3.2"),
            json!("3.2 m"),
            json!("3.2 kg"),
            json!("3.2 kmh2"),
            json!("3 km"),
            json!("3 km 200 m"),
            json!({"value": 3.2}),
            json!({"value": 3.2, "unit": "km", "note": "?"}),
            json!(null),
        ];
        insta::assert_snapshot!(all.map(why).join("\n"), @r#"
        it is "3.2 km"
        it is "3,200 m"
        it is "2 miles"
        it is {"unit":"km","value":3.2}
        it is {"unit":"metres","value":"3 200"}
        it is 3.2, which names no unit
        it is "3.2", which names no unit
        it is "3.2 m", not 3.2 km
        it is "3.2 kg", where `kg` is a unit of mass, not of length
        it is "3.2 kmh2", where `kmh2` is no unit
        it is "3 km", not 3.2 km
        it is "3 km 200 m", where `km 200 m` is no unit
        it is {"value":3.2}, which names no unit
        it is {"note":"?","unit":"km","value":3.2}, where `note` means nothing here; there is `value`, `unit`
        it is null, which is no quantity
        "#);
    }

    #[test]
    fn counted_things_and_matter_have_names() {
        let holds = |expected: Value, actual: &str| SameQuantity.compare(&expected, &json!(actual)).score.is_full();
        let papers = json!({"value": 1200, "unit": "papers", "names": ["publications"]});
        assert!(holds(papers.clone(), "1,200 papers") && holds(papers.clone(), "1.2 thousand publications"));
        assert!(!holds(papers.clone(), "1,200 people") && !holds(papers, "1200"));
        let gas = json!({"value": 3.5, "unit": "Mt", "of": ["CO2"]});
        assert!(holds(gas.clone(), "3.5 Mt CO2") && holds(gas.clone(), "3.5 million tonnes of CO2"));
        assert!(!holds(gas, "3.5 Mt CH4"));
        let people = json!({"value": 12.3, "unit": "million", "digits": 1});
        assert!(holds(people.clone(), "12.3 million") && holds(people.clone(), "12,300,000") && !holds(people, "12.3"));
    }

    #[test]
    fn a_comma_is_no_decimal_mark_where_a_point_is_asked_for() {
        let holds = |expected: Value, actual: &str| SameNumber.compare(&expected, &json!(actual)).score.is_full();
        let amount = json!({"value": -1733.62, "decimal": "point"});
        for right in ["-1733.62", "-1,733.62", "-1733.620", "-1.73362e3", "−1733.62"] {
            assert!(holds(amount.clone(), right), "{right}");
        }
        assert!(!holds(amount.clone(), "-1.733,62") && !holds(amount, "-1733,62"));
        assert!(holds(json!(-1733.62), "-1.733,62"), "people write so");
        assert!(SameNumber.fits(&json!({"value": 1, "decimal": "comma"})).unwrap_err().contains("only be"));
    }

    #[test]
    fn counts_are_whole() {
        let holds = |actual: Value| {
            SameNumber.compare(&json!({"value": 52, "digits": 0, "tolerance": 0}), &actual).score.is_full()
        };
        assert!([json!(52), json!(52.0), json!("52"), json!("52.0"), json!("5.2e1")].into_iter().all(holds));
        assert!(![json!(52.0004), json!("52.0004"), json!("51.9999"), json!("52.00000001")].into_iter().any(holds));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let wrong = [
            json!("3.2 km"),
            json!({"value": 3.2}),
            json!({"value": 3.2, "unit": "kmm"}),
            json!({"value": 3.2, "unit": "papers"}),
            json!({"value": "3.2", "unit": "km"}),
            json!({"value": 3.2, "unit": "km", "digit": 1}),
            json!({"value": 3, "unit": "million", "bare": 1}),
        ];
        insta::assert_snapshot!(wrong.map(|expected| SameQuantity.fits(&expected).unwrap_err()).join("\n"), @r#"
        a quantity such as { value = 3.2, unit = "km", digits = 1 } is expected, not "3.2 km"
        `unit` is missing: { value = 3.2, unit = "km", digits = 1 }
        `kmm` is no unit that is known; did you mean `km`? things that are counted have `names`, which may be empty
        `papers` is no unit that is known; things that are counted have `names`, which may be empty
        `value` must be a number, not "3.2"
        `digit` means nothing here; did you mean `digits`?
        `bare` must be true or false, not 1
        "#);
    }

    fn some_value() -> impl Strategy<Value = f64> {
        prop_oneof![Just(0.0), -1e3..1e3, -1e9..1e9, -1e-3..1e-3, (-100_000..100_000).prop_map(f64::from)]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

        #[test]
        fn near_fails_and_like_passes(
            value in some_value(),
            digits in -4..5,
            unit in prop::sample::select(all_unit_names().collect::<Vec<_>>()),
            bare: bool,
        ) {
            let expected = json!({"value": value, "unit": unit, "digits": digits, "bare": bare});
            let (n_near, n_like) = hold_both_ways(&SameQuantity, &expected);
            prop_assert!(n_near >= 9 && n_like >= 8, "{n_near} {n_like}");
            let plain = json!({"value": value, "digits": digits});
            let (n_near, n_like) = hold_both_ways(&SameNumber, &plain);
            prop_assert!(n_near >= 8 && n_like >= 7, "{n_near} {n_like}");
        }

        #[test]
        fn explicit_tolerances_hold_too(value in some_value(), tolerance in 0.5..1e4) {
            hold_both_ways(&SameQuantity, &json!({"value": value, "unit": "kWh", "digits": 0, "tolerance": tolerance}));
            hold_both_ways(&SameQuantity, &json!({"value": value.round(), "unit": "ha", "tolerance": 0}));
            hold_both_ways(&SameNumber, &json!({"value": value, "digits": 2, "decimal": "point"}));
        }

        #[test]
        fn nothing_panics(expected in odd_json(), actual in odd_json()) {
            survive(&SameQuantity, &expected, &actual);
            survive(&SameNumber, &expected, &actual);
        }
    }
}
