//! What the exit code means. Documented in `docs/cli.md`; scripts rely on it.

use quintain_agents::spec::NotAnAgent;
use quintain_core::trial::NotATrialId;
use quintain_store::SuiteError;
use quintain_workshop::WrongWord;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: it did what was asked. An agent that failed its task is not a failure of the command.
    Success,
    /// 1: the command could not do what was asked.
    Failure,
    /// 2: the command line was wrong: a flag that is not there, or a word that names no task, agent, run or the like.
    Usage,
    /// 3: it ran, and what it looked for is not so: a task was refused, a replay diverged, a verdict changed.
    Refused,
    /// 4: the run is complete but some trials ended in faults.
    Faults,
    /// 130: interrupted; `quintain resume` goes on.
    Interrupted,
}

impl Exit {
    /// Whether words were wrong, or what they asked for could not be done.
    pub(crate) fn of_error(error: &anyhow::Error) -> Self {
        let wrong_tasks = error
            .downcast_ref::<SuiteError>()
            .is_some_and(|error| !matches!(error, SuiteError::Broken(_) | SuiteError::Io { .. }));
        let wrong_words = error.is::<WrongWord>() || error.is::<NotAnAgent>() || error.is::<NotATrialId>();
        if wrong_tasks || wrong_words { Self::Usage } else { Self::Failure }
    }

    /// The number that the shell is told.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failure => 1,
            Self::Usage => 2,
            Self::Refused => 3,
            Self::Faults => 4,
            Self::Interrupted => 130,
        }
    }
}
