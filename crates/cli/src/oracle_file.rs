//! A solution that was played, kept in its task's folder.

use std::path::PathBuf;

use anyhow::{Context, bail};
use quintain_agents::RecordedLines;
use quintain_core::Verdict;
use quintain_core::lock::LockAlways as _;
use quintain_core::words::count;
use quintain_workshop::Workshop;

use crate::args::PlayArgs;
use crate::disk;
use crate::printer::Printer;

const HEAD: &str =
    "# Played and taken down by `quintain play --record-oracle`. `@{name}` is where that thing is in each turn.\n";

/// The file that a solution is to be kept in, and its lines so far.
pub(crate) struct OracleFile {
    path: PathBuf,
    task: String,
    pub(crate) lines: RecordedLines,
}

impl OracleFile {
    /// The file of the task that is played. Only a folder of the user's can keep one, and none is overwritten.
    pub(crate) fn of(args: &PlayArgs, workshop: &Workshop) -> anyhow::Result<Self> {
        let task = args.task.split(['@', '#', '+']).next().unwrap_or_default().to_owned();
        let folder = workshop.suites()?.folder_of(&args.task).map(|folder| {
            // Where all suites lie in a folder that was named, the task is found by its name.
            if folder.join("task.toml").is_file() { folder } else { folder.join(&task) }
        });
        let folder = folder.filter(|folder| folder.is_dir()).with_context(|| {
            format!("`{task}` is part of the program and cannot be changed\nhint: `quintain new` makes a copy of it")
        })?;
        let path = folder.join("oracle.txt");
        if path.exists() {
            bail!("{} is already there\nhint: move it away first", path.display());
        }
        Ok(Self { path, task, lines: RecordedLines::default() })
    }

    /// Writes what was done, if it solved the task.
    pub(crate) fn keep(&self, verdict: &Verdict, printer: Printer) -> anyhow::Result<()> {
        let path = self.path.display();
        if !verdict.solved {
            printer.say(format!("no solution, so {path} is not written"));
            return Ok(());
        }
        let lines = self.lines.lock().always();
        disk::write(&self.path, format!("{HEAD}{}\n", lines.join("\n")).as_bytes())?;
        printer.say(format!(
            "wrote {path}, {}; now prove it with\n  quintain check {} --quick --seeds 3",
            count(lines.len(), "action"),
            self.task
        ));
        Ok(())
    }
}
