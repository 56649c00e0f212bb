//! An instance: a task with its fully determined start.

mod goal;
mod stretch;

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::digest::Digest;
use crate::reference::Reference;
use crate::task::{MilestoneSpec, NotATaskId, Task, TaskId};
use crate::template::fill_text;

pub use goal::InstanceGoal;
pub use stretch::{NotAStretch, StartChoice, Stretch};

/// Which instance of a task: a preset and a seed, and the stretch of the task that it covers. No seed means the canonical
/// one.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pick {
    /// The preset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// The seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// How many of the task's milestones are given; nothing means that it begins at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<NonZeroU32>,
    /// The milestone that it ends with, counted from 1; nothing means that it goes to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<NonZeroU32>,
}

/// The name of an instance: `suite/task@preset#seed`, with `+2` or `+2..3` behind it where it covers a stretch of its task.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct InstanceId {
    /// The task.
    pub task: TaskId,
    /// Which of its instances.
    pub pick: Pick,
}

/// A task with its fully determined start. Nothing of it but the instruction reaches an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// Its name.
    pub id: InstanceId,
    /// What the agent reads.
    pub instruction: String,
    /// The parameters.
    pub parameters: BTreeMap<String, Value>,
    /// The full start state of the world.
    pub start: Value,
    /// Places in the start state that must never be shown, as JSON pointers.
    pub secrets: Vec<String>,
    /// The outside source that the start state draws from.
    pub source: Option<ContentSource>,
}

/// An outside source of content, such as a folder of photographs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContentSource {
    /// What it is called.
    pub name: String,
    /// The hash of what was drawn from it.
    pub digest: Digest,
}

impl Pick {
    /// The stretch of the task that it covers.
    pub fn stretch(&self) -> Stretch {
        Stretch { after: self.after, until: self.until }
    }

    /// The same instance over another stretch of the task.
    #[must_use]
    pub fn over(self, stretch: Stretch) -> Self {
        Self { after: stretch.after, until: stretch.until, ..self }
    }
}

impl Instance {
    /// The hash of the start state.
    pub fn digest(&self) -> Digest {
        Digest::of_json(&self.start)
    }

    /// The hash of what an agent is set: the start state, and what the task's checks expect of it. Presets that differ in
    /// what they tolerate begin alike and are set otherwise.
    pub fn problem(&self, task: &Task) -> Digest {
        InstanceGoal::of(self.start.clone()).identity(task, self)
    }

    /// The fields of the answer that are given where the instance begins after milestones: its world keeps them in the
    /// start state, under `noted`.
    pub fn noted(&self) -> serde_json::Map<String, Value> {
        self.start.get("noted").and_then(Value::as_object).cloned().unwrap_or_default()
    }

    /// What the judge will compare with.
    pub fn reference(&self, task: &Task) -> Reference {
        Reference {
            canary: task.canary(),
            start: self.start.clone(),
            parameters: self.parameters.clone(),
            files: task.reference.clone(),
        }
    }
}

/// Renders a task's instruction over the parameters of an instance and what the world adds to them.
pub fn render(task: &Task, values: &BTreeMap<String, Value>) -> Result<String, String> {
    fill_text(&task.instruction, values).map_err(|error| format!("instruction.md: {error}"))
}

/// Renders the instruction of an instance that covers a stretch of its task: the task's own, then what is given and, where
/// it ends before the task does, what is asked for.
pub fn render_stretch(task: &Task, stretch: Stretch, values: &BTreeMap<String, Value>) -> Result<String, String> {
    let mut text = render(task, values)?;
    let n_given = stretch.n_given();
    let n_covered = stretch.n_covered(task.spec.milestones.len());
    if n_given > 0 {
        let done = listed(task, 0..n_given, values, |milestone| {
            milestone.told.as_deref().or(milestone.instruction.as_deref())
        })?;
        text = format!("{}\n\nThis much of it has been done already:\n{done}", text.trim_end());
    }
    if stretch.until.is_some() {
        let left = listed(task, n_given..n_covered, values, |milestone| milestone.instruction.as_deref())?;
        let head = "You are asked for no more of it than this. Stop when it is done:";
        text = format!("{}\n\n{head}\n{left}", text.trim_end());
    }
    Ok(text)
}

/// What is said of some of a task's milestones, one a line.
fn listed(
    task: &Task,
    which: Range<usize>,
    values: &BTreeMap<String, Value>,
    said: impl Fn(&MilestoneSpec) -> Option<&str>,
) -> Result<String, String> {
    let milestones = task.spec.milestones.get(which).ok_or_else(|| format!("`{}` has fewer milestones", task.id))?;
    let line = |milestone: &MilestoneSpec| {
        let text = fill_text(said(milestone).unwrap_or(&milestone.name), values);
        text.map(|text| format!("- {}", text.trim()))
            .map_err(|error| format!("milestone `{}`: {error}", milestone.name))
    };
    Ok(milestones.iter().map(line).collect::<Result<Vec<_>, _>>()?.join("\n"))
}

impl fmt::Display for InstanceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.task)?;
        if let Some(preset) = &self.pick.preset {
            write!(f, "@{preset}")?;
        }
        if let Some(seed) = self.pick.seed {
            write!(f, "#{seed}")?;
        }
        write!(f, "{}", self.pick.stretch())
    }
}

/// A text that is no instance's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAnInstanceId {
    /// The task's part is wrong.
    #[error(transparent)]
    Task(#[from] NotATaskId),
    /// The seed is no number.
    #[error("`{0}` is not a seed: a whole number is wanted")]
    Seed(String),
    /// What follows the `+` is no stretch.
    #[error(transparent)]
    Stretch(#[from] NotAStretch),
}

impl FromStr for InstanceId {
    type Err = NotAnInstanceId;

    fn from_str(text: &str) -> Result<Self, NotAnInstanceId> {
        let (text, stretch) = match text.split_once('+') {
            Some((text, stretch)) => (text, stretch.parse()?),
            None => (text, Stretch::WHOLE),
        };
        let (rest, seed) = match text.rsplit_once('#') {
            Some((rest, seed)) => (rest, Some(seed.parse().map_err(|_cause| NotAnInstanceId::Seed(seed.to_owned()))?)),
            None => (text, None),
        };
        let (task, preset) = match rest.split_once('@') {
            Some((task, preset)) => (task, Some(preset.to_owned())),
            None => (rest, None),
        };
        let pick = Pick { preset, seed, ..Pick::default() }.over(stretch);
        Ok(Self { task: task.parse()?, pick })
    }
}

impl TryFrom<String> for InstanceId {
    type Error = NotAnInstanceId;

    fn try_from(text: String) -> Result<Self, NotAnInstanceId> {
        text.parse()
    }
}

impl From<InstanceId> for String {
    fn from(id: InstanceId) -> Self {
        id.to_string()
    }
}
