//! `quintain check --kept`: which kept certificates still hold. Nothing is played.

use std::collections::BTreeSet;
use std::path::Path;

use quintain_core::Task;
use quintain_core::words::count;
use quintain_store::{KeptFiles, SuiteError};
use quintain_workshop::{KeptState, Workshop};
use serde_json::{Value, json};

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::kept_words::{in_words, state_name};
use crate::printer::Printer;

/// What is said of a file whose task is gone.
const GONE: &str = "there is no such task";

/// What was found of one task.
struct FoundKept {
    task: String,
    state: KeptState,
    /// Whether there is a file and no such task.
    is_stray: bool,
}

/// Tells which files in a folder do not fit, and of how many tasks nothing is kept.
pub(super) fn tell(folder: &Path, args: &CheckArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let files = KeptFiles::Folder(folder.to_owned());
    let mut found = Vec::new();
    for task in tasks(args, workshop)? {
        found.push(FoundKept { state: workshop.kept(&task, &files)?, task: task.id.to_string(), is_stray: false });
    }
    if args.tasks.is_empty() {
        found.extend(unlisted(&files, &found, workshop)?);
    }
    let rows: Vec<Value> = found.iter().map(FoundKept::json).collect();
    let misfits: Vec<&FoundKept> = found.iter().filter(|one| one.is_misfit()).collect();
    if printer.json || !misfits.is_empty() {
        printer.data(&rows, || misfits.iter().map(|one| one.line()).collect::<Vec<_>>().join("\n"))?;
    }
    printer.say(summary(&found, &misfits, folder));
    Ok(if misfits.is_empty() { Exit::Success } else { Exit::Refused })
}

/// The tasks that are meant: those named, else all of them. Whether they can be played here does not matter.
fn tasks(args: &CheckArgs, workshop: &Workshop) -> anyhow::Result<Vec<Task>> {
    let suites = workshop.suites()?;
    let selectors = if args.tasks.is_empty() { suites.names()? } else { args.tasks.clone() };
    let mut tasks = Vec::new();
    for selector in selectors {
        tasks.extend(suites.select(&selector)?.into_iter().map(|selection| selection.task));
    }
    Ok(tasks)
}

/// Files of other tasks: those of one's own, which are found by name like everywhere, and those that there are not.
fn unlisted(files: &KeptFiles, found: &[FoundKept], workshop: &Workshop) -> anyhow::Result<Vec<FoundKept>> {
    let known: BTreeSet<&str> = found.iter().map(|one| one.task.as_str()).collect();
    let names = files.task_names()?.into_iter().filter(|name| !known.contains(name.as_str()));
    names.map(|name| by_name(name, files, workshop)).collect()
}

fn by_name(task: String, files: &KeptFiles, workshop: &Workshop) -> anyhow::Result<FoundKept> {
    let tasks = match workshop.suites()?.tasks(&task) {
        Err(SuiteError::Unknown { .. } | SuiteError::BadSelector { .. }) => Vec::new(),
        other => other?,
    };
    Ok(match tasks.as_slice() {
        [one] => FoundKept { state: workshop.kept(one, files)?, task, is_stray: false },
        _ => FoundKept { task, state: KeptState::Unreadable(GONE.to_owned()), is_stray: true },
    })
}

impl FoundKept {
    fn is_misfit(&self) -> bool {
        matches!(self.state, KeptState::Misfits { .. } | KeptState::Unreadable(_))
    }

    fn line(&self) -> String {
        format!("{}: {}", self.task, in_words(&self.state))
    }

    fn json(&self) -> Value {
        json!({ "task": self.task, "state": state_name(&self.state), "words": in_words(&self.state) })
    }
}

fn summary(found: &[FoundKept], misfits: &[&FoundKept], folder: &Path) -> String {
    let n_missing = found.iter().filter(|one| one.state == KeptState::Missing).count();
    let (all, n_misfits, n_fit) = (found.len(), misfits.len(), found.len() - n_missing - misfits.len());
    let counted = format!("{n_fit} kept and fit, {n_misfits} do not fit, {n_missing} have no kept certificate");
    let mut lines = vec![format!("{}: {counted}", count(all, "task"))];
    let (gone, left): (Vec<&FoundKept>, Vec<&FoundKept>) = misfits.iter().partition(|one| one.is_stray);
    if !left.is_empty() {
        let names: Vec<&str> = left.iter().map(|one| one.task.as_str()).collect();
        lines.push(format!("hint: quintain check {} --keep {}", names.join(" "), folder.display()));
    }
    if !gone.is_empty() {
        let paths = gone.iter().map(|one| folder.join(format!("{}.json", one.task)).display().to_string());
        let paths = paths.collect::<Vec<_>>().join(" ");
        lines.push(format!("hint: delete {paths}, or say with --suites in which folder the suites are"));
    }
    lines.join("\n")
}
