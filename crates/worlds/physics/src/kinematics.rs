//! Where every part of the arm is, given the angles of its joints.
//!
//! This is our own arithmetic, so that drawing and judging need no MuJoCo; a test holds it against MuJoCo's.

use quintain_puzzles::solid::{Pose, SolidTurn};

use crate::scene::{HOME, N_HINGES, N_JOINTS};

/// Where a part is and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Where its origin is.
    pub at: [f64; 3],
    /// How it is turned.
    pub turn: SolidTurn,
}

/// The joints one after another: the axis of each, and where it sits in the part before it.
const HINGES: [([f64; 3], [f64; 3]); N_HINGES] = [
    ([0.0, 0.0, 1.0], [0.0, 0.62, 0.3]),
    ([1.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
    ([0.0, 1.0, 0.0], [0.0, -0.24, 0.0]),
    ([1.0, 0.0, 0.0], [0.0, -0.24, 0.0]),
    ([0.0, 1.0, 0.0], [0.0, -0.24, 0.0]),
    ([1.0, 0.0, 0.0], [0.0, -0.24, 0.0]),
    ([0.0, 1.0, 0.0], [0.0, -0.06, 0.0]),
];

/// From the hand's origin to the point between the fingertips, in the hand's own axes.
const GRIP: [f64; 3] = [0.0, -0.11, 0.0];

/// The parts of the arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arm {
    /// The seven links from the shoulder to the hand.
    pub links: [Placed; N_HINGES],
    /// The left and the right finger.
    pub fingers: [Placed; 2],
}

impl Arm {
    /// The arm with its joints at these angles and its fingers so far open. Missing numbers are those at rest.
    pub fn at(joints: &[f64]) -> Self {
        let joint = |i: usize| joints.get(i).copied().unwrap_or(HOME[i]);
        let mut last = Placed { at: [0.0; 3], turn: SolidTurn::NONE };
        let links = std::array::from_fn(|i| {
            let (axis, offset) = HINGES[i];
            last = last.joined(offset, SolidTurn::about(axis, joint(i).to_degrees()));
            last
        });
        let finger = |along: f64| last.joined([along, GRIP[1], GRIP[2]], SolidTurn::NONE);
        Self { links, fingers: [finger(-joint(N_HINGES)), finger(joint(N_JOINTS - 1))] }
    }

    /// Points along the arm, each with how thick the arm is there.
    pub(crate) fn outline(&self) -> impl Iterator<Item = ([f64; 3], f64)> {
        let along = |link: usize| move |i: u8| (link, [0.0, -0.24 * f64::from(i) / 12.0, 0.0], 0.045);
        let across = |i: u8| (N_HINGES - 1, [0.015 * (f64::from(i) - 6.0), -0.015, 0.0], 0.04);
        let fingers = [-1.0, 1.0].into_iter().flat_map(|side| {
            (0..5).map(move |i| (N_HINGES - 1, [side * 0.06, -0.03 - 0.025 * f64::from(i), 0.0], 0.015))
        });
        let links = (1..5).flat_map(move |link| (0..=12).map(along(link)));
        let points = links.chain((0..=12).map(across)).chain(fingers);
        points.map(|(link, point, radius)| (self.links[link].point(point), radius))
    }

    /// The point between the fingertips.
    pub fn hand(&self) -> [f64; 3] {
        self.links[N_HINGES - 1].point(GRIP)
    }
}

impl Placed {
    /// A part that sits at a point of this one, turned.
    #[must_use]
    pub fn joined(&self, offset: [f64; 3], turn: SolidTurn) -> Self {
        Self { at: self.point(offset), turn: turn.then(self.turn) }
    }

    /// Where a point of it is in the world.
    pub fn point(&self, point: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|i: usize| {
            let row = self.turn.0[i];
            self.at[i] + row[0] * point[0] + row[1] * point[1] + row[2] * point[2]
        })
    }

    /// The same for drawing.
    pub fn pose(&self) -> Pose {
        self.turn.at(self.at.map(|part| part as f32))
    }
}
