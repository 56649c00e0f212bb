//! A program that was started, until it can be worked with.

use std::time::{Duration, Instant};

use quintain_process::sandbox::{CommandEnd, StartedNumber};

use crate::accessibility::AccessibleElement;
use crate::display::OpenWindow;
use crate::machine::{Machine, MachineFault};

/// How long one look may take while a program starts.
const LOOK_LIMIT: Duration = Duration::from_secs(20);

/// A program that was started, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct AwaitedProgram<'a> {
    /// How it is counted.
    pub program: StartedNumber,
    /// How it is called when it is spoken of.
    pub name: &'a str,
    /// How long it may take.
    pub within: Duration,
    /// How many windows were open before it.
    pub n_windows_before: usize,
    /// Whether it may leave without a complaint: some only start another.
    pub may_leave: bool,
}

/// What a look at a program tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadyLook {
    /// Whether it shows what it should.
    pub is_ready: bool,
    /// How many elements it tells of, if it tells.
    pub n_elements: Option<usize>,
}

impl AwaitedProgram<'_> {
    /// Waits until the program has a window that is painted and quiet, shows what it should, and tells as many elements twice.
    pub fn wait(
        &self,
        machine: &mut Machine,
        mut look: impl FnMut(&[OpenWindow], &[AccessibleElement]) -> ReadyLook,
    ) -> Result<(), MachineFault> {
        let deadline = Instant::now() + self.within;
        let mut before = None;
        while Instant::now() < deadline {
            self.check_running(machine)?;
            let is_quiet = machine.display.settle(LOOK_LIMIT)?;
            let windows = machine.display.windows()?;
            if windows.len() <= self.n_windows_before {
                continue;
            }
            // A program that is busy starting tells late: that is no reason to start it anew.
            let elements = match machine.display.elements(LOOK_LIMIT) {
                Err(MachineFault::Stuck(_)) => continue,
                told => told?.unwrap_or_default(),
            };
            let ReadyLook { is_ready, n_elements } = look(&windows, &elements);
            if is_quiet && is_ready && before == n_elements {
                return Ok(());
            }
            before = n_elements;
        }
        Err(MachineFault::Stuck(format!("`{}` does not get ready", self.name)))
    }

    fn check_running(&self, machine: &mut Machine) -> Result<(), MachineFault> {
        let state = machine.guest.look(self.program)?;
        match state.end {
            Some(end) if !(self.may_leave && end == CommandEnd::Exited(0)) => {
                let said = state.printed.text();
                Err(MachineFault::Display(format!("`{}` has left ({end:?}): {}", self.name, said.trim())))
            }
            _ => Ok(()),
        }
    }
}
