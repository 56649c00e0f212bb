//! Putting the pieces back.

use quintain_core::action::Call;
use quintain_core::rng::Rng;
use quintain_core::world::OracleStyle;
use serde_json::Value;

use super::Start;
use crate::puzzle::call;

/// Solves by one `reorder` or by the fewest swaps, padded by pairs of swaps that undo each other.
pub(super) fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
    let mut rng = Rng::for_purpose(style.seed, "jigsaw/solve");
    let calls = match style.strategy.as_deref() {
        None | Some("reorder") => vec![whole(start)],
        Some("swap") => swaps(start, &mut rng),
        Some(other) => return Err(format!("the jigsaw has no strategy `{other}`")),
    };
    let n_calls = style.length.map_or(0, |length| length.saturating_sub(1) as usize);
    Ok(padded(calls, n_calls, start, &mut rng))
}

/// One `reorder` that sets everything right.
fn whole(start: &Start) -> Call {
    let mut from = vec![0; start.n_pieces()];
    for (place, piece) in start.order.iter().enumerate() {
        from[*piece] = place;
    }
    call("reorder", [Value::from(from)])
}

/// The fewest swaps, each of which brings at least one piece home; which one is up to the seed.
fn swaps(start: &Start, rng: &mut Rng) -> Vec<Call> {
    let mut order = start.order.clone();
    let mut calls = Vec::new();
    loop {
        let misplaced: Vec<usize> = (0..order.len()).filter(|place| order[*place] != *place).collect();
        if misplaced.is_empty() {
            return calls;
        }
        let place = *rng.choose(&misplaced);
        let home = order[place];
        order.swap(place, home);
        calls.push(swap(start, place, home));
    }
}

/// Inserts pairs of equal swaps until there are so many calls.
fn padded(mut calls: Vec<Call>, n_calls: usize, start: &Start, rng: &mut Rng) -> Vec<Call> {
    while calls.len() < n_calls {
        let first = rng.below(start.n_pieces());
        let second = (first + 1 + rng.below(start.n_pieces() - 1)) % start.n_pieces();
        let there_and_back = swap(start, first, second);
        let at = rng.below(calls.len() + 1);
        calls.splice(at..at, [there_and_back.clone(), there_and_back]);
    }
    calls
}

fn swap(start: &Start, first: usize, second: usize) -> Call {
    call("swap", [start.cell(first), start.cell(second)])
}
