//! Pointing at the thing.

use quintain_core::action::Call;
use quintain_core::rng::Rng;
use quintain_core::world::OracleStyle;

use super::Start;
use crate::dots::{DotPixel, fractions};
use crate::puzzle::call;

/// How many dots a drift has if no length is asked for.
const DRIFT: usize = 4;

/// Sets the dot well inside the thing: at once, after tries elsewhere if a length is asked for, or on a straight way there
/// from a random pixel of the thing.
pub(super) fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
    let mut rng = Rng::for_purpose(style.seed, "referring-dot-pointing/solve");
    let asked = style.length.map(|length| (length as usize).saturating_sub(1).max(1));
    let wanted = match style.strategy.as_deref() {
        None | Some("direct") => elsewhere(start, asked.unwrap_or(1), &mut rng),
        Some("drift") => drift(start, asked.unwrap_or(DRIFT), &mut rng),
        Some(other) => return Err(format!("referring dot pointing has no strategy `{other}`")),
    };
    let dots = without_pauses(start, wanted, &mut rng);
    Ok(dots.into_iter().map(|dot| call("mark", fractions(dot, start.size()))).collect())
}

/// Dots anywhere in the picture, and the last one on the thing.
fn elsewhere(start: &Start, n_dots: usize, rng: &mut Rng) -> Vec<DotPixel> {
    let (width, height) = start.size();
    let mut dots: Vec<DotPixel> =
        (1..n_dots).map(|_| [rng.below(width as usize) as i32, rng.below(height as usize) as i32]).collect();
    dots.push(start.place);
    dots
}

/// Dots on a straight way from a random pixel of the thing to the one well inside.
fn drift(start: &Start, n_dots: usize, rng: &mut Rng) -> Vec<DotPixel> {
    let (from, to) = (any_inside(start, rng), start.place);
    let steps = (n_dots as i32 - 1).max(1);
    let at = |step: i32, i: usize| from[i] + (to[i] - from[i]) * step / steps;
    let mut dots: Vec<DotPixel> =
        (0..steps).map(|step| [at(step, 0), at(step, 1)]).skip(usize::from(n_dots == 1)).collect();
    dots.push(to);
    dots
}

/// The dots, with another pixel of the thing wherever one would stay where it is.
fn without_pauses(start: &Start, mut dots: Vec<DotPixel>, rng: &mut Rng) -> Vec<DotPixel> {
    for idx in 0..dots.len().saturating_sub(1) {
        let before = idx.checked_sub(1).map(|before| dots[before]);
        let is_last_step = idx + 2 == dots.len();
        while Some(dots[idx]) == before || (is_last_step && dots[idx] == start.place) {
            dots[idx] = any_inside(start, rng);
        }
    }
    dots
}

/// Any pixel of the thing.
fn any_inside(start: &Start, rng: &mut Rng) -> DotPixel {
    let mut left = rng.below(start.mask.area().max(1));
    for [y, from, to] in start.mask.spans() {
        let width = (to - from) as usize;
        if left < width {
            return [*from as i32 + left as i32, *y as i32];
        }
        left -= width;
    }
    start.place
}
