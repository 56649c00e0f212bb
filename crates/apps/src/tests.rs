//! The tasks of the apps and their instances, for tests.

mod manual;
mod offering;
mod outside;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use quintain_browser::{App, PreparedApp};
use quintain_core::instance::render;
use quintain_core::task::TaskFiles;
use quintain_core::{Pick, Rng, Task};
use serde_json::Value;

/// The tasks of an app, in the order of their names, by how the names begin.
pub(crate) fn tasks(prefix: &str) -> Vec<Task> {
    let suite = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../suites/gauntlet");
    let folders = fs::read_dir(&suite).expect("the suite is there").map(|entry| entry.expect("it can be read").path());
    let is_own = |folder: &PathBuf| folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix));
    let mut folders: Vec<PathBuf> = folders.filter(is_own).collect();
    folders.sort();
    folders.iter().map(|folder| task(folder)).collect()
}

fn task(folder: &Path) -> Task {
    let names = ["task.toml", "instruction.md", "oracle.toml", "reference/canary.txt"];
    let file = |name: &str| (name.to_owned(), fs::read(folder.join(name)).expect("the task has all its files"));
    let files: TaskFiles = names.into_iter().map(file).collect();
    Task::from_files("gauntlet", &files).unwrap_or_else(|problems| panic!("{}: {problems}", folder.display()))
}

/// An instance of a task, its parameters, and its instruction.
pub(crate) fn prepared(
    app: &dyn App,
    task: &Task,
    seed: Option<u64>,
) -> (PreparedApp, BTreeMap<String, Value>, String) {
    let pick = Pick { seed, ..Pick::default() };
    let parameters = task.parameters(&pick);
    let mut rng = Rng::for_purpose(seed.unwrap_or(0), task.id.as_str());
    let prepared = app.prepare(task, &pick, &parameters, seed.map(|_| &mut rng));
    let prepared = prepared.unwrap_or_else(|why| panic!("{} with seed {seed:?}: {why}", task.id));
    let words: BTreeMap<String, Value> = parameters.clone().into_iter().chain(prepared.words.clone()).collect();
    let instruction = render(task, &words).unwrap_or_else(|why| panic!("{} with seed {seed:?}: {why}", task.id));
    (prepared, parameters, instruction)
}
