//! A task: a template for instances, read from a folder.

mod chain;
mod declaration;
mod generator;
mod parse;
mod spec;
mod unsupported;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::digest::Digest;
use crate::files::FileSet;
use crate::instance::{Pick, Stretch};
use crate::limits::Limits;

pub use chain::{AnswerType, CHAIN_ANSWER, ChainField, ChainSpec, ChainStep};
pub use generator::{DistinctDraw, Generator, PhraseDraw};
pub use parse::{TaskProblem, TaskProblems, from_toml};
pub use spec::{
    ChanceSpec, CheckSpec, ClockSpec, ComposeHow, ComposeSpec, DeriveSpec, Difficulty, FieldType, MilestoneHold,
    MilestoneSpec, Network, Parameter, Preset, ResultKind, ResultSpec, TaskHead, TaskSpec, WorldSpec,
};
pub use unsupported::unsupported;

/// The name of a task: `suite/task`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TaskId(String);

/// The files of a small task's folder, by path from the folder: for folders that are made in memory.
pub type TaskFiles = BTreeMap<String, Vec<u8>>;

/// The file of the reference that holds the canary, and how long it may be.
const CANARY_FILE: &str = "canary.txt";
const CANARY_BYTES: u64 = 1 << 10;

/// A task: a template for instances.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Its name.
    pub id: TaskId,
    /// What `task.toml` says.
    pub spec: TaskSpec,
    /// What the agent reads: a template over the parameters.
    pub instruction: String,
    /// The hash of the whole folder.
    pub digest: Digest,
    /// The files under `reference/`, for the judge only.
    pub reference: FileSet,
    /// The files under `input/`, for the agent.
    pub input: FileSet,
    /// A solution to play, one action a line, where the folder has one.
    pub oracle: Option<String>,
    /// A solution as data (`oracle.toml`), for worlds whose oracle carries out a plan: a template over the parameters. Of
    /// a chain it is `chain.toml`, which the world reads.
    pub solution: Option<String>,
}

impl Task {
    /// Reads a task from the files of its folder. All problems are reported, not only the first.
    pub fn from_files(suite: &str, files: &TaskFiles) -> Result<Self, TaskProblems> {
        Self::from_folder(suite, &files.iter().map(|(path, bytes)| (path.clone(), bytes.clone().into())).collect())
    }

    /// The same, from handles: only what the harness itself has to understand is read whole.
    pub fn from_folder(suite: &str, files: &FileSet) -> Result<Self, TaskProblems> {
        parse::task(suite, files)
    }

    /// The preset a pick names.
    pub fn preset(&self, pick: &Pick) -> Option<&Preset> {
        self.spec.presets.get(pick.preset.as_ref()?)
    }

    /// The limits of a pick: the task's own, or its preset's.
    pub fn limits(&self, pick: &Pick) -> Limits {
        self.preset(pick).and_then(|preset| preset.limits.clone()).unwrap_or_else(|| self.spec.limits.clone())
    }

    /// The difficulty of a pick.
    pub fn difficulty(&self, pick: &Pick) -> Difficulty {
        self.preset(pick).map(|preset| preset.difficulty).or(self.spec.task.difficulty).unwrap_or(Difficulty::Medium)
    }

    /// What a blind guess scores at best, on a pick.
    pub fn chance(&self, pick: &Pick) -> f64 {
        self.preset(pick).and_then(|preset| preset.chance).unwrap_or(self.spec.chance.score)
    }

    /// The parameters of a pick: canonical values, over them what a seed draws, over those the preset's.
    pub fn parameters(&self, pick: &Pick) -> BTreeMap<String, Value> {
        let mut values: BTreeMap<String, Value> =
            self.spec.parameters.iter().map(|(name, parameter)| (name.clone(), parameter.value.clone())).collect();
        if let Some(seed) = pick.seed {
            let mut rng = crate::rng::Rng::for_purpose(seed, self.id.as_str());
            for (name, parameter) in &self.spec.parameters {
                if let Some(generator) = &parameter.generator {
                    values.insert(name.clone(), generator.draw(&mut rng));
                }
            }
        }
        if let Some(preset) = self.preset(pick) {
            values.extend(preset.parameters.clone());
        }
        values
    }

    /// Whether its instances are a canonical one and the twins that seeds give, rather than presets.
    pub fn has_canonical(&self) -> bool {
        self.spec.presets.is_empty()
    }

    /// The canary of this task's reference: a text that stands nowhere else.
    pub fn canary(&self) -> String {
        let bytes = self.reference.get(CANARY_FILE).and_then(|file| file.whole(CANARY_BYTES).ok());
        bytes.map_or_else(String::new, |bytes| String::from_utf8_lossy(&bytes).trim().to_owned())
    }

    /// Whether its instances may cover this stretch, or why not. A world may refuse it all the same.
    pub fn covers(&self, stretch: Stretch) -> Result<(), String> {
        let Self { id, spec, .. } = self;
        let n = spec.milestones.len();
        if stretch.is_whole() {
            return Ok(());
        }
        if n == 0 {
            return Err(format!("task `{id}` has no milestones to begin or to end after"));
        }
        if let Some(milestone) = spec.milestones.iter().find(|milestone| milestone.instruction.is_none()) {
            let name = &milestone.name;
            return Err(format!(
                "milestone `{name}` of task `{id}` has no `instruction`: nobody could be told what is asked"
            ));
        }
        if stretch.n_covered(n) > n || stretch.n_given() >= n {
            let left = "at least the last one is left to be reached";
            return Err(format!("task `{id}` has milestones 1 to {n}, so `{stretch}` is too far: {left}"));
        }
        Ok(())
    }

    /// Every start that it has: the whole, and after each milestone but the last where milestones say what they ask.
    pub fn starts(&self) -> Vec<Stretch> {
        let n = self.spec.milestones.len() as u32;
        let after = (1..n).map(Stretch::after).filter(|stretch| self.covers(*stretch).is_ok());
        [Stretch::WHOLE].into_iter().chain(after).collect()
    }

    /// All instances that a list of seeds gives: every preset with every seed.
    pub fn picks(&self, seeds: &[u64]) -> Vec<Pick> {
        let presets: Vec<Option<String>> = if self.spec.presets.is_empty() {
            vec![None]
        } else {
            self.spec.presets.keys().cloned().map(Some).collect()
        };
        presets
            .iter()
            .flat_map(|preset| {
                seeds.iter().map(|seed| Pick { preset: preset.clone(), seed: Some(*seed), ..Pick::default() })
            })
            .collect()
    }
}

impl TaskId {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The suite it belongs to.
    pub fn suite(&self) -> &str {
        self.0.split_once('/').map_or("", |(suite, _)| suite)
    }

    /// Its name within the suite.
    pub fn name(&self) -> &str {
        self.0.split_once('/').map_or(&*self.0, |(_, name)| name)
    }
}

/// Whether a text can be part of a name.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// A text that is no task's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a task's name: `suite/task` in lower-case letters, digits and hyphens is wanted")]
pub struct NotATaskId(String);

impl FromStr for TaskId {
    type Err = NotATaskId;

    fn from_str(text: &str) -> Result<Self, NotATaskId> {
        match text.split_once('/') {
            Some((suite, name)) if is_word(suite) && is_word(name) => Ok(Self(text.to_owned())),
            _ => Err(NotATaskId(text.to_owned())),
        }
    }
}

impl TryFrom<String> for TaskId {
    type Error = NotATaskId;

    fn try_from(text: String) -> Result<Self, NotATaskId> {
        text.parse()
    }
}

impl From<TaskId> for String {
    fn from(id: TaskId) -> Self {
        id.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
