//! The place beside the trees where one is built. It goes with its owner, or with the next build where we were killed.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use tempfile::TempDir;

/// What such places are called, before something that nobody else has.
const PREFIX: &str = ".building-";
/// The file that is locked as long as somebody builds: the system takes the lock away with our process.
const LOCK: &str = "in-use";

/// A place to build in, on the same file system as the trees.
#[derive(Debug)]
pub(crate) struct BuildPlace {
    folder: TempDir,
    _lock: File,
}

impl BuildPlace {
    /// A new one. Those of builders who died are removed first.
    pub(crate) fn new(store: &Path) -> io::Result<Self> {
        fs::create_dir_all(store)?;
        sweep(store);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(store)?;
        // It gets its name when it is locked: one that is seen without its lock would be swept as left.
        let unlocked = folder.path().join("in-use.new");
        let lock = File::create(&unlocked)?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        fs::rename(&unlocked, folder.path().join(LOCK))?;
        Ok(Self { folder, _lock: lock })
    }

    /// A new folder in it.
    pub(crate) fn inner(&self, name: &str) -> io::Result<PathBuf> {
        let folder = self.folder.path().join(name);
        fs::create_dir(&folder)?;
        Ok(folder)
    }
}

fn sweep(store: &Path) {
    let entries = fs::read_dir(store).into_iter().flatten().flatten();
    let places = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    for place in places.map(|entry| entry.path()).filter(|place| is_left(place)) {
        // One that cannot be removed counts for nothing all the same.
        drop(fs::remove_dir_all(place));
    }
}

fn is_left(place: &Path) -> bool {
    let lock = File::open(place.join(LOCK));
    lock.is_ok_and(|lock| flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok())
}
