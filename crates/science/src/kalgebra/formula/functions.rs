//! What KAlgebra's own functions and operators come to, as far as it computes them rightly.

use super::value::AlgebraValue;

/// What a constant stands for.
pub(super) fn constant(name: &str) -> Option<AlgebraValue> {
    let number = match name {
        "pi" => std::f64::consts::PI,
        "e" => std::f64::consts::E,
        "euler" => 0.577_215_664_901_532_9,
        "true" => 1.0,
        "false" => 0.0,
        _ => return None,
    };
    Some(AlgebraValue::Number(number))
}

/// The other sign.
pub(super) fn negative(value: AlgebraValue) -> Option<AlgebraValue> {
    match value {
        AlgebraValue::Number(number) => Some(AlgebraValue::Number(-number)),
        AlgebraValue::Collection(kind, items) => {
            let items: Option<Vec<AlgebraValue>> = items.into_iter().map(negative).collect();
            Some(AlgebraValue::Collection(kind, items?))
        }
        AlgebraValue::Function(..) => None,
    }
}

/// Two values with an operator between them.
pub(super) fn pair(left: &AlgebraValue, operator: &str, right: &AlgebraValue) -> Option<AlgebraValue> {
    use AlgebraValue::{Collection, Number};
    match (left, right) {
        (Number(left), Number(right)) => numbers(*left, operator, *right).map(Number),
        (Collection(kind, left), Collection(other, right)) if kind == other && left.len() == right.len() => {
            let is_sum = operator == "+" || operator == "-";
            let items = left.iter().zip(right).map(|(left, right)| pair(left, operator, right));
            let items: Option<Vec<AlgebraValue>> = items.collect();
            is_sum.then_some(Collection(kind.clone(), items?))
        }
        (Number(_), Collection(kind, items)) if operator == "*" => each(kind, items, |item| pair(left, "*", item)),
        (Collection(kind, items), Number(_)) if operator == "*" || operator == "/" => {
            each(kind, items, |item| pair(item, operator, right))
        }
        _ => None,
    }
}

fn each(
    kind: &str,
    items: &[AlgebraValue],
    change: impl Fn(&AlgebraValue) -> Option<AlgebraValue>,
) -> Option<AlgebraValue> {
    let items: Option<Vec<AlgebraValue>> = items.iter().map(change).collect();
    Some(AlgebraValue::Collection(kind.to_owned(), items?))
}

#[expect(clippy::float_cmp, reason = "`=` compares as KAlgebra does")]
fn numbers(left: f64, operator: &str, right: f64) -> Option<f64> {
    Some(match operator {
        "+" => left + right,
        "-" => left - right,
        "*" => left * right,
        "/" => left / right,
        "^" => left.powf(right),
        "=" => f64::from(u8::from(left == right)),
        "!=" => f64::from(u8::from(left != right)),
        "<" => f64::from(u8::from(left < right)),
        ">" => f64::from(u8::from(left > right)),
        "<=" => f64::from(u8::from(left <= right)),
        ">=" => f64::from(u8::from(left >= right)),
        _ => return None,
    })
}

/// What a function of KAlgebra's gives.
pub(super) fn named(name: &str, given: &[AlgebraValue]) -> Option<AlgebraValue> {
    let place = match given {
        [place, AlgebraValue::Collection(_, items)] if name == "selector" => Some((place.number()?, items)),
        _ => None,
    };
    if let Some((place, items)) = place {
        let is_place = place >= 1.0 && place.fract() == 0.0;
        return is_place.then(|| items.get(place as usize - 1).cloned()).flatten();
    }
    let given: Option<Vec<f64>> = given.iter().map(AlgebraValue::number).collect();
    of_numbers(name, &given?).map(AlgebraValue::Number)
}

fn of_numbers(name: &str, given: &[f64]) -> Option<f64> {
    let fold = |operator: &'static str| {
        let (first, rest) = given.split_first()?;
        rest.iter().try_fold(*first, |so_far, next| numbers(so_far, operator, *next))
    };
    match (name, given) {
        (_, [at]) => of_one(name, *at),
        ("root", [of, degree]) => Some(root(*of, *degree)),
        ("power", [_, _]) => fold("^"),
        ("divide", [_, _]) => fold("/"),
        ("minus", [_, _]) => fold("-"),
        ("plus", _) => fold("+"),
        ("times", _) => fold("*"),
        ("rem", [of, by]) => Some(of % by),
        ("quotient", [of, by]) => Some((of / by).trunc()),
        ("max", [_, ..]) => Some(given.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
        ("min", [_, ..]) => Some(given.iter().copied().fold(f64::INFINITY, f64::min)),
        ("and", [_, ..]) => Some(f64::from(u8::from(given.iter().all(|given| *given != 0.0)))),
        ("or", [_, ..]) => Some(f64::from(u8::from(given.iter().any(|given| *given != 0.0)))),
        _ => None,
    }
}

/// Roots of negative numbers are real where they can be.
fn root(of: f64, degree: f64) -> f64 {
    let is_odd = degree.fract() == 0.0 && (degree as i64).rem_euclid(2) == 1;
    if is_odd && of < 0.0 { -(-of).powf(1.0 / degree) } else { of.powf(1.0 / degree) }
}

fn of_one(name: &str, at: f64) -> Option<f64> {
    Some(match name {
        "sin" => at.sin(),
        "cos" => at.cos(),
        "tan" => at.tan(),
        "sec" => 1.0 / at.cos(),
        "csc" => 1.0 / at.sin(),
        "cot" => 1.0 / at.tan(),
        "arcsin" => at.asin(),
        "arccos" => at.acos(),
        "arctan" => at.atan(),
        "sinh" => at.sinh(),
        "cosh" => at.cosh(),
        "tanh" => at.tanh(),
        "exp" => at.exp(),
        "ln" => at.ln(),
        "log" => at.log10(),
        "abs" => at.abs(),
        "floor" => at.floor(),
        "ceiling" => at.ceil(),
        "minus" => -at,
        "plus" | "times" | "max" | "min" => at,
        "not" => f64::from(u8::from(at == 0.0)),
        _ => return None,
    })
}
