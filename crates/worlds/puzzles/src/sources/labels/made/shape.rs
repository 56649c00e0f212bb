//! Shapes told by how far a point is from their edge, and how colours of one thing lie over each other.
//!
//! A thing is painted in coordinates of its own: its middle is at (0, 0), it fits into a circle of radius 1, down is
//! positive.

use crate::sources::photos::scenes::sheet::{Rgb, lit, mix};

/// What sets one thing apart from others of its kind.
pub(super) struct ThingLook {
    /// Its colour.
    pub(super) color: Rgb,
    /// Where the light comes from, as the thing is turned.
    pub(super) light: (f32, f32),
}

/// One point of a thing while it is painted.
pub(super) struct Dab {
    /// Pixels along the thing's radius.
    px: f32,
    color: Rgb,
    pub(super) cover: f32,
}

impl Dab {
    pub(super) fn new(px: f32) -> Self {
        Self { px, color: [0.0; 3], cover: 0.0 }
    }

    /// Lays a part of the thing over what is there. The distance from its edge is negative inside.
    #[inline]
    pub(super) fn lay(&mut self, distance: f32, color: Rgb) {
        let cover = (0.5 - distance * self.px).clamp(0.0, 1.0);
        if cover > 0.0 {
            self.color = mix(self.color, color, cover);
            self.cover = cover + self.cover * (1.0 - cover);
        }
    }

    /// Colours what is there already, without adding to the thing.
    #[inline]
    pub(super) fn tint(&mut self, distance: f32, color: Rgb, share: f32) {
        let cover = (0.5 - distance * self.px).clamp(0.0, 1.0);
        self.color = mix(self.color, lit(color, self.cover), cover * share);
    }

    /// The colour of the point over a ground.
    #[inline]
    pub(super) fn over(&self, ground: Rgb) -> Rgb {
        [0, 1, 2].map(|i| ground[i] * (1.0 - self.cover) + self.color[i])
    }
}

/// The distance from a circle.
#[inline]
pub(super) fn disc(x: f32, y: f32, radius: f32) -> f32 {
    (x * x + y * y).sqrt() - radius
}

/// About the distance from an ellipse.
#[inline]
pub(super) fn oval(x: f32, y: f32, rx: f32, ry: f32) -> f32 {
    let (u, v) = (x / rx, y / ry);
    ((u * u + v * v).sqrt() - 1.0) * rx.min(ry)
}

/// The distance from a straight stroke that grows from one width to another.
#[inline]
pub(super) fn bar((x, y): (f32, f32), from: (f32, f32), to: (f32, f32), (start, end): (f32, f32)) -> f32 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (px, py) = (x - from.0, y - from.1);
    let along = ((px * dx + py * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
    disc(px - dx * along, py - dy * along, start + (end - start) * along)
}

/// The distance from a shape with straight edges that bulges everywhere; corners go clockwise as seen.
#[inline]
pub(super) fn polygon<const N: usize>((x, y): (f32, f32), corners: [(f32, f32); N]) -> f32 {
    let mut most = f32::MIN;
    for (i, (ax, ay)) in corners.into_iter().enumerate() {
        let (bx, by) = corners[(i + 1) % N];
        let (ex, ey) = (bx - ax, by - ay);
        let out = (ey * (x - ax) - ex * (y - ay)) / (ex * ex + ey * ey).sqrt();
        most = most.max(out);
    }
    most
}

/// The colour of a round body at a point of it, told from its middle in shares of its radius.
#[inline]
pub(super) fn round(color: Rgb, (x, y): (f32, f32), (lx, ly): (f32, f32), gloss: f32) -> Rgb {
    let nz = (1.0 - x * x - y * y).max(0.0).sqrt();
    let light = (0.42 + (x * lx + y * ly) * 0.62 + nz * 0.42).clamp(0.0, 1.3);
    let shine = ((light - 0.93).max(0.0) * 3.4 * gloss).min(0.85);
    mix(lit(color, 0.34 + light * 0.72), [255.0, 253.0, 246.0], shine)
}
