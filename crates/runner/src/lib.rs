//! Runs: from a plan to one outcome for each of its trials, whatever breaks on the way.
//!
//! The runner emits events and prints nothing.

pub mod engine;
