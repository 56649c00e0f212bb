//! How a program left.

use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use rustix::process::{Signal, WaitIdStatus};

/// What an exit status says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessEnd {
    /// It left by itself, with this status.
    Exited(i32),
    /// It was killed, by us or by somebody else: a status does not tell.
    Killed,
    /// It had worked for as long as it was allowed to.
    UsedUp,
    /// Another signal ended it.
    Signalled(i32),
}

impl ProcessEnd {
    /// Reads an exit status.
    pub fn of(status: ExitStatus) -> Self {
        match (status.code(), status.signal().unwrap_or_default()) {
            (Some(code), _) => Self::Exited(code),
            (None, signal) if signal == Signal::KILL.as_raw() => Self::Killed,
            (None, signal) if signal == Signal::XCPU.as_raw() => Self::UsedUp,
            (None, signal) => Self::Signalled(signal),
        }
    }
}

/// The exit status of a process that was looked at and not reaped, in the form that reaping gives.
pub(crate) fn status_of(seen: &WaitIdStatus) -> ExitStatus {
    /// Set beside the signal where the process left an image of its memory.
    const DUMPED: i32 = 0x80;
    let raw = match (seen.exit_status(), seen.terminating_signal()) {
        (Some(code), _) => (code & 0xff) << 8,
        (None, Some(signal)) if seen.dumped() => signal | DUMPED,
        (None, signal) => signal.unwrap_or_default(),
    };
    ExitStatus::from_raw(raw)
}
