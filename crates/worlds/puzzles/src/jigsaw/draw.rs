//! The pieces on the table, with thin lines between them.

use std::sync::Arc;

use quintain_core::picture::Picture;

use super::{Start, State};
use crate::canvas::{Area, Color, copy};
use crate::tiles::table::TileTable;

/// Pixels between two pieces and around all of them.
const GAP: i32 = 2;
const LINE: Color = [250, 250, 247];

/// The photograph, and the table that its pieces lie on.
pub struct Drawing {
    photo: Arc<Picture>,
    table: TileTable,
    cols: usize,
    piece: (i32, i32),
}

impl Drawing {
    pub(super) fn new(start: &Start, state: &State, photo: Arc<Picture>) -> Self {
        let (rows, cols) = (start.rows as i32, start.cols as i32);
        let piece = (photo.width() as i32 / cols, photo.height() as i32 / rows);
        let (width, height) = (cols * piece.0 + (cols + 1) * GAP, rows * piece.1 + (rows + 1) * GAP);
        let table = TileTable::new(Picture::filled(width as u32, height as u32, LINE));
        let mut drawing = Self { photo, table, cols: start.cols, piece };
        drawing.show(&state.order);
        drawing
    }

    /// Draws the places whose piece has changed, and gives the picture.
    pub(super) fn show(&mut self, order: &[usize]) -> Arc<Picture> {
        let Self { photo, table, cols, piece: size } = self;
        table.show(order, |picture, place, piece| lay(photo, piece, picture, place, (*cols, *size)))
    }
}

/// Copies a piece of the photograph to a place on the table.
fn lay(photo: &Picture, piece: usize, picture: &mut Picture, place: usize, (cols, size): (usize, (i32, i32))) {
    let (width, height) = size;
    let cell = |i: usize| ((i % cols) as i32, (i / cols) as i32);
    let (from_col, from_row) = cell(piece);
    let (col, row) = cell(place);
    let from = Area::new(from_col * width, from_row * height, width, height);
    let to = (col * width + (col + 1) * GAP, row * height + (row + 1) * GAP);
    copy(photo, from, picture, to);
}
