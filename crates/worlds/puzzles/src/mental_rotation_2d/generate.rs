//! Picking a photograph that looks different whichever way it is turned.

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

use super::{Parameters, Start};
use crate::sources::photos::Photos;

/// Pixels across that a disc may have.
const SIZES: std::ops::RangeInclusive<u32> = 96..=1024;
/// The tolerances that may be asked for, in degrees.
const TOLERANCES: std::ops::RangeInclusive<i64> = 0..=45;
/// How many photographs are tried before giving up.
const TRIES: usize = 16;

/// How many points are compared on each ring; a turn by one is [`DEGREES_APART`].
const POINTS: usize = 72;
const DEGREES_APART: i64 = 360 / POINTS as i64;
/// The rings that are compared, from the middle outwards.
const RINGS: usize = 12;
/// How different a disc must look when turned: the mean difference of a colour channel, out of 255.
const LEAST_DIFFERENCE: u32 = 12;
/// From how many degrees on a turn must be seen so clearly.
const SEEN_FROM: i64 = 30;

/// Draws an instance that is turned by more than a slip.
pub(super) fn generate(parameters: &Parameters, rng: &mut Rng, photos: &dyn Photos) -> Result<Start, String> {
    check(parameters)?;
    for _ in 0..TRIES {
        let photo = photos.pick(rng, parameters.size, parameters.size)?;
        if looks_turned(&*photos.load(&photo)?) {
            let angle = rng.between(parameters.least_turn, 360 - parameters.least_turn);
            return Ok(Start { photo, angle });
        }
    }
    let source = photos.name();
    Err(format!("{TRIES} photographs of {source} were tried: all look much the same when they are turned"))
}

fn check(parameters: &Parameters) -> Result<(), String> {
    let Parameters { angle_tolerance, least_turn, size } = *parameters;
    if !SIZES.contains(&size) || size % 2 == 1 {
        return Err(format!("`size` is {size}: an even number from {} to {} is wanted", SIZES.start(), SIZES.end()));
    }
    if !TOLERANCES.contains(&angle_tolerance) {
        return Err(format!("`angle_tolerance` is {angle_tolerance}: 0 to {} degrees are possible", TOLERANCES.end()));
    }
    if least_turn <= angle_tolerance || least_turn > 180 {
        return Err(format!("`least_turn` is {least_turn}: more than `angle_tolerance` and at most 180 is wanted"));
    }
    Ok(())
}

/// Whether no turn by more than a few degrees leaves the disc looking as it did.
pub(super) fn looks_turned(photo: &Picture) -> bool {
    least_difference(photo) >= LEAST_DIFFERENCE
}

/// How different the disc looks after the turn that changes it least: the mean difference of a colour channel.
pub(super) fn least_difference(photo: &Picture) -> u32 {
    let rings = rings(photo);
    let turns = (SEEN_FROM / DEGREES_APART) as usize..=POINTS / 2;
    turns.map(|turn| difference(&rings, turn)).min().unwrap_or(0)
}

/// The colours on circles around the middle. Outer circles count for more because there are more of them.
fn rings(photo: &Picture) -> Vec<[[u8; 3]; POINTS]> {
    let (width, middle) = (photo.width() as usize, f64::from(photo.width().min(photo.height())) / 2.0);
    let at = |radius: f64, point: usize| {
        let angle = (point as i64 * DEGREES_APART) as f64 * std::f64::consts::PI / 180.0;
        let x = (middle + radius * libm::cos(angle)) as usize;
        let y = (middle + radius * libm::sin(angle)) as usize;
        let from = (y * width + x) * 4;
        [photo.rgba()[from], photo.rgba()[from + 1], photo.rgba()[from + 2]]
    };
    // Rings of equal area: the square of the radius grows evenly.
    let radius = |ring: usize| ((ring as f64 + 0.5) / RINGS as f64).sqrt() * (middle - 1.0);
    (0..RINGS).map(|ring| std::array::from_fn(|point| at(radius(ring), point))).collect()
}

fn difference(rings: &[[[u8; 3]; POINTS]], turn: usize) -> u32 {
    let of_ring = |ring: &[[u8; 3]; POINTS]| -> u32 {
        let pairs = ring.iter().zip(ring.iter().cycle().skip(turn));
        pairs.flat_map(|(a, b)| a.iter().zip(b)).map(|(a, b)| u32::from(a.abs_diff(*b))).sum()
    };
    rings.iter().map(of_ring).sum::<u32>() / (rings.len() * POINTS * 3) as u32
}
