//! Where the arm and the block are, how fast they move, and what the arm has been told.
//!
//! After every action the numbers are rounded to billionths: they then survive being written as decimals and read again,
//! so a trial can go on from its record and comes to the same state.

use quintain_puzzles::solid::SolidTurn;
use serde::{Deserialize, Serialize};

use crate::kinematics::{Arm, Placed};
use crate::machine::SceneMachine;
use crate::mujoco::MissingPhysics;
use crate::scene::{BLOCK_HALF, FINGER_OPEN, HOME, HOME_HAND, N_HINGES, N_JOINTS, REACH, Scene};

/// How far a move of one unit sends the hand.
pub const UNIT: f64 = 0.05;

/// The state of the arm and of what it handles. Lengths are metres, angles radians, times seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Motion {
    /// Where every joint is; a block's place and its turn as a quaternion come last.
    pub positions: Vec<f64>,
    /// How fast each of them moves.
    pub speeds: Vec<f64>,
    /// Where the hand has been sent.
    pub aim: [f64; 3],
    /// Whether the fingers have been told to close.
    pub closed: bool,
    /// Where the point between the fingertips is.
    pub hand: [f64; 3],
    /// Where the middle of the block is, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<[f64; 3]>,
}

impl Motion {
    /// At rest, the hand open above the table, with a block there or without one.
    pub fn at_rest(block: Option<[f64; 2]>) -> Self {
        let mut positions = HOME.to_vec();
        let block = block.map(|[x, y]| [rounded(x), rounded(y), BLOCK_HALF]);
        positions.extend(block.iter().flat_map(|[x, y, z]| [*x, *y, *z, 1.0, 0.0, 0.0, 0.0]));
        let scene = if block.is_some() { Scene::Block } else { Scene::Bare };
        let hand = Arm::at(&positions).hand().map(rounded);
        Self { positions, speeds: vec![0.0; scene.n_speeds()], aim: HOME_HAND, closed: false, hand, block }
    }

    /// Which scene it is a state of.
    pub fn scene(&self) -> Scene {
        if self.block.is_some() { Scene::Block } else { Scene::Bare }
    }

    /// Sends the hand on by so many units along each axis, as far as it can reach. Gives whether that was all the way.
    pub fn send(&mut self, units: [f64; 3]) -> bool {
        let wanted = [0, 1, 2].map(|i: usize| rounded(self.aim[i] + units[i] * UNIT));
        self.aim = [0, 1, 2].map(|i: usize| wanted[i].clamp(REACH[0][i], REACH[1][i]));
        (0..3).all(|i| (REACH[0][i]..=REACH[1][i]).contains(&wanted[i]))
    }

    /// Lets the time of an action pass.
    pub fn pass(&mut self) -> Result<(), MissingPhysics> {
        let scene = self.scene();
        let machine = SceneMachine::of(scene).map_err(Clone::clone)?;
        let numbers = machine.advanced(&self.numbers())?;
        let (positions, rest) = numbers.split_at(scene.n_positions());
        self.positions = positions.iter().copied().map(rounded).collect();
        self.speeds = rest[..scene.n_speeds()].iter().copied().map(rounded).collect();
        self.hand = self.arm().hand().map(rounded);
        self.block = self.block.and_then(|_| self.positions[N_JOINTS..].first_chunk().copied());
        Ok(())
    }

    /// The numbers as MuJoCo takes them. Numbers that are missing or too many make it as many as the scene has.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        let scene = self.scene();
        let finger = if self.closed { 0.0 } else { FINGER_OPEN };
        let mut numbers = self.positions.clone();
        numbers.resize(scene.n_positions(), 0.0);
        numbers.extend(&self.speeds);
        numbers.resize(scene.n_positions() + scene.n_speeds(), 0.0);
        numbers.extend([finger; 2]);
        numbers.extend(self.aim);
        numbers
    }

    /// Where every part of the arm is.
    pub fn arm(&self) -> Arm {
        Arm::at(&self.positions)
    }

    /// How far the fingers are apart.
    pub(crate) fn opening(&self) -> f64 {
        self.positions.iter().skip(N_HINGES).take(N_JOINTS - N_HINGES).sum()
    }

    /// Where the block is and how it is turned, if there is one.
    pub fn placed_block(&self) -> Option<Placed> {
        let quaternion: [f64; 4] = self.positions.get(N_JOINTS + 3..)?.first_chunk().copied()?;
        Some(Placed { at: self.block?, turn: SolidTurn::of_quaternion(quaternion) })
    }
}

/// The nearest billionth.
pub(crate) fn rounded(value: f64) -> f64 {
    // Adding nothing makes a negative nothing positive.
    (value * 1e9).round() / 1e9 + 0.0
}

/// How far two points are apart.
pub(crate) fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let off = [0, 1, 2].map(|i: usize| a[i] - b[i]);
    (off[0] * off[0] + off[1] * off[1] + off[2] * off[2]).sqrt()
}
