//! Waiting for what a program is about to make.

use std::thread;
use std::time::{Duration, Instant};

use quintain_process::sandbox::Sandbox;

use super::SessionProgram;
use crate::machine::MachineFault;

/// How often it is looked.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// Waits until something is there, as long as the program runs that makes it.
pub(super) fn wait_for<T>(
    deadline: Instant,
    guest: &mut dyn Sandbox,
    program: &SessionProgram,
    mut look: impl FnMut(&mut dyn Sandbox) -> Option<T>,
) -> Result<T, MachineFault> {
    loop {
        if let Some(found) = look(guest) {
            return Ok(found);
        }
        let state = guest.look(program.started)?;
        let said = state.printed.text();
        let said = said.trim();
        if let Some(end) = state.end {
            return Err(MachineFault::Display(format!("{} has left ({end:?}): {said}", program.name)));
        }
        if Instant::now() >= deadline {
            return Err(MachineFault::Stuck(format!("{} does not stand: {said}", program.name)));
        }
        thread::sleep(LOOK_EVERY);
    }
}
