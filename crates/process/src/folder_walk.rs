//! What is in a folder that somebody may write in who is not trusted, while it is looked at. Nothing is followed that leads
//! out of it: every folder is opened from the one above it.

use std::ffi::{CStr, OsStr};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, open, openat, readlinkat, statat};

/// Something in a folder.
pub struct WalkedEntry<'a> {
    /// Its path below the folder that is walked.
    pub path: &'a Path,
    /// What it is.
    pub kind: FileType,
    /// What the system tells of it.
    pub stat: &'a Stat,
    /// How many folders it lies in, below the one that is walked.
    pub depth: usize,
    folder: BorrowedFd<'a>,
    name: &'a CStr,
}

/// How a walk goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkStep {
    /// With what is in it, if it is a folder.
    Into,
    /// With what is beside it.
    Past,
    /// Not at all.
    End,
}

/// Whoever walks.
pub trait FolderVisitor {
    /// Comes by something.
    fn found(&mut self, entry: &WalkedEntry<'_>) -> io::Result<WalkStep>;

    /// Cannot look into a folder.
    fn barred(&mut self, _path: &Path, _why: &io::Error) {}
}

impl WalkedEntry<'_> {
    /// Opens a regular file to be read. What has become something else in the meantime is refused.
    pub fn open(&self) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(openat(self.folder, self.name, flags, Mode::empty())?);
        if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no regular file any more")) }
    }

    /// What a link says.
    pub fn link(&self) -> io::Result<Vec<u8>> {
        Ok(readlinkat(self.folder, self.name, Vec::new())?.into_bytes())
    }
}

/// Walks through a folder, in no particular order. What is gone before it is looked at is passed by. Whether the walk came to
/// its end.
pub fn walk_folder(top: &Path, visitor: &mut dyn FolderVisitor) -> io::Result<bool> {
    let folder = open(top, OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
    walk(folder.as_fd(), Path::new(""), 0, visitor)
}

fn walk(folder: BorrowedFd<'_>, above: &Path, depth: usize, visitor: &mut dyn FolderVisitor) -> io::Result<bool> {
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if [c".", c".."].contains(&name) {
            continue;
        }
        let Ok(stat) = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        let path: PathBuf = above.join(OsStr::from_bytes(name.to_bytes()));
        let kind = FileType::from_raw_mode(stat.st_mode);
        let found = WalkedEntry { path: &path, kind, stat: &stat, depth, folder, name };
        match visitor.found(&found)? {
            WalkStep::End => return Ok(false),
            WalkStep::Into if kind == FileType::Directory => {
                let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                match openat(folder, name, flags, Mode::empty()) {
                    Ok(inner) if !walk(inner.as_fd(), &path, depth + 1, visitor)? => return Ok(false),
                    Ok(_) => {}
                    Err(error) => visitor.barred(&path, &error.into()),
                }
            }
            WalkStep::Into | WalkStep::Past => {}
        }
    }
    Ok(true)
}
