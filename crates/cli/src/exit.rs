//! What the exit code means. Documented in `docs/cli.md`; scripts rely on it.

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

impl Exit {
    /// The number that the shell is told.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failure => 1,
            Self::Refused => 3,
            Self::Faults => 4,
            Self::Interrupted => 130,
        }
    }
}
