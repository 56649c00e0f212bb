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

/// What stands in an agent's name between the agent itself and the settings it plays under, where a run has several.
pub const UNDER: char = '+';

impl TrialId {
    /// A seed of this trial's own. Trials that differ in nothing but the settings share it, and so does the same trial in
    /// another run. Agents are told it; who keeps the seed of an instance secret draws it from all 64 bits, so that it
    /// cannot be found from this one by trying.
    pub fn seed(&self) -> u64 {
        let plain = Self { agent: self.player().to_owned(), ..self.clone() };
        let mut low = [0; 8];
        low.copy_from_slice(&Digest::of(plain.to_string().as_bytes()).bytes()[..8]);
        u64::from_le_bytes(low)
    }

    /// Who plays, whatever the settings.
    pub fn player(&self) -> &str {
        self.agent.split_once(UNDER).map_or(&self.agent, |(player, _)| player)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_that_differ_in_their_settings_alone_share_a_seed() {
        let id = |text: &str| -> TrialId { text.parse().unwrap() };
        let (plain, under) = (id("p/maze#1~random~0"), id("p/maze#1~random+feedback-off~0"));
        assert_eq!((under.player(), under.seed()), ("random", plain.seed()));
        assert_ne!(plain.seed(), id("p/maze#1~random~1").seed());
        assert_ne!(plain.seed(), id("p/maze#2~random~0").seed());
    }
}
