//! `task.toml` of a task of ours, made of a Harbor task.

use quintain_core::TaskId;
use quintain_core::words::count;
use toml::{Table, Value};

use super::{EXECUTABLE, HARBOR_FOLDER};
use crate::task::HarborTask;

/// Actions that an agent may take in a step. Harbor counts none, and a trial of ours always ends.
const STEPS_A_ROUND: usize = 200;
/// Actions that an agent may take beyond those of the solution.
const STEPS_TO_SPARE: usize = 50;
/// The longest title, in characters.
const LONGEST_TITLE: usize = 100;

/// The whole file. Sections stand in the order in which people read them.
pub(super) fn declaration(id: &TaskId, task: &HarborTask, n_actions: usize) -> Result<String, toml::ser::Error> {
    let sections = [
        ("task", head(id, task)),
        ("world", world()),
        ("result", table([("kind", "files".into())])),
        ("limits", limits(task, n_actions)),
        ("chance", table([("score", 0.0.into()), ("why", "nothing is known of guesses: the tests decide".into())])),
        ("derive", Value::Array(vec![derive()])),
        ("checks", Value::Array(vec![check()])),
        ("compose", table([("how", "weighted".into())])),
        ("metadata", metadata(task)),
    ];
    let written: Result<Vec<String>, _> =
        sections.into_iter().map(|(name, section)| toml::to_string(&table([(name, section)]))).collect();
    Ok(written?.join("\n"))
}

fn table<'a>(fields: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    Value::Table(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

fn texts<'a>(all: impl IntoIterator<Item = &'a str>) -> Value {
    Value::Array(all.into_iter().map(Value::from).collect())
}

fn head(id: &TaskId, task: &HarborTask) -> Value {
    let mut fields = vec![
        ("id", id.as_str().into()),
        ("title", title(task).into()),
        ("version", 1.into()),
        ("difficulty", difficulty(task).into()),
    ];
    if let Some(category) = task.config.metadata.get("category").and_then(Value::as_str) {
        fields.push(("domain", category.into()));
    }
    table(fields)
}

/// The first line of the description, or the name in words.
fn title(task: &HarborTask) -> String {
    let told = task.config.package.as_ref().map_or("", |package| package.description.trim());
    match told.lines().next().filter(|line| !line.is_empty()) {
        Some(line) => line.chars().take(LONGEST_TITLE).collect(),
        None => super::plain_name(&task.name).replace('-', " "),
    }
}

/// The word that the set gives it where it is one of ours; nothing else is known.
fn difficulty(task: &HarborTask) -> &'static str {
    let told = task.config.metadata.get("difficulty").and_then(Value::as_str).unwrap_or_default();
    ["easy", "medium", "hard"].into_iter().find(|word| told.eq_ignore_ascii_case(word)).unwrap_or("medium")
}

fn world() -> Value {
    table([
        ("kind", "harbor".into()),
        ("app", "terminal".into()),
        ("observe", texts(["text", "feedback", "remaining"])),
        ("act", texts(["shell", "call"])),
        ("clock", "wall".into()),
    ])
}

/// All steps share one clock: where one has no limit, there is none.
fn limits(task: &HarborTask, n_actions: usize) -> Value {
    let steps = (STEPS_A_ROUND * task.rounds.len()).max(n_actions + STEPS_TO_SPARE);
    let seconds: Option<f64> = task.rounds.iter().map(|round| round.agent_timeout_sec).sum();
    let mut fields = vec![("steps", Value::from(steps as i64))];
    if let Some(seconds) = seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0) {
        fields.push(("minutes", (seconds / 60.0).into()));
    }
    table(fields)
}

fn derive() -> Value {
    let options = table([("folder", HARBOR_FOLDER.into())]);
    table([("name", "reward".into()), ("kind", "harbor-tests".into()), ("options", options)])
}

/// The reward is the score.
fn check() -> Value {
    table([("name", "reward".into()), ("kind", "reward".into()), ("selector", "derived/reward".into())])
}

/// Who made it and what it is called elsewhere; under `harbor` everything else that the task says of itself.
fn metadata(task: &HarborTask) -> Value {
    let mut fields = Vec::new();
    if let Some(package) = &task.config.package {
        let author = |(name, email): &(String, Option<String>)| {
            Value::from(email.as_ref().map_or_else(|| name.clone(), |email| format!("{name} <{email}>")))
        };
        fields.push(("authors", Value::Array(package.authors.iter().map(author).collect())));
        fields.push(("keywords", texts(package.keywords.iter().map(String::as_str))));
    }
    let mut kept = without_dates(&task.declaration);
    if let Some(Value::Table(package)) = kept.get_mut("task") {
        for known in ["authors", "keywords", "description"] {
            package.remove(known);
        }
    }
    let runnable: Vec<&str> = task.executable.iter().map(String::as_str).collect();
    kept.insert(EXECUTABLE.to_owned(), texts(runnable));
    if task.has_steps() {
        kept.insert("played_as".to_owned(), count(task.rounds.len(), "step").into());
    }
    fields.push(("harbor", Value::Table(kept)));
    table(fields.into_iter().filter(|(_, value)| value.as_array().is_none_or(|items| !items.is_empty())))
}

/// The same with dates as texts, which every reader of data knows.
fn without_dates(from: &Table) -> Table {
    let plain = |(key, value): (&String, &Value)| (key.clone(), dateless(value));
    from.iter().map(plain).collect()
}

fn dateless(value: &Value) -> Value {
    match value {
        Value::Datetime(date) => date.to_string().into(),
        Value::Table(fields) => Value::Table(without_dates(fields)),
        Value::Array(items) => Value::Array(items.iter().map(dateless).collect()),
        other => other.clone(),
    }
}
