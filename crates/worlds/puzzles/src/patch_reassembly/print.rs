//! The board and the parked pieces in characters.

use std::fmt::Write as _;

use super::board::{BoardCell, Start, State};

/// The board with the numbers of the pieces on it, then the pieces that are parked, an asterisk for each anchor.
pub(super) fn print(start: &Start, state: &State) -> String {
    let mut text = String::from("board:\n   ");
    for col in 0..start.cols {
        write!(text, " {}", col % 10).expect("a string takes everything");
    }
    let covered = start.covered(state);
    for row in 0..start.rows {
        let cells = &covered[(row * start.cols) as usize..][..start.cols as usize];
        let marks: Vec<String> =
            cells.iter().map(|piece| piece.map_or(".".to_owned(), |idx| idx.to_string())).collect();
        write!(text, "\n{row:>2}  {}", marks.join(" ")).expect("a string takes everything");
    }
    for (idx, place) in state.places.iter().enumerate().filter(|(idx, _)| *idx < start.pieces.len()) {
        if place.is_none() {
            write!(text, "\npiece {idx}, parked:\n{}", parked(start, idx)).expect("a string takes everything");
        }
    }
    text
}

/// A parked piece: its number on every cell but the anchor.
fn parked(start: &Start, idx: usize) -> String {
    let piece = &start.pieces[idx];
    let (left, height, width) = piece.extent();
    let mark = |cell: BoardCell| match piece.cells.iter().position(|own| *own == cell) {
        None => " ".to_owned(),
        Some(0) => "*".to_owned(),
        Some(_) => idx.to_string(),
    };
    let line = |row: i32| (0..width).map(|col| mark([row, col - left])).collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = (0..height).map(|row| format!("    {}", line(row)).trim_end().to_owned()).collect();
    lines.join("\n")
}
