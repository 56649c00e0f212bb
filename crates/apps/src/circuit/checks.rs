//! How the Circuit Designer's document is judged. Pure.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod goal;
pub mod reading;

pub use goal::CircuitLogic;
pub use reading::CircuitReading;
