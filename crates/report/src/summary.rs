//! Rows condensed into numbers with intervals.

mod build;
pub(crate) mod chains;
pub(crate) mod matrix;
pub(crate) mod render;
pub(crate) mod starts;
pub(crate) mod subjects;

use std::collections::BTreeMap;

use quintain_core::ending::Boundary;
use quintain_core::task::Difficulty;
use serde::Serialize;

use crate::doubles::DoubledSeeds;
use crate::failure_class::FailureClasses;
use crate::isolation::IsolationByAgent;
use crate::label::LabelKind;
use crate::pointer_trail::TrailSummary;
use crate::stats::{Clustered, Interval};
use crate::tool_mix::ToolClass;

pub use build::summary;
pub use chains::{BreakHistogram, ChainFigures, ChainSummary, HopBreak, TaskLevel};
pub use matrix::{MatrixRow, TaskMatrix};
pub use starts::{HopGain, StartRate};
pub use subjects::{AgentSubjects, SubjectFigures};

/// What a run came to, in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// All trials together.
    pub total: TrialGroup,
    /// By agent.
    pub by_agent: Vec<TrialGroup>,
    /// What kept each agent from the solution, as far as the run says.
    pub isolation: IsolationByAgent,
    /// What each agent solved of each task, where there are several agents: the groups that follow mix them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<TaskMatrix>,
    /// By task.
    pub by_task: Vec<TrialGroup>,
    /// By difficulty.
    pub by_difficulty: Vec<TrialGroup>,
    /// By capability. A trial counts under each capability its task asks for.
    pub by_capability: Vec<TrialGroup>,
    /// The success rate of each agent on each task at each difficulty.
    pub cells: Vec<SummaryCell>,
    /// How trials ended.
    pub endings: Vec<EndingCount>,
    /// What broke, and how often.
    pub faults: Vec<FaultCount>,
    /// How trials went wrong, by fixed rules.
    pub labels: Vec<LabelCount>,
    /// How trials went wrong in the eyes of models, each model's apart.
    pub opinions: Vec<OpinionCount>,
    /// Why trials of tasks that name a field of work failed; nothing where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failures: Option<FailureClasses>,
    /// Whose pointer went where the oracle's goes.
    pub trails: TrailSummary,
    /// Which tools each agent used.
    pub tool_mix: Vec<ToolMix>,
    /// What repeats say, where instances were repeated.
    pub repeats: Vec<Repeats>,
    /// The seeds that gave what another had given, where some did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubled: Option<DoubledSeeds>,
    /// What each start came to, where instances were played from several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<StartRate>,
    /// What chains of subtasks came to, where tasks have milestones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chains: Option<ChainSummary>,
    /// What each agent came to by field of work, where tasks name one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<AgentSubjects>,
}

/// Some trials, condensed. Shares and means count every trial that was planned: one that ended in a fault or was not
/// played is not solved and scores nothing. What a trial takes (steps, tokens, time, money) is told of the others alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrialGroup {
    /// What they have in common.
    pub name: String,
    /// How many trials were planned.
    pub n: usize,
    /// How many of them ended in a fault after all attempts.
    pub n_faulted: usize,
    /// How many of them have no outcome.
    pub n_unplayed: usize,
    /// Over how many tasks they spread.
    pub n_tasks: usize,
    /// The share solved of all that were planned.
    pub success: RateEstimate,
    /// The share solved of those that came to a judgement: faults and trials that were not played are left out.
    pub judged: RateEstimate,
    /// The mean score.
    pub score: Average,
    /// The mean share of milestones reached; the score where a task has none.
    pub completion: Average,
    /// Steps of the shortest known solution over steps taken: over solved trials for which a solution is known. More
    /// than 1 means that the agent found a shorter way.
    pub efficiency: Usual,
    /// Steps taken.
    pub steps: Usual,
    /// Tokens used, over trials that asked a model.
    pub tokens: Usual,
    /// The share of the tokens read that came from a cache; nothing if none were read.
    pub cached: Option<f64>,
    /// Wall time in milliseconds.
    pub elapsed_ms: Usual,
    /// Money spent.
    pub cost: Cost,
}

/// A share with its intervals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RateEstimate {
    /// How many.
    pub hits: usize,
    /// Of how many.
    pub n: usize,
    /// The share; nothing if there are none.
    pub value: Option<f64>,
    /// Wilson's interval, as if trials were independent but for those of instances that are the same: for these tasks,
    /// other trials.
    pub wilson: Option<Interval>,
    /// The interval over tasks: for other tasks like these. Nothing for fewer than two tasks.
    pub by_task: Option<Clustered>,
}

/// A mean with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Average {
    /// Over how many.
    pub n: usize,
    /// The mean; nothing if there are none.
    pub value: Option<f64>,
    /// The interval over tasks. Nothing for fewer than two tasks.
    pub by_task: Option<Clustered>,
}

/// The mean and the middle of a quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Usual {
    /// Over how many.
    pub n: usize,
    /// The mean.
    pub mean: Option<f64>,
    /// The middle.
    pub median: Option<f64>,
}

/// Money spent. What is not known is not counted as nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Cost {
    /// The trials whose cost is known, in US dollars each.
    pub known: Usual,
    /// How many trials asked a model and are not known to the last cent: a price or a call is not known.
    pub n_unknown: usize,
    /// How many calls there are of which nothing is known, in trials and in attempts that ended in faults.
    pub n_unknown_calls: u64,
    /// How many trials asked no model.
    pub n_without_model: usize,
    /// What is known of the cost of all trials together, those that ended in a fault included; nothing if nothing is
    /// known. A lower bound if any is unknown.
    pub total_usd: Option<f64>,
    /// What attempts that ended in faults and were made again cost besides, as far as it is known.
    pub lost_usd: f64,
}

/// The success rate of one agent on one task at one difficulty.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SummaryCell {
    /// The agent.
    pub agent: String,
    /// The task.
    pub task: String,
    /// The difficulty; nothing where the task is not known.
    pub difficulty: Option<Difficulty>,
    /// The share solved of all that were planned.
    pub success: RateEstimate,
}

/// How many trials ended one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EndingCount {
    /// The way.
    pub ending: String,
    /// Whose word it was.
    pub by: EndedBy,
    /// How many.
    pub n: usize,
    /// How many of them are solved.
    pub solved: usize,
}

/// Who or what ended a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EndedBy {
    /// The agent itself.
    Agent,
    /// A limit.
    Limit,
    /// The agent broke by its own doing.
    Breaking,
    /// The agent was caught cheating.
    Cheating,
    /// Something that is not the agent's doing.
    Fault,
}

/// What broke at one boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FaultCount {
    /// The boundary.
    pub boundary: Boundary,
    /// Attempts that broke there and were made again.
    pub retried: usize,
    /// Trials that ended there after all attempts.
    pub ended: usize,
}

/// How many trials went wrong in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LabelCount {
    /// The way.
    pub kind: LabelKind,
    /// How many trials show it.
    pub trials: usize,
    /// How many of them are not solved.
    pub unsolved: usize,
}

/// How many trials went wrong in one way in the eyes of one model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpinionCount {
    /// The model.
    pub model: String,
    /// The way.
    pub kind: LabelKind,
    /// How many trials show it.
    pub trials: usize,
}

/// Which tools an agent used.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolMix {
    /// The agent.
    pub agent: String,
    /// How many tools it used in all.
    pub n: u64,
    /// The share of each class; classes that were not used are left out.
    pub shares: BTreeMap<ToolClass, f64>,
}

/// What `k` repeats of an instance by the same agent come to, averaged over instances with at least `k` repeats that did
/// not end in a fault.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Repeats {
    /// The agent.
    pub agent: String,
    /// How many repeats.
    pub k: u64,
    /// Over how many instances.
    pub n: usize,
    /// pass@k: the chance that at least one is solved.
    pub any: f64,
    /// pass^k: the chance that all are solved.
    pub all: f64,
}

#[cfg(test)]
mod tests;
