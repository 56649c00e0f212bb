//! Drawing: the target board on the left, the current board on the right.

use std::sync::{Arc, OnceLock};

use quintain_core::picture::Picture;

use super::board::{Board, N_BLOCKS, N_COLUMNS, N_ROWS, SHAPES};
use crate::canvas::{Area, Color, circle, copy, rounded, text};

const CELL: i32 = 54;
const FRAME: i32 = 8;
const MARGIN: i32 = 18;
const GAP: i32 = 36;
const TITLE: i32 = 40;
const BOARD_WIDTH: i32 = CELL * N_COLUMNS as i32;
const BOARD_HEIGHT: i32 = CELL * N_ROWS as i32;
const TARGET: (i32, i32) = (MARGIN + FRAME, TITLE + FRAME);
const CURRENT: (i32, i32) = (TARGET.0 + BOARD_WIDTH + 2 * FRAME + GAP, TARGET.1);
const WIDTH: i32 = CURRENT.0 + BOARD_WIDTH + FRAME + MARGIN;
const HEIGHT: i32 = TITLE + BOARD_HEIGHT + 2 * FRAME + MARGIN;

const PAPER: Color = [246, 243, 237];
const INK: Color = [58, 52, 48];
const WOOD: Color = [92, 74, 60];
const FLOOR: Color = [228, 220, 207];
const DOT: Color = [203, 192, 176];
const WHITE: Color = [255, 255, 255];

/// The colour of each block: reds and blues for the large ones, greens for the tall, ambers for the small.
const COLORS: [Color; N_BLOCKS] = [
    [190, 62, 62],
    [74, 88, 168],
    [28, 110, 90],
    [66, 140, 62],
    [22, 122, 142],
    [108, 124, 40],
    [196, 108, 24],
    [150, 84, 150],
    [120, 98, 84],
    [204, 82, 120],
];

/// A picture of both boards that knows what it shows.
pub struct Drawing {
    picture: Arc<Picture>,
    shown: Board,
}

impl Drawing {
    pub(super) fn new(target: &Board, current: &Board) -> Self {
        let mut picture = Picture::filled(WIDTH as u32, HEIGHT as u32, PAPER);
        for ((x, y), title, board) in [(TARGET, "target", target), (CURRENT, "current", current)] {
            let frame = Area::new(x - FRAME, y - FRAME, BOARD_WIDTH + 2 * FRAME, BOARD_HEIGHT + 2 * FRAME);
            rounded(&mut picture, frame, 9.0, WOOD);
            text(&mut picture, title, ((x + BOARD_WIDTH / 2) as f32, TITLE as f32 / 2.0), 14.0, INK);
            for cell in 0..N_ROWS * N_COLUMNS {
                lay(&mut picture, &sprites().tile, (x, y), (cell / N_COLUMNS, cell % N_COLUMNS));
            }
            for block in 0..N_BLOCKS {
                lay(&mut picture, &sprites().blocks[block], (x, y), board.place(block));
            }
        }
        Self { picture: Arc::new(picture), shown: *current }
    }

    /// Moves the blocks that are no longer where they are shown.
    pub(super) fn show(&mut self, current: &Board) -> Arc<Picture> {
        if self.shown != *current {
            let moved = |block: &usize| self.shown.place(*block) != current.place(*block);
            let moved: Vec<usize> = (0..N_BLOCKS).filter(moved).collect();
            let picture = Arc::make_mut(&mut self.picture);
            for block in &moved {
                clear(picture, *block, self.shown.place(*block));
            }
            for block in &moved {
                lay(picture, &sprites().blocks[*block], CURRENT, current.place(*block));
            }
            self.shown = *current;
        }
        Arc::clone(&self.picture)
    }
}

/// Both boards in characters, side by side.
pub(super) fn ascii(target: &Board, current: &Board) -> String {
    let (target, current) = (target.to_string(), current.to_string());
    let rows = target.lines().zip(current.lines()).map(|(left, right)| format!("{left}  |  {right}"));
    std::iter::once("target       |  current".to_owned()).chain(rows).collect::<Vec<_>>().join("\n")
}

/// Shows the floor where a block was.
fn clear(picture: &mut Picture, block: usize, (row, column): (usize, usize)) {
    let (height, width) = SHAPES[block];
    for (down, right) in (0..height).flat_map(|down| (0..width).map(move |right| (down, right))) {
        lay(picture, &sprites().tile, CURRENT, (row + down, column + right));
    }
}

fn lay(picture: &mut Picture, sprite: &Picture, (x, y): (i32, i32), (row, column): (usize, usize)) {
    let whole = Area::new(0, 0, sprite.width() as i32, sprite.height() as i32);
    copy(sprite, whole, picture, (x + column as i32 * CELL, y + row as i32 * CELL));
}

/// What boards are made of, drawn once.
struct Sprites {
    tile: Picture,
    blocks: Vec<Picture>,
}

fn sprites() -> &'static Sprites {
    static SPRITES: OnceLock<Sprites> = OnceLock::new();
    SPRITES.get_or_init(|| Sprites { tile: tile(), blocks: (0..N_BLOCKS).map(block).collect() })
}

fn tile() -> Picture {
    let mut tile = Picture::filled(CELL as u32, CELL as u32, FLOOR);
    circle(&mut tile, (CELL as f32 / 2.0, CELL as f32 / 2.0), 3.0, DOT);
    tile
}

/// A block as a rounded tile with a lit upper and a dark lower edge.
fn block(block: usize) -> Picture {
    let (height, width) = (SHAPES[block].0 as i32 * CELL, SHAPES[block].1 as i32 * CELL);
    let color = COLORS[block];
    let mut sprite = Picture::filled(width as u32, height as u32, FLOOR);
    rounded(&mut sprite, Area::new(2, 2, width - 4, height - 4), 9.0, shade(color, 62));
    rounded(&mut sprite, Area::new(2, 2, width - 4, height - 8), 9.0, tint(color, 28));
    rounded(&mut sprite, Area::new(2, 4, width - 4, height - 10), 8.0, color);
    let middle = (width as f32 / 2.0, height as f32 / 2.0 - 1.0);
    text(&mut sprite, &(block + 1).to_string(), middle, 18.0, WHITE);
    sprite
}

/// So many percent of a colour.
fn shade(color: Color, percent: u32) -> Color {
    color.map(|part| (u32::from(part) * percent / 100) as u8)
}

/// A colour so many percent nearer to white.
fn tint(color: Color, percent: u32) -> Color {
    color.map(|part| (u32::from(part) + (255 - u32::from(part)) * percent / 100) as u8)
}
