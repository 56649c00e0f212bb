//! What the report knows of one trial.

use std::collections::BTreeMap;

use quintain_core::AgentIsolation;
use quintain_core::digest::Digest;
use quintain_core::ending::Ending;
use quintain_core::instance::{InstanceId, Pick, Stretch};
use quintain_core::limits::Spent;
use quintain_core::task::{Difficulty, Task};
use quintain_core::trial::TrialId;
use quintain_core::verdict::Verdict;
use serde::{Deserialize, Serialize};

use crate::elements::ElementCount;
use crate::label::Label;
use crate::opinion::Opinion;
use crate::pointer_trail::TrailMatch;
use crate::tool_mix::ToolCounts;

/// What the report knows of one trial: its outcome, not its steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialRow {
    /// Which trial.
    pub trial: TrialId,
    /// What kept its agent from the solution; nothing where the run does not say.
    #[serde(default)]
    pub isolation: Option<AgentIsolation>,
    /// What tells its instance from others of its task; nothing where its run does not say.
    #[serde(default)]
    pub identity: Option<Digest>,
    /// How hard its instance is; nothing where its task is not known.
    pub difficulty: Option<Difficulty>,
    /// What its task asks of an agent.
    pub capabilities: Vec<String>,
    /// The field of work that its task names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<TaskSubject>,
    /// What it came to.
    pub verdict: Verdict,
    /// What the attempt that counted used up.
    pub spent: Spent,
    /// What attempts that ended in faults used up besides.
    pub wasted: Spent,
    /// Whether `spent.cost_usd` is all of the cost. False where a model's price is not known, and where nothing is known
    /// of one of its calls.
    pub cost_known: bool,
    /// Tokens that models read.
    pub input_tokens: u64,
    /// Of the tokens that models read, those that came from a cache.
    pub cached_tokens: u64,
    /// Whether a model was asked. Without one there are no tokens and no cost to speak of.
    pub had_model: bool,
    /// How many attempts were made, the one that counted included.
    pub attempts: u32,
    /// How the attempts before it ended: in faults.
    pub faulted_attempts: Vec<Ending>,
    /// How many steps the shortest known solution takes, the end included.
    pub optimal_steps: Option<u32>,
    /// The elements of its milestones, and how many of them hold; nothing where that is not known.
    #[serde(default)]
    pub elements: Option<ElementCount>,
    /// Whether the agent handed its work in: it ended the trial itself without giving up and, where an answer is asked
    /// for, said one.
    #[serde(default)]
    pub handed_in: bool,
    /// What its agent plays by.
    #[serde(default)]
    pub plays: PlayedBy,
    /// How it went wrong, by fixed rules.
    pub labels: Vec<Label>,
    /// How it went wrong in the eyes of models, by their names.
    pub opinions: BTreeMap<String, Vec<Opinion>>,
    /// How the places of its pointer actions compare with the oracle's.
    #[serde(default)]
    pub trail: TrailMatch,
    /// How often tools of each class were used.
    pub tools: ToolCounts,
}

/// A trial that was planned and has no outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct UnplayedTrial {
    /// Which trial.
    pub trial: TrialId,
    /// What would have kept its agent from the solution; nothing where the run does not say.
    pub isolation: Option<AgentIsolation>,
    /// What tells its instance from others of its task; nothing where its run does not say.
    pub identity: Option<Digest>,
    /// How hard its instance is; nothing where its task is not known.
    pub difficulty: Option<Difficulty>,
    /// What its task asks of an agent.
    pub capabilities: Vec<String>,
    /// The field of work that its task names.
    pub subject: Option<TaskSubject>,
}

/// The field of work that a task names in its metadata, and its tier.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TaskSubject {
    /// Its number and name: `7.1 Litigation Support & Discovery`.
    pub field: String,
    /// How far beyond today's agents it is meant to be, from 1.
    pub tier: Option<u8>,
}

impl TaskSubject {
    /// What a task names; nothing where it names no field with a number.
    pub fn of(task: &Task) -> Option<Self> {
        let metadata = &task.spec.metadata;
        let field = metadata.get("taxonomy")?.as_str()?.trim().to_owned();
        let tier = metadata.get("tier").and_then(serde_json::Value::as_u64).and_then(|tier| u8::try_from(tier).ok());
        Some(Self { field, tier }).filter(|subject| subject.number() != (0, 0))
    }

    /// The numbers of its cluster and of itself within that.
    pub(crate) fn number(&self) -> (u32, u32) {
        let number = self.field.split_whitespace().next().and_then(|number| number.split_once('.'));
        let read = |(cluster, field): (&str, &str)| Some((cluster.parse().ok()?, field.parse().ok()?));
        number.and_then(read).unwrap_or_default()
    }
}

/// Where a trial belongs, whether it was played or not.
#[derive(Clone, Copy)]
pub(crate) struct TrialPlace<'a> {
    pub(crate) trial: &'a TrialId,
    pub(crate) isolation: Option<AgentIsolation>,
    identity: Option<Digest>,
    pub(crate) difficulty: Option<Difficulty>,
    pub(crate) capabilities: &'a [String],
    pub(crate) subject: Option<&'a TaskSubject>,
}

impl<'a> TrialPlace<'a> {
    /// The task's name.
    pub(crate) fn task(self) -> &'a str {
        self.trial.instance.task.as_str()
    }

    /// The problem that the trial poses.
    pub(crate) fn problem(self) -> ProblemKey {
        let InstanceId { task, pick } = self.trial.instance.clone();
        let seed = if self.identity.is_none() { pick.seed } else { None };
        ProblemKey { instance: InstanceId { task, pick: Pick { seed, ..pick } }, identity: self.identity }
    }
}

/// A problem: instances that differ in nothing but their seeds' numbers pose the same one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ProblemKey {
    /// The instance, without its seed where it is told by what is right in it.
    instance: InstanceId,
    identity: Option<Digest>,
}

impl UnplayedTrial {
    pub(crate) fn place(&self) -> TrialPlace<'_> {
        let Self { trial, isolation, identity, difficulty, capabilities, subject } = self;
        let (identity, subject) = (*identity, subject.as_ref());
        TrialPlace { trial, isolation: *isolation, identity, difficulty: *difficulty, capabilities, subject }
    }
}

/// What an agent plays by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayedBy {
    /// What it is shown.
    #[default]
    Itself,
    /// The solution, as an oracle or a replay does.
    Solution,
}

impl TrialRow {
    /// Where a run does not say what tells its instances apart, the hash of the start state does.
    pub(crate) fn place(&self) -> TrialPlace<'_> {
        let Self { trial, isolation, difficulty, capabilities, subject, .. } = self;
        let identity = self.identity.or(Some(self.verdict.digests.instance));
        let subject = subject.as_ref();
        TrialPlace { trial, isolation: *isolation, identity, difficulty: *difficulty, capabilities, subject }
    }

    /// The score, and nothing for a trial that ended in a fault.
    pub fn score(&self) -> f64 {
        if self.faulted() { 0.0 } else { self.verdict.score.value() }
    }

    /// The share of milestones that was reached, and nothing for a trial that ended in a fault.
    pub fn completion(&self) -> f64 {
        if self.faulted() { 0.0 } else { self.verdict.completion() }
    }

    /// The share of elements that hold, and none for a trial that ended in a fault; nothing where that is not known.
    pub fn elements_held(&self) -> Option<f64> {
        if self.faulted() { Some(0.0) } else { self.elements.map(ElementCount::share) }
    }

    /// Whether the trial ended in a fault, so that it says nothing about the agent.
    pub fn faulted(&self) -> bool {
        self.verdict.ending.is_fault()
    }

    /// The task's name.
    pub fn task(&self) -> &str {
        self.trial.instance.task.as_str()
    }

    /// The stretch of its task that it covers.
    pub fn stretch(&self) -> Stretch {
        self.trial.instance.pick.stretch()
    }

    /// How direct the way was: the steps of the shortest known solution over the steps taken. Only for solved trials.
    pub fn efficiency(&self) -> Option<f64> {
        let optimal = self.optimal_steps?;
        (self.verdict.solved && self.spent.steps > 0).then(|| f64::from(optimal) / f64::from(self.spent.steps))
    }

    /// What is known of what the trial cost in US dollars: all of it or a part. Nothing where no model was asked, and
    /// where nothing is known at all.
    pub fn known_cost(&self) -> Option<f64> {
        let something = self.cost_known || self.spent.cost_usd > 0.0;
        (self.had_model && something).then_some(self.spent.cost_usd)
    }

    /// What the trial cost in US dollars, where a model was asked and all of it is known.
    pub fn cost(&self) -> Option<f64> {
        (self.had_model && self.cost_known).then_some(self.spent.cost_usd)
    }
}

/// How a trial ended, in the words of a table: with one more word where it took place outside of the surface that we
/// control.
pub fn ending_of(verdict: &Verdict) -> String {
    if verdict.outside { format!("{}, outside", verdict.ending) } else { verdict.ending.to_string() }
}

#[cfg(test)]
pub(crate) mod tests {
    use quintain_core::ending::{Boundary, Exhausted};
    use quintain_core::score::Score;
    use quintain_core::verdict::Digests;

    use super::*;

    /// A row in short: `trial ending score steps`, the ending being `done`, `steps` or `provider`.
    pub(crate) fn row(text: &str) -> TrialRow {
        let words: Vec<&str> = text.split_whitespace().collect();
        let trial: TrialId = words[0].parse().unwrap();
        let ending = match words[1] {
            "done" => Ending::Done,
            "steps" => Ending::Truncated(Exhausted::Steps),
            "provider" => Ending::Fault(Boundary::Provider),
            other => panic!("{other}"),
        };
        let score = Score::new(words[2].parse().unwrap()).unwrap();
        let steps: u32 = words[3].parse().unwrap();
        let hard = trial.instance.pick.preset.as_deref() == Some("hard");
        let named = |name: String| Digest::of(name.as_bytes());
        TrialRow {
            isolation: Some(AgentIsolation::OurCode),
            difficulty: Some(if hard { Difficulty::Hard } else { Difficulty::Easy }),
            capabilities: vec!["vision".to_owned()],
            subject: None,
            verdict: Verdict {
                solved: score.is_full() && ending == Ending::Done,
                ending,
                score,
                findings: Vec::new(),
                milestones: Vec::new(),
                digests: Digests {
                    task: named(trial.instance.task.to_string()),
                    world: named("world".to_owned()),
                    instance: named(trial.instance.to_string()),
                },
                source: None,
                fault: None,
                state_score: None,
                outside: false,
            },
            trial,
            identity: None,
            spent: Spent { steps, elapsed_ms: u64::from(steps) * 100, tokens: 0, cost_usd: 0.0, n_unknown: 0 },
            wasted: Spent::default(),
            cost_known: true,
            input_tokens: 0,
            cached_tokens: 0,
            had_model: false,
            attempts: 1,
            faulted_attempts: Vec::new(),
            optimal_steps: None,
            elements: None,
            handed_in: words[1] == "done",
            plays: PlayedBy::Itself,
            labels: Vec::new(),
            opinions: BTreeMap::new(),
            trail: TrailMatch::default(),
            tools: ToolCounts::new(),
        }
    }
}
