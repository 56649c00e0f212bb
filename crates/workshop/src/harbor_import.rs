//! Tasks in Harbor's format: read from folders, told whether they run here, made into a suite.

mod folder;
mod trees;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use quintain_core::FileSet;
use quintain_harbor::{Fitness, HarborProblems, HarborTask, fitness, into_suite, plain_name};
use serde::Serialize;

use crate::written_files::write_files;

/// Tasks in Harbor's format that were read, and what came of each so far.
#[derive(Debug)]
pub struct HarborImport {
    /// Where they lie.
    folder: PathBuf,
    tasks: Vec<ImportedTask>,
}

impl HarborImport {
    /// Reads the task in a folder, or the tasks in the folders in it, and finds out which of them can run here. Nothing is
    /// built or written yet.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut tasks: Vec<ImportedTask> = folder::tasks_in(folder)?.into_iter().map(ImportedTask::of).collect();
        refuse_clashes(&mut tasks);
        Ok(Self { folder: folder.to_owned(), tasks })
    }

    /// Builds the trees of all tasks that can run, each once, and says which. A task whose tree cannot be built cannot run.
    /// Takes minutes, a network and root.
    pub fn build_trees(&mut self, say: &dyn Fn(&str)) -> anyhow::Result<()> {
        trees::build(&mut self.tasks, &self.folder, say)
    }

    /// Writes the folders of all tasks that can run into the folder of a suite, whose last part names it. Nothing is written
    /// where one of them is there already.
    pub fn write_suite(&self, into: &Path) -> anyhow::Result<()> {
        let suite = into.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let mut folders: Vec<(PathBuf, FileSet)> = Vec::new();
        for task in self.tasks.iter().filter(|task| task.runs_here) {
            let Some(read) = &task.task else { continue };
            let files = into_suite(suite, read).with_context(|| format!("`{}` cannot be imported", task.folder))?;
            let folder = into.join(&task.name);
            if folder.exists() {
                bail!("{} is already there\nhint: give --into another folder, or take that one away", folder.display());
            }
            folders.push((folder, files));
        }
        for (folder, files) in folders {
            write_files(&folder, &files)?;
        }
        Ok(())
    }

    /// What came of all of them.
    pub fn report(self) -> ImportReport {
        let tasks = self.tasks;
        let n_run = tasks.iter().filter(|task| task.runs_here).count();
        let n_damaged = tasks.iter().filter(|task| task.problems.is_some()).count();
        ImportReport { n_run, n_not: tasks.len() - n_run - n_damaged, n_damaged, tasks }
    }
}

/// What came of tasks that were imported.
#[derive(Debug, Serialize)]
pub struct ImportReport {
    /// How many can run here.
    pub n_run: usize,
    /// How many cannot.
    pub n_not: usize,
    /// How many cannot be read.
    pub n_damaged: usize,
    /// Each of them, by the names of their folders.
    pub tasks: Vec<ImportedTask>,
}

/// What came of a task.
#[derive(Debug, Serialize)]
pub struct ImportedTask {
    /// The folder that it was read from.
    pub folder: String,
    /// Its name here.
    pub name: String,
    /// Whether it can be played here.
    pub runs_here: bool,
    /// Why it cannot, and what is otherwise than it asks for.
    pub fitness: Fitness,
    /// What is wrong with it where it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problems: Option<HarborProblems>,
    #[serde(skip)]
    task: Option<HarborTask>,
}

impl ImportedTask {
    fn of((folder, read): (String, Result<HarborTask, HarborProblems>)) -> Self {
        let name = plain_name(&folder);
        match read {
            Err(problems) => {
                let fitness = Fitness::default();
                Self { folder, name, runs_here: false, fitness, problems: Some(problems), task: None }
            }
            Ok(task) => {
                let fitness = fitness(&task, &trees::problems_of(&task));
                Self { folder, name, runs_here: fitness.runs_here(), fitness, problems: None, task: Some(task) }
            }
        }
    }
}

/// Two tasks of one name would be one: only the first is taken.
fn refuse_clashes(tasks: &mut [ImportedTask]) {
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    for task in tasks.iter_mut().filter(|task| task.runs_here) {
        if let Some(other) = first.get(&task.name) {
            task.runs_here = false;
            task.fitness.reasons.push(format!("its name here is `{}`, and so is that of `{other}`", task.name));
        } else {
            first.insert(task.name.clone(), task.folder.clone());
        }
    }
}
