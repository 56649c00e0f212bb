//! The name of a trial.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::instance::{InstanceId, NotAnInstanceId};

/// The name of a trial: `suite/task@preset#seed~agent~repeat`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TrialId {
    /// The instance that is played.
    pub instance: InstanceId,
    /// Who plays.
    pub agent: String,
    /// Which repeat, from 0.
    pub repeat: u32,
}

impl TrialId {
    /// A seed of this trial's own.
    pub fn seed(&self) -> u64 {
        let mut low = [0; 8];
        low.copy_from_slice(&Digest::of(self.to_string().as_bytes()).bytes()[..8]);
        u64::from_le_bytes(low)
    }
}

impl fmt::Display for TrialId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}~{}~{}", self.instance, self.agent, self.repeat)
    }
}

/// A text that is no trial's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotATrialId {
    /// The instance's part is wrong.
    #[error(transparent)]
    Instance(#[from] NotAnInstanceId),
    /// The agent or the repeat is missing.
    #[error("`{0}` is not a trial's name: `suite/task@preset#seed~agent~repeat` is wanted")]
    Shape(String),
}

impl FromStr for TrialId {
    type Err = NotATrialId;

    fn from_str(text: &str) -> Result<Self, NotATrialId> {
        let shape = || NotATrialId::Shape(text.to_owned());
        let (rest, repeat) = text.rsplit_once('~').ok_or_else(shape)?;
        let (instance, agent) = rest.split_once('~').ok_or_else(shape)?;
        let repeat = repeat.parse().map_err(|_cause| shape())?;
        Ok(Self { instance: instance.parse()?, agent: agent.to_owned(), repeat })
    }
}

impl TryFrom<String> for TrialId {
    type Error = NotATrialId;

    fn try_from(text: String) -> Result<Self, NotATrialId> {
        text.parse()
    }
}

impl From<TrialId> for String {
    fn from(id: TrialId) -> Self {
        id.to_string()
    }
}
