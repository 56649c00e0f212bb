//! A world with one number in it: cheap, seeded, deterministic.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::instance::render;
use quintain_core::surface::ActionGroup;
use quintain_core::task::TaskFiles;
use quintain_core::world::{Collected, OracleStyle};
use quintain_core::{
    Action, Agent, CallSchema, Digest, Evidence, Instance, InstanceId, Observation, ObservationPart, Pick, Rng,
    Surface, Task, ValueType, World, WorldError, WorldKind, trajectory::Feedback,
};
use serde_json::{Value, json};

use crate::agents::Counting;

/// Called before each action with the instance and the number of actions before it. May refuse, or panic.
pub type Mishap = Arc<dyn Fn(&InstanceId, u32) -> Result<(), WorldError> + Send + Sync>;

/// The kind of world in which a number is counted up to a target that the seed draws.
#[derive(Clone)]
pub struct Counter {
    /// What goes wrong.
    pub mishap: Mishap,
    /// What it says of itself.
    pub deterministic: bool,
    /// Where it begins to count.
    pub begins_at: i64,
}

impl Default for Counter {
    fn default() -> Self {
        Self { mishap: Arc::new(|_, _| Ok(())), deterministic: true, begins_at: 0 }
    }
}

impl Counter {
    /// One in which things go wrong.
    pub fn with_mishap(mishap: impl Fn(&InstanceId, u32) -> Result<(), WorldError> + Send + Sync + 'static) -> Self {
        Self { mishap: Arc::new(mishap), ..Self::default() }
    }
}

/// The task `test/<name>`: count up to a target between `least` and `most`.
pub fn counter_task(name: &str, least: u32, most: u32) -> Task {
    task(name, "\"text\", \"feedback\", \"remaining\"", least, most)
}

/// The same task, in which nothing is shown.
pub fn mute_task(name: &str) -> Task {
    task(name, "", 0, 0)
}

fn task(name: &str, observe: &str, least: u32, most: u32) -> Task {
    let toml = format!(
        r#"
[task]
id = "test/{name}"
title = "Count"
version = 1
difficulty = "easy"

[world]
kind = "counter"
app = "counter"
observe = [{observe}]
act = ["call"]

[parameters.target]
value = {least}
generator = {{ integer = [{least}, {most}] }}

[limits]
steps = 100

[[checks]]
name = "target"
kind = "exact"
selector = "documents/counter/value"
expect = "{{{{ target }}}}"
"#
    );
    let files: TaskFiles = [
        ("task.toml".to_owned(), toml.into_bytes()),
        ("instruction.md".to_owned(), b"Count up to {{ target }}.".to_vec()),
        ("reference/canary.txt".to_owned(), b"quintain-canary-0123456789abcdef".to_vec()),
    ]
    .into();
    Task::from_files("test", &files).expect("the task is sound")
}

impl WorldKind for Counter {
    fn kind(&self) -> &'static str {
        "counter"
    }

    fn digest(&self, _task: &Task) -> Digest {
        Digest::of(b"counter 1")
    }

    fn is_deterministic(&self) -> bool {
        self.deterministic
    }

    fn instantiate_whole(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        let parameters = task.parameters(pick);
        let mut rng = Rng::for_purpose(pick.seed.unwrap_or(0), "counter");
        Ok(Instance {
            id: InstanceId { task: task.id.clone(), pick: pick.clone() },
            instruction: render(task, &parameters).map_err(WorldError::setup)?,
            start: json!({ "target": parameters["target"], "salt": rng.next_u64() }),
            parameters,
            secrets: vec!["/salt".to_owned()],
            source: None,
        })
    }

    fn open(&self, instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        Ok(Box::new(Count {
            id: instance.id.clone(),
            value: self.begins_at,
            n_actions: 0,
            mishap: Arc::clone(&self.mishap),
        }))
    }

    fn oracle(&self, instance: &Instance, _style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError> {
        Ok(Box::new(Counting::to(instance)))
    }
}

struct Count {
    id: InstanceId,
    value: i64,
    n_actions: u32,
    mishap: Mishap,
}

impl World for Count {
    fn surface(&self) -> Surface {
        let number = ValueType::Integer { min: -9, max: 9 };
        Surface {
            calls: vec![CallSchema::plain("add", "Adds to the number.").arg("n", number, "how much", 1)],
            parts: [ObservationPart::Text].into(),
            groups: [ActionGroup::Call].into(),
            screen: None,
        }
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        let observation = Observation::default();
        let shown = wanted.contains(&ObservationPart::Text);
        Ok(if shown {
            observation.with_text(ObservationPart::Text, format!("the number is {}", self.value))
        } else {
            observation
        })
    }

    fn apply(&mut self, action: &Action, _within: Duration) -> Result<Feedback, WorldError> {
        (self.mishap)(&self.id, self.n_actions)?;
        self.n_actions += 1;
        let Action::Call(call) = action else {
            return Ok(Feedback::refused("only calls are understood"));
        };
        self.value += call.args.first().and_then(Value::as_i64).unwrap_or(0);
        Ok(Feedback::changed(format!("it is {} now", self.value)))
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        Ok(Evidence::document("counter", json!({ "value": self.value })))
    }

    fn collect(&mut self, within: Duration) -> Result<Collected, WorldError> {
        Ok(Collected { evidence: self.snapshot(within)?, ..Collected::default() })
    }
}
