//! Drawing lots for the two poses and the scale.

use quintain_core::rng::Rng;

use super::{MAX_MOVE, Parameters, Start, StickPose};

/// The sides a picture may have, in pixels.
const SIZES: std::ops::RangeInclusive<u32> = 200..=2000;
/// The scales that may be asked for, in pixels a unit.
const SCALES: std::ops::RangeInclusive<f64> = 0.05..=50.0;
/// Digits after the point of the scale, as a power of ten: few enough to survive being written as text.
const SCALE_STEPS: f64 = 1e6;

/// How long a stick is, as a share of the picture's side.
const STICK_SHARE: f64 = 0.25;
/// How far apart the poses are at least, as a share of the picture's side.
const LEAST_APART: f64 = 0.15;

/// The length of a stick in a picture of this side, in pixels.
pub(super) fn stick_px(size: u32) -> f64 {
    f64::from(size) * STICK_SHARE
}

/// Draws an instance that is not solved at the start, nor within reach of a small slip.
pub(super) fn generate(parameters: &Parameters, rng: &mut Rng) -> Result<Start, String> {
    check(parameters)?;
    let size = f64::from(parameters.size);
    let scale = rng.uniform(parameters.scale_min, parameters.scale_max);
    let scale = (scale * SCALE_STEPS).round() / SCALE_STEPS;
    let target = pose(rng, size);
    let apart = (size * LEAST_APART).max(2.0 * parameters.position_tolerance);
    let stick = loop {
        let stick = pose(rng, size);
        if stick.distance_px(target) >= apart {
            break stick;
        }
    };
    Ok(Start { size: parameters.size, scale, stick, target })
}

/// A pose at which the whole stick is in the picture, whichever way it is turned.
fn pose(rng: &mut Rng, size: f64) -> StickPose {
    let margin = size * (STICK_SHARE / 2.0 + 0.03);
    let mut along = || rng.uniform(margin, size - margin);
    let (x, y) = (along(), along());
    StickPose::new(x, y, rng.uniform(0.0, 180.0))
}

fn check(parameters: &Parameters) -> Result<(), String> {
    let Parameters { position_tolerance, angle_tolerance, scale_min, scale_max, size } = *parameters;
    if !SIZES.contains(&size) {
        return Err(format!("`size` is {size}: {} to {} pixels are possible", SIZES.start(), SIZES.end()));
    }
    let most = f64::from(size) / 10.0;
    if !(0.0..=most).contains(&position_tolerance) {
        return Err(format!("`position_tolerance` is {position_tolerance}: 0 to {most} pixels, a tenth of `size`"));
    }
    if !(0.0..=45.0).contains(&angle_tolerance) {
        return Err(format!("`angle_tolerance` is {angle_tolerance}: 0 to 45 degrees are possible"));
    }
    if !(SCALES.contains(&scale_min) && SCALES.contains(&scale_max) && scale_min <= scale_max) {
        let (least, greatest) = (SCALES.start(), SCALES.end());
        return Err(format!(
            "`scale_min` is {scale_min}, `scale_max` is {scale_max}: {least} to {greatest} pixels a unit, the lesser first"
        ));
    }
    if f64::from(size) / scale_min > MAX_MOVE {
        return Err(format!("`scale_min` is {scale_min}: a move of {MAX_MOVE} units must reach across {size} pixels"));
    }
    Ok(())
}
