//! Tasks in Harbor's format, built, played and judged for real. As another user than root there is nothing to be tried.

mod host_base;
mod killed;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_container::{HarborPlay, tree_name};
use quintain_core::action::Dialect;
use quintain_core::settings::Settings;
use quintain_core::world::OpenContext;
use quintain_core::{Action, Evidence, FileHandle, FileSet, Offering, Pick, Task, VerifierCase};
use quintain_harbor::{HarborTask, fitness, into_suite};
use quintain_root_tree::{TreeOrder, TreeRecipe, TreeStore};
use quintain_store::files_below;
use rustix::process::geteuid;
use serde_json::Value;

use host_base::HostBase;

const WITHIN: Duration = Duration::from_mins(2);

fn folder_of_tasks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../harbor/tests/tasks")
}

/// The tasks that can run here and whose trees can be built without a network.
fn tasks() -> Vec<(PathBuf, HarborTask)> {
    let mut folders: Vec<PathBuf> = fs::read_dir(folder_of_tasks())
        .expect("it can be had")
        .map(|entry| entry.expect("it can be had").path())
        .collect();
    folders.sort();
    let read = |folder: PathBuf| {
        let name = folder.file_name()?.to_str()?.to_owned();
        let files = files_below(&folder).expect("it can be had");
        let can_run =
            |path: &&String| fs::metadata(folder.join(path)).expect("it can be had").permissions().mode() & 0o111 != 0;
        let executable: BTreeSet<String> = files.keys().filter(can_run).cloned().collect();
        let task = HarborTask::from_folder(&name, files, executable).ok()?;
        let recipe = task.text("environment/Dockerfile")?;
        let fetches = ["apt-get", "pip "].iter().any(|word| recipe.contains(word));
        let uses_pytest = task.files.keys().filter_map(|path| task.text(path)).any(|text| text.contains("pytest"));
        let is_fit = !fetches && !uses_pytest && TreeRecipe::read(&recipe).is_ok() && fitness(&task, &[]).runs_here();
        is_fit.then_some((folder, task))
    };
    folders.into_iter().filter_map(read).collect()
}

fn build(store: &TreeStore, folder: &Path, task: &HarborTask) {
    let recipe = TreeRecipe::read(&task.text("environment/Dockerfile").expect("it can be had")).expect("it can be had");
    let (name, context) = (tree_name(task), folder.join("environment"));
    let order = TreeOrder { name: &name, recipe: &recipe, context: Some(&context), within: WITHIN };
    store.build(&order, &HostBase, &mut |_progress| ()).expect("it can be had");
}

/// What its solution does.
fn solution(task: &Task) -> Vec<Action> {
    let surface = quintain_core::Surface::default();
    let read = |line: &str| Dialect::Canonical.read(line, &surface).ok().or_else(|| serde_json::from_str(line).ok());
    task.oracle.as_deref().unwrap_or_default().lines().filter_map(read).collect()
}

/// Plays the actions and has the tests judge what they left.
fn reward(offering: &Offering, task: &Task, actions: &[Action]) -> Value {
    let instance = offering.world.instantiate(task, &Pick::default()).expect("it can be had");
    let settings = Settings::default();
    let mut world = offering.world.open_with(&instance, &OpenContext::of(task, &settings)).expect("it can be had");
    for action in actions.iter().filter(|action| **action != Action::Done) {
        world.apply(action, WITHIN).expect("it can be had");
    }
    let collected = world.collect(WITHIN).expect("it can be had");
    let files: FileSet = collected
        .files
        .into_iter()
        .map(|(path, source)| (path, FileHandle::of(source).expect("it can be had")))
        .collect();
    let digests = files.iter().map(|(path, file)| (path.clone(), file.digest())).collect();
    let evidence = Evidence { files: digests, ..collected.evidence };
    let verifier = offering.verifiers[0].make(&task.spec.derive[0]).expect("it can be had");
    let reference = instance.reference(task);
    let case = VerifierCase { files: &files, within: WITHIN, ..VerifierCase::of(&evidence, &reference) };
    verifier.derive(case).expect("it can be had").remove(0).1
}

#[test]
fn solutions_are_worth_1_and_nothing_is_worth_less() {
    if !geteuid().is_root() {
        return;
    }
    let home = tempfile::tempdir().expect("it can be had");
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).expect("it can be had");
    let store = TreeStore::at(home.path().join("trees"));
    let offering = HarborPlay::over(Some(store.clone()));
    let mut told = Vec::new();
    for (folder, task) in tasks() {
        build(&store, &folder, &task);
        let ours = Task::from_folder("terminal", &into_suite("terminal", &task).expect("it can be had"))
            .expect("it can be had");
        let actions = solution(&ours);
        let (solved, idle) = (reward(&offering, &ours, &actions), reward(&offering, &ours, &[]));
        told.push(format!(
            "{}: {} actions give {}, none give {}",
            task.name,
            actions.len(),
            solved["reward"],
            idle["reward"]
        ));
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn what_tests_run_with_is_not_what_the_agent_left() {
    if !geteuid().is_root() {
        return;
    }
    let home = tempfile::tempdir().expect("it can be had");
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).expect("it can be had");
    let store = TreeStore::at(home.path().join("trees"));
    let offering = HarborPlay::over(Some(store.clone()));
    let (folder, task) = tasks().into_iter().find(|(_, task)| task.rounds.len() == 1).expect("it can be had");
    build(&store, &folder, &task);
    let ours =
        Task::from_folder("terminal", &into_suite("terminal", &task).expect("it can be had")).expect("it can be had");
    let shell = |command: &str| Action::Shell { command: command.to_owned() };
    let cheats = [
        shell(
            "mkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt; echo '{\"reward\": 1}' > /logs/verifier/reward.json",
        ),
        shell("mkdir -p /tests; echo 'echo 1 > /logs/verifier/reward.txt' > /tests/test.sh"),
        shell(
            "printf '#!/bin/sh\\nmkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt\\n' > /usr/bin/python3; cp /usr/bin/python3 /usr/bin/cmp",
        ),
    ];
    let idle = reward(&offering, &ours, &[]);
    assert_eq!(reward(&offering, &ours, &cheats)["reward"], idle["reward"]);
    assert_ne!(idle["reward"], serde_json::json!(1.0));
}
