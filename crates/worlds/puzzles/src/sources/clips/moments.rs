//! Which moments of a clip are shown.

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

use super::WantedFrames;
use crate::canvas::Area;
use crate::tiles::look::{all_differ, look};

/// How many ways to place the moments are tried in one clip.
pub(super) const TRIES: usize = 12;

/// Moments from 0 to the last one, in the order of time: one in the middle half of each of as many equal stretches, so
/// that neighbours are never close. None where the clip is too short for that.
pub(super) fn moments(wanted: &WantedFrames, last: u32, rng: &mut Rng) -> Option<Vec<u32>> {
    let length = f64::from(last) * wanted.span.clamp(0.0, 1.0);
    let begin = rng.uniform(0.0, f64::from(last) - length);
    let stretch = length / wanted.n_frames as f64;
    let moment = |i: usize| (begin + (i as f64 + rng.uniform(0.25, 0.75)) * stretch).round() as u32;
    let moments: Vec<u32> = (0..wanted.n_frames).map(moment).collect();
    moments.windows(2).all(|pair| pair[0] < pair[1]).then_some(moments)
}

/// Whether every two frames differ by as much as is wanted.
pub(super) fn can_be_told_apart<'a>(frames: impl IntoIterator<Item = &'a Picture>, least_difference: f64) -> bool {
    let whole = |frame: &Picture| look(frame, Area::new(0, 0, frame.width() as i32, frame.height() as i32));
    all_differ(&frames.into_iter().map(whole).collect::<Vec<_>>(), least_difference)
}
