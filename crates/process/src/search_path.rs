//! Programs on the search path.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The folders of the search path.
pub(crate) fn search_path() -> Vec<PathBuf> {
    env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect()
}

/// Where a program of this name is that would be started.
pub fn on_search_path(name: &str) -> Option<PathBuf> {
    search_path().into_iter().map(|folder| folder.join(name)).find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
