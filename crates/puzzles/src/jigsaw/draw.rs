//! The pieces on the table, with thin lines between them.

use std::sync::Arc;

use quintain_core::picture::Picture;

use super::{Start, State};
use crate::canvas::{Area, Color, copy};

/// Pixels between two pieces and around all of them.
const GAP: i32 = 2;
const LINE: Color = [250, 250, 247];

/// Two pictures, and what they show. While someone still holds the one, the other is brought up to date: copying pieces
/// is much cheaper than copying everything to fresh memory.
pub struct Drawing {
    photo: Arc<Picture>,
    front: Table,
    back: Option<Table>,
    cols: usize,
    piece: (i32, i32),
}

/// A picture, and which piece is drawn at each place of it.
#[derive(Clone)]
struct Table {
    picture: Arc<Picture>,
    shown: Vec<usize>,
}

impl Drawing {
    pub(super) fn new(start: &Start, state: &State, photo: Arc<Picture>) -> Self {
        let (rows, cols) = (start.rows as i32, start.cols as i32);
        let piece = (photo.width() as i32 / cols, photo.height() as i32 / rows);
        let (width, height) = (cols * piece.0 + (cols + 1) * GAP, rows * piece.1 + (rows + 1) * GAP);
        let picture = Arc::new(Picture::filled(width as u32, height as u32, LINE));
        let front = Table { picture, shown: Vec::new() };
        let mut drawing = Self { photo, front, back: None, cols: start.cols, piece };
        drawing.show(&state.order);
        drawing
    }

    /// Draws the places whose piece has changed, and gives the picture.
    pub(super) fn show(&mut self, order: &[usize]) -> Arc<Picture> {
        if self.front.shown != order {
            if Arc::get_mut(&mut self.front.picture).is_none() {
                let back = self.back.take().unwrap_or_else(|| self.front.clone());
                self.back = Some(std::mem::replace(&mut self.front, back));
            }
            let picture = Arc::make_mut(&mut self.front.picture);
            for (place, piece) in order.iter().enumerate() {
                if self.front.shown.get(place) != Some(piece) {
                    lay(&self.photo, *piece, picture, place, (self.cols, self.piece));
                }
            }
            self.front.shown.clear();
            self.front.shown.extend_from_slice(order);
        }
        Arc::clone(&self.front.picture)
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
