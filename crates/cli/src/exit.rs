//! What the exit code means. Documented in `docs/cli.md`; scripts rely on it.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: it did what was asked. An agent that failed its task is not a failure of the command.
    Success,
    /// 1: the command could not do what was asked. (2 is a wrong command line.)
    Failure,
    /// 3: it ran, and what it looked for is not so: a task was refused, a replay diverged, a verdict changed.
    Refused,
    /// 4: the run is complete but some trials ended in faults.
    Faults,
    /// 130: interrupted; `quintain resume` goes on.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Success => 0,
            Exit::Failure => 1,
            Exit::Refused => 3,
            Exit::Faults => 4,
            Exit::Interrupted => 130,
        })
    }
}
