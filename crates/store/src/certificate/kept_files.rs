//! The small certificates that are kept beside suites, a file a task: `<suite>/<task>.json`. Whole ones may lie beside them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use quintain_core::TaskId;

use crate::error::StoreError;
use crate::file::{read_if_there, write_whole};
use crate::suites::BuiltInFiles;

/// The files that the build found.
static EMBEDDED: BuiltInFiles = include!(concat!(env!("OUT_DIR"), "/certificates.rs"));

/// Where kept certificates are read from: a folder, or what is part of the program.
#[derive(Clone, Debug)]
pub enum KeptFiles {
    /// Parts of the program, each by its path.
    BuiltIn(Vec<BuiltInFiles>),
    /// A folder; none is made before something is kept.
    Folder(PathBuf),
}

impl KeptFiles {
    /// What is in the binary, and what a program brings beside it.
    pub fn built_in_with(more: &[BuiltInFiles]) -> Self {
        Self::BuiltIn([&[EMBEDDED], more].concat())
    }

    /// The file of a task.
    pub fn read(&self, id: &TaskId) -> Result<Option<Vec<u8>>, StoreError> {
        match self {
            Self::Folder(root) => read_if_there(&path_of(root, id)),
            Self::BuiltIn(parts) => {
                let name = format!("{id}.json");
                let mut files = parts.iter().copied().flatten();
                Ok(files.find(|(path, _)| *path == name).map(|(_, bytes)| bytes.to_vec()))
            }
        }
    }

    /// The names of all tasks that have a file, as `suite/task`.
    pub fn task_names(&self) -> Result<Vec<String>, StoreError> {
        let paths = match self {
            Self::BuiltIn(parts) => parts.iter().copied().flatten().map(|(path, _)| (*path).to_owned()).collect(),
            Self::Folder(root) => paths_in(root).map_err(StoreError::io("read", root))?,
        };
        // Names of tasks have no dots, those of whole certificates do.
        let is_name = |name: &&str| name.contains('/') && !name.contains('.');
        let name = |path: &String| path.strip_suffix(".json").filter(is_name).map(str::to_owned);
        Ok(paths.iter().filter_map(name).collect())
    }

    /// Writes the file of a task into a folder of such files.
    pub fn write(root: &Path, id: &TaskId, text: &str) -> Result<(), StoreError> {
        write_whole(&path_of(root, id), text.as_bytes())
    }
}

fn path_of(root: &Path, id: &TaskId) -> PathBuf {
    root.join(id.suite()).join(format!("{}.json", id.name()))
}

/// The files two levels below a folder, in order; none where there is no such folder.
fn paths_in(root: &Path) -> io::Result<Vec<String>> {
    let mut paths = Vec::new();
    for suite in names_in(root)? {
        let files = names_in(&root.join(&suite))?;
        paths.extend(files.into_iter().map(|file| format!("{suite}/{file}")));
    }
    Ok(paths)
}

/// The names in a folder, in order; none where it is no folder.
fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    Ok(names.collect::<io::Result<BTreeSet<String>>>()?.into_iter().collect())
}
