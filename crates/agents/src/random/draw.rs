//! Draws calls and values of the published types.

use quintain_core::{Call, CallSchema, Rng, ValueType};
use serde_json::Value;

/// A range wider than this is drawn by magnitude: most of a huge range is huge, and no action worth trying is.
const WIDE: f64 = 1e6;
/// The magnitudes drawn from a wide range begin here.
const LEAST_MAGNITUDE: f64 = 1e-2;

/// Where a text is wanted, a number from 1 to this is written.
const MOST_LINKS: i64 = 40;

/// A call with every argument drawn.
pub(super) fn call(rng: &mut Rng, schema: &CallSchema) -> Call {
    Call { name: schema.name.clone(), args: schema.args.iter().map(|arg| value(rng, &arg.value)).collect() }
}

/// A value of the type.
fn value(rng: &mut Rng, kind: &ValueType) -> Value {
    match kind {
        ValueType::Integer { min, max } => integer(rng, *min, *max).into(),
        ValueType::Number { min, max } => number(rng, *min, *max).into(),
        ValueType::Choice { of } if of.is_empty() => Value::Null,
        ValueType::Choice { of } => rng.choose(of).clone().into(),
        // Links and the like go by small numbers.
        ValueType::Text { .. } => rng.between(1, MOST_LINKS).to_string().into(),
        ValueType::Fields { .. } => Value::Object(serde_json::Map::new()),
        ValueType::List { of, len } => (0..*len).map(|_| value(rng, of)).collect(),
    }
}

/// Uniform over the range, however wide.
fn integer(rng: &mut Rng, min: i64, max: i64) -> i64 {
    match max.checked_sub(min) {
        Some(width) if width < i64::MAX => rng.between(min, max.max(min)),
        _ => {
            let width = i128::from(max) - i128::from(min) + 1;
            let drawn = i128::from(min) + i128::from(rng.next_u64()) % width;
            i64::try_from(drawn).expect("a number between two 64-bit numbers is one")
        }
    }
}

/// Uniform over a range of ordinary width; over a wide one the magnitude is uniform in its logarithm, the sign fair.
fn number(rng: &mut Rng, min: f64, max: f64) -> f64 {
    if max - min <= WIDE {
        return rng.uniform(min, max).clamp(min, max);
    }
    let is_negative = max <= 0.0 || (min < 0.0 && rng.chance(0.5));
    let (nearest, farthest) = if is_negative { ((-max).max(0.0), -min) } else { (min.max(0.0), max) };
    let low = libm::log2(nearest.max(LEAST_MAGNITUDE));
    let high = libm::log2(farthest.clamp(LEAST_MAGNITUDE, f64::MAX));
    let magnitude = libm::exp2(rng.uniform(low, high)).clamp(nearest, farthest);
    if is_negative { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use quintain_core::action::Dialect;
    use quintain_core::{Action, Rng, Surface};

    use super::*;
    use crate::script::say;

    fn kinds() -> impl Strategy<Value = ValueType> {
        let bound = prop_oneof![-100.0_f64..100.0, any::<f64>().prop_filter("finite", |x| x.is_finite())];
        let simple = prop_oneof![
            (any::<i64>(), any::<i64>()).prop_map(|(a, b)| ValueType::Integer { min: a.min(b), max: a.max(b) }),
            (-9_i64..0, 0_i64..9).prop_map(|(min, max)| ValueType::Integer { min, max }),
            (bound.clone(), bound).prop_map(|(a, b): (f64, f64)| ValueType::Number { min: a.min(b), max: a.max(b) }),
            proptest::collection::vec("[a-z_]{1,6}", 1..4).prop_map(|of| ValueType::Choice { of }),
        ];
        let listed = (simple.clone(), 1_usize..4).prop_map(|(of, len)| ValueType::List { of: Box::new(of), len });
        prop_oneof![simple, listed]
    }

    proptest! {
        #[test]
        fn every_draw_is_an_action_the_world_understands(
            kinds in proptest::collection::vec(kinds(), 0..4),
            seed in any::<u64>(),
        ) {
            let args = kinds.into_iter().enumerate();
            let schema = args.fold(CallSchema::plain("turn", ""), |schema, (i, kind)| {
                schema.arg(&format!("a{i}"), kind, "", 0)
            });
            let drawn = call(&mut Rng::new(seed), &schema);
            let surface = Surface { calls: vec![schema], ..Surface::default() };
            let read = Dialect::Tolerant.read(&say(&Action::Call(drawn.clone())), &surface);
            prop_assert_eq!(read, Ok(Action::Call(drawn)));
        }
    }

    #[test]
    fn wide_ranges_are_drawn_by_magnitude() {
        let mut rng = Rng::new(5);
        let drawn: Vec<f64> = (0..1000).map(|_| number(&mut rng, -1e12, 1e12)).collect();
        let small = drawn.iter().filter(|number| number.abs() < 1e5).count();
        let negative = drawn.iter().filter(|number| **number < 0.0).count();
        assert!((430..570).contains(&small), "{small} of 1000 are in the lower half of the magnitudes");
        assert!((430..570).contains(&negative), "{negative} of 1000 are negative");
    }

    #[test]
    fn unbounded_ranges_give_finite_numbers() {
        let mut rng = Rng::new(6);
        assert!((0..1000).all(|_| number(&mut rng, f64::NEG_INFINITY, f64::INFINITY).is_finite()));
        assert!((0..1000).all(|_| number(&mut rng, f64::MIN, f64::MAX).is_finite()));
        assert!((0..1000).all(|_| (3.0..=1e300).contains(&number(&mut rng, 3.0, 1e300))));
        assert!((0..1000).all(|_| (-1e300..=-3.0).contains(&number(&mut rng, -1e300, -3.0))));
    }
}
