//! Finding covers by backtracking: the first free cell in reading order must be some piece's anchor.

use quintain_core::rng::Rng;

use super::board::{BoardCell, Start, State};

/// Every way to cover the board exactly, up to so many.
pub(super) fn covers(start: &Start, most: usize) -> Vec<State> {
    let order: Vec<usize> = (0..start.pieces.len()).collect();
    CoverSearch::new(start, order, most).found()
}

/// A cover, and the order in which its pieces were laid; which one is up to the numbers drawn.
pub(super) fn cover(start: &Start, rng: &mut Rng) -> Option<Vec<(usize, BoardCell)>> {
    let mut order: Vec<usize> = (0..start.pieces.len()).collect();
    rng.shuffle(&mut order);
    let state = CoverSearch::new(start, order, 1).found().pop()?;
    let mut laid: Vec<(usize, BoardCell)> =
        state.places.iter().enumerate().filter_map(|(idx, place)| Some((idx, (*place)?))).collect();
    laid.sort_unstable_by_key(|(_, place)| *place);
    Some(laid)
}

/// A search on its way.
struct CoverSearch<'a> {
    start: &'a Start,
    /// In which order pieces are tried.
    order: Vec<usize>,
    most: usize,
    taken: Vec<bool>,
    places: Vec<Option<BoardCell>>,
    found: Vec<State>,
}

impl<'a> CoverSearch<'a> {
    fn new(start: &'a Start, order: Vec<usize>, most: usize) -> Self {
        let (taken, places) = (vec![false; start.n_cells()], vec![None; start.pieces.len()]);
        Self { start, order, most, taken, places, found: Vec::new() }
    }

    fn found(mut self) -> Vec<State> {
        self.extend();
        self.found
    }

    /// Tries every piece on the first free cell. All pieces together are as large as the board, so none is left over.
    fn extend(&mut self) {
        let Some(free) = self.taken.iter().position(|taken| !taken) else {
            self.found.push(State { places: self.places.clone() });
            return;
        };
        let place = self.start.cell(free);
        for i in 0..self.order.len() {
            let piece = self.order[i];
            if self.found.len() == self.most {
                return;
            }
            if self.places[piece].is_none()
                && let Some(cells) = self.room(piece, place)
            {
                self.take(&cells);
                self.places[piece] = Some(place);
                self.extend();
                self.places[piece] = None;
                self.free(&cells);
            }
        }
    }

    /// The cells of a piece at a place, if all of them are free.
    fn room(&self, piece: usize, place: BoardCell) -> Option<Vec<usize>> {
        let free = |cell| self.start.index(cell).filter(|at| !self.taken[*at]);
        self.start.pieces[piece].at(place).map(free).collect()
    }

    fn take(&mut self, cells: &[usize]) {
        for cell in cells {
            self.taken[*cell] = true;
        }
    }

    fn free(&mut self, cells: &[usize]) {
        for cell in cells {
            self.taken[*cell] = false;
        }
    }
}
