//! Cutting a board into pieces that hang together.

use quintain_core::rng::Rng;

use super::Parameters;
use super::board::{BoardCell, PatchPiece, Start};

/// Cells along a side of the board.
const SIDES: std::ops::RangeInclusive<i32> = 2..=12;
/// How many pieces there may be: each has one digit.
const PIECES: std::ops::RangeInclusive<usize> = 2..=10;
/// The fewest cells of a piece.
const LEAST_CELLS: usize = 3;
/// The most cells that a piece may be high or wide.
const MOST_ACROSS: i32 = 6;
/// How many cuts are tried before giving up.
const TRIES: usize = 400;

/// Cuts a board.
pub(super) fn generate(parameters: &Parameters, rng: &mut Rng) -> Result<Start, String> {
    let Parameters { rows, cols, pieces } = *parameters;
    check(parameters)?;
    let board = Start { rows, cols, pieces: Vec::new() };
    for _ in 0..TRIES {
        let owners = grow(&board, pieces, rng);
        let cut = (0..pieces).map(|piece| piece_of(&board, &owners, piece)).collect::<Vec<_>>();
        if cut.iter().all(handy) {
            return Ok(Start { pieces: cut, ..board });
        }
    }
    Err(format!(
        "{TRIES} cuts of {rows}x{cols} cells were tried: none gives {pieces} pieces of at least {LEAST_CELLS} cells, at \
         most {MOST_ACROSS} across; change `pieces`"
    ))
}

fn check(parameters: &Parameters) -> Result<(), String> {
    let Parameters { rows, cols, pieces } = *parameters;
    for (name, side) in [("rows", rows), ("cols", cols)] {
        if !SIDES.contains(&side) {
            return Err(format!("`{name}` is {side}: a board has {} to {}", SIDES.start(), SIDES.end()));
        }
    }
    let most = PIECES.end().min(&((rows * cols) as usize / LEAST_CELLS)).to_owned();
    if !(*PIECES.start()..=most).contains(&pieces) {
        let least = PIECES.start();
        return Err(format!("`pieces` is {pieces}: a board of {rows}x{cols} cells makes {least} to {most}"));
    }
    Ok(())
}

/// Whether a piece is neither a crumb nor too long to be parked.
fn handy(piece: &PatchPiece) -> bool {
    let (_, height, width) = piece.extent();
    piece.cells.len() >= LEAST_CELLS && height.max(width) <= MOST_ACROSS
}

/// Grows pieces from random cells until the board is full: each cell goes to one of its neighbours' pieces.
fn grow(board: &Start, n_pieces: usize, rng: &mut Rng) -> Vec<Option<usize>> {
    let mut owners: Vec<Option<usize>> = vec![None; board.n_cells()];
    let mut cells: Vec<usize> = (0..board.n_cells()).collect();
    rng.shuffle(&mut cells);
    for (piece, cell) in cells.iter().take(n_pieces).enumerate() {
        owners[*cell] = Some(piece);
    }
    loop {
        let edge: Vec<(usize, usize)> = edge(board, &owners);
        if edge.is_empty() {
            return owners;
        }
        let (cell, piece) = *rng.choose(&edge);
        owners[cell] = Some(piece);
    }
}

/// Every free cell beside a piece, with the piece.
fn edge(board: &Start, owners: &[Option<usize>]) -> Vec<(usize, usize)> {
    let free = (0..owners.len()).filter(|cell| owners[*cell].is_none());
    let pairs =
        free.flat_map(|cell| neighbours(board, cell).filter_map(move |neighbour| Some((cell, owners[neighbour]?))));
    pairs.collect()
}

fn neighbours(board: &Start, cell: usize) -> impl Iterator<Item = usize> {
    let [row, col] = board.cell(cell);
    let around = [[row - 1, col], [row, col + 1], [row + 1, col], [row, col - 1]];
    around.into_iter().filter_map(|cell| board.index(cell))
}

fn piece_of(board: &Start, owners: &[Option<usize>], piece: usize) -> PatchPiece {
    let cells: Vec<BoardCell> =
        (0..owners.len()).filter(|cell| owners[*cell] == Some(piece)).map(|cell| board.cell(cell)).collect();
    PatchPiece::of(cells)
}
