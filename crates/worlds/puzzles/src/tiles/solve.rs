//! Putting tiles into the right order.

use quintain_core::action::Call;
use quintain_core::rng::Rng;
use quintain_core::world::OracleStyle;
use serde_json::Value;

use crate::puzzle::call;

/// What tiles are put in order by: one `reorder`, or a `swap` at a time. The first is the usual one.
pub(crate) const STRATEGIES: &[&str] = &["reorder", "swap"];

/// How places are named in calls.
pub(crate) trait Naming {
    /// The number of the first place in a `reorder`.
    fn first_place(&self) -> usize;
    /// A place, as a `swap` names it.
    fn place(&self, place: usize) -> Value;
}

/// Solves by one `reorder` or by the fewest swaps, padded by pairs of swaps that undo each other.
pub(crate) fn solve(
    order: &[usize],
    naming: &impl Naming,
    style: &OracleStyle,
    rng: &mut Rng,
) -> Result<Vec<Call>, String> {
    let calls = match style.strategy.as_deref() {
        None | Some("reorder") => vec![whole(order, naming)],
        Some("swap") => swaps(order, naming, rng),
        Some(other) => return Err(format!("tiles are not put in order by `{other}`")),
    };
    let n_calls = style.length.map_or(0, |length| length.saturating_sub(1) as usize);
    Ok(padded(calls, n_calls, order.len(), naming, rng))
}

/// One `reorder` that sets everything right.
fn whole(order: &[usize], naming: &impl Naming) -> Call {
    let mut from = vec![0; order.len()];
    for (place, tile) in order.iter().enumerate() {
        from[*tile] = place + naming.first_place();
    }
    call("reorder", [Value::from(from)])
}

/// The fewest swaps, each of which brings at least one tile home; which one is up to chance.
fn swaps(order: &[usize], naming: &impl Naming, rng: &mut Rng) -> Vec<Call> {
    let mut order = order.to_vec();
    let mut calls = Vec::new();
    loop {
        let misplaced: Vec<usize> = (0..order.len()).filter(|place| order[*place] != *place).collect();
        if misplaced.is_empty() {
            return calls;
        }
        let place = *rng.choose(&misplaced);
        let home = order[place];
        order.swap(place, home);
        calls.push(swap(naming, place, home));
    }
}

/// Inserts pairs of equal swaps until there are so many calls.
fn padded(mut calls: Vec<Call>, n_calls: usize, n_tiles: usize, naming: &impl Naming, rng: &mut Rng) -> Vec<Call> {
    while calls.len() < n_calls {
        let first = rng.below(n_tiles);
        let second = (first + 1 + rng.below(n_tiles - 1)) % n_tiles;
        let there_and_back = swap(naming, first, second);
        let at = rng.below(calls.len() + 1);
        calls.splice(at..at, [there_and_back.clone(), there_and_back]);
    }
    calls
}

fn swap(naming: &impl Naming, first: usize, second: usize) -> Call {
    call("swap", [naming.place(first), naming.place(second)])
}
