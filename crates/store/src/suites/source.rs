//! Where suites are read from.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use quintain_core::task::TaskProblem;
use quintain_core::{FileHandle, FileSet};

use super::SuiteError;
use super::ignored::is_ignored;
use crate::disk::DiskFile;

/// What is larger is not held in memory.
const SMALL: u64 = 1 << 20;

/// The files of all suites, as the build found them.
pub(super) static EMBEDDED: BuiltInFiles = include!(concat!(env!("OUT_DIR"), "/suites.rs"));

/// Files of suites that are part of a program, each by its path: `<suite>/<task>/task.toml`.
pub type BuiltInFiles = &'static [(&'static str, &'static [u8])];

/// Where suites are read from.
#[derive(Clone, Debug)]
pub(super) enum SuiteSource {
    Embedded(Vec<BuiltInFiles>),
    Dir(PathBuf),
}

/// The folders of one suite or more: suite, then task.
pub(super) type Folders = BTreeMap<String, Vec<String>>;

/// The files of one task's folder, and what is wrong with them before they are even read as a task.
#[derive(Debug, Default)]
pub(super) struct FolderFiles {
    pub(super) files: FileSet,
    pub(super) problems: Vec<TaskProblem>,
}

impl SuiteSource {
    /// All suites and their tasks.
    pub(super) fn folders(&self) -> Result<Folders, SuiteError> {
        match self {
            Self::Embedded(brought) => Ok(embedded_folders(brought)),
            Self::Dir(root) => {
                let mut folders = Folders::new();
                for suite in subfolders(root)? {
                    let tasks = tasks_in(&root.join(&suite))?;
                    if !tasks.is_empty() {
                        folders.insert(suite, tasks);
                    }
                }
                Ok(folders)
            }
        }
    }

    /// The files of a task.
    pub(super) fn folder(&self, suite: &str, task: &str) -> Result<FolderFiles, SuiteError> {
        match self {
            Self::Embedded(brought) => Ok(embedded_folder(brought, suite, task)),
            Self::Dir(root) => read_folder(&root.join(suite).join(task)),
        }
    }

    /// The path of a task, for messages.
    pub(super) fn path_of(&self, suite: &str, task: &str) -> String {
        match self {
            Self::Embedded(_) => format!("{suite}/{task}"),
            Self::Dir(root) => root.join(suite).join(task).display().to_string(),
        }
    }
}

fn embedded_folders(brought: &[BuiltInFiles]) -> Folders {
    let mut folders = Folders::new();
    for (path, _) in brought.iter().copied().flatten() {
        let mut words = path.splitn(3, '/');
        if let (Some(suite), Some(task), Some("task.toml")) = (words.next(), words.next(), words.next()) {
            folders.entry(suite.to_owned()).or_default().push(task.to_owned());
        }
    }
    // Files stand in the order of their paths, in which `maze-3d-legs/` comes before `maze-3d/`.
    for tasks in folders.values_mut() {
        tasks.sort_unstable();
    }
    folders
}

fn embedded_folder(brought: &[BuiltInFiles], suite: &str, task: &str) -> FolderFiles {
    let prefix = format!("{suite}/{task}/");
    let inside = |(path, bytes): &(&str, &'static [u8])| {
        Some((path.strip_prefix(&prefix)?.to_owned(), FileHandle::embedded(bytes)))
    };
    FolderFiles { files: brought.iter().copied().flatten().filter_map(inside).collect(), problems: Vec::new() }
}

/// The tasks in a suite's folder: the folders that hold a `task.toml`.
pub(super) fn tasks_in(suite: &Path) -> Result<Vec<String>, SuiteError> {
    let mut tasks = subfolders(suite)?;
    tasks.retain(|task| is_task(&suite.join(task)));
    Ok(tasks)
}

/// Whether a folder is a task's.
pub(super) fn is_task(folder: &Path) -> bool {
    folder.join("task.toml").is_file()
}

/// The folders in a folder, in order of name.
fn subfolders(folder: &Path) -> Result<Vec<String>, SuiteError> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(SuiteError::io(folder))? {
        let entry = entry.map_err(SuiteError::io(folder))?;
        if let Some(name) = entry.file_name().to_str()
            && !is_ignored(name)
            && entry.path().is_dir()
        {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Reads all files of a task's folder.
pub(super) fn read_folder(folder: &Path) -> Result<FolderFiles, SuiteError> {
    let mut found = FolderFiles::default();
    walk(folder, "", &mut found)?;
    Ok(found)
}

fn walk(folder: &Path, prefix: &str, found: &mut FolderFiles) -> Result<(), SuiteError> {
    for entry in fs::read_dir(folder).map_err(SuiteError::io(folder))? {
        let entry = entry.map_err(SuiteError::io(folder))?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else {
            let hint = "rename it";
            found.problems.push(problem(prefix, &name.to_string_lossy(), "the name is not UTF-8 text", hint));
            continue;
        };
        if is_ignored(name) {
            continue;
        }
        let path = entry.path();
        let kind = entry.file_type().map_err(SuiteError::io(&path))?;
        if kind.is_dir() {
            walk(&path, &format!("{prefix}{name}/"), found)?;
        } else if kind.is_file() {
            found.files.insert(format!("{prefix}{name}"), read_file(&path)?);
        } else {
            let hint = "a task's folder must hold all it needs: put a copy there";
            found.problems.push(problem(prefix, name, "this is a link or a device, not a file", hint));
        }
    }
    Ok(())
}

/// A file of a task's folder. Small ones are as they were when the folder was read, whatever becomes of it later; of large
/// ones only the hash is known, and they are read where they lie when they are needed.
fn read_file(path: &Path) -> Result<FileHandle, SuiteError> {
    let n_bytes = fs::metadata(path).map_err(SuiteError::io(path))?.len();
    if n_bytes <= SMALL {
        return Ok(fs::read(path).map_err(SuiteError::io(path))?.into());
    }
    DiskFile::at(path).handle().map_err(|error| SuiteError::io(path)(io::Error::other(error.to_string())))
}

fn problem(prefix: &str, name: &str, what: &str, hint: &str) -> TaskProblem {
    TaskProblem { file: format!("{prefix}{name}"), place: None, what: what.to_owned(), hint: Some(hint.to_owned()) }
}
