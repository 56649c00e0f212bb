//! An instance: a task with its fully determined start.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::digest::Digest;
use crate::reference::Reference;
use crate::task::{NotATaskId, Task, TaskId};

/// Which instance of a task: a preset and a seed. No seed means the canonical one.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pick {
    /// The preset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// The seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// The name of an instance: `suite/task@preset#seed`.
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
    pub source: Option<Source>,
}

/// An outside source of content, such as a folder of photographs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// What it is called.
    pub name: String,
    /// The hash of what was drawn from it.
    pub digest: Digest,
}

impl Instance {
    /// The hash of the start state.
    pub fn digest(&self) -> Digest {
        Digest::of_json(&self.start)
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
    fill(&task.instruction, values).map_err(|error| format!("instruction.md: {error}"))
}

/// Fills in a template. A name that is not known is an error.
pub fn fill(template: &str, values: &BTreeMap<String, Value>) -> Result<String, String> {
    let mut environment = minijinja::Environment::new();
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.render_str(template, minijinja::value::Serde(values)).map_err(|error| error.to_string())
}

impl fmt::Display for InstanceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.task)?;
        if let Some(preset) = &self.pick.preset {
            write!(f, "@{preset}")?;
        }
        self.pick.seed.map_or(Ok(()), |seed| write!(f, "#{seed}"))
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
}

impl FromStr for InstanceId {
    type Err = NotAnInstanceId;

    fn from_str(text: &str) -> Result<Self, NotAnInstanceId> {
        let (rest, seed) = match text.rsplit_once('#') {
            Some((rest, seed)) => (rest, Some(seed.parse().map_err(|_cause| NotAnInstanceId::Seed(seed.to_owned()))?)),
            None => (text, None),
        };
        let (task, preset) = match rest.split_once('@') {
            Some((task, preset)) => (task, Some(preset.to_owned())),
            None => (rest, None),
        };
        Ok(Self { task: task.parse()?, pick: Pick { preset, seed } })
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
