//! What can be seen from a place: for each column of pixels the wall that ends it.
//!
//! One only ever faces along an axis of the map, so everything is told relative to the one who looks: `across` counts
//! cells to the right, `ahead` counts cells forward, and the cell one stands in is the unit square at 0, 0. The eye is
//! not in the middle of that cell but near its rear edge, so that one sees the openings on both sides of the cell one
//! is in, and the ball when one stands in its cell.

use super::State;
use crate::maze::{Maze, MazeCell, MazeDirection};

/// How far the eye stays behind the middle of the cell, in cells.
pub(super) const EYE_BACK: f64 = 0.42;
/// How high the eye is; walls are one cell high.
pub(super) const EYE_HEIGHT: f64 = 0.5;
/// The radius of the ball, in cells.
pub(super) const BALL_RADIUS: f64 = 0.2;

/// The view of a maze from a state, on a picture of a size.
pub(super) struct MazeView<'a> {
    maze: &'a Maze,
    state: State,
    pub(super) width: u32,
    pub(super) height: u32,
    /// Pixels that one cell spans at a distance of one cell: the field of view is a right angle across.
    pub(super) focal: f64,
}

/// The wall that a column of pixels ends at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall {
    /// Cells from the eye, straight ahead.
    pub(super) depth: f64,
    /// Pixels that it rises above and falls below the horizon.
    pub(super) half_height: f32,
    /// Where on its face, from 0 at the left to 1 at the right as one looks squarely at it.
    pub(super) along: f64,
    /// How far the next column lies on the face.
    pub(super) stretch: f64,
    /// Whether the face looks east or west, not north or south.
    pub(super) faces_sideways: bool,
    /// Whether another wall meets the face at its left and right end.
    pub(super) corners: [bool; 2],
}

impl<'a> MazeView<'a> {
    pub(super) fn new(maze: &'a Maze, state: State, (width, height): (u32, u32)) -> Self {
        Self { maze, state, width, height, focal: f64::from(width) / 2.0 }
    }

    pub(super) fn heading(&self) -> MazeDirection {
        self.state.heading
    }

    /// Whether there is wall so many cells to the right and ahead.
    pub(super) fn is_solid(&self, across: i32, ahead: i32) -> bool {
        let ((fx, fy), (rx, ry)) = (self.state.heading.offset(), self.state.heading.left(3).offset());
        let MazeCell { x, y } = self.state.at;
        !self.maze.is_open(MazeCell { x: x + rx * across + fx * ahead, y: y + ry * across + fy * ahead })
    }

    /// The slope of the ray through a column: cells to the right for each cell ahead.
    pub(super) fn slope(&self, column: u32) -> f64 {
        (f64::from(column) + 0.5 - f64::from(self.width) / 2.0) / self.focal
    }

    /// The middle of the ball relative to the eye: to the right and ahead.
    pub(super) fn ball(&self) -> (f64, f64) {
        let ((fx, fy), (rx, ry)) = (self.state.heading.offset(), self.state.heading.left(3).offset());
        let goal = self.maze.goal();
        let (dx, dy) = (goal.x - self.state.at.x, goal.y - self.state.at.y);
        (f64::from(dx * rx + dy * ry), f64::from(dx * fx + dy * fy) + EYE_BACK)
    }

    /// Follows the ray through a column from cell to cell until it meets a wall.
    pub(super) fn wall(&self, column: u32) -> Wall {
        let slope = self.slope(column);
        let side = if slope < 0.0 { -1 } else { 1 };
        let to_side = |n_sides: i32| (f64::from(n_sides) + 0.5) / slope.abs();
        let to_front = |ahead: i32| f64::from(ahead) + 0.5 + EYE_BACK;
        let (mut n_sides, mut ahead) = (0, 0);
        loop {
            let across = side * n_sides;
            if to_front(ahead) < to_side(n_sides) {
                if self.is_solid(across, ahead + 1) {
                    return self.front(slope, to_front(ahead), (across, ahead));
                }
                ahead += 1;
            } else {
                if self.is_solid(across + side, ahead) {
                    return self.flank(slope, to_side(n_sides), (across, ahead));
                }
                n_sides += 1;
            }
        }
    }

    fn half_height(&self, depth: f64) -> f32 {
        (EYE_HEIGHT * self.focal / depth) as f32
    }

    /// A wall that looks at the eye, behind the given cell.
    fn front(&self, slope: f64, depth: f64, (across, ahead): (i32, i32)) -> Wall {
        Wall {
            depth,
            half_height: self.half_height(depth),
            along: fraction(0.5 + slope * depth),
            stretch: depth / self.focal,
            faces_sideways: matches!(self.state.heading, MazeDirection::East | MazeDirection::West),
            corners: [self.is_solid(across - 1, ahead), self.is_solid(across + 1, ahead)],
        }
    }

    /// A wall on the left or right of the given cell.
    fn flank(&self, slope: f64, depth: f64, (across, ahead): (i32, i32)) -> Wall {
        let along = fraction(depth + 0.5 - EYE_BACK);
        let ends = [self.is_solid(across, ahead - 1), self.is_solid(across, ahead + 1)];
        let is_left = slope < 0.0;
        Wall {
            depth,
            half_height: self.half_height(depth),
            along: if is_left { along } else { 1.0 - along },
            stretch: depth / (slope.abs() * self.focal),
            faces_sideways: matches!(self.state.heading, MazeDirection::North | MazeDirection::South),
            corners: if is_left { ends } else { [ends[1], ends[0]] },
        }
    }
}

/// Whether any part of the ball can be seen.
pub(super) fn goal_in_view(maze: &Maze, state: State, size: (u32, u32)) -> bool {
    let view = MazeView::new(maze, state, size);
    let (across, ahead) = view.ball();
    (0..view.width).any(|column| {
        let slope = view.slope(column);
        let off = (across - slope * ahead).abs() / (1.0 + slope * slope).sqrt();
        off <= BALL_RADIUS && ahead > 0.0 && ahead - BALL_RADIUS <= view.wall(column).depth
    })
}

fn fraction(number: f64) -> f64 {
    number - number.floor()
}
