//! The steward: sees to it that every outstanding trial is on offer, that outcomes reach the archive, that limits hold
//! across hosts, and answers what workers ask.
//!
//! Several may be started; one of them leads. Whatever it knows it reads anew when it takes over, so it may die at any
//! moment.

mod bits;
pub mod feeder;
pub mod overseer;

pub use feeder::{Depth, Feeder, Pick};
pub use overseer::{Overseer, OverseerOptions, Round};
