//! The pieces on the table, with thin lines between them.

use std::sync::Arc;

use quintain_core::picture::Picture;

use super::{Start, State};
use crate::canvas::{Area, Color, copy};

/// Pixels between two pieces and around all of them.
const GAP: i32 = 2;
const LINE: Color = [250, 250, 247];

/// The picture, and what it shows.
pub struct Drawing {
    photo: Arc<Picture>,
    picture: Arc<Picture>,
    /// Which piece is drawn at each place.
    shown: Vec<usize>,
    cols: usize,
    piece: (i32, i32),
}

impl Drawing {
    pub(super) fn new(start: &Start, state: &State, photo: Arc<Picture>) -> Self {
        let (rows, cols) = (start.rows as i32, start.cols as i32);
        let piece = (photo.width() as i32 / cols, photo.height() as i32 / rows);
        let (width, height) = (cols * piece.0 + (cols + 1) * GAP, rows * piece.1 + (rows + 1) * GAP);
        let picture = Arc::new(Picture::filled(width as u32, height as u32, LINE));
        let mut drawing = Self { photo, picture, shown: Vec::new(), cols: start.cols, piece };
        drawing.show(&state.order);
        drawing
    }

    /// Draws the places whose piece has changed, and gives the picture.
    pub(super) fn show(&mut self, order: &[usize]) -> Arc<Picture> {
        for (place, piece) in order.iter().enumerate() {
            if self.shown.get(place) != Some(piece) {
                self.lay(*piece, place);
            }
        }
        self.shown.clear();
        self.shown.extend_from_slice(order);
        Arc::clone(&self.picture)
    }

    fn lay(&mut self, piece: usize, place: usize) {
        let (width, height) = self.piece;
        let cell = |i: usize| ((i % self.cols) as i32, (i / self.cols) as i32);
        let (from_col, from_row) = cell(piece);
        let (col, row) = cell(place);
        let from = Area::new(from_col * width, from_row * height, width, height);
        let to = (col * width + (col + 1) * GAP, row * height + (row + 1) * GAP);
        copy(&self.photo, from, Arc::make_mut(&mut self.picture), to);
    }
}
