//! Shared test helpers: a small world that counts, agents that play it, a judge, and real servers.

mod agents;
mod counter;
mod judge;
pub mod servers;

pub use agents::{Counting, Fixed};
pub use counter::{Counter, Mishap, counter_task, mute_task};
pub use judge::TargetJudge;
