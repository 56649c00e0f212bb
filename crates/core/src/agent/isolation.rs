//! What keeps an agent's own program away from the solution.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What kept an agent's own program, where it has one, from reading what it should not: how the task is solved, what the
/// answer should be. A run says it of each of its agents, and tables show it beside the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentIsolation {
    /// Nothing of the agent's ran here: only our own code did. Built-in agents, models that our loops ask, people.
    OurCode,
    /// We did not start the agent, so we cannot say where it ran and what it could reach: guests of a bridge, work done
    /// elsewhere.
    Outside,
    /// The agent's program ran in a sandbox of ours: it saw itself, a system without Quintain and the files that it was
    /// granted, and reached nothing but its trial and, through us, its models.
    #[serde(rename = "sandbox")]
    Sandboxed,
    /// The agent's program ran on the host of its trial with the rights of whoever played it. Nothing kept it from
    /// looking up the solution.
    #[serde(rename = "none")]
    Unconfined,
}

impl AgentIsolation {
    /// The short note beside an agent's name, also where a run does not say how its agent was isolated.
    pub fn note(known: Option<Self>) -> &'static str {
        match known {
            Some(Self::OurCode) => "our code",
            Some(Self::Outside) => "outside",
            Some(Self::Sandboxed) => "sandbox",
            Some(Self::Unconfined) => "isolation: none",
            None => "isolation unknown",
        }
    }
}

/// As it stands in the header of a run, in words.
impl fmt::Display for AgentIsolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OurCode => "our code",
            Self::Outside => "outside",
            Self::Sandboxed => "sandbox",
            Self::Unconfined => "none",
        })
    }
}
