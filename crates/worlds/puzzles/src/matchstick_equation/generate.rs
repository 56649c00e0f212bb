//! Making a broken equation: a true one, random moves, and the proof that fewer moves do not mend it.

use quintain_core::rng::Rng;

use super::equation::Equation;
use super::search::is_within;
use super::{Parameters, Start};

/// Equations that are tried before the parameters are given up on.
const N_TRIES: u32 = 20_000;
const OPERATORS: [char; 4] = ['+', '-', '*', '/'];

pub(super) fn start(parameters: &Parameters, rng: &mut Rng) -> Result<Start, String> {
    check(parameters)?;
    for _ in 0..N_TRIES {
        let Some(equation) = truth(parameters, rng) else { continue };
        let Some(broken) = broken(equation, parameters.break_moves, rng) else { continue };
        if !is_within(&broken, parameters.break_moves - 1) {
            return Ok(Start { broken });
        }
    }
    Err(format!(
        "none of {N_TRIES} equations can be broken by {} moves so that fewer do not mend it: change `break_moves`, \
         `most_operations` or `largest`",
        parameters.break_moves
    ))
}

fn check(parameters: &Parameters) -> Result<(), String> {
    let Parameters { break_moves, most_operations, largest } = *parameters;
    let within = |name: &str, value: u32, low: u32, high: u32| {
        let wrong = || format!("`{name}` must be from {low} to {high}, not {value}");
        (low..=high).contains(&value).then_some(()).ok_or_else(wrong)
    };
    within("break_moves", break_moves, 1, 3)?;
    within("most_operations", most_operations, 1, 3)?;
    within("largest", largest, 9, 99)
}

/// A random true equation, if the drawn numbers make one.
fn truth(parameters: &Parameters, rng: &mut Rng) -> Option<Equation> {
    let n_operations = 1 + rng.below(parameters.most_operations as usize);
    let operators: Vec<char> = (0..n_operations).map(|_| *rng.choose(&OPERATORS)).collect();
    let largest = i128::from(parameters.largest);
    (0..100).find_map(|_| {
        let mut left = number(largest, rng).to_string();
        for operator in &operators {
            left = format!("{left}{operator}{}", number(largest, rng));
        }
        let result = Equation::value_of(&left).filter(|result| (0..=largest).contains(result))?;
        format!("{left}={result}").try_into().ok()
    })
}

/// A number of one digit as often as one of two.
fn number(largest: i128, rng: &mut Rng) -> i128 {
    let most = if rng.chance(0.5) { 9 } else { largest };
    rng.below(most as usize + 1) as i128
}

/// The equation after so many random moves, none of which leads back to where it was before.
fn broken(equation: Equation, n_moves: u32, rng: &mut Rng) -> Option<Equation> {
    let mut been = vec![equation];
    for _ in 0..n_moves {
        let moves = been.last()?.moves();
        let onward: Vec<Equation> =
            moves.into_iter().map(|(_, next)| next).filter(|next| !been.contains(next)).collect();
        if onward.is_empty() {
            return None;
        }
        been.push(rng.choose(&onward).clone());
    }
    been.pop()
}
