//! Folders of tasks on the disk.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, bail};
use quintain_core::FileSet;
use quintain_harbor::{HarborProblem, HarborProblems, HarborTask};
use quintain_store::DiskFile;

use crate::wrong_word::WrongWord;

/// A folder's name, and the task in it.
pub(super) type FoundTask = (String, Result<HarborTask, HarborProblems>);

const DECLARATION: &str = "task.toml";

/// The task in a folder, or the tasks in the folders in it, by name.
pub(super) fn tasks_in(folder: &Path) -> anyhow::Result<Vec<FoundTask>> {
    if folder.join(DECLARATION).is_file() {
        let whole = folder.canonicalize().with_context(|| cannot_read(folder))?;
        return Ok(vec![task_at(&whole)]);
    }
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| cannot_read(folder))? {
        let path = entry.with_context(|| cannot_read(folder))?.path();
        if path.join(DECLARATION).is_file() {
            folders.push(path);
        }
    }
    if folders.is_empty() {
        bail!(WrongWord(format!(
            "there is no task in {}\nhint: give a folder whose folders hold a `{DECLARATION}` each",
            folder.display()
        )));
    }
    folders.sort();
    Ok(folders.iter().map(|folder| task_at(folder)).collect())
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", path.display())
}

fn task_at(folder: &Path) -> FoundTask {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut found = FilesFound::default();
    found.walk(folder, "");
    let read = if found.problems.is_empty() {
        HarborTask::from_folder(&name, found.files, found.executable)
    } else {
        Err(HarborProblems(found.problems))
    };
    (name, read)
}

#[derive(Default)]
struct FilesFound {
    files: FileSet,
    executable: BTreeSet<String>,
    problems: Vec<HarborProblem>,
}

impl FilesFound {
    /// Takes all files below a folder. What cannot be taken is a problem of this task alone.
    fn walk(&mut self, folder: &Path, prefix: &str) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.wrong(prefix.trim_end_matches('/'), error.to_string()),
        };
        for entry in entries {
            let taken = entry.map_err(|error| error.to_string()).and_then(|entry| self.take(&entry, prefix));
            if let Err(why) = taken {
                self.wrong(prefix.trim_end_matches('/'), why);
            }
        }
    }

    fn take(&mut self, entry: &fs::DirEntry, prefix: &str) -> Result<(), String> {
        let name = entry.file_name().into_string().map_err(|name| format!("{} is no UTF-8 text", name.display()))?;
        let path = format!("{prefix}{name}");
        let about = entry.metadata().map_err(|error| format!("{name}: {error}"))?;
        if about.is_dir() {
            self.walk(&entry.path(), &format!("{path}/"));
        } else if about.is_file() {
            let file = DiskFile::at(entry.path()).handle().map_err(|error| error.to_string())?;
            if about.permissions().mode() & 0o111 != 0 {
                self.executable.insert(path.clone());
            }
            self.files.insert(path, file);
        } else {
            self.wrong(&path, "this is a link or a device, not a file".to_owned());
        }
        Ok(())
    }

    fn wrong(&mut self, file: &str, what: String) {
        self.problems.push(HarborProblem { file: file.to_owned(), field: None, what });
    }
}
