//! A folder that goes with its owner, or with the next one where we were killed: for a program that is not trusted, or for
//! what is not whole yet.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::lchown;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{env, io};

use rustix::fs::{FlockOperation, flock};
use rustix::process::geteuid;
use tempfile::TempDir;

use crate::tail::locked;

/// The user that owns nothing: who programs that are not trusted run as where we are root.
pub const NOBODY: u32 = 65534;

/// The file that is locked as long as the folder is in use: the system takes the lock away with our process, whatever
/// ended it.
const LOCK: &str = "in-use";

/// A folder that is removed when this is dropped. Among temporary files it is one that whoever is not trusted can write in,
/// whoever that runs as; within a folder of ours it is ours alone.
#[derive(Debug)]
pub struct SweptFolder {
    folder: TempDir,
    _lock: File,
}

impl SweptFolder {
    /// A new one among temporary files, whose name begins so. Those that were left by owners who died are removed first, once
    /// for each beginning.
    pub fn new(prefix: &'static str) -> io::Result<Self> {
        static SWEPT: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
        let temporary = env::temp_dir();
        if locked(&SWEPT).insert(prefix) {
            sweep(&temporary, prefix);
        }
        let new = Self::held_in(&temporary, prefix)?;
        give_away(new.path())?;
        Ok(new)
    }

    /// A new one within a folder of ours, which is made where it is not there. Those that were left there are removed first,
    /// every time.
    pub fn within(folder: &Path, prefix: &str) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        sweep(folder, prefix);
        Self::held_in(folder, prefix)
    }

    fn held_in(above: &Path, prefix: &str) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(above)?;
        // It gets its name when it is locked: one that is seen without its lock would be swept as left.
        let unlocked = folder.path().join("in-use.new");
        let lock = File::create(&unlocked)?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        fs::rename(&unlocked, folder.path().join(LOCK))?;
        Ok(Self { folder, _lock: lock })
    }

    /// A folder in it that whoever is not trusted can write in.
    pub fn inner(&self, path: &str) -> io::Result<PathBuf> {
        let place = self.path().join(path);
        fs::create_dir_all(&place)?;
        give_away(&place)?;
        Ok(place)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Gives a file, a folder or a link to the user that owns nothing, where we are root.
pub fn give_away(place: &Path) -> io::Result<()> {
    if geteuid().is_root() { lchown(place, Some(NOBODY), Some(NOBODY)) } else { Ok(()) }
}

/// Removes the folders that nobody uses any more. One that cannot be removed harms nobody.
fn sweep(above: &Path, prefix: &str) {
    let entries = fs::read_dir(above).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
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

    const PREFIX: &str = "quintain-test-";

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
        sweep(temporary.path(), PREFIX);
        assert_eq!([dead, living, new].map(|folder| folder.exists()), [false, true, true]);
    }

    #[test]
    fn a_folder_of_ours_is_swept_every_time() {
        let above = tempfile::tempdir().unwrap();
        let ours = above.path().join("not-there-yet");
        let first = SweptFolder::within(&ours, PREFIX).unwrap();
        let dead = ours.join(format!("{PREFIX}dead"));
        fs::create_dir(&dead).unwrap();
        drop(File::create(dead.join(LOCK)).unwrap());
        let second = SweptFolder::within(&ours, PREFIX).unwrap();
        assert_eq!([first.path(), second.path(), dead.as_path()].map(Path::is_dir), [true, true, false]);
        drop((first, second));
        assert_eq!(fs::read_dir(&ours).unwrap().count(), 0);
    }
}
