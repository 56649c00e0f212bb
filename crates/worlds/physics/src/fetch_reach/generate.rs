//! Where the ball goes.

use quintain_core::rng::Rng;

use super::{Parameters, Start};
use crate::motion::{distance, rounded};
use crate::scene::{HOME_HAND, REACH};
use crate::view::CameraSetting;

/// The ball stays so far, in metres, from the edges of what can be reached.
const EDGE: f64 = 0.02;
/// So many places are tried.
const N_TRIES: usize = 10_000;

pub(super) fn generate(parameters: &Parameters, rng: &mut Rng) -> Result<Start, String> {
    let Parameters { tolerance, nearest, farthest, .. } = *parameters;
    if !(1.0..=15.0).contains(&tolerance) {
        return Err(format!("`tolerance` is {tolerance}: 1 to 15 centimetres are possible"));
    }
    if nearest <= tolerance || farthest <= nearest {
        return Err(format!(
            "`nearest` is {nearest}, `farthest` is {farthest}: the first must be more than `tolerance`, the second more \
             than the first"
        ));
    }
    let view = CameraSetting::drawn(parameters.size, parameters.camera_jitter, parameters.marks, rng)?;
    let wanted = nearest / 100.0..=farthest / 100.0;
    let place = |rng: &mut Rng| [0, 1, 2].map(|i: usize| rounded(rng.uniform(REACH[0][i] + EDGE, REACH[1][i] - EDGE)));
    let goal =
        (0..N_TRIES).map(|_| place(rng)).find(|goal| wanted.contains(&distance(*goal, HOME_HAND)) && view.sees(*goal));
    let goal = goal.ok_or_else(|| {
        format!("`nearest` is {nearest}, `farthest` is {farthest}: no place so far away can be reached and seen")
    })?;
    Ok(Start { goal, view })
}
