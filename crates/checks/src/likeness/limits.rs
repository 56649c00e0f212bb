//! Measures that have to stay within limits.

use serde_json::{Value, json};

use super::NumberBounds;
use super::expectation::refuse_other_keys;
use super::object_parts::{ObjectPart, ObjectParts};
use crate::value::brief;

/// No more measures are looked at.
const MAX_MEASURES: usize = 500;

/// The limits of an expectation, `{ limits = { gain = { min = -3.2, max = -2.8 } } }`: every measure stays within its own,
/// both ends included. They say what is feasible, and how good it has to be.
pub(super) fn measures(expected: &Value) -> Result<ObjectParts, String> {
    let told = expected.as_object().ok_or_else(|| format!("limits are expected, not {}", brief(expected)))?;
    refuse_other_keys(told, ["limits"])?;
    let limits = told.get("limits").and_then(Value::as_object).filter(|all| (1..=MAX_MEASURES).contains(&all.len()));
    let limits = limits.ok_or_else(|| format!("`limits` must hold 1 to {MAX_MEASURES} measures"))?;
    let parts = limits.iter().map(|(name, bounds)| measure(name, bounds).map_err(|why| format!("`{name}`: {why}")));
    Ok(ObjectParts { noun: "measures", parts: parts.collect::<Result<_, _>>()? })
}

fn measure(name: &str, bounds: &Value) -> Result<ObjectPart, String> {
    let bounds = bounds_of(bounds)?;
    // What is at one end of its limits is right.
    let expected = json!(bounds.min.or(bounds.max));
    Ok(ObjectPart { name: name.to_owned(), expected, likeness: Box::new(bounds) })
}

fn bounds_of(told: &Value) -> Result<NumberBounds, String> {
    let fields = told.as_object().ok_or_else(|| format!("limits are `min` and `max`, not {}", brief(told)))?;
    refuse_other_keys(fields, ["min", "max"])?;
    let end = |key: &str| match fields.get(key) {
        None => Ok(None),
        Some(end) => end.as_f64().filter(|end| end.is_finite()).map(Some).ok_or(format!("`{key}` must be a number")),
    };
    match (end("min")?, end("max")?) {
        (None, None) => Err("it has no limit: give `min`, `max` or both".to_owned()),
        (Some(min), Some(max)) if min > max => Err(format!("nothing is from {min} to {max}")),
        (min, max) => Ok(NumberBounds { min, max, from_text: false }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Likeness as _;
    use super::super::object_parts::PartwiseObject;
    use super::super::proof::{hold_both_ways, odd_json, survive};
    use super::*;

    const LIMITS: PartwiseObject = PartwiseObject(measures);

    #[test]
    fn measures_stay_within_their_limits() {
        let limits =
            json!({"limits": {"loudness": {"min": -23.5, "max": -22.5}, "peak": {"max": -1}, "speakers": {"min": 2}}});
        let told = |actual: Value| {
            let result = LIMITS.compare(&limits, &actual);
            format!("{:.2} {}", result.score.value(), result.because)
        };
        let all = [
            json!({"loudness": -23.0, "peak": -1, "speakers": 2, "more": "?"}),
            json!({"loudness": -22.4, "peak": -3, "speakers": 2}),
            json!({"loudness": -23, "speakers": "2"}),
            json!(null),
        ];
        insta::assert_snapshot!(all.map(told).join("\n"));
        assert!(hold_both_ways(&LIMITS, &limits).0 > 15);
    }

    #[test]
    fn an_expectation_that_makes_no_sense_is_refused() {
        let wrong = [
            json!({"limits": {}}),
            json!({"limits": {"a": {}}}),
            json!({"limits": {"a": {"min": 2, "max": 1}}}),
            json!({"limits": {"a": {"least": 2}}}),
            json!({"limits": {"a": {"min": "2"}}}),
            json!(3),
        ];
        insta::assert_snapshot!(wrong.map(|expected| LIMITS.fits(&expected).unwrap_err()).join("\n"));
    }

    proptest! {
        #[test]
        fn nothing_panics(min in any::<f64>(), max in any::<f64>(), actual in odd_json()) {
            survive(&LIMITS, &json!({ "limits": { "a": { "min": min, "max": max } } }), &json!({ "a": actual }));
        }
    }
}
