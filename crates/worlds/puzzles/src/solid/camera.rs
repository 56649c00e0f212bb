//! From where and through which lens a stage is seen.

use super::vector::{Vector, cross, dot, normalised, sub, times};

/// Nothing nearer to the eye than this is drawn.
pub(super) const NEAREST: f32 = 0.01;

/// Where the eye is and what it looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where the eye is.
    pub eye: [f32; 3],
    /// The point in the middle of the stage.
    pub target: [f32; 3],
    /// The direction that is up on the stage; it must not be that from the eye to the target.
    pub up: [f32; 3],
    /// The lens.
    pub lens: Lens,
}

/// How the world is laid onto the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    /// Far things are smaller.
    Perspective {
        /// The angle between the lower and the upper edge of the stage.
        field_of_view_deg: f32,
    },
    /// Everything keeps its size.
    Orthographic {
        /// How much of the world fits between the lower and the upper edge of the stage.
        height: f32,
    },
}

impl Lens {
    /// A lens through which far things are smaller.
    pub const fn perspective(field_of_view_deg: f32) -> Self {
        Self::Perspective { field_of_view_deg }
    }

    /// A lens through which everything keeps its size.
    pub const fn orthographic(height: f32) -> Self {
        Self::Orthographic { height }
    }
}

/// A camera made ready for a stage: from the world to the eye's axes (right, up, towards the viewer) and on to samples.
pub(super) struct CameraView {
    rows: [Vector; 3],
    eye: Vector,
    middle: (f32, f32),
    /// Samples a unit, at distance one if the lens is a perspective one.
    scale: f32,
    pub(super) is_perspective: bool,
}

impl CameraView {
    pub(super) fn new(camera: &Camera, across: usize, down: usize) -> Self {
        let back = normalised(sub(camera.eye, camera.target));
        let right = normalised(cross(camera.up, back));
        let up = cross(back, right);
        let (is_perspective, height) = match camera.lens {
            Lens::Perspective { field_of_view_deg } => {
                let half = f64::from(field_of_view_deg).to_radians() / 2.0;
                (true, 2.0 * (libm::sin(half) / libm::cos(half)) as f32)
            }
            Lens::Orthographic { height } => (false, height),
        };
        let middle = (across as f32 / 2.0, down as f32 / 2.0);
        Self { rows: [right, up, back], eye: camera.eye, middle, scale: down as f32 / height, is_perspective }
    }

    /// A rotation and a shift, as seen by the eye.
    pub(super) fn of(&self, turn: &[Vector; 3], shift: Vector) -> ([Vector; 3], Vector) {
        let column = |j: usize| [turn[0][j], turn[1][j], turn[2][j]];
        let turn = self.rows.map(|row| [0, 1, 2].map(|j| dot(row, column(j))));
        (turn, times(&self.rows, sub(shift, self.eye)))
    }

    /// A direction of the world, as seen by the eye.
    pub(super) fn direction(&self, direction: Vector) -> Vector {
        times(&self.rows, direction)
    }

    /// Whether a point can be laid onto the stage.
    pub(super) fn is_before(&self, seen: Vector) -> bool {
        !self.is_perspective || -seen[2] >= NEAREST
    }

    /// Where a point lies on the stage, in samples from the left and from the top, and how near it is: the greater the
    /// nearer, and linear on the stage.
    #[inline]
    pub(super) fn project(&self, seen: Vector) -> (f32, f32, f32) {
        let nearness = if self.is_perspective { 1.0 / -seen[2] } else { seen[2] };
        let scale = if self.is_perspective { self.scale * nearness } else { self.scale };
        (self.middle.0 + seen[0] * scale, self.middle.1 - seen[1] * scale, nearness)
    }
}
