//! The folder of one browser: its profile, its log. It goes with the browser, or with the next one where we were killed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::{env, io};

use rustix::fs::{FlockOperation, flock};
use rustix::process::geteuid;

use crate::chromium::NOBODY;

const PREFIX: &str = "quintain-chromium-";

/// The file that is locked as long as the folder is in use: the system takes the lock away with our process, whatever
/// ended it.
const LOCK: &str = "in-use";

/// The folder of one browser. It is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct BrowserProfile {
    folder: tempfile::TempDir,
    _lock: File,
}

impl BrowserProfile {
    /// A new one that the browser's user can write. Those of browsers that died with their owners are removed first, once.
    pub(crate) fn new() -> io::Result<Self> {
        static SWEPT: Once = Once::new();
        SWEPT.call_once(|| sweep(&env::temp_dir()));
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        let lock = File::create(folder.path().join(LOCK))?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        if geteuid().is_root() {
            std::os::unix::fs::chown(folder.path(), Some(NOBODY), Some(NOBODY))?;
        }
        Ok(Self { folder, _lock: lock })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the folders that nobody uses any more. One that cannot be removed harms nobody.
fn sweep(temporary: &Path) {
    let entries = fs::read_dir(temporary).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    for folder in ours.map(|entry| entry.path()).filter(|folder| is_left(folder)) {
        drop(fs::remove_dir_all(folder));
    }
}

/// Whether a folder's owner is gone. One without a lock may be about to get it.
fn is_left(folder: &Path) -> bool {
    let lock: PathBuf = folder.join(LOCK);
    File::open(lock).is_ok_and(|lock| flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_dead_owners_left_is_swept_and_nothing_else() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            let folder = temporary.path().join(format!("{PREFIX}{name}"));
            fs::create_dir(&folder).unwrap();
            folder
        };
        let (dead, living, new) = (folder("dead"), folder("living"), folder("new"));
        drop(File::create(dead.join(LOCK)).unwrap());
        let held = File::create(living.join(LOCK)).unwrap();
        flock(&held, FlockOperation::NonBlockingLockExclusive).unwrap();
        sweep(temporary.path());
        assert_eq!([dead, living, new].map(|folder| folder.exists()), [false, true, true]);
    }
}
