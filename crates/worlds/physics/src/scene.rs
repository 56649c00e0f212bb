//! The scene: an arm behind a table, its hand pointing down, with a block to pick up or without one.
//!
//! The world's x goes to the right of who stands before the table, y away from him towards the arm, z up; the top of
//! the table is at height nothing. Lengths are metres.

/// What lies on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    /// Nothing.
    Bare,
    /// A block.
    Block,
}

const XML: &str = include_str!("scene.xml");

/// Where the block goes in the text of the scene.
const PLACE: &str = "<!-- block -->";

const BLOCK: &str = r#"<body name="block" pos="0 0 0.025">
      <freejoint name="block"/>
      <geom class="touch" type="box" size="0.025 0.025 0.025" mass="0.06"/>
    </body>"#;

/// Half the side of the block.
pub const BLOCK_HALF: f64 = 0.025;

/// How wide a finger can open, from the middle.
pub const FINGER_OPEN: f64 = 0.05;

/// How many joints the arm has, the fingers not counted.
pub(crate) const N_HINGES: usize = 7;
/// How many joints arm and fingers have together.
pub(crate) const N_JOINTS: usize = N_HINGES + 2;

/// The joints of arm and fingers when the hand is at [`HOME_HAND`], open and at rest.
pub(crate) const HOME: [f64; N_JOINTS] =
    [0.0, -0.975_722_496, 0.0, 1.726_590_731, 0.0, 0.819_928_092, 0.0, FINGER_OPEN, FINGER_OPEN];

/// Where the hand is at first.
pub const HOME_HAND: [f64; 3] = [0.0, 0.0, 0.2];

/// The least and the greatest place that the hand can be sent to: every one in between can be reached, fingers
/// pointing down, and at the lowest they do not touch the table.
pub const REACH: [[f64; 3]; 2] = [[-0.25, -0.2, 0.025], [0.25, 0.2, 0.45]];

impl Scene {
    /// The text that MuJoCo takes.
    pub(crate) fn xml(self) -> String {
        XML.replace(PLACE, if self == Self::Block { BLOCK } else { "" })
    }

    /// How many numbers say where everything is: a block has three for its place and four for how it is turned.
    pub(crate) fn n_positions(self) -> usize {
        N_JOINTS + if self == Self::Block { 7 } else { 0 }
    }

    /// How many numbers say how fast everything moves.
    pub(crate) fn n_speeds(self) -> usize {
        N_JOINTS + if self == Self::Block { 6 } else { 0 }
    }
}
