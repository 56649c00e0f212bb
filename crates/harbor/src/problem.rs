//! What is wrong with a Harbor task.

use std::fmt;

use serde::Serialize;

/// Something wrong with a Harbor task, by file and field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HarborProblem {
    /// The file, from the task's folder.
    pub file: String,
    /// The field, with the tables it lies in: `agent.timeout_sec`, `steps[1].name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What is wrong.
    pub what: String,
}

/// Everything wrong with a Harbor task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
pub struct HarborProblems(pub Vec<HarborProblem>);

impl HarborProblem {
    pub(crate) fn of_file(file: &str, what: impl Into<String>) -> Self {
        Self { file: file.to_owned(), field: None, what: what.into() }
    }
}

impl fmt::Display for HarborProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.field {
            Some(field) => write!(f, "{}: `{field}` {}", self.file, self.what),
            None => write!(f, "{}: {}", self.file, self.what),
        }
    }
}

impl fmt::Display for HarborProblems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&told.join("\n"))
    }
}
