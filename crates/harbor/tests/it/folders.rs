//! The folders of the tasks that are tested with.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use quintain_core::FileSet;
use quintain_harbor::{HarborProblems, HarborTask};

pub(crate) fn tasks_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tasks")
}

pub(crate) fn task_names() -> Vec<String> {
    let entries = fs::read_dir(tasks_folder()).expect("the tasks are there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("a readable folder").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

pub(crate) fn read(name: &str) -> Result<HarborTask, HarborProblems> {
    let (mut files, mut executable) = (FileSet::new(), BTreeSet::new());
    walk(&tasks_folder().join(name), "", &mut files, &mut executable);
    HarborTask::from_folder(name, files, executable)
}

pub(crate) fn sound_tasks() -> Vec<HarborTask> {
    task_names().iter().filter_map(|name| read(name).ok()).collect()
}

fn walk(folder: &Path, prefix: &str, files: &mut FileSet, executable: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let entry = entry.expect("a readable folder");
        let path = format!("{prefix}{}", entry.file_name().into_string().expect("UTF-8"));
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{path}/"), files, executable);
            continue;
        }
        if entry.metadata().expect("a file").permissions().mode() & 0o111 != 0 {
            executable.insert(path.clone());
        }
        files.insert(path, fs::read(entry.path()).expect("a readable file").into());
    }
}
