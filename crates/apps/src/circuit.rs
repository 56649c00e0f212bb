//! The Circuit Designer: parts and wires on a canvas, simulated as they are drawn.

mod app;
pub mod checks;
mod manual;
pub mod model;
mod ngspice;
mod oracle;
mod service;
mod settle;
#[cfg(test)]
mod tests;
mod verifier;

pub use app::CircuitDesigner;
pub use ngspice::find as find_ngspice;
pub use verifier::{CIRCUIT_VERIFIER, CircuitVerifier, CircuitVerifying};
