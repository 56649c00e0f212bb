//! Files that a command writes for its user.

use std::path::{Path, PathBuf};

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

/// Our folder among those that a user's programs keep data in; nothing where the user has none.
pub(crate) fn user_data() -> Option<PathBuf> {
    let of_user = std::env::var_os("XDG_DATA_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    let of_home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share"));
    Some(of_user.or_else(of_home)?.join("quintain"))
}
