//! A Harbor task with the tree that it is played in.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use quintain_core::{Digest, FileSet};
use quintain_harbor::{HarborTask, harbor_files, resolve_variables};
use quintain_process::SweptFolder;
use quintain_process::sandbox::{LayeredTree, Sandbox, SandboxCommand, SandboxFault, SandboxPlan, SystemTree};
use quintain_root_tree::{ChangesLimits, RootTree, TreeStore};

/// What may be changed of a system, where the task does not say how much it may store.
const MOST_BYTES: u64 = 4 << 30;
const MOST_FILES: u64 = 200_000;
/// How long small things may take that are done on behalf of the harness.
const CHORE: Duration = Duration::from_mins(1);
/// The folders that Harbor's scripts expect.
pub(crate) const LOGS: [&str; 3] = ["/logs/agent", "/logs/verifier", "/logs/artifacts"];

/// A task, and the tree that was built for it.
pub(crate) struct PlayedTask {
    pub(crate) task: HarborTask,
    tree: RootTree,
}

/// The name of the tree of a task: of what it is built from, and so the same for all tasks that are built alike.
pub fn tree_name(task: &HarborTask) -> String {
    let digests: Vec<(String, String)> =
        task.files_in("environment").map(|(path, file)| (path.to_owned(), file.digest().to_string())).collect();
    let parts = digests.iter().map(|(path, digest)| (path.as_str(), digest.as_bytes()));
    let digest = Digest::of_parts(parts).to_string();
    format!("harbor-{}", digest.chars().take(12).collect::<String>())
}

impl PlayedTask {
    /// The task in the files of one of ours, and its tree, or why it cannot be played here. The tests are there only where
    /// the files are those of the reference.
    pub(crate) fn find(files: &FileSet, has_tests: bool, trees: Option<&TreeStore>) -> Result<Self, String> {
        let read = if has_tests { HarborTask::from_folder } else { HarborTask::without_tests };
        let task = read("task", harbor_files(files), [].into()).map_err(|problems| problems.to_string())?;
        let name = tree_name(&task);
        let missing = || {
            format!("its tree `{name}` is not built here; `quintain import harbor DIR --into SUITE --build` builds it")
        };
        let tree = trees.and_then(|store| store.find(&name)).ok_or_else(missing)?;
        Ok(Self { task, tree })
    }

    /// The folder that commands begin in.
    pub(crate) fn folder(&self) -> &str {
        self.task.config.environment.workdir.as_deref().unwrap_or(&self.tree.record.folder)
    }

    /// Its system, with the changes in a folder.
    pub(crate) fn layered(&self, folder: &SweptFolder) -> Result<LayeredTree, String> {
        let changes = folder.inner("changes").map_err(|error| error.to_string())?;
        let ChangesLimits { max_bytes, max_files } = self.limits();
        Ok(LayeredTree { trees: self.tree.layers.clone(), changes, max_bytes, max_files })
    }

    /// How much may be changed.
    pub(crate) fn limits(&self) -> ChangesLimits {
        let told = self.task.config.environment.storage_mb.and_then(|mb| u64::try_from(mb).ok());
        ChangesLimits { max_bytes: told.map_or(MOST_BYTES, |mb| mb << 20), max_files: MOST_FILES }
    }

    /// A sandbox on its system, with the variables of the image, of the task and these.
    pub(crate) fn plan(&self, layered: LayeredTree, variables: BTreeMap<String, String>) -> SandboxPlan {
        let environment = &self.task.config.environment;
        let mut plan = SandboxPlan {
            system: SystemTree::Layered(layered),
            folder: PathBuf::from(self.folder()),
            ..SandboxPlan::default()
        };
        plan.variables.insert("HOME".to_owned(), "/root".to_owned());
        plan.variables.extend(self.tree.record.variables.clone());
        plan.variables.extend(resolve_variables(&environment.env).unwrap_or_default());
        plan.variables.extend(variables);
        let positive = |told: Option<i64>| told.and_then(|n| u64::try_from(n).ok()).filter(|n| *n > 0);
        if let Some(mb) = positive(environment.memory_mb) {
            plan.limits.memory_bytes = mb << 20;
        }
        if let Some(cpus) = positive(environment.cpus) {
            plan.limits.cpu_millis = cpus * 1000;
        }
        plan
    }
}

/// Runs a line of the shell on behalf of the harness.
pub(crate) fn chore(sandbox: &mut dyn Sandbox, line: &str) -> Result<bool, SandboxFault> {
    let command = SandboxCommand { within: CHORE, ..SandboxCommand::of(["sh", "-c", line]) };
    Ok(sandbox.exec(&command)?.end == quintain_process::sandbox::CommandEnd::Exited(0))
}

/// Writes the files of a folder of the task into the sandbox; scripts can be run there.
pub(crate) fn put_folder(
    sandbox: &mut dyn Sandbox,
    (task, from): (&HarborTask, &str),
    to: &str,
) -> Result<(), SandboxFault> {
    for (path, file) in task.files_in(from) {
        let bytes = file.whole(LARGEST).map_err(|error| SandboxFault::Broken(format!("{from}/{path}: {error}")))?;
        let place = format!("{to}/{path}");
        sandbox.put(&place, &bytes)?;
        if bytes.starts_with(b"#!") {
            sandbox.exec(&SandboxCommand::of(["chmod", "755", &place]))?;
        }
    }
    Ok(())
}

/// The largest file of a task that is put into a sandbox.
const LARGEST: u64 = 64 << 20;
