//! The files of a new task's folder, modelled on a task that exists.
//!
//! A newcomer begins with something that passes `quintain check`, and changes it from there: the world, the parameters,
//! the limits and the checks are the model's, only the identity and the canary are new.

use std::collections::BTreeMap;
use std::fmt::Write;

use quintain_core::digest::Digest;
use quintain_core::task::{Task, TaskId};
use serde::Serialize;
use serde_json::Value;

/// What a new task is called, and what it is modelled on.
#[derive(Clone, Copy, Debug)]
pub struct NewTask<'a> {
    /// Its name.
    pub id: &'a TaskId,
    /// A short title.
    pub title: &'a str,
    /// The task it is modelled on.
    pub model: &'a Task,
    /// Some bytes that no other task was made with: the canary is made from them.
    pub salt: &'a [u8],
    /// How the command line names it: its name, or the path of its folder.
    pub called: &'a str,
}

/// A section of a declaration that could not be written down.
#[derive(Debug, thiserror::Error)]
#[error("`{section}` of the model cannot be written as TOML: {why}")]
pub struct Unwritable {
    section: &'static str,
    why: String,
}

/// The files of a new task's folder, by path from the folder.
pub fn files(new: &NewTask<'_>) -> Result<BTreeMap<String, String>, Unwritable> {
    let mut files: BTreeMap<String, String> = [
        ("task.toml".to_owned(), declaration(new)?),
        ("instruction.md".to_owned(), new.model.instruction.clone()),
        ("reference/canary.txt".to_owned(), format!("{}\n", canary(new.salt))),
    ]
    .into();
    let solutions = [("oracle.txt", &new.model.oracle), ("oracle.toml", &new.model.solution)];
    let solutions = solutions.into_iter().filter_map(|(path, text)| Some((path.to_owned(), text.clone()?)));
    files.extend(solutions);
    Ok(files)
}

/// A text that stands nowhere else: `quintain-canary-` and 32 hexadecimal digits.
pub fn canary(salt: &[u8]) -> String {
    format!("quintain-canary-{}", &Digest::of_parts([("canary", salt)]).to_string()[..32])
}

fn declaration(new: &NewTask<'_>) -> Result<String, Unwritable> {
    let mut head = new.model.spec.task.clone();
    head.id = new.id.to_string();
    new.title.clone_into(&mut head.title);
    head.version = 1;
    let spec = &new.model.spec;
    let mut text = format!(
        "# A task is a folder: this file, instruction.md (what the agent reads, a template over the parameters) and\n\
         # reference/ (what only the judge may read). After every change, `quintain check {}` proves it sound.\n",
        new.called
    );
    let mut add = |about: &str, section: &'static str, value: Value| -> Result<(), Unwritable> {
        let place = if section == "parameters" { "" } else { section };
        let Some(value) = without_defaults(place, value) else { return Ok(()) };
        let written = toml::to_string(&BTreeMap::from([(section, value)]))
            .map_err(|error| Unwritable { section, why: error.to_string() })?;
        write!(text, "\n# {about}\n{written}").expect("a String takes everything");
        Ok(())
    };
    add("Identity. The version counts up whenever the meaning changes.", "task", json("task", &head)?)?;
    add("Where it takes place, what may be shown and done.", "world", json("world", &spec.world)?)?;
    add(
        "What may differ between instances: the canonical value, and a generator where a seed should draw it.",
        "parameters",
        json("parameters", &spec.parameters)?,
    )?;
    add("Named choices of parameters.", "presets", json("presets", &spec.presets)?)?;
    add("What counts as the result.", "result", json("result", &spec.result)?)?;
    add("What a trial may use up.", "limits", json("limits", &spec.limits)?)?;
    add("The share of blind guesses that solve it, at most.", "chance", json("chance", &spec.chance)?)?;
    add("How the end state is judged.", "checks", json("checks", &spec.checks)?)?;
    add("How findings make a score.", "compose", json("compose", &spec.compose)?)?;
    add("Verifiers to run before the checks.", "derive", json("derive", &spec.derive)?)?;
    add("Verifiable subtasks, in order.", "milestones", json("milestones", &spec.milestones)?)?;
    Ok(text)
}

fn json(section: &'static str, value: &impl Serialize) -> Result<Value, Unwritable> {
    serde_json::to_value(value).map_err(|error| Unwritable { section, why: error.to_string() })
}

/// The value without what goes without saying; nothing if nothing is left.
fn without_defaults(name: &str, value: Value) -> Option<Value> {
    let goes_without_saying = match (name, &value) {
        // What stands in these means what it says, empty or not.
        ("value" | "expect" | "observe" | "act" | "generator", _) => return Some(value),
        ("parameters" | "options" | "fields", Value::Object(said)) => return (!said.is_empty()).then_some(value),
        ("clock", Value::String(text)) => text == "stepped",
        ("network", Value::String(text)) => text == "none",
        ("gate" | "infeasible", Value::Bool(said)) => !said,
        ("weight", Value::Number(weight)) => weight.as_f64() == Some(1.0),
        ("kind", Value::String(text)) => text == "state",
        ("how", Value::String(text)) => text == "all",
        ("score", Value::Number(score)) => score.as_f64() == Some(0.0),
        _ => false,
    };
    if goes_without_saying {
        return None;
    }
    match value {
        Value::Null => None,
        Value::Object(fields) => {
            let said = |(name, value): (String, Value)| Some((name.clone(), without_defaults(&name, value)?));
            let fields: serde_json::Map<String, Value> = fields.into_iter().filter_map(said).collect();
            (!fields.is_empty()).then_some(Value::Object(fields))
        }
        Value::Array(items) => {
            let items: Vec<Value> = items.into_iter().filter_map(|item| without_defaults("", item)).collect();
            (!items.is_empty()).then_some(Value::Array(items))
        }
        other => Some(other),
    }
}
