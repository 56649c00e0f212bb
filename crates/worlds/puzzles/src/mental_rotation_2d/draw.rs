//! Two discs side by side: the target, and the one to be turned.

use std::sync::Arc;

use quintain_core::picture::Picture;

use super::State;
use super::turned::Disc;
use crate::canvas::{Color, circle, text};
use crate::twin::Twin;

const PAPER: Color = [244, 243, 238];
const RIM: Color = [58, 58, 66];
const LETTERS: Color = [58, 58, 66];
/// Pixels between a disc and whatever is next to it.
const MARGIN: usize = 16;
/// Pixels above the discs, for the names.
const HEAD: usize = 36;
/// How wide the rim of a disc is, in pixels.
const RIM_PX: f32 = 3.0;

/// The picture, and how the right disc is turned in it.
pub struct Drawing {
    disc: Disc,
    size: usize,
    twin: Twin<State>,
}

impl Drawing {
    pub(super) fn new(photo: &Picture, state: State) -> Self {
        let (disc, size) = (Disc::new(photo), photo.width() as usize);
        let (width, height) = (2 * size + 4 * MARGIN, size + HEAD + MARGIN);
        let mut picture = Picture::filled(width as u32, height as u32, PAPER);
        for (name, corner, degrees) in [("TARGET", left(), 0), ("YOURS", right(size), state.angle)] {
            let middle = ((corner.0 + size / 2) as f32, (corner.1 + size / 2) as f32);
            text(&mut picture, name, (middle.0, HEAD as f32 / 2.0), 12.0, LETTERS);
            circle(&mut picture, middle, size as f32 / 2.0 + RIM_PX, RIM);
            disc.lay(&mut picture, corner, degrees);
        }
        Self { disc, size, twin: Twin::new(picture, state) }
    }

    /// Lays the right disc anew.
    pub(super) fn show(&mut self, state: State) -> Arc<Picture> {
        let (disc, corner) = (&self.disc, right(self.size));
        self.twin.show(&state, |picture, _| disc.lay(picture, corner, state.angle))
    }
}

/// The corner of the left disc's square.
fn left() -> (usize, usize) {
    (MARGIN, HEAD)
}

/// The corner of the right disc's square.
fn right(size: usize) -> (usize, usize) {
    (3 * MARGIN + size, HEAD)
}
