//! Places just within and just outside of a distance from a goal, for judging the judge.

use quintain_core::check::Measures;

use crate::motion::rounded;

/// What is measured: how far off the goal, in centimetres.
pub(crate) const DISTANCE: &str = "distance_cm";

/// So far from the bound, in centimetres, that rounding cannot cross it.
const MARGIN_CM: f64 = 1e-4;

/// The directions that are tried. Three, four, five make an exact slant.
const DIRECTIONS: [(&str, [f64; 3]); 8] = [
    ("to the right", [1.0, 0.0, 0.0]),
    ("to the left", [-1.0, 0.0, 0.0]),
    ("away", [0.0, 1.0, 0.0]),
    ("towards the viewer", [0.0, -1.0, 0.0]),
    ("above", [0.0, 0.0, 1.0]),
    ("below", [0.0, 0.0, -1.0]),
    ("to the right and away", [0.6, 0.8, 0.0]),
    ("towards the viewer and above", [0.0, -0.6, 0.8]),
];

/// The greatest distance that counts as reached, in centimetres.
fn bound(bounds: &Measures) -> f64 {
    bounds.get(DISTANCE).copied().unwrap_or(0.0)
}

/// Places just too far from a goal, each with its direction.
pub(crate) fn outside(goal: [f64; 3], bounds: &Measures) -> impl Iterator<Item = (String, [f64; 3])> {
    around(goal, bound(bounds) + MARGIN_CM, "just too far")
}

/// Places just not too far from a goal, each with its direction; none where nothing but the goal itself counts.
pub(crate) fn inside(goal: [f64; 3], bounds: &Measures) -> impl Iterator<Item = (String, [f64; 3])> {
    let cm = bound(bounds) - MARGIN_CM;
    around(goal, cm.max(0.0), "just near enough").filter(move |_| cm > 0.0)
}

fn around(goal: [f64; 3], cm: f64, how: &str) -> impl Iterator<Item = (String, [f64; 3])> {
    DIRECTIONS.iter().map(move |(name, direction)| {
        let place = [0, 1, 2].map(|i: usize| rounded(goal[i] + direction[i] * cm / 100.0));
        (format!("{how} {name}"), place)
    })
}
