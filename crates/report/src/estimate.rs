//! What a plan will use up, from pilot trials that were measured.
//!
//! Trials are compared by task, preset and agent. What a trial of a kind uses is the mean over its pilot trials; the sum
//! over the plan has an interval that takes in both how well the means are known and how much single trials differ.

mod build;
mod render;

use std::collections::BTreeMap;
use std::fmt;

use quintain_core::limits::Budget;
use quintain_core::trial::TrialId;
use serde::Serialize;

use crate::stats::Interval;

pub use build::estimate;

/// What is to be run.
#[derive(Clone, Copy, Debug)]
pub struct PlannedTrials<'a> {
    /// Its trials.
    pub trials: &'a [TrialId],
    /// How many are played at once.
    pub n_workers: usize,
    /// What the run may use up.
    pub budget: Budget,
}

/// What trials use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UsedQuantity {
    /// Steps.
    Steps,
    /// Minutes of trials, however many are played at once.
    Minutes,
    /// Tokens, in and out.
    Tokens,
    /// US dollars.
    Dollars,
}

/// What a plan will use up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// How many trials are planned.
    pub n_trials: usize,
    /// How many of them are of a kind that the pilot has.
    pub n_covered: usize,
    /// What a trial of each kind uses.
    pub kinds: Vec<TrialKind>,
    /// The kinds of which the pilot has no trial that came to an end without a fault.
    pub missing: Vec<UnknownTrials>,
    /// What all covered trials use together. A quantity that is not known is left out.
    pub total: BTreeMap<UsedQuantity, ExpectedAmount>,
    /// How many minutes the run takes, if its workers are never idle.
    pub run_minutes: Option<ExpectedAmount>,
    /// Whether the budgets will do.
    pub budgets: Vec<BudgetCheck>,
}

/// Trials of one task at one preset by one agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrialKind {
    /// Task and preset.
    pub task: String,
    /// The agent.
    pub agent: String,
    /// How many are planned.
    pub n_trials: usize,
    /// How many the pilot has.
    pub n_pilot: usize,
    /// What one of them uses. The cost is left out where it is not known of every pilot trial.
    pub each: BTreeMap<UsedQuantity, ExpectedAmount>,
}

/// Trials that nothing is known about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnknownTrials {
    /// Task and preset.
    pub task: String,
    /// The agent.
    pub agent: String,
    /// How many are planned.
    pub n_trials: usize,
}

/// An expected amount and its 95 % interval, which needs two pilot trials of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ExpectedAmount {
    /// What is expected.
    pub mean: f64,
    /// The interval.
    pub interval: Option<Interval>,
}

/// Whether a budget will do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BudgetCheck {
    /// Of what.
    pub what: UsedQuantity,
    /// How much there is.
    pub budget: f64,
    /// Whether it will do.
    pub answer: WillDo,
}

/// Whether a budget will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WillDo {
    /// Even the upper end of the interval is within it.
    Yes,
    /// It lies within the interval, or trials or amounts are not known.
    Unsure,
    /// Even the lower end of the interval is beyond it.
    No,
}

impl fmt::Display for UsedQuantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Steps => "steps",
            Self::Minutes => "minutes",
            Self::Tokens => "tokens",
            Self::Dollars => "dollars",
        })
    }
}

#[cfg(test)]
mod tests;
