//! What an agent's success depends on: the same instances played under settings that differ in one thing.

mod build;
mod page;
mod plot;
mod render;

use quintain_core::AgentIsolation;
use quintain_core::trial::TrialId;
use serde::Serialize;

use crate::compare::RunComparison;
use crate::stats::Interval;
use crate::told_apart::{Lean, PairedFinding, PairedNumbers};

pub use build::diagnosis;
pub use page::page;
pub use plot::svg;

/// What is asked of a run: what one setting does to one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagnosisQuestion {
    /// The agent, as it is called under the run's own settings.
    pub agent: String,
    /// The setting that is varied.
    pub factor: String,
    /// What it is set to, one after the other.
    pub levels: Vec<QuestionSide>,
}

/// One side of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionSide {
    /// What the setting is set to, in words.
    pub level: String,
    /// The agent's name under it; the agent's own where it is the run's own setting.
    pub label: String,
    /// The trials that were planned under it. Of the run's own setting those count whose instances another side has.
    pub planned: Vec<TrialId>,
}

/// What came of the questions, agent by agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diagnosis {
    /// The agents, in the order they were asked about.
    pub agents: Vec<Diagnosed>,
}

/// What one agent's success depends on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diagnosed {
    /// The agent.
    pub agent: String,
    /// What kept it from the solution; nothing where the run does not say.
    pub isolation: Option<AgentIsolation>,
    /// The settings that were varied.
    pub factors: Vec<SettingEffect>,
}

/// What one setting does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SettingEffect {
    /// The setting.
    pub factor: String,
    /// What it was set to, and what came of it.
    pub levels: Vec<LevelResult>,
}

/// What came of one level of a setting.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelResult {
    /// What the setting was set to.
    pub level: String,
    /// Whether that is the run's own setting, which the others are held against.
    pub is_base: bool,
    /// On how many instances the comparison is possible.
    pub n_instances: usize,
    /// Of how many tasks they are.
    pub n_tasks: usize,
    /// Trials with an outcome.
    pub n_played: usize,
    /// Those that ended in a fault, which count as not solved.
    pub n_faulted: usize,
    /// Those that were solved.
    pub n_solved: usize,
    /// The share solved.
    pub success: Option<f64>,
    /// Wilson's interval of it.
    pub wilson: Option<Interval>,
    /// Against the run's own setting, on the same instances.
    pub against_base: Option<RunComparison>,
    /// What that says, in a sentence.
    pub conclusion: Option<String>,
}

impl LevelResult {
    /// The paired difference and its interval over instances.
    pub fn difference(&self) -> Option<(f64, Option<Interval>)> {
        let success = &self.against_base.as_ref()?.success;
        Some((success.value?, success.by_instance.map(|clustered| clustered.interval)))
    }

    /// What the comparison with the run's own setting comes to, over instances; nothing for that setting itself.
    pub fn finding(&self) -> Option<PairedFinding> {
        let against = self.against_base.as_ref()?;
        let (value, interval) = self.difference().map_or((None, None), |(value, interval)| (Some(value), interval));
        let p = (against.mcnemar.n_pairs() > 0).then_some(against.mcnemar.exact_p);
        Some(PairedNumbers { value, interval, p, detectable: against.detectable_here }.finding())
    }

    /// To which side the difference leans, where it is shown: more solved than under the run's own setting, or fewer.
    pub fn is_shown(&self) -> Option<Lean> {
        self.finding()?.lean()
    }
}

#[cfg(test)]
mod tests;
