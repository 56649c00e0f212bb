//! What the answer should be. Staged to the judge only, after the agent has stopped.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::files::FileSet;
use crate::template::{self, FillError, KnownValues};

/// Where a start state keeps what its world worked out and checks compare with.
pub const EXPECTED: &str = "expected";

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
    /// What a check expects: a value in which the instance's parameters are filled in, and what its world worked out
    /// (`{{ expected.name }}`).
    pub fn resolve(&self, expect: &Value) -> Result<Value, FillError> {
        template::fill(expect, &KnownValues::of(&self.parameters, &self.start))
    }
}
