//! Files that a command writes for its user.

use std::path::Path;

use anyhow::{Context, bail};

/// Refuses a path whose folder is not there.
pub(crate) fn check_folder_of(path: &Path) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(missing) => bail!("there is no folder {} for {}", missing.display(), path.display()),
        None => Ok(()),
    }
}

/// Writes a file, making its folder first.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
