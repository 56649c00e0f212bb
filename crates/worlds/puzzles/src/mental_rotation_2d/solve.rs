//! Turning the disc back.

use quintain_core::action::Call;
use quintain_core::rng::Rng;
use quintain_core::world::OracleStyle;

use super::{MAX_TURN, Start, State, rotate};
use crate::portions::{portions, shorter_way};
use crate::puzzle::Puzzle;

/// How many turns the `stochastic` strategy makes when no length is asked for.
const STOCHASTIC_TURNS: usize = 3;
/// The turns of `unit_first` that show which way is which, in degrees.
const UNITS: [i64; 2] = [10, 15];
/// How many turns may make up the full turn.
const FULL_TURN_PARTS: [i64; 3] = [3, 4, 6];

/// Solves by the asked strategy; every one ends with a turn that aligns the disc exactly.
pub(super) fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
    let mut rng = Rng::for_purpose(style.seed, "mental-rotation-2d/solve");
    let n_turns = style.length.map_or(0, |length| length.saturating_sub(1) as usize);
    let left = shorter_way(start.angle, 0);
    let turns = match style.strategy.as_deref() {
        None | Some("direct") => vec![left],
        Some("stochastic") => portions(left, n_turns.max(STOCHASTIC_TURNS), &mut rng),
        Some("unit_first") => unit_first(start, &mut rng),
        Some("full_turn") => full_turn(left, &mut rng),
        Some(other) => return Err(format!("`{}` has no strategy `{other}`", super::MentalRotation2d::NAME)),
    };
    Ok(padded(turns, n_turns, &mut rng).into_iter().map(rotate).collect())
}

/// A small turn or two that show what a turn does, then one that does the rest.
fn unit_first(start: &Start, rng: &mut Rng) -> Vec<i64> {
    let unit = *rng.choose(&UNITS) * if rng.chance(0.5) { 1 } else { -1 };
    let mut turns = vec![unit; 1 + rng.below(2)];
    let rest = |turns: &[i64]| shorter_way(State { angle: start.angle }.turned(turns.iter().sum()).angle, 0);
    if rest(&turns) == 0 {
        turns.push(-unit);
    }
    turns.push(rest(&turns));
    turns
}

/// All the way round in equal turns, so that every view has been seen, then the turn that aligns.
fn full_turn(left: i64, rng: &mut Rng) -> Vec<i64> {
    let n_parts = *rng.choose(&FULL_TURN_PARTS);
    let part = 360 / n_parts * if rng.chance(0.5) { 1 } else { -1 };
    let mut turns = vec![part; n_parts as usize];
    turns.push(left);
    turns
}

/// Puts pairs of turns that undo each other before the last turn, until there are so many.
fn padded(mut turns: Vec<i64>, n_turns: usize, rng: &mut Rng) -> Vec<i64> {
    while turns.len() < n_turns {
        let turn = rng.between(5, MAX_TURN / 2) * if rng.chance(0.5) { 1 } else { -1 };
        let at = rng.below(turns.len());
        turns.splice(at..at, [turn, -turn]);
    }
    turns
}
