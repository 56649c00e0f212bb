//! Solid things in three dimensions, drawn by a small software rasteriser.
//!
//! A [`Mesh`] is placed by a [`Pose`], seen by a [`Camera`], lit by a [`Light`] and drawn on a [`SampleStage`], which is then
//! shown in an area of a picture:
//!
//! ```
//! use quintain_core::picture::Picture;
//! use quintain_puzzles::solid::{Camera, Lens, Light, Pose, Samples, Stage, shapes};
//!
//! let camera = Camera { eye: [3.0, 2.0, 4.0], target: [0.0; 3], up: [0.0, 1.0, 0.0], lens: Lens::perspective(35.0) };
//! let mut stage = Stage::new(160, 120, Samples::Four);
//! stage.clear([235, 238, 240]);
//! stage.draw(&shapes::cuboid([1.0, 1.0, 1.0], [200, 80, 60]), &Pose::default(), &camera, &Light::default());
//! let mut picture = Picture::filled(160, 120, [0, 0, 0]);
//! stage.show(&mut picture, (0, 0));
//! assert_ne!(picture.rgba()[..4], picture.rgba()[(60 * 160 + 80) * 4..][..4]);
//! ```
//!
//! Axes are right-handed. Triangles go counter-clockwise as seen from outside. The same triangles give the same pixels
//! everywhere: corners are snapped to a fine whole-number grid, coverage is decided in whole numbers, so that triangles
//! that share an edge neither overlap nor leave a gap, and all else is plain `f32` arithmetic.

mod camera;
mod clip;
mod light;
mod mesh;
mod pose;
pub mod shapes;
mod stage;
mod sweep;
#[cfg(test)]
mod tests;
mod texture;
mod triangle;
mod turn;
pub(crate) mod vector;

pub use camera::{Camera, Lens};
pub use light::Light;
pub use mesh::{Mesh, Sides, Skin};
pub use pose::Pose;
pub use stage::{SampleStage, Samples};
pub use texture::MeshTexture;
pub use turn::SolidTurn;
