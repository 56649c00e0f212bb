//! What the answer should be. Staged to the judge only, after the agent has stopped.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::files::FileSet;
use crate::template::{self, FillError};

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
    /// What a check expects: a value with the instance's parameters filled in.
    pub fn resolve(&self, expect: &Value) -> Result<Value, FillError> {
        template::fill(expect, &self.parameters)
    }
}
