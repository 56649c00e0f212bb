//! How the agent's part of a trial ended.

use super::turn_loop::Stop;
use crate::agent::AgentError;
use crate::ending::{Boundary, Ending};
use crate::world::WorldError;

/// How the agent's part ended, and what broke where something did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialEnd {
    /// How.
    pub ending: Ending,
    /// What broke.
    pub fault: Option<String>,
}

impl From<Stop> for TrialEnd {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Agent(ending) => Self { ending, fault: None },
            Stop::Broken(ending, why) => Self { ending, fault: Some(why) },
            Stop::Interrupted => {
                Self { ending: Ending::Fault(Boundary::Harness), fault: Some("interrupted".to_owned()) }
            }
        }
    }
}

/// A world that broke ends a trial.
impl From<WorldError> for TrialEnd {
    fn from(error: WorldError) -> Self {
        Self::from(Stop::from(error))
    }
}

/// So does an agent that did.
impl From<AgentError> for TrialEnd {
    fn from(error: AgentError) -> Self {
        Self::from(Stop::from(error))
    }
}
