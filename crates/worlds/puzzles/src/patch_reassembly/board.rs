//! The board, its pieces, and which lies where.

use serde::{Deserialize, Serialize};

/// A row and a column.
pub type BoardCell = [i32; 2];

/// A board and the pieces it was cut into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// Cells down.
    pub rows: i32,
    /// Cells across.
    pub cols: i32,
    /// The pieces, counted from 0.
    pub pieces: Vec<PatchPiece>,
}

/// A piece: its cells in reading order, as seen from the first of them, the anchor, which bears its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PatchPiece {
    /// Rows and columns from the anchor; the anchor's own, `[0, 0]`, comes first.
    pub cells: Vec<BoardCell>,
}

/// Where the pieces lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// For each piece the cell of its anchor; nothing while it is parked.
    pub places: Vec<Option<BoardCell>>,
}

/// What is in a piece's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    Edge,
    Piece(usize),
}

impl PatchPiece {
    /// The piece that covers these cells.
    pub(super) fn of(mut cells: Vec<BoardCell>) -> Self {
        cells.sort_unstable();
        let [row, col] = cells[0];
        Self { cells: cells.into_iter().map(|cell| [cell[0] - row, cell[1] - col]).collect() }
    }

    /// The cells it covers when its anchor lies at a place.
    pub(super) fn at(&self, [row, col]: BoardCell) -> impl Iterator<Item = BoardCell> {
        self.cells.iter().map(move |cell| [row.saturating_add(cell[0]), col.saturating_add(cell[1])])
    }

    /// How far it reaches left of its anchor, and how many cells it is high and wide.
    pub(super) fn extent(&self) -> (i32, i32, i32) {
        let left = self.cells.iter().map(|cell| cell[1]).min().unwrap_or(0);
        let right = self.cells.iter().map(|cell| cell[1]).max().unwrap_or(0);
        let bottom = self.cells.iter().map(|cell| cell[0]).max().unwrap_or(0);
        (-left, bottom + 1, right - left + 1)
    }
}

impl Start {
    /// How many cells the board has.
    pub(super) fn n_cells(&self) -> usize {
        (self.rows * self.cols) as usize
    }

    /// The number of a cell, if it is on the board.
    pub(super) fn index(&self, [row, col]: BoardCell) -> Option<usize> {
        let on_board = (0..self.rows).contains(&row) && (0..self.cols).contains(&col);
        on_board.then(|| (row * self.cols + col) as usize)
    }

    /// The cell of a number.
    pub(super) fn cell(&self, index: usize) -> BoardCell {
        [index as i32 / self.cols, index as i32 % self.cols]
    }

    /// Which piece lies on each cell; the first where several do.
    pub(super) fn covered(&self, state: &State) -> Vec<Option<usize>> {
        let mut covered = vec![None; self.n_cells()];
        for (idx, cell) in self.laid(state) {
            if let Some(at) = self.index(cell) {
                covered[at].get_or_insert(idx);
            }
        }
        covered
    }

    /// What is in the way of a piece at a place, itself aside.
    pub(super) fn obstacle(&self, state: &State, piece: usize, place: BoardCell) -> Option<Obstacle> {
        if self.pieces[piece].at(place).any(|cell| self.index(cell).is_none()) {
            return Some(Obstacle::Edge);
        }
        let wanted: Vec<BoardCell> = self.pieces[piece].at(place).collect();
        let other = self.laid(state).find(|(idx, cell)| *idx != piece && wanted.contains(cell));
        other.map(|(idx, _)| Obstacle::Piece(idx))
    }

    /// How many cells of the board nothing covers, and how many cells of pieces lie on others or outside.
    pub(super) fn faults(&self, state: &State) -> (usize, usize) {
        let covered = self.covered(state).iter().flatten().count();
        let n_laid = self.laid(state).count();
        let n_unknown = state.places.len().saturating_sub(self.pieces.len());
        (self.n_cells() - covered, n_laid - covered + n_unknown)
    }

    /// Every cell of every piece on the board, with the piece.
    fn laid(&self, state: &State) -> impl Iterator<Item = (usize, BoardCell)> {
        let placed = self.pieces.iter().zip(&state.places).enumerate();
        placed
            .filter_map(|(idx, (piece, place))| Some((idx, piece.at((*place)?))))
            .flat_map(|(idx, cells)| cells.map(move |cell| (idx, cell)))
    }
}
