//! Seeded visual puzzles: rules, drawing, solvers.
//!
//! Each puzzle is a type that implements [`Puzzle`]; [`Puzzles`] makes them one kind of world. The same seed gives the
//! same pixels on any machine: whole-number arithmetic or `libm` where angles are needed, one rasteriser, our own seeded randomness.

pub mod canvas;
mod dots;
pub mod entry;
#[cfg(any(test, feature = "test-support"))]
pub mod exercise;
pub mod goal;
pub mod kind;
mod leg;
pub mod offering;
mod portions;
pub mod puzzle;
mod scale;
pub mod solid;
pub mod sources;
mod text;
mod tiles;
mod twin;
mod world;

pub mod colorization;
pub mod counting;
pub mod jigsaw;
pub mod matchstick_equation;
pub mod matchstick_rotation;
pub mod maze;
pub mod maze_2d;
pub mod maze_3d;
pub mod mental_rotation_2d;
pub mod mental_rotation_3d;
pub mod mental_rotation_3d_cubes;
pub mod mental_rotation_3d_meshes;
pub mod patch_reassembly;
pub mod referring_dot_pointing;
pub mod sliding_block;
pub mod video_unshuffle;
pub mod zoom_in;

pub use entry::PuzzleEntry;
pub use goal::PuzzleGoal;
pub use kind::Puzzles;
pub use offering::{SourcePaths, offering};
pub use puzzle::Puzzle;
pub use sources::MaterialSources;
