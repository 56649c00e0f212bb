//! Picks the block up and carries it: above it, down, fingers closed, up, across, to the ball.

use quintain_core::action::Call;
use quintain_core::world::OracleStyle;
use quintain_puzzles::Puzzle;
use quintain_puzzles::puzzle::call;

use super::{FetchPickAndPlace, Start, block_of};
use crate::motion::{Motion, distance};
use crate::player::ArmPlayer;
use crate::scene::BLOCK_HALF;

/// Fingers at this height pass over a block that lies on the table.
const CLEAR: f64 = 0.1;
/// A block is carried across the table at this height at least.
const CARRY: f64 = 0.06;
/// The hand is near enough to go down or to close, in metres.
const CLOSE: f64 = 0.006;
/// The solver is content when the block is so near to the ball, in metres.
const CONTENT: f64 = 0.012;

pub(super) fn solve(start: &Start, style: &OracleStyle, n_pairs: usize) -> Result<Vec<Call>, String> {
    let [x, y] = start.block;
    let mut player = ArmPlayer::begin(FetchPickAndPlace::initial(start), style, [x, y, BLOCK_HALF], n_pairs)?;
    let above = [x, y, CLEAR];
    let over = |hand: [f64; 3]| flat_distance(hand, above) <= CLOSE;
    player.go(|_| above, |state| over(state.hand))?;
    let at = [x, y, BLOCK_HALF];
    player.go(|_| at, |state| distance(state.hand, at) <= CLOSE)?;
    player.make(call("gripper", [1.into()]))?;
    // Off the table first: a block that is dragged over it slips out of the fingers.
    player.go(|_| [x, y, CARRY], |state| state.hand[2] >= CARRY - CLOSE)?;
    player.go(|state| carried(start, state), |state| distance(block_of(start, state), start.goal) <= CONTENT)?;
    Ok(player.calls)
}

/// Where the hand must be for the block to be at the ball, at a safe height on the way there.
fn carried(start: &Start, state: &Motion) -> [f64; 3] {
    let block = block_of(start, state);
    let hand = [0, 1, 2].map(|i: usize| start.goal[i] - (block[i] - state.hand[i]));
    let is_over = flat_distance(block, start.goal) <= 0.02;
    if is_over { hand } else { [hand[0], hand[1], hand[2].max(CARRY)] }
}

/// The distance as seen from above.
fn flat_distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    distance([a[0], a[1], 0.0], [b[0], b[1], 0.0])
}
