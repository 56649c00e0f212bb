//! Exhaustive search: the fewest moves that make an equation true.

use std::collections::BTreeSet;

use quintain_core::rng::Rng;

use super::equation::{Equation, MatchMove};

/// Equations that a search may look at before it gives up.
const MOST_EQUATIONS: usize = 100_000;

/// A shortest list of moves that makes the equation true, if one of at most so many moves does. Everything nearer has then
/// been looked at, so none shorter exists. Of several, one without zeros in front of a number is preferred; among those the
/// random numbers choose.
pub(super) fn fewest(from: &Equation, most: u32, rng: &mut Rng) -> Result<Option<Vec<MatchMove>>, String> {
    if from.is_true() {
        return Ok(Some(Vec::new()));
    }
    let mut seen = BTreeSet::from([from.clone()]);
    let mut edge = vec![(from.clone(), Vec::new())];
    for _ in 0..most {
        let (mut next, mut found) = (Vec::new(), None);
        for (equation, path) in edge {
            let mut moves = equation.moves();
            rng.shuffle(&mut moves);
            for (moving, reached) in moves.into_iter().filter(|(_, reached)| seen.insert(reached.clone())) {
                let path: Vec<MatchMove> = path.iter().copied().chain([moving]).collect();
                if reached.is_true() && !reached.has_zeros_in_front() {
                    return Ok(Some(path));
                }
                if reached.is_true() {
                    found = found.or(Some(path));
                } else {
                    next.push((reached, path));
                }
            }
        }
        if found.is_some() {
            return Ok(found);
        }
        if seen.len() > MOST_EQUATIONS {
            return Err(format!("no true equation was found among {MOST_EQUATIONS}"));
        }
        edge = next;
    }
    Ok(None)
}

/// Whether at most so many moves make the equation true.
pub(super) fn is_within(equation: &Equation, n_moves: u32) -> bool {
    equation.is_true() || n_moves > 0 && equation.moves().iter().any(|(_, next)| is_within(next, n_moves - 1))
}

/// True equations within so many moves, other than one, each with the moves that lead to it.
pub(super) fn others(from: &Equation, most: u32, but: &Equation, n_wanted: usize) -> Vec<(Equation, Vec<MatchMove>)> {
    let mut seen = BTreeSet::from([from.clone(), but.clone()]);
    let mut edge = vec![(from.clone(), Vec::new())];
    let mut found = Vec::new();
    for _ in 0..most {
        let mut next = Vec::new();
        for (equation, path) in edge {
            for (moving, reached) in equation.moves().into_iter().filter(|(_, reached)| seen.insert(reached.clone())) {
                let path: Vec<MatchMove> = path.iter().copied().chain([moving]).collect();
                if reached.is_true() {
                    found.push((reached.clone(), path.clone()));
                }
                next.push((reached, path));
            }
        }
        if found.len() >= n_wanted || seen.len() > MOST_EQUATIONS {
            break;
        }
        edge = next;
    }
    found.truncate(n_wanted);
    found
}
