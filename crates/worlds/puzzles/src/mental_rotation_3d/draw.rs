//! Two views side by side: the target, and the thing to be turned.

use std::sync::Arc;

use quintain_core::picture::Picture;

use super::{Orientation, Views};
use crate::canvas::{Area, Color, fill, text};
use crate::solid::{Camera, Lens, Light, Mesh, SampleStage, Samples};
use crate::twin::Twin;

const PAPER: Color = [250, 249, 245];
const GROUND: Color = [226, 231, 236];
const RIM: Color = [120, 126, 134];
const LETTERS: Color = [58, 58, 66];
/// Pixels between a view and whatever is next to it.
const MARGIN: u32 = 10;
/// Pixels above the views, for the names.
const HEAD: u32 = 34;

/// Who looks straight at the unit ball from the front, which fills the view.
pub(crate) fn camera() -> Camera {
    Camera { eye: [0.0, 0.0, 4.6], target: [0.0; 3], up: [0.0, 1.0, 0.0], lens: Lens::perspective(26.0) }
}

/// From above, from the left, from the front; it stays where it is when things turn.
pub(crate) fn light() -> Light {
    Light { towards: [-0.5, 0.75, 0.62], ambient: 0.3, wrap: 0.6 }
}

/// The picture, and how the right thing is turned in it.
pub struct Drawing {
    body: Arc<Vec<Mesh>>,
    stage: SampleStage,
    size: u32,
    twin: Twin<Orientation>,
}

impl Drawing {
    pub(super) fn new(body: Arc<Vec<Mesh>>, views: &Views, orientation: Orientation) -> Self {
        let size = views.size;
        let mut picture = Picture::filled(2 * size + 3 * MARGIN, size + HEAD + MARGIN, PAPER);
        let mut stage = SampleStage::new(size, size, Samples::Four);
        for (name, corner, orientation) in [("TARGET", left(), views.target), ("YOURS", right(size), orientation)] {
            let (x, y) = (corner.0 as i32, corner.1 as i32);
            fill(&mut picture, Area::new(x - 1, y - 1, size as i32 + 2, size as i32 + 2), RIM);
            let middle = ((corner.0 + size / 2) as f32, HEAD as f32 / 2.0);
            text(&mut picture, name, middle, 12.0, LETTERS);
            lay(&body, orientation, &mut stage, &mut picture, corner);
        }
        Self { body, stage, size, twin: Twin::new(picture, orientation) }
    }

    /// Draws the right view anew.
    pub(super) fn show(&mut self, orientation: Orientation) -> Arc<Picture> {
        let Self { body, stage, size, twin } = self;
        twin.show(&orientation, |picture, _| lay(body, orientation, stage, picture, right(*size)))
    }
}

fn lay(body: &[Mesh], orientation: Orientation, stage: &mut SampleStage, picture: &mut Picture, corner: (u32, u32)) {
    stage.clear(GROUND);
    for mesh in body {
        stage.draw(mesh, &orientation.pose(), &camera(), &light());
    }
    stage.show(picture, corner);
}

/// The corner of the left view.
fn left() -> (u32, u32) {
    (MARGIN, HEAD)
}

/// The corner of the right view.
fn right(size: u32) -> (u32, u32) {
    (2 * MARGIN + size, HEAD)
}
