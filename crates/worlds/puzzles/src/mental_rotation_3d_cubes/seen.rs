//! How much of a snake can be seen.

use super::body;
use super::snake::Snake;
use crate::mental_rotation_3d::{Orientation, camera};
use crate::solid::{Light, Mesh, SampleStage, Samples};

/// Pixels along a side of the picture that is looked at.
const SIZE: u32 = 96;
/// A cube is seen if at least this share of a cube's largest face shows.
const LEAST_SHARE: f32 = 0.2;
/// At most one cube in so many may be hidden.
const HIDDEN_SHARE: usize = 4;
/// No axis of the grid may point straighter at the viewer than one with this cosine.
const STRAIGHTEST: f64 = 0.92;

/// A snake to be looked at.
pub(super) struct SeenSnake {
    snake: Snake,
    mesh: Mesh,
    stage: SampleStage,
    least_px: usize,
}

impl SeenSnake {
    pub(super) fn new(snake: &Snake) -> Self {
        let mesh = body::numbered(snake);
        let (corner, next) = (mesh.positions[0], mesh.positions[1]);
        let side = (0..3).map(|i| (corner[i] - next[i]).abs()).fold(0.0, f32::max);
        // The unit ball fills the picture, so half the picture is about one unit.
        let side_px = side * SIZE as f32 / 2.0;
        let least_px = (side_px * side_px * LEAST_SHARE) as usize;
        Self {
            snake: snake.clone(),
            mesh,
            stage: SampleStage::new(SIZE, SIZE, Samples::One),
            least_px: least_px.max(1),
        }
    }

    /// Whether both ends and something of every stretch can be seen, few cubes are hidden, and no stretch points
    /// straight at the viewer.
    pub(super) fn shows_enough(&mut self, orientation: Orientation) -> bool {
        // The third row tells how much each axis of the grid points at the viewer.
        let towards = orientation.turn().0[2];
        if towards.iter().any(|cosine| cosine.abs() > STRAIGHTEST) {
            return false;
        }
        let is_seen = self.seen(orientation);
        let last = is_seen.len() - 1;
        let n_hidden = is_seen.iter().filter(|is_seen| !**is_seen).count();
        let stretches = self.snake.stretches();
        let every_stretch =
            stretches.iter().all(|(from, to)| is_seen[*from..=*to].iter().filter(|seen| **seen).count() >= 2);
        is_seen[0] && is_seen[last] && every_stretch && n_hidden * HIDDEN_SHARE <= is_seen.len()
    }

    /// For each cube, whether enough of it shows.
    pub(super) fn seen(&mut self, orientation: Orientation) -> Vec<bool> {
        self.stage.clear([255, 255, 255]);
        self.stage.draw(&self.mesh, &orientation.pose(), &camera(), &Light::FLAT);
        let mut n_px = vec![0; self.snake.cells.len()];
        for [number, _, _] in self.stage.covered().flatten() {
            n_px[usize::from(number)] += 1;
        }
        n_px.into_iter().map(|n| n >= self.least_px).collect()
    }
}
