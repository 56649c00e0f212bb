//! The board, and the pieces on it and around it.

use std::sync::Arc;

use quintain_core::picture::Picture;

use super::board::{BoardCell, Start, State};
use super::layout::{BOARD, Layout};
use crate::canvas::{Area, Color, copy, fill, text};
use crate::twin::Twin;

/// Pixels along a side of a cell.
const CELL: i32 = 40;
/// How wide the outline of a piece is, in pixels.
const OUTLINE: i32 = 3;

const PAPER: Color = [247, 246, 241];
const INK: Color = [46, 46, 54];
const FLOOR: Color = [226, 224, 215];
const GRID: Color = [186, 184, 174];
const SHADOW: Color = [237, 235, 229];
const WHITE: Color = [255, 255, 255];

/// The colour of each piece.
const COLORS: [Color; 10] = [
    [198, 62, 58],
    [52, 96, 178],
    [46, 130, 74],
    [214, 140, 30],
    [128, 76, 160],
    [24, 138, 148],
    [206, 96, 146],
    [118, 98, 52],
    [92, 102, 116],
    [122, 152, 34],
];

/// The picture, and a pattern from which the cells of pieces are copied.
pub struct Drawing {
    /// The empty board with all pieces parked.
    pattern: Picture,
    parked: Vec<BoardCell>,
    twin: Twin<State>,
}

impl Drawing {
    pub(super) fn new(start: &Start, state: &State) -> Self {
        let layout = Layout::new(start);
        let mut pattern = board(start, &layout);
        for piece in 0..start.pieces.len() {
            paint(&mut pattern, start, piece, layout.parked[piece]);
        }
        let nothing = State { places: vec![None; start.pieces.len()] };
        let twin = Twin::new(pattern.clone(), nothing);
        let mut drawing = Self { pattern, parked: layout.parked, twin };
        drawing.show(start, state);
        drawing
    }

    /// Clears the pieces that moved, then lays them where they are.
    pub(super) fn show(&mut self, start: &Start, state: &State) -> Arc<Picture> {
        let Self { pattern, parked, twin } = self;
        twin.show(state, |picture, shown| {
            let moved = |piece: &usize| shown.places[*piece] != state.places[*piece];
            let moved: Vec<usize> = (0..start.pieces.len()).filter(moved).collect();
            for piece in &moved {
                let at = seen_at(shown.places[*piece], parked[*piece]);
                let clear = if shown.places[*piece].is_some() { free_cell } else { shadow };
                start.pieces[*piece].at(at).for_each(|cell| clear(picture, cell));
            }
            for piece in &moved {
                let at = seen_at(state.places[*piece], parked[*piece]);
                let cells = start.pieces[*piece].at(parked[*piece]).zip(start.pieces[*piece].at(at));
                cells.for_each(|(from, to)| copy_cell(pattern, from, picture, to));
            }
        })
    }
}

/// Where in the picture the anchor of a piece is.
fn seen_at(place: Option<BoardCell>, parked: BoardCell) -> BoardCell {
    place.map_or(parked, |[row, col]| [BOARD[0] + row, BOARD[1] + col])
}

fn area([row, col]: BoardCell) -> Area {
    Area::new(col * CELL, row * CELL, CELL, CELL)
}

fn copy_cell(from: &Picture, source: BoardCell, to: &mut Picture, target: BoardCell) {
    let target = area(target);
    copy(from, area(source), to, (target.x, target.y));
}

/// The middle of a cell of the picture, in pixels.
fn middle([row, col]: BoardCell) -> (f32, f32) {
    ((col * CELL + CELL / 2) as f32, (row * CELL + CELL / 2) as f32)
}

/// A cell of the board that nothing covers.
fn free_cell(picture: &mut Picture, cell: BoardCell) {
    let Area { x, y, width, height } = area(cell);
    fill(picture, Area::new(x, y, width, height), GRID);
    fill(picture, Area::new(x + 1, y + 1, width - 2, height - 2), FLOOR);
}

/// A cell where a piece was parked.
fn shadow(picture: &mut Picture, cell: BoardCell) {
    fill(picture, area(cell), SHADOW);
}

/// The empty board with its numbers.
fn board(start: &Start, layout: &Layout) -> Picture {
    let mut picture = Picture::filled((layout.width * CELL) as u32, (layout.height * CELL) as u32, PAPER);
    for row in 0..start.rows {
        text(&mut picture, &row.to_string(), middle([BOARD[0] + row, BOARD[1] - 1]), 14.0, INK);
    }
    for col in 0..start.cols {
        text(&mut picture, &col.to_string(), middle([BOARD[0] - 1, BOARD[1] + col]), 14.0, INK);
    }
    let (left, top) = (BOARD[1] * CELL, BOARD[0] * CELL);
    let frame = Area::new(left - 4, top - 4, start.cols * CELL + 8, start.rows * CELL + 8);
    fill(&mut picture, frame, INK);
    for at in 0..start.n_cells() {
        let [row, col] = start.cell(at);
        free_cell(&mut picture, [BOARD[0] + row, BOARD[1] + col]);
    }
    picture
}

/// Draws a piece: its cells, an outline inside of them, its number on its anchor.
fn paint(picture: &mut Picture, start: &Start, piece: usize, at: BoardCell) {
    let color = COLORS[piece % COLORS.len()];
    let cells: Vec<BoardCell> = start.pieces[piece].at(at).collect();
    for cell in &cells {
        let place = area(*cell);
        fill(picture, place, lighter(color));
        fill(picture, Area::new(place.x + 1, place.y + 1, CELL - 2, CELL - 2), color);
    }
    for cell in &cells {
        for (row, col) in [(-1, 0), (0, 1), (1, 0), (0, -1)] {
            if !cells.contains(&[cell[0] + row, cell[1] + col]) {
                fill(picture, side(*cell, (row, col)), INK);
            }
        }
    }
    corners(picture, &cells);
    text(picture, &piece.to_string(), middle(at), 18.0, WHITE);
}

/// The strip of a cell along one of its sides.
fn side(cell: BoardCell, (row, col): (i32, i32)) -> Area {
    let Area { x, y, .. } = area(cell);
    let far = CELL - OUTLINE;
    match (row, col) {
        (-1, _) => Area::new(x, y, CELL, OUTLINE),
        (1, _) => Area::new(x, y + far, CELL, OUTLINE),
        (_, -1) => Area::new(x, y, OUTLINE, CELL),
        _ => Area::new(x + far, y, OUTLINE, CELL),
    }
}

/// Closes the outline where a piece turns around a cell that is not its own.
fn corners(picture: &mut Picture, cells: &[BoardCell]) {
    for cell in cells {
        for (row, col) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
            if !cells.contains(&[cell[0] + row, cell[1] + col]) {
                let Area { x, y, .. } = area(*cell);
                let far = |way: i32| if way < 0 { 0 } else { CELL - OUTLINE };
                fill(picture, Area::new(x + far(col), y + far(row), OUTLINE, OUTLINE), INK);
            }
        }
    }
}

fn lighter(color: Color) -> Color {
    color.map(|channel| channel + (255 - channel) / 4)
}
