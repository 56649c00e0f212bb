//! The verdict on a trial.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::check::{Finding, Measures};
use crate::digest::Digest;
use crate::ending::Ending;
use crate::instance::ContentSource;
use crate::score::Score;

/// What a trial came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// How it ended.
    pub ending: Ending,
    /// How much was achieved: what the checks say of the state, but nothing for an agent that gave up wrongly, broke or
    /// cheated.
    pub score: Score,
    /// What the checks say of the state, where how the trial ended makes the score another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_score: Option<Score>,
    /// Whether everything was achieved and the agent ended the trial itself.
    pub solved: bool,
    /// What each check found.
    pub findings: Vec<Finding>,
    /// The milestones of the stretch that was played and those given before it, in the order of the task, and the step
    /// after which each first held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub milestones: Vec<MilestoneReached>,
    /// What was judged: the hash of the task's folder, of the world, of the instance.
    pub digests: Digests,
    /// The outside source the instance draws from, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<ContentSource>,
    /// What broke, where something did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Whether the agent acted outside of the surface that we control, so that nothing vouches for how it was done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
}

/// One milestone of a task and what became of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MilestoneReached {
    /// Its name.
    pub name: String,
    /// The number of steps after which it first held or, where it had to hold at the end, since when it has; nothing if it
    /// was missed.
    pub after_steps: Option<u32>,
    /// Whether the trial began after it, so that nobody reached it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub given: bool,
    /// Whether the agent went wrong here: it is the first that was missed though everything it needs was there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub broke: bool,
    /// What its checks found when it was reached, or at the end where it was not. Older programs did not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

/// What became of a milestone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MilestoneState {
    /// It was reached.
    Reached,
    /// It was asked for and not reached.
    Missed,
    /// The trial began after it.
    Given,
}

impl MilestoneReached {
    /// What became of it.
    pub fn state(&self) -> MilestoneState {
        match self.after_steps {
            _ if self.given => MilestoneState::Given,
            Some(_) => MilestoneState::Reached,
            None => MilestoneState::Missed,
        }
    }

    /// When it was reached, in words.
    pub fn words(&self) -> String {
        match self.after_steps {
            Some(steps) => format!("after {steps} steps"),
            None if self.given => "given".to_owned(),
            None => "never".to_owned(),
        }
    }
}

/// What a verdict is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digests {
    /// The task's folder.
    pub task: Digest,
    /// The world: code, app bundle, data source.
    pub world: Digest,
    /// The instance's start state.
    pub instance: Digest,
}

impl Verdict {
    /// All raw measures of all findings, as `check.measure`.
    pub fn measures(&self) -> Measures {
        let named = |finding: &Finding| {
            let check = finding.check.clone();
            finding.measures.clone().into_iter().map(move |(name, value)| (format!("{check}.{name}"), value))
        };
        self.findings.iter().flat_map(named).collect::<BTreeMap<_, _>>()
    }

    /// What a trainer gives for the trial: the score, and nothing unless the agent ended it itself and rightly. Verdicts
    /// of before scored the state of trials that were given up.
    pub fn reward(&self) -> f64 {
        match self.ending {
            Ending::Done | Ending::Answered => self.score.value(),
            Ending::GaveUp if self.solved => self.score.value(),
            _ => 0.0,
        }
    }

    /// The milestones that were asked for: those that were not given.
    pub fn asked(&self) -> impl Iterator<Item = &MilestoneReached> {
        self.milestones.iter().filter(|milestone| !milestone.given)
    }

    /// The milestone at which the agent went wrong, where it missed one.
    pub fn broke_at(&self) -> Option<&str> {
        self.milestones.iter().find(|milestone| milestone.broke).map(|milestone| milestone.name.as_str())
    }

    /// The share reached of the milestones that were asked for; the score where there are none.
    pub fn completion(&self) -> f64 {
        let n_asked = self.asked().count();
        if n_asked == 0 {
            return self.score.value();
        }
        let n_reached = self.asked().filter(|milestone| milestone.after_steps.is_some()).count();
        n_reached as f64 / n_asked as f64
    }
}
