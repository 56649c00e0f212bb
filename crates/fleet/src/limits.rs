//! What all hosts together may use: rates of providers and budgets of runs.
//!
//! The leading steward shares out every limit ([`Allocator`]); a worker takes its shares for all
//! of its trials and asks for the next one before the present one is used up. No call waits for a server as
//! long as there is a share. See `docs/fleet-limits.md`.

mod allocator;
mod budget;
mod rate;
pub mod rule;
mod turns;

pub use allocator::{Allocator, Draft, Standing};
pub use rule::Rule;
