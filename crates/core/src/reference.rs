//! What the answer should be. Staged to the judge only, after the agent has stopped.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::files::FileSet;

/// What the answer should be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    /// A text that stands nowhere but here: finding it in what an agent was shown proves a leak.
    pub canary: String,
    /// The full start state of the instance, secrets included.
    pub start: Value,
    /// The parameters of the instance.
    pub parameters: BTreeMap<String, Value>,
    /// The files of the task's `reference/` folder.
    pub files: FileSet,
}

impl Reference {
    /// What a check expects: a value as it stands, or `{{ parameter }}` for one of the instance's parameters.
    pub fn resolve(&self, expect: &Value) -> Option<Value> {
        let Some(name) = expect.as_str().and_then(placeholder) else {
            return Some(expect.clone());
        };
        self.parameters.get(name).cloned()
    }
}

fn placeholder(text: &str) -> Option<&str> {
    Some(text.trim().strip_prefix("{{")?.strip_suffix("}}")?.trim())
}
