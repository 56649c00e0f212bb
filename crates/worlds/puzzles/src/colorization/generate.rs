//! Picking a spot whose colour can be told from what surrounds it.

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

use super::color::{Tint, tint_of, value};
use super::{Parameters, Start};
use crate::sources::photos::Photos;

/// The pixels that a side of the photograph may have.
const SIDES: std::ops::RangeInclusive<u32> = 200..=2000;
/// The tolerances that may be asked for.
const HUE_TOLERANCES: std::ops::RangeInclusive<i64> = 0..=40;
const SATURATION_TOLERANCES: std::ops::RangeInclusive<i64> = 0..=100;
/// How many photographs are tried, and how many places of each.
const TRIES: usize = 32;
const PLACES: usize = 160;
/// The spot's radius, as a share of the photograph's shorter side.
const RADIUS_SHARE: i32 = 10;
/// How far around the spot its colour must go on, in radii, in halves.
const SURROUND_HALVES: i32 = 3;
/// Every so many pixels are looked at, across and down.
const LOOK_EVERY: usize = 5;
/// How vivid and how bright the spot must be for its hue to be seen.
const LEAST_SATURATION: i64 = 50;
const LEAST_VALUE: i64 = 90;
/// How far the spot may be from one colour, so that one hue and one saturation can look like it.
const MOST_WITHIN: TintSpread = TintSpread { hue: 60, saturation: 200 };
/// The same for the spot and its surroundings together, so that they show its colour.
const MOST_AROUND: TintSpread = TintSpread { hue: 100, saturation: 280 };
/// How far off the hue is at first, at least, in degrees.
const LEAST_TURN: i64 = 45;

/// Draws an instance whose spot has lost its hue by far.
pub(super) fn generate(parameters: &Parameters, rng: &mut Rng, photos: &dyn Photos) -> Result<Start, String> {
    check(parameters)?;
    let (width, height) = (parameters.width, parameters.height);
    let radius = width.min(height) as i32 / RADIUS_SHARE;
    for _ in 0..TRIES {
        let photo = photos.pick(rng, width, height)?;
        let picture = photos.load(&photo)?;
        if let Some((spot, looks)) = evenest(&picture, radius, rng) {
            let (target, value) = (looks.tint, looks.value);
            let hue = target.hue + rng.between(LEAST_TURN, 360 - LEAST_TURN);
            let tint = Tint { hue: hue.rem_euclid(360), saturation: rng.between(0, 255) };
            return Ok(Start { photo, surround: parameters.surround, spot, radius, target, value, tint });
        }
    }
    let source = photos.name();
    Err(format!("{TRIES} photographs of {source} were tried: none has a spot of one colour that is vivid enough"))
}

fn check(parameters: &Parameters) -> Result<(), String> {
    let Parameters { hue_tolerance, saturation_tolerance, width, height, .. } = *parameters;
    for (name, side) in [("width", width), ("height", height)] {
        if !SIDES.contains(&side) {
            return Err(format!("`{name}` is {side}: {} to {} pixels are possible", SIDES.start(), SIDES.end()));
        }
    }
    if !HUE_TOLERANCES.contains(&hue_tolerance) {
        return Err(format!("`hue_tolerance` is {hue_tolerance}: 0 to {} degrees are possible", HUE_TOLERANCES.end()));
    }
    if !SATURATION_TOLERANCES.contains(&saturation_tolerance) {
        let most = SATURATION_TOLERANCES.end();
        return Err(format!("`saturation_tolerance` is {saturation_tolerance}: 0 to {most} are possible"));
    }
    Ok(())
}

/// What a spot looks like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looks {
    pub(super) tint: Tint,
    pub(super) value: u8,
    /// How far the spot and its surroundings are from one colour; the less the better.
    pub(super) spread: TintSpread,
}

/// How far pixels are from a tint on average, in tenths.
#[derive(Clone, Copy, Debug)]
pub(super) struct TintSpread {
    /// Of a degree. Vivid pixels weigh more: the hue of a grey one cannot be seen.
    hue: i64,
    /// Of a step of the saturation.
    saturation: i64,
}

impl TintSpread {
    fn of(pixels: &[[u8; 4]], tint: Tint) -> Self {
        let (mut hues, mut saturations, mut weights) = (0_i64, 0_i64, 0_i64);
        for other in pixels.iter().copied().map(own_tint) {
            hues += tint.hue_off(other) * other.saturation;
            saturations += (tint.saturation - other.saturation).abs();
            weights += other.saturation;
        }
        Self { hue: 10 * hues / weights.max(1), saturation: 10 * saturations / pixels.len() as i64 }
    }

    fn is_within(self, most: Self) -> bool {
        self.hue <= most.hue && self.saturation <= most.saturation
    }

    /// Both in one number. A degree of hue is worth two steps of saturation, about as in the tolerances.
    fn total(self) -> i64 {
        2 * self.hue + self.saturation
    }
}

/// The place of most even colour among some random ones, if any will do.
pub(super) fn evenest(photo: &Picture, radius: i32, rng: &mut Rng) -> Option<((i32, i32), Looks)> {
    let margin = i64::from(radius * SURROUND_HALVES / 2 + 1);
    let mut along = |side: u32| rng.between(margin, i64::from(side) - 1 - margin) as i32;
    let places: Vec<(i32, i32)> = (0..PLACES).map(|_| (along(photo.width()), along(photo.height()))).collect();
    let looks = places
        .into_iter()
        .filter(|place| is_vivid(photo, *place))
        .filter_map(|place| Some((place, looks(photo, place, radius)?)));
    looks.min_by_key(|(_, looks)| looks.spread.total())
}

/// Whether the middle of a spot is vivid enough to look closer.
fn is_vivid(photo: &Picture, (x, y): (i32, i32)) -> bool {
    let pixel = photo.rgba().as_chunks::<4>().0[(y * photo.width() as i32 + x) as usize];
    own_tint(pixel).saturation >= LEAST_SATURATION / 2
}

fn own_tint(pixel: [u8; 4]) -> Tint {
    tint_of([0, 1, 2].map(|i| i64::from(pixel[i])))
}

/// What a spot looks like, if it is of one vivid colour, and its surroundings are of the same.
pub(super) fn looks(photo: &Picture, place: (i32, i32), radius: i32) -> Option<Looks> {
    let inner = sample(photo, place, radius);
    let tint = mean_tint(&inner);
    let values = inner.iter().map(|pixel| i64::from(value(*pixel))).sum::<i64>() / inner.len() as i64;
    if tint.saturation < LEAST_SATURATION || values < LEAST_VALUE {
        return None;
    }
    if !TintSpread::of(&inner, tint).is_within(MOST_WITHIN) {
        return None;
    }
    let outer = sample(photo, place, radius * SURROUND_HALVES / 2);
    let spread = TintSpread::of(&outer, tint);
    spread.is_within(MOST_AROUND).then_some(Looks { tint, value: values as u8, spread })
}

/// Some of the pixels of a disc, evenly spread.
fn sample(photo: &Picture, (x, y): (i32, i32), radius: i32) -> Vec<[u8; 4]> {
    let width = photo.width() as i32;
    let pixels = photo.rgba().as_chunks::<4>().0;
    let rows = (-radius..radius).step_by(LOOK_EVERY);
    let places = rows.flat_map(|row| (-radius..radius).step_by(LOOK_EVERY).map(move |col| (row, col)));
    let inside = places.filter(|(row, col)| row * row + col * col < radius * radius);
    inside.map(|(row, col)| pixels[((y + row) * width + x + col) as usize]).collect()
}

/// The tint of the mean colour.
fn mean_tint(pixels: &[[u8; 4]]) -> Tint {
    let mean = |channel: usize| {
        let sum: i64 = pixels.iter().map(|pixel| i64::from(pixel[channel])).sum();
        sum / pixels.len() as i64
    };
    tint_of([mean(0), mean(1), mean(2)])
}
