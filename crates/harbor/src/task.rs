//! A Harbor task, read from a folder.

mod rounds;

use std::collections::BTreeSet;

use quintain_core::{FileHandle, FileSet};
use toml::Table;

pub use rounds::HarborRound;

use crate::config::{self, HarborConfig, HarborOs};
use crate::problem::{HarborProblem, HarborProblems};
use crate::table_reader::{ReadingNotes, TableReader};

/// The declaration of a task.
pub(crate) const TASK_FILE: &str = "task.toml";
/// What the agent reads.
pub(crate) const INSTRUCTION_FILE: &str = "instruction.md";
/// How the sandbox is built.
pub(crate) const DOCKERFILE: &str = "environment/Dockerfile";

/// What is read whole may be so long.
const LONGEST_TEXT: u64 = 16 << 20;

/// A Harbor task.
#[derive(Clone, Debug, PartialEq)]
pub struct HarborTask {
    /// The name of its folder.
    pub name: String,
    /// What `task.toml` says.
    pub config: HarborConfig,
    /// The same as it was written.
    pub declaration: Table,
    /// The fields of `task.toml` that the format does not know: they mean nothing and are kept.
    pub unknown: Vec<String>,
    /// What is played and judged, one after another: the steps, or the whole task as one.
    pub rounds: Vec<HarborRound>,
    /// All files of the folder, by their paths from it.
    pub files: FileSet,
    /// The paths of those that can be run.
    pub executable: BTreeSet<String>,
}

impl HarborTask {
    /// Reads a task from the files of its folder. Everything that is wrong is told, not only the first.
    pub fn from_folder(name: &str, files: FileSet, executable: BTreeSet<String>) -> Result<Self, HarborProblems> {
        Self::read(name, files, executable, rounds::missing_scripts)
    }

    /// The same for who plays a task and is not given its tests.
    pub fn without_tests(name: &str, files: FileSet, executable: BTreeSet<String>) -> Result<Self, HarborProblems> {
        Self::read(name, files, executable, |_config, _rounds, _files| Vec::new())
    }

    fn read(
        name: &str,
        files: FileSet,
        executable: BTreeSet<String>,
        missing: fn(&HarborConfig, &[HarborRound], &FileSet) -> Vec<HarborProblem>,
    ) -> Result<Self, HarborProblems> {
        let declaration = declaration(&files).map_err(|problem| HarborProblems(vec![problem]))?;
        let mut notes = ReadingNotes::default();
        let config = TableReader::read(TASK_FILE, declaration.clone(), &mut notes, config::read);
        let ReadingNotes { mut problems, unknown } = notes;
        let rounds = rounds::rounds(&config, &files, &mut problems);
        problems.extend(missing(&config, &rounds, &files));
        if !problems.is_empty() {
            return Err(HarborProblems(problems));
        }
        Ok(Self { name: name.to_owned(), config, declaration, unknown, rounds, files, executable })
    }

    /// The operating system that it is played on.
    pub fn os(&self) -> HarborOs {
        self.config.environment.os.unwrap_or_default()
    }

    /// Whether it is played in several steps.
    pub fn has_steps(&self) -> bool {
        !self.config.steps.is_empty()
    }

    /// The file that says how its sandbox is built.
    pub fn dockerfile(&self) -> Option<&FileHandle> {
        self.files.get(DOCKERFILE)
    }

    /// A file as text; nothing where there is none, or none that is text.
    pub fn text(&self, path: &str) -> Option<String> {
        text_of(&self.files, path).ok()
    }

    /// The files in a folder, by their paths from it.
    pub fn files_in<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a str, &'a FileHandle)> {
        let below = move |path: &'a str| path.strip_prefix(folder)?.strip_prefix('/');
        self.files.iter().filter_map(move |(path, file)| Some((below(path)?, file)))
    }
}

fn declaration(files: &FileSet) -> Result<Table, HarborProblem> {
    let text = text_of(files, TASK_FILE)?;
    text.parse::<Table>().map_err(|error| {
        let line = error.span().map(|span| text[..span.start].matches('\n').count() + 1);
        let line = line.map_or_else(String::new, |line| format!("line {line}: "));
        HarborProblem::of_file(TASK_FILE, format!("{line}{}", error.message().replace('\n', ", ")))
    })
}

/// A file as text, its lines ending as Python reads them.
pub(crate) fn text_of(files: &FileSet, path: &str) -> Result<String, HarborProblem> {
    let wrong = |what: String| HarborProblem::of_file(path, what);
    let file = files.get(path).ok_or_else(|| wrong("the file is missing".to_owned()))?;
    let bytes = file.whole(LONGEST_TEXT).map_err(|error| wrong(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| wrong(format!("it is no UTF-8 text: {error}")))?;
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}
