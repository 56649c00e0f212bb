//! How the Circuit Designer's document is judged. Pure.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod goal;
pub mod reading;

pub use goal::CircuitLogic;
pub use reading::CircuitReading;

/// What every instruction says about joints, as the item of a list.
const JOINING: &str = "- Pins on one point are joined. Wires join where an end meets a pin or the end of another wire, or is dropped on the middle of
  a wire, which then gets a joint there, shown as a dot. Crossing wires do not join.";
