//! The trees of imported tasks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use quintain_container::{host_trees, tree_name};
use quintain_harbor::HarborTask;
use quintain_root_tree::{BuildProgress, Mmdebstrap, TreeOrder, TreeRecipe, TreeStore};

use super::ImportedTask;

/// The shortest time that a tree is given: the first one of a host has to wait for the base.
const LEAST: Duration = Duration::from_mins(15);

/// What stands in the way of building a task's tree, as far as its Dockerfile tells.
pub(super) fn problems_of(task: &HarborTask) -> Vec<String> {
    match recipe_of(task) {
        Some(Err(problems)) => problems.lines().map(str::to_owned).collect(),
        Some(Ok(_)) | None => Vec::new(),
    }
}

fn recipe_of(task: &HarborTask) -> Option<Result<TreeRecipe, String>> {
    let text = task.text("environment/Dockerfile")?;
    Some(TreeRecipe::read(&text).map_err(|problems| problems.to_string()))
}

/// Builds the trees of all tasks that can run, each once. A task whose tree cannot be built cannot run.
pub(super) fn build(tasks: &mut [ImportedTask], folder: &Path, say: &dyn Fn(&str)) -> anyhow::Result<()> {
    let store = host_trees().context("there is no HOME to keep trees in\nhint: set QUINTAIN_TREES")?;
    let mut built: BTreeMap<String, Result<(), String>> = BTreeMap::new();
    for imported in tasks.iter_mut().filter(|task| task.runs_here) {
        let Some(task) = &imported.task else { continue };
        let name = tree_name(task);
        let outcome = built.entry(name.clone()).or_insert_with(|| {
            say(&format!("building {name} for {}", imported.folder));
            build_one(&store, task, (&name, &environment(folder, &imported.folder)))
        });
        if let Err(why) = outcome {
            imported.runs_here = false;
            imported.fitness.reasons.push(format!("its tree cannot be built: {why}"));
        }
    }
    Ok(())
}

fn build_one(store: &TreeStore, task: &HarborTask, (name, context): (&str, &Path)) -> Result<(), String> {
    let recipe = recipe_of(task).ok_or("there is no Dockerfile")??;
    let within = Duration::try_from_secs_f64(task.config.environment.build_timeout_sec).unwrap_or(LEAST).max(LEAST);
    let order = TreeOrder { name, recipe: &recipe, context: Some(context), within };
    let built = store.build(&order, &Mmdebstrap, &mut |_progress: BuildProgress<'_>| ());
    built.map(drop).map_err(|fault| fault.to_string())
}

/// Where the files lie that a task's tree is built from.
fn environment(folder: &Path, task: &str) -> PathBuf {
    let is_one = folder.join("task.toml").is_file();
    if is_one { folder.join("environment") } else { folder.join(task).join("environment") }
}
