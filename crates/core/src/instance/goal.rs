//! What tells an instance from the others of its task: not its seed, but what is right at its end.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Instance, Stretch};
use crate::digest::Digest;
use crate::task::{CheckSpec, Task};
use crate::template::{self, KnownValues};

/// What is right at the end of an instance, as its world tells it: no more than what can tell it from another instance of
/// its task.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstanceGoal {
    /// What the judge compares with, without what it does not look at and without what only stays as it was.
    pub state: Value,
    /// Names in it that are given and say nothing of what is to be done, such as the labels of terminals. Nothing where
    /// its world does not tell names from the rest.
    pub labels: Option<BTreeSet<String>>,
}

impl InstanceGoal {
    /// A goal without names.
    pub fn of(state: Value) -> Self {
        Self { state, labels: None }
    }

    /// The identity of the instance: the hash of its goal and of what the task's checks expect of it. Two seeds that come
    /// to the same one give the same problem twice.
    pub fn identity(&self, task: &Task, instance: &Instance) -> Digest {
        Digest::of_json(&self.whole(task, instance))
    }

    /// The same with all names left out; nothing where names are not told from the rest.
    pub fn identity_without_labels(&self, task: &Task, instance: &Instance) -> Option<Digest> {
        let labels = self.labels.as_ref()?;
        Some(Digest::of_json(&without(self.whole(task, instance), labels)))
    }

    fn whole(&self, task: &Task, instance: &Instance) -> Value {
        let checks = closing_checks(task, instance.id.pick.stretch()).filter(|check| check.counts());
        let expected: Vec<Value> = checks.map(|check| expected(check, instance)).collect();
        json!({ "goal": self.state, "checks": expected })
    }
}

/// The checks that judge the end of a stretch: the task's own, or those of the milestone that it ends with.
fn closing_checks(task: &Task, stretch: Stretch) -> impl Iterator<Item = &CheckSpec> {
    let milestone = stretch.until.and_then(|until| task.spec.milestones.get(until.get() as usize - 1));
    milestone.map_or(&task.spec.checks, |milestone| &milestone.checks).iter()
}

/// What a check expects of an instance. Where its words are not the parameters' alone, these stand for what is filled in.
fn expected(check: &CheckSpec, instance: &Instance) -> Value {
    let declared = json!({ "expect": check.expect, "options": check.options });
    let known = KnownValues::of(&instance.parameters, &instance.start);
    template::fill(&declared, &known).unwrap_or_else(|_cause| json!({ "parameters": instance.parameters }))
}

/// A value in which names are left out.
fn without(value: Value, labels: &BTreeSet<String>) -> Value {
    match value {
        Value::String(text) if labels.contains(&text) => Value::Null,
        Value::Array(items) => items.into_iter().map(|item| without(item, labels)).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, field)| (key, without(field, labels))).collect(),
        other => other,
    }
}
