//! Giving the spot its colour back.

use quintain_core::action::Call;
use quintain_core::rng::Rng;
use quintain_core::world::OracleStyle;
use serde_json::Value;

use super::{Colorization, Puzzle, Start};
use crate::portions::{portions, shorter_way};
use crate::puzzle::call;

/// Small moves that show what a move does: degrees of hue, and saturation.
const UNITS: (i64, i64) = (15, 25);
/// How many turns may make up the full turn.
const FULL_TURN_PARTS: [i64; 3] = [3, 4, 6];

/// One move.
#[derive(Clone, Copy, Debug)]
enum ColourMove {
    Rotate(i64),
    Saturate(i64),
}

impl ColourMove {
    fn call(self) -> Call {
        match self {
            Self::Rotate(degrees) => call("rotate", [Value::from(degrees)]),
            Self::Saturate(delta) => call("saturate", [Value::from(delta)]),
        }
    }
}

/// Solves by the asked strategy; every one ends exactly on the spot's own hue and saturation.
pub(super) fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
    let mut rng = Rng::for_purpose(style.seed, "colorization/solve");
    let n_moves = style.length.map_or(0, |length| length.saturating_sub(1) as usize);
    let hue = shorter_way(start.tint.hue, start.target.hue);
    let saturation = start.target.saturation - start.tint.saturation;
    let moves = match style.strategy.as_deref() {
        None | Some("stochastic") => cut(hue, saturation, n_moves, &mut rng),
        Some("direct") => joined(&[hue], &[saturation]),
        Some("unit_first") => unit_first(start, hue, saturation),
        Some("full_turn") => full_turn(hue, saturation, &mut rng),
        Some(other) => return Err(format!("`{}` has no strategy `{other}`", Colorization::NAME)),
    };
    Ok(padded(moves, n_moves, start, &mut rng).into_iter().map(ColourMove::call).collect())
}

/// Turns and changes of saturation in this order; what changes nothing is left out.
fn joined(hues: &[i64], saturations: &[i64]) -> Vec<ColourMove> {
    let hues = hues.iter().filter(|hue| **hue != 0).map(|hue| ColourMove::Rotate(*hue));
    let saturations = saturations.iter().filter(|delta| **delta != 0).map(|delta| ColourMove::Saturate(*delta));
    hues.chain(saturations).collect()
}

/// The way cut into two to four turns and one to three changes of saturation, more if a length is asked for, mixed.
fn cut(hue: i64, saturation: i64, n_moves: usize, rng: &mut Rng) -> Vec<ColourMove> {
    let n_hues = (2 + rng.below(3)).max(n_moves * 2 / 3);
    let n_saturations = (1 + rng.below(3)).max(n_moves / 3);
    let hues = portions(hue, n_hues, rng);
    let mut moves = joined(&hues, &portions(saturation, n_saturations, rng));
    rng.shuffle(&mut moves);
    moves
}

/// A small turn and a small change of saturation, one after the other, then a move each that does the rest.
fn unit_first(start: &Start, hue: i64, saturation: i64) -> Vec<ColourMove> {
    let turn = if hue < 0 { -UNITS.0 } else { UNITS.0 };
    let inwards = start.tint.saturation > 127;
    let change = if inwards { -UNITS.1 } else { UNITS.1 };
    let mut moves = joined(&[turn], &[change]);
    moves.extend(joined(&[hue - turn], &[saturation - change]));
    moves
}

/// All hues once round, so that every one has been seen on the spot, then the moves that align.
fn full_turn(hue: i64, saturation: i64, rng: &mut Rng) -> Vec<ColourMove> {
    let n_parts = *rng.choose(&FULL_TURN_PARTS);
    let mut moves = joined(&vec![360 / n_parts; n_parts as usize], &[]);
    moves.extend(joined(&[hue], &[saturation]));
    moves
}

/// Puts pairs of moves that undo each other before the last move, until there are so many.
fn padded(mut moves: Vec<ColourMove>, n_moves: usize, start: &Start, rng: &mut Rng) -> Vec<ColourMove> {
    while moves.len() < n_moves {
        let at = rng.below(moves.len().max(1));
        let pair = if rng.chance(0.6) {
            let turn = rng.between(5, 90) * if rng.chance(0.5) { 1 } else { -1 };
            [ColourMove::Rotate(turn), ColourMove::Rotate(-turn)]
        } else {
            there_and_back(saturation_before(start, &moves[..at.min(moves.len())]), rng)
        };
        moves.splice(at..at, pair);
    }
    moves
}

/// The saturation after some moves.
fn saturation_before(start: &Start, moves: &[ColourMove]) -> i64 {
    let delta = |step: &ColourMove| if let ColourMove::Saturate(delta) = step { *delta } else { 0 };
    start.tint.saturation + moves.iter().map(delta).sum::<i64>()
}

/// A change of saturation that stays within the wheel, and its undoing.
fn there_and_back(saturation: i64, rng: &mut Rng) -> [ColourMove; 2] {
    let room = saturation.max(255 - saturation);
    let change = rng.between(1, room.min(60)) * if saturation > 127 { -1 } else { 1 };
    [ColourMove::Saturate(change), ColourMove::Saturate(-change)]
}
