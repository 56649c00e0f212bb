//! What is in a folder that somebody may write in who is not trusted. Nothing is followed that leads out of it.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, open, openat, statat, statvfs};

use super::plan::WorkFolder;

/// How deep folders may be nested.
const MAX_DEPTH: usize = 64;

/// How much is in a folder, or how much room is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FolderUse {
    pub(super) bytes: u64,
    pub(super) files: u64,
}

/// Counts what is in a folder, up to what is allowed. Says what is exceeded, if something is.
pub(super) fn exceeded(work: &WorkFolder) -> io::Result<Option<String>> {
    let mut used = FolderUse::default();
    let top = open(&work.host, OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
    let is_deep = !count(&top, work, &mut used, 0)?;
    let what = if is_deep {
        Some(format!("folders in {} are nested deeper than {MAX_DEPTH}", work.inside.display()))
    } else if used.bytes > work.max_bytes {
        Some(format!("{} holds more than {} MB", work.inside.display(), work.max_bytes >> 20))
    } else if used.files > work.max_files {
        Some(format!("{} holds more than {} files", work.inside.display(), work.max_files))
    } else {
        None
    };
    Ok(what)
}

/// Whether all of it could be counted. What is gone before it is looked at does not count.
fn count(folder: &OwnedFd, work: &WorkFolder, used: &mut FolderUse, depth: usize) -> io::Result<bool> {
    if depth > MAX_DEPTH {
        return Ok(false);
    }
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if [c".", c".."].contains(&name) {
            continue;
        }
        let Ok(found) = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        used.files += 1;
        used.bytes += found.st_blocks.cast_unsigned() * 512;
        if used.bytes > work.max_bytes || used.files > work.max_files {
            return Ok(true);
        }
        if FileType::from_raw_mode(found.st_mode) == FileType::Directory {
            let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let Ok(inner) = openat(folder, name, flags, Mode::empty()) else { continue };
            if !count(&inner, work, used, depth + 1)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
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
            let (host, inside) = (folder.path().to_owned(), PathBuf::from("/work"));
            exceeded(&WorkFolder { host, inside, max_bytes, max_files }).unwrap().unwrap_or_default()
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
