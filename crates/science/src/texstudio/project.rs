//! A paper and what belongs to it: as an agent finds it, and as it should be in the end.

use std::collections::BTreeMap;

use quintain_core::Stretch;
use serde_json::{Value, json};

/// What texts of papers are called. Nothing else is typeset by a judge, but for what a paper begins with.
pub(super) const TEXT_ENDINGS: [&str; 5] = ["tex", "bib", "csv", "txt", "dat"];
/// The folder of every paper in the home, and its main source.
pub(super) const FOLDER: &str = "paper";
pub(super) const NAME: &str = "paper";
pub(super) const MAIN: &str = "paper/paper.tex";

/// A paper as it is found and as it should be.
pub(super) struct PaperProject {
    pub(super) folder: String,
    pub(super) name: String,
    /// What is found, by its path in the home.
    pub(super) found: BTreeMap<String, String>,
    /// What should be otherwise in the end. Sources that are named neither here nor among those that may be changed are kept.
    changed: BTreeMap<String, String>,
}

impl PaperProject {
    /// A paper of one source, beside files that are not to be changed.
    pub(super) fn new(source: String, right: String, beside: BTreeMap<String, String>) -> Self {
        let mut found = beside;
        found.insert(MAIN.to_owned(), source);
        Self { folder: FOLDER.to_owned(), name: NAME.to_owned(), found, changed: [(MAIN.to_owned(), right)].into() }
    }

    /// As it stands in a plan.
    pub(super) fn of(plan: &Value) -> Result<Self, String> {
        let texts = |name: &str| {
            serde_json::from_value(plan[name].clone()).map_err(|error| format!("`{name}` of the plan: {error}"))
        };
        Ok(Self {
            folder: FOLDER.to_owned(),
            name: NAME.to_owned(),
            found: texts("found")?,
            changed: texts("changed")?,
        })
    }

    /// As a plan tells it, beside what the solution needs.
    pub(super) fn plan(&self, solution: &Value) -> Value {
        json!({ "found": self.found, "changed": self.changed, "solution": solution })
    }

    /// The sources as they should be, by their paths in the folder of the paper.
    pub(super) fn right(&self) -> BTreeMap<String, String> {
        let mut all = self.found.clone();
        all.extend(self.changed.clone());
        let start = format!("{}/", self.folder);
        all.into_iter().filter_map(|(path, text)| Some((path.strip_prefix(&start)?.to_owned(), text))).collect()
    }

    /// What is to stay as it is, to the byte.
    pub(super) fn kept(&self) -> impl Iterator<Item = (&String, &String)> {
        self.found.iter().filter(|(path, _)| !self.changed.contains_key(*path))
    }
}

/// The main source that an agent finds.
pub(super) fn main_source(plan: &Value) -> Result<&str, String> {
    plan["found"][MAIN].as_str().ok_or_else(|| "the plan has no paper".to_owned())
}

/// The plan of an instance that begins or ends after milestones, where the plan keeps as `stages` what the main source is after
/// each. Its solution finds how many of them are `given`, and the number of the last, `until`, where it ends early.
pub(super) fn stretched(mut plan: Value, stretch: Stretch) -> Result<Value, String> {
    if let Some(last) = stretch.n_given().checked_sub(1) {
        let stage = plan["stages"].get(last).cloned().ok_or_else(|| format!("the paper has no `{stretch}`"))?;
        plan["found"][MAIN] = stage;
    }
    plan["solution"]["given"] = json!(stretch.n_given());
    plan["solution"]["until"] = json!(stretch.until);
    Ok(plan)
}
