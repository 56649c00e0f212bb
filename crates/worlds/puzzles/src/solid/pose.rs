//! Where a thing is and how it is turned.

use super::vector::{Vector, add, dot, times};

/// A rotation and then a shift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The rows of the rotation's matrix.
    pub turn: [[f32; 3]; 3],
    /// Where the origin goes.
    pub shift: [f32; 3],
}

impl Default for Pose {
    fn default() -> Self {
        Self { turn: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], shift: [0.0; 3] }
    }
}

impl Pose {
    /// Shifted, not turned.
    pub fn at(shift: [f32; 3]) -> Self {
        Self { shift, ..Self::default() }
    }

    /// Where a point goes.
    pub fn of(&self, point: [f32; 3]) -> [f32; 3] {
        add(times(&self.turn, point), self.shift)
    }

    /// This pose, and another after it.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let column = |j: usize| -> Vector { [self.turn[0][j], self.turn[1][j], self.turn[2][j]] };
        let turn = next.turn.map(|row| [0, 1, 2].map(|j| dot(row, column(j))));
        Self { turn, shift: next.of(self.shift) }
    }
}
