//! The pure model of the Circuit Designer's document: nets, logic, netlist, measured waves.
//!
//! A [`Circuit`] is what the app keeps. [`Nets`] says which pins and wires are one point. A circuit of gates alone is
//! evaluated by [`Logic`]; any other becomes a [`Deck`] for ngspice, whose run gives [`Waves`], on which things are
//! [`MeasuredCircuit`].
//!
//! What the verifier `ngspice` derives from a final document is `{"actual": M, "expected": M}`, where M is either
//! `{"problem": "why it cannot be simulated"}` or, by part id, what was measured at the time the task calls settled:
//! `{"parts": {"p1": {"pins": {"a": {"volts": 1.5, "frequency": 62.5, "duty": 0.5, "peak_to_peak": 5.0}}, "drop": 0.7}}}`.
//! `frequency` and `duty` are missing where nothing repeats, `drop` where a part has not two terminals. A drop is the
//! voltage of the first pin against the second (of a source: plus against minus). Duty counts from 0 to 1.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod catalogue;
mod document;
pub mod expression;
mod logic;
mod measured;
mod netlist;
mod nets;
pub mod quantity;
pub mod recipe;
mod sketch;
mod wave;

pub use catalogue::{KindSpec, PartCatalogue, PartKind, PartMenu, PinSpec, SettingSpec, catalogue};
pub use document::{Circuit, CircuitPart, CircuitWire, GridPoint, Probe, Scope};
pub use logic::{HIGH_VOLTS, Logic, LogicGate, LogicTerminal, MOST_INPUTS, Problem, THRESHOLD_VOLTS, TruthTable};
pub use measured::{MeasuredCircuit, MeasuredPart, MeasuredPin};
pub use netlist::{Deck, SimulationPace, Unsimulable};
pub use nets::{GROUND, Nets};
pub use sketch::sketch;
pub use wave::{CircuitQuantity, Envelope, Wave, WaveMeasures, Waves, drop_across, measure};
