//! The board: ten blocks of four shapes, and the moves between boards.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Rows of the board.
pub(super) const N_ROWS: usize = 5;
/// Columns of the board.
pub(super) const N_COLUMNS: usize = 4;
/// Blocks on the board.
pub const N_BLOCKS: usize = 10;

/// Rows and columns that each block covers: one big, one wide, four tall, four small.
pub(super) const SHAPES: [(usize, usize); N_BLOCKS] =
    [(2, 2), (1, 2), (2, 1), (2, 1), (2, 1), (2, 1), (1, 1), (1, 1), (1, 1), (1, 1)];

/// The classic layout, as the cell of each block's upper left corner.
const CLASSIC: [u8; N_BLOCKS] = [1, 9, 0, 3, 8, 11, 16, 19, 13, 14];

/// A board on which no block leaves the board or covers another.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "[(u8, u8); N_BLOCKS]", into = "[(u8, u8); N_BLOCKS]")]
pub struct Board {
    /// The cell of each block's upper left corner, counted along the rows.
    cells: [u8; N_BLOCKS],
}

/// A way to slide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlideDirection {
    /// Towards the first row.
    Up,
    /// Towards the last column.
    Right,
    /// Towards the last row.
    Down,
    /// Towards the first column.
    Left,
}

/// What is in a block's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// The edge of the board.
    Edge,
    /// Another block, counted from 0.
    Block(usize),
}

/// Places that make no board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotABoard {
    /// A block that is not whole on the board.
    #[error("block {0} is not on the board")]
    Outside(usize),
    /// A block on top of others.
    #[error("block {0} covers another")]
    Covers(usize),
}

impl SlideDirection {
    /// All of them, by their number in a call.
    pub const ALL: [Self; 4] = [Self::Up, Self::Right, Self::Down, Self::Left];

    /// The way back.
    #[must_use]
    pub fn opposite(self) -> Self {
        Self::ALL[(self as usize + 2) % 4]
    }
}

impl Board {
    /// The classic layout.
    pub const fn classic() -> Self {
        Self { cells: CLASSIC }
    }

    /// Row and column of a block's upper left corner.
    pub fn place(&self, block: usize) -> (usize, usize) {
        (self.cells[block] as usize / N_COLUMNS, self.cells[block] as usize % N_COLUMNS)
    }

    /// The board after sliding a block by one cell.
    pub fn slid(&self, block: usize, direction: SlideDirection) -> Result<Self, Blocked> {
        let cell = neighbour(block, self.cells[block], direction).ok_or(Blocked::Edge)?;
        let wanted = cover(block, cell);
        let in_the_way = (0..N_BLOCKS).find(|other| *other != block && cover(*other, self.cells[*other]) & wanted != 0);
        match in_the_way {
            Some(other) => Err(Blocked::Block(other)),
            None => Ok(self.with(block, cell)),
        }
    }

    /// All moves: the block, the direction, the board after it.
    pub fn moves(&self) -> Vec<(usize, SlideDirection, Self)> {
        let occupied = self.occupied();
        let slides = (0..N_BLOCKS).flat_map(|block| SlideDirection::ALL.map(|direction| (block, direction)));
        slides
            .filter_map(|(block, direction)| Some((block, direction, self.free(block, direction, occupied)?)))
            .collect()
    }

    /// The cells that are covered, one bit each.
    pub(super) fn occupied(&self) -> u32 {
        (0..N_BLOCKS).fold(0, |mask, block| mask | cover(block, self.cells[block]))
    }

    /// The board after a slide, given the covered cells; nothing if something is in the way.
    pub(super) fn free(&self, block: usize, direction: SlideDirection, occupied: u32) -> Option<Self> {
        let from = self.cells[block];
        let to = neighbour(block, from, direction)?;
        let others = occupied & !cover(block, from);
        (others & cover(block, to) == 0).then(|| self.with(block, to))
    }

    /// The board as one number: five bits a block.
    pub(super) fn key(&self) -> u64 {
        self.cells.iter().fold(0, |key, cell| key << 5 | u64::from(*cell))
    }

    /// How many cells each block is from its place on another board, along rows and columns.
    pub fn distances(&self, other: &Self) -> [u32; N_BLOCKS] {
        std::array::from_fn(|block| {
            let ((row, column), (row_2, column_2)) = (self.place(block), other.place(block));
            (row.abs_diff(row_2) + column.abs_diff(column_2)) as u32
        })
    }

    /// Boards that differ only in the numbers of two blocks of one shape.
    pub(super) fn lookalikes(&self) -> Vec<(usize, usize, Self)> {
        let pairs = (0..N_BLOCKS).flat_map(|a| (a + 1..N_BLOCKS).map(move |b| (a, b)));
        pairs
            .filter(|(a, b)| SHAPES[*a] == SHAPES[*b])
            .map(|(a, b)| {
                let mut swapped = *self;
                swapped.cells.swap(a, b);
                (a, b, swapped)
            })
            .collect()
    }

    /// The block on each cell, along the rows.
    pub(super) fn grid(&self) -> [Option<usize>; N_ROWS * N_COLUMNS] {
        let on = |cell: usize| (0..N_BLOCKS).find(|block| cover(*block, self.cells[*block]) & (1 << cell) != 0);
        std::array::from_fn(on)
    }

    fn with(&self, block: usize, cell: u8) -> Self {
        let mut moved = *self;
        moved.cells[block] = cell;
        moved
    }
}

/// The cell one further, if the block is still whole on the board there.
fn neighbour(block: usize, cell: u8, direction: SlideDirection) -> Option<u8> {
    let (row, column) = (cell as usize / N_COLUMNS, cell as usize % N_COLUMNS);
    let (height, width) = SHAPES[block];
    let stays = match direction {
        SlideDirection::Up => row > 0,
        SlideDirection::Right => column + width < N_COLUMNS,
        SlideDirection::Down => row + height < N_ROWS,
        SlideDirection::Left => column > 0,
    };
    let by = [-(N_COLUMNS as i8), 1, N_COLUMNS as i8, -1][direction as usize];
    stays.then(|| cell.wrapping_add_signed(by))
}

/// The cells that a block covers, one bit each.
fn cover(block: usize, cell: u8) -> u32 {
    const COVERS: [u32; N_BLOCKS] = {
        let mut covers = [0; N_BLOCKS];
        let mut block = 0;
        while block < N_BLOCKS {
            let (height, width) = SHAPES[block];
            let row = (1 << width) - 1;
            covers[block] = if height == 2 { row | row << N_COLUMNS } else { row };
            block += 1;
        }
        covers
    };
    COVERS[block] << cell
}

impl TryFrom<[(u8, u8); N_BLOCKS]> for Board {
    type Error = NotABoard;

    fn try_from(places: [(u8, u8); N_BLOCKS]) -> Result<Self, NotABoard> {
        let mut covered = 0;
        let mut cells = [0; N_BLOCKS];
        for (block, (row, column)) in places.into_iter().enumerate() {
            let (height, width) = SHAPES[block];
            if row as usize + height > N_ROWS || column as usize + width > N_COLUMNS {
                return Err(NotABoard::Outside(block + 1));
            }
            cells[block] = row * N_COLUMNS as u8 + column;
            if covered & cover(block, cells[block]) != 0 {
                return Err(NotABoard::Covers(block + 1));
            }
            covered |= cover(block, cells[block]);
        }
        Ok(Self { cells })
    }
}

impl From<Board> for [(u8, u8); N_BLOCKS] {
    fn from(board: Board) -> Self {
        board.cells.map(|cell| (cell / N_COLUMNS as u8, cell % N_COLUMNS as u8))
    }
}

/// Rows of block numbers, a dot for a free cell.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, cells) in self.grid().chunks(N_COLUMNS).enumerate() {
            let words = cells.iter().map(|block| block.map_or_else(|| " .".to_owned(), |b| format!("{:2}", b + 1)));
            write!(f, "{}{}", if row == 0 { "" } else { "\n" }, words.collect::<Vec<_>>().join(" "))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({})", self.to_string().replace('\n', " / "))
    }
}

impl fmt::Display for SlideDirection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["up", "right", "down", "left"][*self as usize])
    }
}

impl fmt::Display for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edge => f.write_str("the edge of the board is in the way"),
            Self::Block(block) => write!(f, "block {} is in the way", block + 1),
        }
    }
}
