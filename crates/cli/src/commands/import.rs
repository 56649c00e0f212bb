//! `quintain import`

mod folder;
mod trees;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};
use quintain_core::FileSet;
use quintain_core::words::count;
use quintain_harbor::{Fitness, HarborProblems, HarborTask, fitness, into_suite, plain_name};
use serde::Serialize;

use crate::args::{ImportArgs, ImportWhat};
use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::{first_lines, table};

/// So many tasks are listed unless all are asked for.
const MOST_ROWS: usize = 40;
/// So many remarks are told.
const MOST_REMARKS: usize = 8;
/// The longest reason in the table, in characters.
const LONGEST_WHY: usize = 100;

pub(crate) fn import(args: &ImportArgs, printer: Printer) -> anyhow::Result<Exit> {
    let ImportWhat::Harbor { folder, into, build, all } = &args.what;
    let mut tasks: Vec<ImportedTask> = folder::tasks_in(folder)?.into_iter().map(ImportedTask::of).collect();
    refuse_clashes(&mut tasks);
    if *build {
        trees::build(&mut tasks, folder, printer)?;
    }
    if let Some(into) = into {
        write_suite(&mut tasks, into)?;
    }
    let report = ImportReport::of(tasks);
    let most = if *all { usize::MAX } else { MOST_ROWS };
    printer.data(&report, || report.text(most))?;
    if let Some(into) = into {
        printer.say(format!("\n{} written to {}", count(report.n_run, "task"), into.display()));
    }
    Ok(Exit::Success)
}

/// What came of a task.
#[derive(Serialize)]
struct ImportedTask {
    /// The folder that it was read from.
    folder: String,
    /// Its name here.
    name: String,
    runs_here: bool,
    fitness: Fitness,
    /// What is wrong with it where it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    problems: Option<HarborProblems>,
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

    fn row(&self) -> Vec<String> {
        let Fitness { reasons, remarks } = &self.fitness;
        let (standing, why) = match &self.problems {
            Some(problems) => ("damaged", first_of(&problems.0)),
            None if self.runs_here && remarks.is_empty() => ("runs here", String::new()),
            None if self.runs_here => ("runs here", count(remarks.len(), "remark")),
            None => ("not, because", first_of(reasons)),
        };
        vec![self.folder.clone(), standing.to_owned(), why]
    }
}

/// The first of several things, and how many more there are.
fn first_of<T: ToString>(things: &[T]) -> String {
    let first = things.first().map(ToString::to_string).unwrap_or_default();
    let cut = match first.char_indices().nth(LONGEST_WHY) {
        Some((at, _)) => format!("{} …", &first[..at]),
        None => first,
    };
    let more = things.len().saturating_sub(1);
    if more > 0 { format!("{cut} (and {more} more)") } else { cut }
}

#[derive(Serialize)]
struct ImportReport {
    n_run: usize,
    n_not: usize,
    n_damaged: usize,
    tasks: Vec<ImportedTask>,
}

impl ImportReport {
    fn of(tasks: Vec<ImportedTask>) -> Self {
        let n_run = tasks.iter().filter(|task| task.runs_here).count();
        let n_damaged = tasks.iter().filter(|task| task.problems.is_some()).count();
        Self { n_run, n_not: tasks.len() - n_run - n_damaged, n_damaged, tasks }
    }

    fn text(&self, most: usize) -> String {
        let rows: Vec<Vec<String>> = self.tasks.iter().take(most).map(ImportedTask::row).collect();
        let more = self.tasks.len() - rows.len();
        let rest = if more > 0 { format!("\nand {more} more: --all lists them") } else { String::new() };
        let counts = format!(
            "{}: {} can run here, {} cannot, {} damaged",
            count(self.tasks.len(), "task"),
            self.n_run,
            self.n_not,
            self.n_damaged
        );
        format!("{}{rest}\n\n{counts}{}", table(&rows), self.remarks())
    }

    /// The remarks on tasks that run, each once, the most frequent first.
    fn remarks(&self) -> String {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for remark in self.tasks.iter().filter(|task| task.runs_here).flat_map(|task| &task.fitness.remarks) {
            *counts.entry(remark).or_default() += 1;
        }
        let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
        counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let lines: Vec<String> = counts.iter().map(|(remark, n)| format!("  {n} × {remark}")).collect();
        if lines.is_empty() { String::new() } else { format!("\n{}", first_lines(&lines, MOST_REMARKS)) }
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

/// Writes the folders of all tasks that can run. Nothing is written where one of them is there already.
fn write_suite(tasks: &mut [ImportedTask], into: &Path) -> anyhow::Result<()> {
    let suite = into.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let mut folders: Vec<(String, FileSet)> = Vec::new();
    for task in tasks.iter().filter(|task| task.runs_here) {
        let Some(read) = &task.task else { continue };
        let files = into_suite(suite, read).with_context(|| format!("`{}` cannot be imported", task.folder))?;
        let folder = into.join(&task.name);
        if folder.exists() {
            bail!("{} is already there\nhint: give --into another folder, or take that one away", folder.display());
        }
        folders.push((task.name.clone(), files));
    }
    for (name, files) in folders {
        folder::write(&into.join(name), &files)?;
    }
    Ok(())
}
