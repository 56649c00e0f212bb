//! What all hosts together may use: rates of providers and budgets of runs.
//!
//! The leading steward shares out every limit ([`Allocator`], at work in a [`Keeper`]); a worker takes its shares for all of
//! its trials ([`Shares`]) and asks for the next one before the present one is used up. No call waits for a server as long
//! as there is a share. See `docs/fleet-limits.md`.

mod allocator;
mod budget;
mod keeper;
mod local_share;
mod rate;
pub mod rule;
mod rules;
mod shares;
mod turns;

pub use allocator::{Allocator, LimitDraft, LimitStanding};
pub use keeper::{Keeper, KeeperOptions};
pub use rule::Rule;
pub use rules::{KeptLimit, Rules};
pub use shares::Shares;

/// Less than this is nothing: what is left of sums of fractions that should have come to zero.
const NOTHING: f64 = 1e-9;
