//! A folder that a sandbox can write in and that goes with its owner.

use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::{fs, io};

use rustix::process::geteuid;
use tempfile::TempDir;

use super::bubblewrap::NOBODY;

/// A folder that a sandbox can write in, whoever it runs as. Dropping it removes it.
#[derive(Debug)]
pub struct SandboxFolder(TempDir);

impl SandboxFolder {
    /// An empty one.
    pub fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("quintain-work-").tempdir()?;
        if geteuid().is_root() {
            chown(folder.path(), Some(NOBODY), Some(NOBODY))?;
        }
        Ok(Self(folder))
    }

    /// A folder in it that the sandbox can write in too.
    pub fn inner(&self, path: &str) -> io::Result<PathBuf> {
        let place = self.path().join(path);
        fs::create_dir_all(&place)?;
        if geteuid().is_root() {
            chown(&place, Some(NOBODY), Some(NOBODY))?;
        }
        Ok(place)
    }

    /// Where it is on the host.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}
