//! Puzzles with a robot's arm, moved by MuJoCo where it is found.
//!
//! The library is loaded at run time ([`found`]), so a program that links this crate needs nothing; opening one of its
//! worlds without the library is a setup fault that says how to get it. Judging and drawing need no library at all.

mod bodies;
pub mod kinematics;
mod locate;
mod machine;
mod motion;
mod mujoco;
mod near;
mod offering;
mod orders;
mod player;
pub mod scene;
pub mod view;

pub mod fetch_pick_and_place;
pub mod fetch_reach;

#[cfg(test)]
mod tests;

pub use locate::{HINT, VERSION};
pub use machine::found;
pub use motion::{Motion, UNIT};
pub use mujoco::MissingPhysics;
pub use offering::offering;

use quintain_puzzles::PuzzleEntry;

/// What this kind of world is called in `task.toml`.
pub const KIND: &str = "physics";

/// All puzzles of this kind.
pub static ALL: &[PuzzleEntry] =
    &[PuzzleEntry::of::<fetch_pick_and_place::FetchPickAndPlace>(), PuzzleEntry::of::<fetch_reach::FetchReach>()];
