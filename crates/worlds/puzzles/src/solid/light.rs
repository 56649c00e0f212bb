//! Light that comes from everywhere, and light that comes from one side.

use super::vector::normalised;

/// How things are lit. Nothing throws a shadow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// The direction from the things to the light.
    pub towards: [f32; 3],
    /// The share of light that comes from everywhere, from 0 to 1.
    pub ambient: f32,
    /// How far the light reaches around to the sides that face away, from 0 (not at all) to 1 (all the way, so that
    /// every direction of a surface has a brightness of its own).
    pub wrap: f32,
}

impl Default for Light {
    /// From above, from the left, from the viewer's side of z.
    fn default() -> Self {
        Self { towards: [-0.45, 0.8, 0.6], ambient: 0.35, wrap: 0.5 }
    }
}

impl Light {
    /// Colours as they are, whatever their direction.
    pub const FLAT: Self = Self { towards: [0.0, 0.0, 1.0], ambient: 1.0, wrap: 0.0 };

    /// The same with a direction of length one.
    pub(super) fn normalised(self) -> Self {
        Self { towards: normalised(self.towards), ..self }
    }

    /// The brightness of a surface whose direction has this cosine with that of the light.
    #[inline]
    pub(super) fn brightness(self, cosine: f32) -> f32 {
        let direct = (cosine + self.wrap) / (1.0 + self.wrap);
        self.ambient + (1.0 - self.ambient) * if direct > 0.0 { direct } else { 0.0 }
    }
}
