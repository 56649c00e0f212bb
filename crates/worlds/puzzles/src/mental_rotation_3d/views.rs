//! The two views of a thing, and drawing lots for them.

use quintain_core::rng::Rng;
use serde::{Deserialize, Serialize};

use super::{Orientation, YawPitchRoll};
use crate::solid::SolidTurn;

/// The sides a view may have, in pixels.
const SIZES: std::ops::RangeInclusive<u32> = 128..=1024;
/// How many degrees apart the two orientations are at least.
const LEAST_APART: f64 = 30.0;
/// How often lots are drawn for a view before the thing is given up.
const N_TRIES: usize = 200;

/// How a thing is turned on the left, and by which turn the right one gets there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Views {
    /// Pixels along a side of each view.
    pub size: u32,
    /// How the thing should be turned.
    pub target: Orientation,
    /// Whole degrees of yaw, pitch and roll that align it from the start, in one call. The agent is never told.
    pub answer: [i32; 3],
}

impl Views {
    /// How the right thing is turned at first.
    pub fn initial(&self) -> Orientation {
        self.target.turned(YawPitchRoll(self.answer.map(f64::from)).turn().inverse())
    }
}

/// What lots are drawn under.
pub(crate) struct Lots {
    /// Pixels along a side of each view.
    pub(crate) size: u32,
    /// Degrees by which the end may be off.
    pub(crate) angle_tolerance: f64,
}

impl Lots {
    /// Draws two views, each of which must be good; nothing if no such views are found.
    pub(crate) fn draw(
        &self,
        rng: &mut Rng,
        target: impl Fn(&mut Rng) -> SolidTurn,
        mut is_good: impl FnMut(Orientation) -> bool,
    ) -> Option<Views> {
        let target = (0..N_TRIES).map(|_| Orientation::of(target(rng))).find(|orientation| is_good(*orientation))?;
        let apart = LEAST_APART.max(2.0 * self.angle_tolerance);
        (0..N_TRIES).map(|_| Views { size: self.size, target, answer: random_answer(rng) }).find(|views| {
            let initial = views.initial();
            initial.angle_deg(target) >= apart && is_good(initial)
        })
    }
}

/// A turn by whole degrees, about as likely as any other turn.
fn random_answer(rng: &mut Rng) -> [i32; 3] {
    let pitch = libm::asin(rng.uniform(-1.0, 1.0)).to_degrees().round() as i32;
    let mut around = || rng.between(-180, 180) as i32;
    [around(), pitch.clamp(-85, 85), around()]
}

/// Any turn, each as likely as any other.
pub(crate) fn any_turn(rng: &mut Rng) -> SolidTurn {
    let pitch = libm::asin(rng.uniform(-1.0, 1.0)).to_degrees();
    YawPitchRoll([rng.uniform(-180.0, 180.0), pitch, rng.uniform(-180.0, 180.0)]).turn()
}

/// Says what is wrong with the parameters that both puzzles share.
pub(crate) fn check(size: u32, angle_tolerance: f64) -> Result<(), String> {
    if !SIZES.contains(&size) {
        return Err(format!("`size` is {size}: {} to {} pixels are possible", SIZES.start(), SIZES.end()));
    }
    if !(0.0..=45.0).contains(&angle_tolerance) {
        return Err(format!("`angle_tolerance` is {angle_tolerance}: 0 to 45 degrees are possible"));
    }
    Ok(())
}
