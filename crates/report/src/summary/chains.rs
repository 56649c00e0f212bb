//! Chains of subtasks: how far agents come, where they break, how hard the tasks are. `docs/metrics.md` defines each figure.

mod breaks;
mod figures;
mod levels;
pub(crate) mod render;

use std::collections::BTreeSet;

use serde::Serialize;

use super::build::PlannedSet;
use super::{Average, RateEstimate, Usual};

/// The version of what is told of chains.
const CHAINS_VERSION: u32 = 1;

/// What the trials of tasks with milestones came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChainSummary {
    /// The version of its form. Fields may be added; if one changes its meaning, this counts up.
    pub version: u32,
    /// The figures of each agent from each start.
    pub figures: Vec<ChainFigures>,
    /// Where each agent broke: over all tasks where there are several, then task by task.
    pub breaks: Vec<BreakHistogram>,
    /// How hard each task is, over all agents that do not know the solution. Nothing where no such agent played it from
    /// its start, or where the elements are not known.
    pub levels: Vec<TaskLevel>,
}

/// What an agent came to from one start. As everywhere, a trial that ended in a fault or was not played is not solved and
/// reached nothing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChainFigures {
    /// The agent.
    pub agent: String,
    /// How many milestones were given.
    pub after: u32,
    /// The milestone it ended with, where it ended before its task did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<u32>,
    /// SR: the share solved.
    pub success: RateEstimate,
    /// CR by steps: the mean share of the milestones reached that were asked for.
    pub completion: Average,
    /// CR by elements: the mean share of the elements that hold; nothing unless it is known of every trial.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elements: Option<Average>,
    /// CR of follow-through: the mean share of the milestones that were asked for and are right by the agent's own earlier
    /// answers, whether those were right or not; nothing where no check tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follow_through: Option<Average>,
    /// AE: the steps of solved trials.
    pub solved_steps: Usual,
    /// Steps of the oracle, or of the shortest known solution, over steps taken, of solved trials for which it is known.
    pub efficiency: Usual,
    /// The share of trials whose agent handed its work in.
    pub answered: RateEstimate,
    /// The share solved of those.
    pub precision: RateEstimate,
}

/// Where an agent broke, milestone by milestone, in the trials that came to a judgement, whatever their start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BreakHistogram {
    /// The agent.
    pub agent: String,
    /// The task; nothing for all tasks together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// In how many trials.
    pub n: usize,
    /// How many of them missed no milestone.
    pub n_unbroken: usize,
    /// The milestones, in the order of the task.
    pub hops: Vec<HopBreak>,
}

/// How often an agent broke at one milestone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HopBreak {
    /// Its place in its task, from 1.
    pub hop: u32,
    /// Its name; nothing for all tasks together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milestone: Option<String>,
    /// In how many trials it was reached.
    pub n_reached: usize,
    /// In how many the agent broke here, of those in which it was asked for.
    pub broke: RateEstimate,
    /// The same of those that came to it: it was reached, or they broke here.
    pub broke_of_came: RateEstimate,
}

/// How hard a task is, on the scale of `VeriGUI`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskLevel {
    /// The task.
    pub task: String,
    /// 1: solved at least once. Else by CR: 2 above 20 %, 3 from 5 to 20 %, 4 below 5 %, 5 nothing at all.
    pub level: u8,
    /// By how many agents it was played.
    pub n_agents: usize,
    /// In how many trials.
    pub n: usize,
    /// SR over all of them.
    pub success: f64,
    /// CR by elements over all of them.
    pub elements: f64,
}

/// What chains came to; nothing where no task has milestones.
pub(super) fn chain_summary(trials: &PlannedSet<'_>) -> Option<ChainSummary> {
    let with_milestones = trials.rows.iter().filter(|row| !row.verdict.milestones.is_empty());
    let tasks: BTreeSet<&str> = with_milestones.map(|row| row.task()).collect();
    if tasks.is_empty() {
        return None;
    }
    let meant = PlannedSet {
        rows: trials.rows.iter().copied().filter(|row| tasks.contains(row.task())).collect(),
        unplayed: trials.unplayed.iter().copied().filter(|trial| tasks.contains(trial.place().task())).collect(),
    };
    Some(ChainSummary {
        version: CHAINS_VERSION,
        figures: figures::figures(&meant),
        breaks: breaks::histograms(&meant.rows),
        levels: levels::levels(&meant),
    })
}

#[cfg(test)]
mod tests;
