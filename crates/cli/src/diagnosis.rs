//! What an agent's success depends on: which settings are varied, on which tasks, and what came of it.

mod found;
pub(crate) mod levels;
pub(crate) mod offers;
pub(crate) mod vary;

pub(crate) use found::{draw, found};
