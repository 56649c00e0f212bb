//! When a screen is quiet: whoever has the keyboard has taken everything, and nothing was painted for a moment.

use std::time::{Duration, Instant};

use crate::machine::MachineFault;

/// So long nothing is painted on a quiet screen. It is shorter than the blink of a caret and longer than a frame.
pub(crate) const QUIET: Duration = Duration::from_millis(60);

/// A screen that can tell.
pub(crate) trait QuietSource {
    /// Waits for something to be painted; says whether it was.
    fn painted(&mut self, until: Instant) -> Result<bool, MachineFault>;

    /// Waits until whoever has the keyboard has taken what was sent; says whether that was in time.
    fn taken(&mut self, deadline: Instant) -> Result<bool, MachineFault>;

    /// How long nothing is painted on it when it is quiet.
    fn quiet(&self) -> Duration {
        QUIET
    }
}

/// Waits until a screen is quiet; says whether it became so.
pub(crate) fn wait_until_quiet(screen: &mut dyn QuietSource, within: Duration) -> Result<bool, MachineFault> {
    let deadline = Instant::now() + within;
    loop {
        if !screen.taken(deadline)? {
            return Ok(false);
        }
        let has_painted = painted_before_quiet(screen, deadline)?;
        if Instant::now() >= deadline {
            return Ok(false);
        }
        if !has_painted {
            return Ok(true);
        }
    }
}

/// Waits for a quiet moment, or for the end of the time; says whether anything was painted before it.
fn painted_before_quiet(screen: &mut dyn QuietSource, deadline: Instant) -> Result<bool, MachineFault> {
    let mut has_painted = false;
    loop {
        let until = deadline.min(Instant::now() + screen.quiet());
        if !screen.painted(until)? {
            return Ok(has_painted);
        }
        has_painted = true;
        if Instant::now() >= deadline {
            return Ok(true);
        }
    }
}
