//! Time, handed in: the core has no clock of its own.

use std::time::Duration;

/// How long a trial has been going on.
pub trait Clock {
    /// Time since this clock was started. Never goes back.
    fn elapsed(&self) -> Duration;
}

/// A clock that stands still: for judging, and for tests in which time plays no part.
#[derive(Clone, Copy, Debug, Default)]
pub struct StoppedClock;

impl Clock for StoppedClock {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
