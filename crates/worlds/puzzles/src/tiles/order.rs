//! The order of tiles, and the two calls that change it.

use quintain_core::check::Measures;
use quintain_core::rng::Rng;
use quintain_core::trajectory::Feedback;
use serde_json::Value;

/// How many near misses by a single exchange are told, at most.
const N_EXCHANGED: usize = 12;

/// Any order but the right one.
pub(crate) fn mixed(n_tiles: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n_tiles).collect();
    while order.is_sorted() {
        rng.shuffle(&mut order);
    }
    order
}

/// Exchanges the tiles at two places; `noun` is what the tiles are called, in the plural.
pub(crate) fn swap(order: &mut [usize], first: usize, second: usize, noun: &str) -> Feedback {
    if first == second {
        return Feedback::unchanged("Both places are the same: nothing moved.");
    }
    order.swap(first, second);
    Feedback::changed(format!("The two {noun} changed places."))
}

/// Lays out all tiles anew: the list says for each place where its tile lies now, counted from `first_place`.
pub(crate) fn reorder(order: &mut Vec<usize>, list: &Value, first_place: usize, [one, all]: [&str; 2]) -> Feedback {
    let Some(from) = permutation(list, order.len(), first_place) else {
        return Feedback::refused(format!("Every {one} must be named exactly once: nothing moved."));
    };
    let anew: Vec<usize> = from.iter().map(|place| order[*place]).collect();
    if anew == *order {
        return Feedback::unchanged(format!("That is how the {all} lie already: nothing moved."));
    }
    *order = anew;
    Feedback::changed(format!("The {all} were laid out anew."))
}

/// The places of a list, if it names each of the n places once.
fn permutation(list: &Value, n: usize, first_place: usize) -> Option<Vec<usize>> {
    let read = |value: &Value| {
        let place = usize::try_from(value.as_i64()?).ok()?.checked_sub(first_place)?;
        (place < n).then_some(place)
    };
    let places: Vec<usize> = list.as_array()?.iter().map(read).collect::<Option<_>>()?;
    let mut seen = vec![false; n];
    for place in &places {
        if std::mem::replace(&mut seen[*place], true) {
            return None;
        }
    }
    (places.len() == n).then_some(places)
}

/// How many of the places do not have the tile that belongs there.
pub(crate) fn n_misplaced(order: &[usize], n_tiles: usize) -> usize {
    let placed = (0..n_tiles).filter(|place| order.get(*place) == Some(place));
    n_tiles.max(order.len()) - placed.count()
}

/// How many pairs of tiles stand the wrong way round.
pub(crate) fn n_pairs_reversed(order: &[usize]) -> usize {
    let behind = |(at, tile): (usize, &usize)| order[at + 1..].iter().filter(|other| *other < tile).count();
    order.iter().enumerate().map(behind).sum()
}

/// How far an order is from the right one, where only the order counts.
pub(crate) fn measures(order: &[usize], n_tiles: usize) -> Measures {
    let raw = [("misplaced", n_misplaced(order, n_tiles)), ("pairs_reversed", n_pairs_reversed(order))];
    raw.into_iter().map(|(name, value)| (name.to_owned(), value as f64)).collect()
}

/// Orders that are nearly the right one, each with how it differs; `noun` is what one tile is called.
pub(crate) fn near_misses(solved: &[usize], noun: &str) -> Vec<(String, Vec<usize>)> {
    let n_tiles = solved.len();
    let exchanged = |(a, b): (usize, usize)| {
        let mut order = solved.to_vec();
        order.swap(a, b);
        (format!("the {noun}s at places {a} and {b} are exchanged"), order)
    };
    let pairs = (0..n_tiles).flat_map(|a| (a + 1..n_tiles).map(move |b| (a, b)));
    let mut found: Vec<(String, Vec<usize>)> = pairs.take(N_EXCHANGED).map(exchanged).collect();
    if n_tiles > 2 {
        let mut turned = solved.to_vec();
        turned.rotate_left(1);
        found.push((format!("every {noun} is one place too early"), turned));
    }
    found
}
