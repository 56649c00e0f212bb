//! Slips of a mind that knows the solution: at a set rate a note is wrong or left out, so that what reports tell of chains can
//! be held against arithmetic.

use quintain_core::{Action, Rng};
use serde_json::Value;

use super::shares;

/// How often a note goes wrong; each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slips {
    /// From this note on all are wrong: what is built on an error is none the better for it.
    errs: f64,
    /// This note is left out, and those after it are right.
    forgets: f64,
    seed: u64,
}

impl Slips {
    /// The slips that `errs=0.1,forgets=0.05` names.
    pub fn read(text: &str, seed: u64) -> Result<Self, String> {
        let mut slips = Self { seed, ..Self::default() };
        for (name, share) in shares::read(text)? {
            match name {
                "errs" => slips.errs = share,
                "forgets" => slips.forgets = share,
                other => return Err(format!("there is no slip `{other}`: errs or forgets")),
            }
        }
        Ok(slips)
    }

    /// The solution of an instance as this mind tells it.
    pub fn over(&self, instance: &str, actions: Vec<Action>) -> Vec<Action> {
        let mut rng = Rng::for_purpose(self.seed, &format!("slips {instance}"));
        let mut has_erred = false;
        let mut told = Vec::with_capacity(actions.len());
        for action in actions {
            let Action::Note { fields } = action else {
                told.push(action);
                continue;
            };
            let (errs, forgets) = (rng.chance(self.errs), rng.chance(self.forgets));
            has_erred |= errs;
            if has_erred {
                let fields = fields.into_iter().map(|(name, value)| (name, wrong(&value))).collect();
                told.push(Action::Note { fields });
            } else if !forgets {
                told.push(Action::Note { fields });
            }
        }
        told
    }
}

/// A value that is not this one, of the same kind.
fn wrong(value: &Value) -> Value {
    match value {
        Value::Number(number) => Value::from(number.as_f64().unwrap_or(0.0) * 3.0 + 7.0),
        Value::String(text) => Value::from(format!("not {text}").replace(|c: char| c.is_ascii_digit(), "4")),
        Value::Array(values) => values.iter().map(wrong).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), wrong(value))).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn notes(n: usize) -> Vec<Action> {
        let note = |nth: usize| {
            let fields = json!({ "name": format!("a{nth}"), "n": nth });
            Action::Note { fields: fields.as_object().expect("an object").clone() }
        };
        (0..n).flat_map(|nth| [Action::Screenshot, note(nth)]).chain([Action::Done]).collect()
    }

    #[test]
    fn what_is_built_on_an_error_is_wrong_and_what_is_forgotten_is_missing() {
        let all = notes(6);
        assert_eq!(Slips::default().over("x", all.clone()), all);
        let erring = Slips::read("errs=0.3", 5).unwrap();
        let told = erring.over("x#1", all.clone());
        let first_wrong = all.iter().zip(&told).position(|(right, told)| right != told).expect("one errs in six");
        let rest = all.iter().zip(&told).skip(first_wrong);
        assert!(rest.clone().all(|(right, told)| (right == told) != matches!(right, Action::Note { .. })));
        let forgetful = Slips::read("forgets=0.5", 5).unwrap().over("x#1", all.clone());
        assert!(forgetful.len() < all.len() && forgetful.iter().all(|action| all.contains(action)));
    }

    #[test]
    fn slips_come_at_their_rate() {
        let slips = Slips::read("errs=0.2", 1).unwrap();
        let right = (0..2_000).filter(|nth| slips.over(&nth.to_string(), notes(3)) == notes(3)).count();
        assert!((right as f64 / 2_000.0 - 0.8_f64.powi(3)).abs() < 0.03, "{right}");
        assert!(Slips::read("slips=1", 0).is_err() && Slips::read("errs=2", 0).is_err());
    }
}
