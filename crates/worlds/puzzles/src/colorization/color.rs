//! Hue, saturation and value in whole numbers.

use serde::{Deserialize, Serialize};

use crate::portions::shorter_way;

/// A hue and a saturation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tint {
    /// Degrees round the wheel from 0 to 359: 0 is red, 120 green, 240 blue.
    pub hue: i64,
    /// From 0, grey, to 255, as vivid as can be.
    pub saturation: i64,
}

/// One, in the fixed-point numbers that a tint weighs the channels with.
const ONE: u32 = 1 << 16;

impl Tint {
    /// The tint with its hue turned by so many degrees.
    #[must_use]
    pub fn turned(self, degrees: i64) -> Self {
        Self { hue: (self.hue + degrees).rem_euclid(360), ..self }
    }

    /// The tint with another saturation, as far as it goes.
    #[must_use]
    pub fn saturated(self, delta: i64) -> Self {
        Self { saturation: (self.saturation + delta).clamp(0, 255), ..self }
    }

    /// How many degrees lie between two hues, the shorter way.
    pub(super) fn hue_off(self, other: Self) -> i64 {
        shorter_way(self.hue, other.hue).abs()
    }

    /// How bright each channel is beside the value, in parts of [`ONE`].
    fn weights(self) -> [u32; 3] {
        // Each channel falls from full to nothing over 60 degrees, from 60 to 120 degrees away from its own hue.
        [0, 120, 240].map(|own| {
            let away = shorter_way(own, self.hue).abs().clamp(60, 120);
            let missing = (away - 60) * self.saturation;
            ONE - (missing * i64::from(ONE) / (60 * 255)) as u32
        })
    }

    /// The pixel of this tint for a value.
    pub(super) fn shade(self, value: u8) -> [u8; 4] {
        shade(self.weights(), value)
    }

    /// The pixels of this tint for every value.
    pub(super) fn shades(self) -> [[u8; 4]; 256] {
        let weights = self.weights();
        std::array::from_fn(|value| shade(weights, value as u8))
    }
}

fn shade(weights: [u32; 3], value: u8) -> [u8; 4] {
    let [red, green, blue] = weights.map(|weight| ((u32::from(value) * weight + ONE / 2) >> 16) as u8);
    [red, green, blue, 255]
}

/// The value of a pixel: its brightest channel.
pub(super) fn value(pixel: [u8; 4]) -> u8 {
    pixel[0].max(pixel[1]).max(pixel[2])
}

/// The tint of a colour.
pub(super) fn tint_of([red, green, blue]: [i64; 3]) -> Tint {
    let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
    let range = most - least;
    if range == 0 {
        return Tint { hue: 0, saturation: 0 };
    }
    let (from, along) = match most {
        _ if most == red => (0, green - blue),
        _ if most == green => (120, blue - red),
        _ => (240, red - green),
    };
    let hue = (from + (along * 120 + range * along.signum()) / (2 * range)).rem_euclid(360);
    Tint { hue, saturation: (range * 510 + most) / (2 * most) }
}
