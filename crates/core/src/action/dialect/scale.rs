//! From the pixels an agent speaks of to the pixels of the screen.

use crate::action::Point;
use crate::surface::Surface;

/// How many pixels one notch of a mouse wheel scrolls.
pub const NOTCH_PX: f64 = 120.0;

/// How much larger the screen is than the agent takes it to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ScreenScale {
    across: f64,
    down: f64,
}

impl ScreenScale {
    /// From a screen of the size the agent takes it to have to the screen of the surface; without either, as it is.
    pub(super) fn new(seen: Option<(u32, u32)>, surface: &Surface) -> Self {
        match (seen, surface.screen) {
            (Some((seen_across, seen_down)), Some((across, down))) if seen_across > 0 && seen_down > 0 => Self {
                across: f64::from(across) / f64::from(seen_across),
                down: f64::from(down) / f64::from(seen_down),
            },
            _ => Self { across: 1.0, down: 1.0 },
        }
    }

    /// A point on the screen: the nearest whole pixel where the sizes differ.
    pub(super) fn point(self, x: f64, y: f64) -> Point {
        let (x, y) = self.stretch(x, y);
        if self == (Self { across: 1.0, down: 1.0 }) { Point { x, y } } else { Point { x: x.round(), y: y.round() } }
    }

    /// A distance on the screen.
    pub(super) fn stretch(self, dx: f64, dy: f64) -> (f64, f64) {
        (dx * self.across, dy * self.down)
    }
}
