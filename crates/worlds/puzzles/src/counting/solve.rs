//! Counting what is there.

use quintain_core::action::Call;
use quintain_core::rng::Rng;
use quintain_core::world::OracleStyle;

use super::Start;
use crate::dots::fractions;
use crate::puzzle::call;

/// Marks every thing and guesses, or guesses at once; padded by dots that are taken back.
pub(super) fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
    let mut rng = Rng::for_purpose(style.seed, "counting/solve");
    let mut calls = match style.strategy.as_deref() {
        None | Some("mark-all") => all_marks(start, style.seed, &mut rng),
        Some("guess-only") => Vec::new(),
        Some(other) => return Err(format!("counting has no strategy `{other}`")),
    };
    let n_marks = style.length.map_or(0, |length| length.saturating_sub(2) as usize);
    pad(&mut calls, n_marks, start, &mut rng);
    calls.push(call("guess", [start.count.into()]));
    Ok(calls)
}

/// A dot on every thing: by rows from the top as one reads, or in a random order by any seed but the first.
fn all_marks(start: &Start, seed: u64, rng: &mut Rng) -> Vec<Call> {
    let mut places = start.places.clone();
    places.sort_by_key(|[x, y]| (y * 6 / start.photo.height as i32, *x));
    if seed != 0 {
        rng.shuffle(&mut places);
    }
    places.into_iter().map(|place| call("mark", fractions(place, start.shown_size()))).collect()
}

/// Adds dots that are taken back at once, until there are so many calls. Wherever a pair goes, it changes nothing.
fn pad(calls: &mut Vec<Call>, n_calls: usize, start: &Start, rng: &mut Rng) {
    while calls.len() < n_calls {
        let place = *rng.choose(&start.places);
        let at = rng.below(calls.len() + 1);
        calls.splice(at..at, [call("mark", fractions(place, start.shown_size())), call("undo", [])]);
    }
}
