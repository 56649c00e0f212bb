//! What a run says of itself before its first trial.

use std::collections::BTreeMap;
use std::path::PathBuf;

use quintain_core::limits::{Budget, LimitOverrides};
use quintain_core::trial::UNDER;
use quintain_core::{AgentIsolation, Digest, Settings, StartChoice, Task, TrialId};
use serde::{Deserialize, Serialize};

use super::frame_keeper::KeptPictures;
use crate::line_sum::SumRule;

/// The version of a run's layout. A newer one is refused.
pub const RUN_FORMAT: u32 = 1;

/// What `run.json` says: everything about a run that is the same for all its trials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunHeader {
    /// The version of the layout.
    pub format: u32,
    /// Where to look, for people who open the file by chance.
    #[serde(default = "about")]
    pub about: String,
    /// The name of the run.
    pub name: String,
    /// When it was planned: RFC 3339, as the caller read it from the clock.
    pub created: String,
    /// What was asked for, in the words of the command line.
    #[serde(default)]
    pub selectors: Vec<String>,
    /// The suites it draws from.
    #[serde(default)]
    pub suites: Vec<SuiteUsed>,
    /// Who plays.
    pub agents: Vec<AgentUsed>,
    /// What agents are shown.
    #[serde(default)]
    pub settings: Settings,
    /// What the run finds out by letting its agents play under other settings too, where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<DiagnosisPlan>,
    /// Limits that differ from the tasks' own.
    #[serde(default)]
    pub limits: LimitOverrides,
    /// What the whole run may use up, as it was set last.
    #[serde(default, skip_serializing_if = "is_unlimited")]
    pub budget: Budget,
    /// What the user says of models, besides what is built in: the text of a catalogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub catalogue: Option<String>,
    /// Where answers of models are kept, where they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<PathBuf>,
    /// The seeds of the instances.
    #[serde(default)]
    pub seeds: Vec<u64>,
    /// The key that the seeds were derived from, where they are private: they stand in the plan alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub private: Option<PrivateSeedsUsed>,
    /// Where the instances begin, where they were asked to begin after milestones: `0`, `2`, `1..2`, `all`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<StartChoice>,
    /// How often each instance is played by each agent.
    pub repeats: u32,
    /// How many trials were planned with the run, so that they are missed where the plan is gone. Nothing where trials come
    /// as they please, and in runs of older programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n_trials: Option<u64>,
    /// What the run ran on: `quintain`, `os`, `arch` and whatever else can change a result.
    #[serde(default)]
    pub fingerprint: BTreeMap<String, String>,
    /// Who hands out the trials: `sqlite`.
    pub engine: String,
    /// On a fleet: what its hosts must be able to do. A task that stands nowhere here asks for its kind of world alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<ClassUsed>,
    /// Which pictures are kept.
    #[serde(default, skip_serializing_if = "KeptPictures::is_all")]
    pub pictures: KeptPictures,
    /// Whether every line of the run's files ends with a sum. In runs of older programs some or all do not, and damage
    /// that still reads as JSON cannot be seen there.
    #[serde(default, skip_serializing_if = "SumRule::is_default")]
    pub sums: SumRule,
}

/// What a host of a fleet must be able to do to play some tasks of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassUsed {
    /// Its name: `puzzles`, `browser+ngspice`.
    pub class: String,
    /// The tasks.
    pub tasks: Vec<String>,
    /// What of the fingerprint has to be the same on such a host.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub equal: Vec<String>,
}

/// The private seeds of a run. The key itself is in no run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrivateSeedsUsed {
    /// The id of the key.
    pub key: String,
    /// The numbers of the seeds, for every task the same.
    pub numbers: Vec<u64>,
    /// The edition of an exam that they are of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
}

/// A suite that a run draws from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteUsed {
    /// Its name.
    pub name: String,
    /// Where it was read: `embedded` or a path.
    pub from: String,
    /// The hash of its tasks' digests.
    pub digest: Digest,
}

/// An agent that plays in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentUsed {
    /// Its name in the trials' names.
    pub label: String,
    /// How it was asked for, enough to make it again.
    pub spec: String,
    /// Its version, where it has one of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The model behind it, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What its own program saw of the host besides itself, where it was kept in a sandbox.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PathBuf>,
    /// What kept it from the solution; nothing in runs of programs that did not say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<AgentIsolation>,
}

/// What a run finds out: how much depends on each of several settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosisPlan {
    /// What is varied.
    pub factors: Vec<Factor>,
    /// The settings of agents that play under others than the run's, by their names in the trials' names.
    pub variations: BTreeMap<String, Settings>,
}

/// A setting that is varied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Factor {
    /// Its name: `history`, `view`, `feedback`, `goal`, `groups`, `resolution`, `effort`.
    pub name: String,
    /// What it is set to, one after the other.
    pub levels: Vec<Level>,
}

/// What a setting is set to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Level {
    /// In words: `off`, `4 turns`.
    pub name: String,
    /// What follows the agent's own name in the names of trials under it; nothing where it is the run's own setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
}

impl Level {
    /// The name that an agent has in trials under it.
    pub fn label(&self, agent: &str) -> String {
        self.tag.as_ref().map_or_else(|| agent.to_owned(), |tag| format!("{agent}{UNDER}{tag}"))
    }
}

/// One trial of the plan, and what it takes to redo it exactly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedTrial {
    /// Which trial.
    pub trial: TrialId,
    /// The hash of the task's folder.
    pub task: Digest,
    /// The hash of the world.
    pub world: Digest,
    /// The hash of the instance's start state.
    pub instance: Digest,
    /// What tells the instance from others of its task: the same where two seeds give the same problem. Older programs
    /// did not write it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<Digest>,
}

impl RunHeader {
    /// The header of a run that is planned now; everything not given here is empty or as usual.
    pub fn new(name: impl Into<String>, created: impl Into<String>) -> Self {
        Self {
            format: RUN_FORMAT,
            about: about(),
            name: name.into(),
            created: created.into(),
            selectors: Vec::new(),
            suites: Vec::new(),
            agents: Vec::new(),
            settings: Settings::default(),
            diagnosis: None,
            limits: LimitOverrides::default(),
            budget: Budget::default(),
            catalogue: None,
            cache: None,
            seeds: Vec::new(),
            private: None,
            after: Vec::new(),
            repeats: 1,
            n_trials: None,
            fingerprint: BTreeMap::new(),
            engine: "sqlite".to_owned(),
            classes: Vec::new(),
            pictures: KeptPictures::All,
            sums: SumRule::Always,
        }
    }

    /// What a host must be able to do to play a task.
    pub fn class_of<'a>(&'a self, task: &'a Task) -> &'a str {
        let used = self.classes.iter().find(|used| used.tasks.iter().any(|id| id == task.id.as_str()));
        used.map_or(task.spec.world.kind.as_str(), |used| used.class.as_str())
    }

    /// The settings that the agent of that name plays under.
    pub fn settings_of(&self, label: &str) -> &Settings {
        let varied = self.diagnosis.as_ref().and_then(|diagnosis| diagnosis.variations.get(label));
        varied.unwrap_or(&self.settings)
    }

    /// The agent of that name.
    pub fn agent(&self, label: &str) -> Option<&AgentUsed> {
        self.agents.iter().find(|agent| agent.label == label)
    }
}

fn is_unlimited(budget: &Budget) -> bool {
    *budget == Budget::default()
}

fn about() -> String {
    "A run of Quintain. plan.jsonl: the trials, one a line. segments/: what happened, one event a line. frames/: the \
     pictures the events name. blobs/: the files they name."
        .to_owned()
}
