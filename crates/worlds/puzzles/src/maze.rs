//! Mazes: a map of open cells and walls with one way between any two open cells, shared by the maze puzzles.

mod carve;
mod walk;

use std::collections::VecDeque;

use quintain_core::rng::Rng;
use serde::{Deserialize, Serialize};

pub use walk::{LONGEST_SOLUTION, MazeWalk, Strategy};

/// The least and the greatest width and height of a map, walls included.
pub const SIZES: std::ops::RangeInclusive<u32> = 5..=99;

/// A place on the map, counted from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MazeCell {
    /// Cells from the left.
    pub x: i32,
    /// Cells from the top.
    pub y: i32,
}

/// A direction on the map, north being up. The order is that of the published numbers, and each is a left turn from the
/// one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MazeDirection {
    /// To the right.
    East,
    /// Up.
    North,
    /// To the left.
    West,
    /// Down.
    South,
}

impl MazeDirection {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::East, Self::North, Self::West, Self::South];

    /// The direction after so many quarter turns to the left.
    #[must_use]
    pub fn left(self, quarters: usize) -> Self {
        Self::ALL[(self as usize + quarters) % 4]
    }

    /// How many quarter turns to the left lead from this direction to another.
    pub fn quarters_to(self, other: Self) -> usize {
        (other as usize + 4 - self as usize) % 4
    }

    /// One step this way: to the right and down.
    pub fn offset(self) -> (i32, i32) {
        match self {
            Self::East => (1, 0),
            Self::North => (0, -1),
            Self::West => (-1, 0),
            Self::South => (0, 1),
        }
    }
}

impl MazeCell {
    /// The next cell in a direction.
    #[must_use]
    pub fn next(self, direction: MazeDirection) -> Self {
        let (dx, dy) = direction.offset();
        Self { x: self.x + dx, y: self.y + dy }
    }
}

/// A maze: open cells and walls, where one begins and where one should end. Written as rows of `#` (wall), `.` (open),
/// `S` (start) and `G` (goal).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Maze {
    width: i32,
    height: i32,
    open: Vec<bool>,
    start: MazeCell,
    goal: MazeCell,
}

impl Maze {
    /// A maze of a width and height, walls included: every maze of that size is equally likely. It leads from a corner
    /// to the opposite one.
    pub fn generate(width: u32, height: u32, rng: &mut Rng) -> Result<Self, String> {
        for (name, size) in [("width", width), ("height", height)] {
            if !SIZES.contains(&size) || size.is_multiple_of(2) {
                let (least, greatest) = (SIZES.start(), SIZES.end());
                return Err(format!("`{name}` must be an odd number from {least} to {greatest}, not {size}"));
            }
        }
        Ok(carve::maze(width as i32, height as i32, rng))
    }

    /// Cells across, walls included.
    pub fn width(&self) -> i32 {
        self.width
    }

    /// Cells down, walls included.
    pub fn height(&self) -> i32 {
        self.height
    }

    /// Where one begins.
    pub fn start(&self) -> MazeCell {
        self.start
    }

    /// Where one should end.
    pub fn goal(&self) -> MazeCell {
        self.goal
    }

    /// Whether one can stand there. There is only wall outside the map.
    pub fn is_open(&self, cell: MazeCell) -> bool {
        self.index(cell).is_some_and(|index| self.open[index])
    }

    /// The open cells beside a cell.
    pub fn beside(&self, cell: MazeCell) -> impl Iterator<Item = MazeCell> + '_ {
        MazeDirection::ALL.into_iter().map(move |direction| cell.next(direction)).filter(|next| self.is_open(*next))
    }

    /// How many moves lead from a cell to the goal at least. For a place that leads nowhere it is more than any way.
    pub fn moves_left(&self, cell: MazeCell) -> u32 {
        let far = (self.width * self.height) as u32;
        self.index(cell).and_then(|index| self.distances()[index]).unwrap_or(far)
    }

    /// The open cells that lead to the goal, and how many moves away each is; nearest first.
    pub fn by_distance(&self) -> Vec<(u32, MazeCell)> {
        let distances = self.distances();
        let mut cells: Vec<(u32, MazeCell)> =
            self.cells().filter_map(|cell| distances[self.index(cell)?].map(|distance| (distance, cell))).collect();
        cells.sort_unstable();
        cells
    }

    /// Places that look nearly like the goal, each more moves away than a bound: the nearest ones, the start and the
    /// other corners.
    pub fn near_misses(&self, bound: f64) -> Vec<(u32, MazeCell)> {
        let beyond = self.by_distance().into_iter().filter(|(moves, _)| f64::from(*moves) > bound);
        let (mut chosen, rest): (Vec<_>, Vec<_>) = beyond.enumerate().partition(|(rank, _)| *rank < 8);
        let (start, goal) = (self.start, self.goal);
        let corners = [start, MazeCell { x: start.x, y: goal.y }, MazeCell { x: goal.x, y: start.y }];
        chosen.extend(rest.into_iter().filter(|(_, (_, cell))| corners.contains(cell)));
        chosen.into_iter().map(|(_, near)| near).collect()
    }

    /// Every place on the map, row by row.
    pub fn cells(&self) -> impl Iterator<Item = MazeCell> + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |y| (0..width).map(move |x| MazeCell { x, y }))
    }

    /// The most moves that a shortest way through any maze of this size takes: through every room but those that the
    /// pattern of a chessboard leaves out.
    pub fn longest_way(width: u32, height: u32) -> u32 {
        let (rooms_across, rooms_down) = ((width - 1) / 2, (height - 1) / 2);
        let rooms = rooms_across * rooms_down;
        let steps_apart = rooms_across + rooms_down - 2;
        let steps = if (rooms - 1) % 2 == steps_apart % 2 { rooms - 1 } else { rooms - 2 };
        2 * steps
    }

    fn distances(&self) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.open.len()];
        let mut queue = VecDeque::from([(self.goal, 0)]);
        while let Some((cell, distance)) = queue.pop_front() {
            let Some(index) = self.index(cell).filter(|index| distances[*index].is_none()) else { continue };
            distances[index] = Some(distance);
            queue.extend(self.beside(cell).map(|next| (next, distance + 1)));
        }
        distances
    }

    fn index(&self, cell: MazeCell) -> Option<usize> {
        let inside = (0..self.width).contains(&cell.x) && (0..self.height).contains(&cell.y);
        inside.then(|| (cell.y * self.width + cell.x) as usize)
    }

    fn letter(&self, cell: MazeCell) -> char {
        match cell {
            _ if cell == self.start => 'S',
            _ if cell == self.goal => 'G',
            _ if self.is_open(cell) => '.',
            _ => '#',
        }
    }
}

impl From<Maze> for Vec<String> {
    fn from(maze: Maze) -> Self {
        let row = |y| (0..maze.width).map(|x| maze.letter(MazeCell { x, y })).collect();
        (0..maze.height).map(row).collect()
    }
}

impl TryFrom<Vec<String>> for Maze {
    type Error = String;

    fn try_from(rows: Vec<String>) -> Result<Self, String> {
        let width = rows.first().map_or(0, String::len);
        if width == 0 || width > 1000 || rows.len() > 1000 || rows.iter().any(|row| row.len() != width) {
            return Err("a maze is rows of the same length, at most 1000 by 1000".to_owned());
        }
        let letters = rows.concat();
        if let Some(letter) = letters.chars().find(|letter| !"#.SG".contains(*letter)) {
            return Err(format!("a maze has no `{letter}`, only `#`, `.`, `S` and `G`"));
        }
        let place = |letter| {
            let index = letters.find(letter).filter(|_| letters.matches(letter).count() == 1);
            let cell = |index| MazeCell { x: (index % width) as i32, y: (index / width) as i32 };
            index.map(cell).ok_or_else(|| format!("a maze has one `{letter}`"))
        };
        let (start, goal) = (place('S')?, place('G')?);
        let open = letters.chars().map(|letter| letter != '#').collect();
        Ok(Self { width: width as i32, height: rows.len() as i32, open, start, goal })
    }
}

#[cfg(test)]
mod tests;
