//! Two runs against each other, pair by pair.

mod build;
mod render;
mod several;

use quintain_core::instance::InstanceId;
use serde::Serialize;

use crate::isolation::IsolationByAgent;
use crate::stats::{Clustered, FEW, Interval, McNemar};
use crate::told_apart::{FindingNames, PairedFinding, PairedNumbers};

pub use build::compare;
pub use several::{AgentSide, PairScheme, SideComparisons, SidePair, compare_sides};

/// Two runs against each other. All numbers are over pairs: the same instance, played by both sides. A trial that ended in
/// a fault is not solved and scores nothing. Differences are the second side minus the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunComparison {
    /// The agents of the first side.
    pub agents_a: Vec<String>,
    /// The agents of the second side.
    pub agents_b: Vec<String>,
    /// What kept the agents of the first side from the solution, as far as its run says.
    pub isolation_a: IsolationByAgent,
    /// The same of the second side.
    pub isolation_b: IsolationByAgent,
    /// How many pairs there are.
    pub n_pairs: usize,
    /// Over how many tasks they spread.
    pub n_tasks: usize,
    /// What could not be paired.
    pub left_out: LeftOut,
    /// The pairs with a fault on either side, and what the others alone would say; nothing where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faulted: Option<FaultedPairs>,
    /// The difference in the share solved.
    pub success: MeanDifference,
    /// The difference in the mean score.
    pub score: MeanDifference,
    /// `McNemar`'s test, over the pairs that are single trials on both sides; it takes them as independent.
    pub mcnemar: McNemar,
    /// The smallest difference in the share solved that pairs like these would have shown four times out of five;
    /// nothing if none could have been shown.
    pub detectable: Option<f64>,
    /// The same for other instances of these very tasks.
    pub detectable_here: Option<f64>,
    /// The instances on which the sides differ, in order.
    pub flips: Vec<Flip>,
    /// Task by task.
    pub by_task: Vec<TaskDifference>,
    /// What a reader must know before believing the numbers.
    pub warnings: Vec<String>,
}

/// Two means over the same pairs, and their difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeanDifference {
    /// The first side.
    pub a: Option<f64>,
    /// The second side.
    pub b: Option<f64>,
    /// The second minus the first.
    pub value: Option<f64>,
    /// The interval of the difference over tasks. Nothing for fewer than two tasks.
    pub by_task: Option<Clustered>,
    /// The interval of the difference over instances: for other instances of these tasks. Seeds that give the same one
    /// are taken together. Nothing for fewer than two instances.
    pub by_instance: Option<Clustered>,
}

impl RunComparison {
    /// Whether there are tasks enough to speak of others like them. With fewer, what is told is about these alone.
    pub(crate) fn speaks_of_others(&self) -> bool {
        self.n_tasks >= FEW
    }

    /// The numbers that decide whether the sides are told apart, with this p value. The interval is the one over tasks, or,
    /// where there are too few of them, the one over instances.
    pub(crate) fn numbers(&self, p: f64) -> PairedNumbers {
        let MeanDifference { value, by_task, by_instance, .. } = self.success;
        let (interval, detectable) =
            if self.speaks_of_others() { (by_task, self.detectable) } else { (by_instance, self.detectable_here) };
        let p = (self.mcnemar.n_pairs() > 0).then_some(p);
        PairedNumbers { value, interval: interval.map(|clustered| clustered.interval), p, detectable }
    }

    /// What it comes to: are the sides told apart?
    pub fn finding(&self) -> PairedFinding {
        self.numbers(self.mcnemar.exact_p).finding()
    }

    /// The interval that decides.
    pub(crate) fn deciding(&self) -> Option<Interval> {
        self.numbers(1.0).interval
    }

    /// What it comes to in a sentence, with this p value and these names of the sides.
    pub(crate) fn words(&self, (a, b): (&str, &str), p: f64, p_name: &str) -> String {
        let (whose, interval) = if self.speaks_of_others() {
            ("", "interval over tasks")
        } else {
            (" on these tasks", "interval over instances")
        };
        let (more, fewer) = (format!("{b} solves more{whose}"), format!("{a} solves more{whose}"));
        self.numbers(p).finding().words(FindingNames { more: &more, fewer: &fewer, interval, p: p_name })
    }
}

/// Pairs in which something broke.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FaultedPairs {
    /// Trials of the first side that ended in a fault.
    pub n_a: usize,
    /// Trials of the second side that ended in a fault.
    pub n_b: usize,
    /// How many pairs are without.
    pub n_without: usize,
    /// The difference in the share solved over those.
    pub without: MeanDifference,
}

/// Trials that are in no pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Instances that differ between the sides although they have the same name: the task's folder, the world or the
    /// start state has changed.
    pub changed: usize,
    /// Instances that only the first side played.
    pub only_a: usize,
    /// Instances that only the second side played.
    pub only_b: usize,
    /// Instances whose repeats differ in number, so that their means were paired.
    pub by_mean: usize,
}

/// An instance on which the sides differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Flip {
    /// The instance.
    pub instance: InstanceId,
    /// The agent, where several are compared by name.
    pub agent: Option<String>,
    /// The share of its repeats that the first side solved.
    pub a: f64,
    /// The share of its repeats that the second side solved.
    pub b: f64,
}

/// One task on both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskDifference {
    /// The task.
    pub task: String,
    /// How many pairs.
    pub n_pairs: usize,
    /// The share the first side solved.
    pub a: f64,
    /// The share the second side solved.
    pub b: f64,
    /// The mean score of the first side.
    pub score_a: f64,
    /// The mean score of the second side.
    pub score_b: f64,
}

#[cfg(test)]
mod tests;
