//! The edits of a task's `oracle.toml`, filled in, with every problem named by its line.

use std::collections::BTreeMap;

use quintain_core::task::from_toml;
use quintain_core::{Task, suggest, template};
use serde::Deserialize;
use serde_json::Value;

use super::model::Document;
use super::model::edit::{DocumentDraft, Edit};

const FILE: &str = "oracle.toml";

/// The edits, or everything that is wrong with them.
pub(super) fn edits(task: &Task, words: &BTreeMap<String, Value>) -> Result<Vec<Edit>, String> {
    let text = task.solution.as_deref().ok_or("the task has no oracle.toml")?;
    let table: toml::Table = toml::from_str(text).map_err(|error| from_toml(FILE, text, &error).to_string())?;
    if let Some(other) = table.keys().find(|key| *key != "edit") {
        let hint = suggest::hint(other, ["edit"]);
        return Err(format!("{FILE}: there is no `{other}` in a solution of the Workflow Builder; {hint}"));
    }
    let listed = serde_json::to_value(table).map_err(|error| format!("{FILE}: {error}"))?;
    let listed = listed["edit"].as_array().ok_or_else(|| format!("{FILE}: there is no [[edit]] in it"))?;
    let (mut edits, mut problems) = (Vec::new(), Vec::new());
    for (idx, listed) in listed.iter().enumerate() {
        let filled = template::fill(listed, words).map_err(|why| why.to_string());
        match filled.and_then(|filled| Edit::deserialize(filled).map_err(|error| error.to_string())) {
            Ok(edit) => edits.push(edit),
            Err(why) => problems.push(told(text, idx, &why)),
        }
    }
    if problems.is_empty() { Ok(edits) } else { Err(problems.join("\n")) }
}

/// The document after all the edits, or which of them cannot be made.
pub(super) fn made(task: &Task, document: &Document, edits: &[Edit]) -> Result<Document, String> {
    let mut draft = DocumentDraft::new(document.clone());
    for (idx, edit) in edits.iter().enumerate() {
        let text = task.solution.as_deref().unwrap_or_default();
        draft.make(edit).map_err(|problem| told(text, idx, &problem.to_string()))?;
    }
    Ok(draft.document)
}

/// What is wrong with the edit of a number, with the line that it begins at.
fn told(text: &str, idx: usize, why: &str) -> String {
    let begins = |line: &str| line.trim_start().starts_with("[[edit]]");
    let line = text.lines().enumerate().filter(|(_, line)| begins(line)).nth(idx).map(|(line_idx, _)| line_idx + 1);
    let line = line.map_or_else(String::new, |line| format!(":{line}"));
    format!("{FILE}{line}: edit {}: {why}", idx + 1)
}
