//! Where block and ball go.

use quintain_core::rng::Rng;

use super::{Parameters, Start};
use crate::motion::rounded;
use crate::scene::{BLOCK_HALF, HOME_HAND, REACH};
use crate::view::CameraSetting;

/// Block and ball stay so far, in metres, from the edges of what can be reached.
const EDGE: f64 = 0.03;
/// The block lies at least so far, in metres, from the point below the hand.
const FROM_HAND: f64 = 0.08;
/// So many places are tried.
const N_TRIES: usize = 10_000;

pub(super) fn generate(parameters: &Parameters, rng: &mut Rng) -> Result<Start, String> {
    check(parameters)?;
    let Parameters { nearest, farthest, lowest, highest, .. } = *parameters;
    let view = CameraSetting::drawn(parameters.size, parameters.camera_jitter, parameters.marks, rng)?;
    let height = rounded(BLOCK_HALF + rng.uniform(lowest, highest) / 100.0);
    let wanted = nearest / 100.0..=farthest / 100.0;
    let pairs = (0..N_TRIES).map(|_| (place(rng), place(rng)));
    let home = [HOME_HAND[0], HOME_HAND[1]];
    let mut fitting = pairs.filter(|(block, goal)| {
        let fits = apart(*block, home) >= FROM_HAND && wanted.contains(&apart(*block, *goal));
        fits && view.sees([goal[0], goal[1], height]) && view.sees([block[0], block[1], BLOCK_HALF])
    });
    let (block, [x, y]) = fitting.next().ok_or_else(|| {
        format!("`nearest` is {nearest}, `farthest` is {farthest}: no two places so far apart can be reached and seen")
    })?;
    Ok(Start { block, goal: [x, y, height], view })
}

fn check(parameters: &Parameters) -> Result<(), String> {
    let Parameters { tolerance, nearest, farthest, lowest, highest, .. } = *parameters;
    if !(2.0..=10.0).contains(&tolerance) {
        return Err(format!("`tolerance` is {tolerance}: 2 to 10 centimetres are possible"));
    }
    if nearest <= tolerance || farthest <= nearest {
        return Err(format!(
            "`nearest` is {nearest}, `farthest` is {farthest}: the first must be more than `tolerance`, the second more \
             than the first"
        ));
    }
    if !(0.0..=40.0).contains(&lowest) || !(lowest..=40.0).contains(&highest) {
        return Err(format!("`lowest` is {lowest}, `highest` is {highest}: 0 to 40 centimetres, the lesser first"));
    }
    Ok(())
}

/// A place on the table within reach.
fn place(rng: &mut Rng) -> [f64; 2] {
    [0, 1].map(|i: usize| rounded(rng.uniform(REACH[0][i] + EDGE, REACH[1][i] - EDGE)))
}

fn apart(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (x, y) = (a[0] - b[0], a[1] - b[1]);
    (x * x + y * y).sqrt()
}
