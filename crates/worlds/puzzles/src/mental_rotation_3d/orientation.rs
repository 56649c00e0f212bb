//! How a thing is turned, in numbers that survive being written as text.

use serde::{Deserialize, Serialize};

use crate::solid::{Pose, SolidTurn};

/// The least part of a degree that counts: measures are rounded to it, so that a solution given in decimals is exact.
pub const GRAIN_DEG: f64 = 1.0 / 1024.0;

/// Digits after the point of a quaternion's parts, as a power of ten.
const STEPS: f64 = 1e9;
/// Digits after the point of the angles that a turn is given in, as a power of ten.
const ANGLE_STEPS: f64 = 1e4;

/// How a thing is turned: the parts of a quaternion, scalar first, rounded to nine digits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Orientation([f64; 4]);

impl Orientation {
    /// The nearest orientation to a turn from how the thing was made.
    pub fn of(turn: SolidTurn) -> Self {
        let quaternion = turn.quaternion();
        // Of the two quaternions of a turn, the one whose first part that is not nothing is positive.
        let rounded = quaternion.map(|part| (part * STEPS).round() / STEPS + 0.0);
        let first = rounded.iter().find(|part| **part != 0.0).copied().unwrap_or(1.0);
        Self(if first < 0.0 { rounded.map(|part| 0.0 - part) } else { rounded })
    }

    /// The turn from how the thing was made.
    pub fn turn(self) -> SolidTurn {
        SolidTurn::of_quaternion(self.0)
    }

    /// The orientation after a turn about axes that stay where they are. What rounding alone could have done is no turn.
    #[must_use]
    pub fn turned(self, by: SolidTurn) -> Self {
        let turned = Self::of(self.turn().then(by));
        let is_same = self.0.iter().zip(turned.0).all(|(was, is)| (was - is).abs() < 3.0 / STEPS);
        if is_same { self } else { turned }
    }

    /// Degrees of the least turn from here to another, in whole grains.
    pub fn angle_deg(self, other: Self) -> f64 {
        (self.turn().angle_deg(other.turn()) / GRAIN_DEG).round() * GRAIN_DEG
    }

    /// A thing turned so at the origin.
    pub fn pose(self) -> Pose {
        self.turn().at([0.0; 3])
    }
}

/// A turn about the picture's axes, in degrees: yaw about the upright one, then pitch about the level one, then roll
/// about the one out of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct YawPitchRoll(pub [f64; 3]);

impl YawPitchRoll {
    /// The turn.
    pub fn turn(self) -> SolidTurn {
        let [yaw, pitch, roll] = self.0;
        SolidTurn::about_y(yaw).then(SolidTurn::about_x(pitch)).then(SolidTurn::about_z(roll))
    }

    /// The angles of a turn, to four digits after the point.
    pub fn of(SolidTurn(rows): SolidTurn) -> Self {
        let pitch = libm::asin(rows[2][1].clamp(-1.0, 1.0));
        // With the pitch upright, yaw and roll are the same turn: all of it is called yaw.
        let (yaw, roll) = if rows[2][1].abs() > 1.0 - 1e-12 {
            (libm::atan2(rows[0][2], rows[0][0]), 0.0)
        } else {
            (libm::atan2(-rows[2][0], rows[2][2]), libm::atan2(-rows[0][1], rows[1][1]))
        };
        Self([yaw, pitch, roll].map(|radians| (radians.to_degrees() * ANGLE_STEPS).round() / ANGLE_STEPS + 0.0))
    }
}
