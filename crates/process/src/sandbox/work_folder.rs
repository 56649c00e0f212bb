//! What is in a folder that somebody may write in who is not trusted. Nothing is followed that leads out of it.

use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, statvfs};

use super::plan::{SandboxPlan, SystemTree};
use crate::folder_walk::{FolderVisitor, WalkStep, WalkedEntry, walk_folder};

/// How deep folders may be nested.
const MAX_DEPTH: usize = 64;

/// A folder that may hold so much and no more.
#[derive(Clone, Debug)]
pub(super) struct BoundedFolder {
    pub(super) host: PathBuf,
    /// What it is to whoever is inside.
    pub(super) called: String,
    pub(super) max_bytes: u64,
    pub(super) max_files: u64,
}

/// All folders that can be written in and stay.
pub(super) fn bounded(plan: &SandboxPlan) -> Vec<BoundedFolder> {
    let changes = match &plan.system {
        SystemTree::Layered(layered) => Some(BoundedFolder {
            host: layered.upper(),
            called: "what was changed of the system".to_owned(),
            max_bytes: layered.max_bytes,
            max_files: layered.max_files,
        }),
        SystemTree::Host | SystemTree::Tree(_) => None,
    };
    let work = plan.work.as_ref().map(|work| BoundedFolder {
        host: work.host.clone(),
        called: work.inside.display().to_string(),
        max_bytes: work.max_bytes,
        max_files: work.max_files,
    });
    work.into_iter().chain(changes).collect()
}

/// How much is in a folder, or how much room is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FolderUse {
    pub(super) bytes: u64,
    pub(super) files: u64,
}

/// Counts what is in a folder, up to what is allowed. Says what is exceeded, if something is.
pub(super) fn exceeded(work: &BoundedFolder) -> io::Result<Option<String>> {
    let mut count = FolderCount { work, used: FolderUse::default(), is_deep: false };
    walk_folder(&work.host, &mut count)?;
    let FolderCount { used, is_deep, .. } = count;
    let what = if is_deep {
        Some(format!("folders in {} are nested deeper than {MAX_DEPTH}", work.called))
    } else if used.bytes > work.max_bytes {
        Some(format!("{} holds more than {} MB", work.called, work.max_bytes >> 20))
    } else if used.files > work.max_files {
        Some(format!("{} holds more than {} files", work.called, work.max_files))
    } else {
        None
    };
    Ok(what)
}

/// Counts, until it is too much.
struct FolderCount<'a> {
    work: &'a BoundedFolder,
    used: FolderUse,
    is_deep: bool,
}

impl FolderVisitor for FolderCount<'_> {
    fn found(&mut self, entry: &WalkedEntry<'_>) -> io::Result<WalkStep> {
        self.used.files += 1;
        self.used.bytes += entry.stat.st_blocks.cast_unsigned() * 512;
        self.is_deep = entry.depth >= MAX_DEPTH && entry.kind == FileType::Directory;
        let is_much = self.used.bytes > self.work.max_bytes || self.used.files > self.work.max_files;
        Ok(if self.is_deep || is_much { WalkStep::End } else { WalkStep::Into })
    }
}

/// The room on the file system of a folder, to see cheaply whether anything can have changed.
pub(super) fn room(folder: &Path) -> io::Result<FolderUse> {
    let room = statvfs(folder)?;
    Ok(FolderUse { bytes: room.f_bavail * room.f_frsize, files: room.f_ffree })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn what_is_too_much_is_told_and_nothing_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let told = |max_bytes, max_files| {
            let (host, called) = (folder.path().to_owned(), "/work".to_owned());
            exceeded(&BoundedFolder { host, called, max_bytes, max_files }).unwrap().unwrap_or_default()
        };
        fs::create_dir(path("inner")).unwrap();
        fs::write(path("inner/large"), vec![1; 3 << 20]).unwrap();
        symlink("/", path("way-out")).unwrap();
        assert_eq!(told(4 << 20, 3), "");
        assert_eq!(told(2 << 20, 3), "/work holds more than 2 MB");
        assert_eq!(told(4 << 20, 2), "/work holds more than 2 files");
        let deep: PathBuf = (0..=MAX_DEPTH).map(|_level| "d").collect();
        fs::create_dir_all(folder.path().join(deep)).unwrap();
        assert_eq!(told(4 << 20, 1000), "folders in /work are nested deeper than 64");
    }
}
