//! Snakes of cubes, and how unlike themselves they are when turned.

use quintain_core::rng::Rng;
use serde::{Deserialize, Serialize};

use crate::canvas::Color;

/// A place on the grid of cubes.
pub(super) type CubeCell = [i32; 3];

/// A snake of cubes: straight stretches, each at a right angle to the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snake {
    /// Where its cubes are, from one end to the other.
    pub cells: Vec<[i32; 3]>,
    /// Its colour.
    pub color: Color,
}

const COLORS: [Color; 6] =
    [[224, 122, 62], [76, 142, 206], [110, 170, 92], [196, 92, 116], [150, 120, 200], [212, 172, 70]];

/// The six ways along the grid.
pub(super) const WAYS: [CubeCell; 6] = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];

/// Of a snake that is laid on itself in any other orientation, at least so many cubes must lie elsewhere.
const LEAST_UNLIKE: usize = 2;
/// The same as a share: one cube in so many.
const UNLIKE_SHARE: usize = 5;

impl Snake {
    /// A snake with so many stretches, if one try makes one: it neither meets nor touches itself, goes along all three
    /// axes, and is unlike itself in every other orientation.
    pub(super) fn random(n_segments: usize, lengths: (usize, usize), rng: &mut Rng) -> Option<Self> {
        let mut cells = vec![[0; 3]];
        let mut way = *rng.choose(&WAYS);
        let mut axes = [false; 3];
        for _ in 0..n_segments {
            axes[axis_of(way)] = true;
            for _ in 1..rng.between(lengths.0 as i64, lengths.1 as i64) {
                let head = cells[cells.len() - 1];
                cells.push(free(&cells, [0, 1, 2].map(|i| head[i] + way[i]))?);
            }
            let across: Vec<CubeCell> = WAYS.into_iter().filter(|other| axis_of(*other) != axis_of(way)).collect();
            way = *rng.choose(&across);
        }
        let color = *rng.choose(&COLORS);
        let unlike = n_unlike(&cells);
        let is_clear = unlike >= LEAST_UNLIKE && unlike * UNLIKE_SHARE >= cells.len();
        (axes == [true; 3] && is_clear).then_some(Self { cells, color })
    }

    /// The first and last cell of each stretch, by their numbers along the snake.
    pub(super) fn stretches(&self) -> Vec<(usize, usize)> {
        let way = |i: usize| [0, 1, 2].map(|axis| self.cells[i + 1][axis] - self.cells[i][axis]);
        let last = self.cells.len() - 1;
        let bends = (1..last).filter(|i| way(*i) != way(*i - 1));
        let ends: Vec<usize> = [0].into_iter().chain(bends).chain([last]).collect();
        ends.windows(2).map(|pair| (pair[0], pair[1])).collect()
    }
}

fn axis_of(way: CubeCell) -> usize {
    (0..3).find(|i| way[*i] != 0).unwrap_or(0)
}

/// The cell, if it is free and touches no cell but the last.
fn free(cells: &[CubeCell], cell: CubeCell) -> Option<CubeCell> {
    let distance = |other: &CubeCell| (0..3).map(|i| (cell[i] - other[i]).abs()).sum::<i32>();
    let before = &cells[..cells.len() - 1];
    before.iter().all(|other| distance(other) > 1).then_some(cell)
}

/// How many cubes lie elsewhere at least, when the snake is laid on itself in another orientation as well as can be.
pub(super) fn n_unlike(cells: &[CubeCell]) -> usize {
    let most_alike = quarter_turns().iter().map(|turn| n_alike(cells, turn)).max();
    cells.len() - most_alike.unwrap_or(0)
}

/// How many cubes of the turned snake can lie on cubes of the snake, wherever it is shifted.
fn n_alike(cells: &[CubeCell], turn: &[CubeCell; 3]) -> usize {
    let mut shifts: Vec<CubeCell> = Vec::with_capacity(cells.len() * cells.len());
    for cell in cells {
        let turned = turn.map(|row| (0..3).map(|i| row[i] * cell[i]).sum::<i32>());
        shifts.extend(cells.iter().map(|other| [0, 1, 2].map(|i| other[i] - turned[i])));
    }
    shifts.sort_unstable();
    shifts.chunk_by(|one, other| one == other).map(<[CubeCell]>::len).max().unwrap_or(0)
}

/// The turns that map the grid onto itself, except none at all: 23 matrices of rows.
pub(super) fn quarter_turns() -> Vec<[CubeCell; 3]> {
    let cross =
        |a: CubeCell, b: CubeCell| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let pairs = WAYS.iter().flat_map(|x| WAYS.iter().map(move |y| (*x, *y)));
    let turns = pairs.filter(|(x, y)| axis_of(*x) != axis_of(*y)).map(|(x, y)| [x, y, cross(x, y)]);
    turns.filter(|turn| *turn != [[1, 0, 0], [0, 1, 0], [0, 0, 1]]).collect()
}
