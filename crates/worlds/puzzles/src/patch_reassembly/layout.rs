//! Where things are in the picture, in cells of it: the board at the top left, the parked pieces around it.

use super::board::{BoardCell, Start};

/// Cells of the picture across and down, at least.
const LEAST_WIDTH: i32 = 17;
const LEAST_HEIGHT: i32 = 19;
/// Where the board begins; the row above and the column to the left hold the numbers.
pub(super) const BOARD: BoardCell = [2, 2];

/// Where things are.
pub(super) struct Layout {
    /// Cells down and across.
    pub(super) height: i32,
    pub(super) width: i32,
    /// For each piece, where its anchor is while it is parked.
    pub(super) parked: Vec<BoardCell>,
}

/// A block of cells: its first row and column, how many of each.
#[derive(Clone, Copy)]
struct CellBlock(i32, i32, i32, i32);

impl CellBlock {
    /// Whether two blocks come nearer than one cell to each other.
    fn is_near(self, other: Self) -> bool {
        let Self(row, col, rows, cols) = self;
        let Self(other_row, other_col, other_rows, other_cols) = other;
        row <= other_row + other_rows
            && other_row <= row + rows
            && col <= other_col + other_cols
            && other_col <= col + cols
    }
}

impl Layout {
    /// Parks each piece at the first place, row by row, where it keeps clear of the board and of the pieces before it.
    pub(super) fn new(start: &Start) -> Self {
        let width = LEAST_WIDTH.max(start.cols + 4);
        let mut blocks = vec![CellBlock(0, 0, BOARD[0] + start.rows, BOARD[1] + start.cols)];
        let mut parked = Vec::new();
        for piece in &start.pieces {
            let (left, rows, cols) = piece.extent();
            let block = first_free(&blocks, width, (rows, cols));
            parked.push([block.0, block.1 + left]);
            blocks.push(block);
        }
        let bottom = blocks.iter().map(|block| block.0 + block.2).max().unwrap_or(0);
        Self { height: LEAST_HEIGHT.max(bottom + 1), width, parked }
    }
}

/// The first free place for a block of so many rows and columns, a cell away from the edges of the picture.
fn first_free(blocks: &[CellBlock], width: i32, (rows, cols): (i32, i32)) -> CellBlock {
    let places = (1..).flat_map(|row| (1..width - cols).map(move |col| CellBlock(row, col, rows, cols)));
    let mut free = places.filter(|place| !blocks.iter().any(|block| block.is_near(*place)));
    free.next().expect("there is room below, without end")
}
