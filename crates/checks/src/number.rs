//! Distances between JSON numbers, exact for whole ones.

use serde_json::Number;

/// Whole floats up to this size are taken as whole numbers; differences of two such never overflow.
const MAX_WHOLE: f64 = 1e37;

/// The number as a whole one, if it is: `2` and `2.0` alike.
pub(crate) fn whole(number: &Number) -> Option<i128> {
    if let Some(number) = number.as_i64() {
        return Some(number.into());
    }
    if let Some(number) = number.as_u64() {
        return Some(number.into());
    }
    let float = number.as_f64()?;
    (float.fract() == 0.0 && float.abs() <= MAX_WHOLE).then_some(float as i128)
}

/// Whether two numbers are the same number, however they are written.
pub(crate) fn equal(a: &Number, b: &Number) -> bool {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => a == b,
        (None, None) => a.as_f64() == b.as_f64(),
        _ => false,
    }
}

/// How far apart two numbers are: never NaN, infinite where the distance is too great for a float.
pub(crate) fn distance(a: &Number, b: &Number) -> f64 {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => a.abs_diff(b) as f64,
        _ => (float(a) - float(b)).abs(),
    }
}

/// The nearest float.
pub(crate) fn float(number: &Number) -> f64 {
    number.as_f64().unwrap_or(f64::MAX)
}

/// Whether a distance is within a tolerance. A tolerance above nothing forgives the rounding of floats, so that 1.1 is
/// within 0.1 of 1.0; a tolerance of nothing forgives nothing.
pub(crate) fn within(a: &Number, b: &Number, tolerance: f64) -> bool {
    let slack = if tolerance > 0.0 { rounding(float(a)).max(rounding(float(b))) } else { 0.0 };
    let distance = distance(a, b);
    distance.is_finite() && distance <= tolerance + slack
}

/// What the rounding of a float of this size may amount to.
pub(crate) fn rounding(size: f64) -> f64 {
    4.0 * f64::EPSILON * size.abs()
}

/// A float as a JSON number, if it is finite.
pub(crate) fn finite(number: f64) -> Option<Number> {
    Number::from_f64(number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number(text: &str) -> Number {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn numbers_are_compared_by_value() {
        let same = |a, b| equal(&number(a), &number(b));
        assert!(same("2", "2.0") && same("-0.0", "0") && same("1e3", "1000"));
        assert!(!same("9007199254740993", "9007199254740992.0"), "beyond the precision of floats");
        assert!(!same("18446744073709551615", "18446744073709551614"));
        assert!(!same("0.1", "0.10000000000000002"));
    }

    #[test]
    fn tolerance_forgives_rounding_but_only_that() {
        assert!(within(&number("1.1"), &number("1.0"), 0.1));
        assert!(!within(&number("1.1000001"), &number("1.0"), 0.1));
        assert!(!within(&number("0.3"), &number("0.30000000000000004"), 0.0));
        assert!(!within(&number("1e308"), &number("-1e308"), f64::MAX));
    }

    proptest! {
        #[test]
        fn distance_is_a_distance(a in any::<f64>(), b in any::<f64>(), c in any::<i64>(), d in any::<u64>()) {
            let all: Vec<Number> = [finite(a), finite(b), Some(c.into()), Some(d.into())].into_iter().flatten().collect();
            for x in &all {
                for y in &all {
                    prop_assert!(distance(x, y) >= 0.0);
                    prop_assert!(distance(x, y).to_bits() == distance(y, x).to_bits());
                    prop_assert_eq!(equal(x, y), equal(y, x));
                    prop_assert!(!equal(x, y) || distance(x, y) == 0.0);
                }
                prop_assert!(equal(x, x));
            }
        }
    }
}
