//! The end of a build: the whole tree belongs to one user, and nothing in it gives anybody powers.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use quintain_process::NOBODY;
use rustix::fs::{AtFlags, Dir, FileType, Gid, Mode, OFlags, Uid, chmodat, chownat, open, openat, statat, unlinkat};

/// What a tree holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RootContents {
    pub(crate) bytes: u64,
    pub(crate) n_files: u64,
    /// Packages of Python that were put beside those of the system, with their versions.
    pub(crate) python_packages: BTreeMap<String, String>,
}

/// Gives every file to the user that sandboxes run as. Devices and rights to become somebody else are taken away; deletions,
/// which are devices of number zero, stay. Links are not followed.
pub(crate) fn finish(root: &Path) -> io::Result<RootContents> {
    let mut contents = RootContents::default();
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let top = open(root, flags, Mode::empty())?;
    walk(&top, &PathBuf::new(), &mut contents)?;
    rustix::fs::fchown(&top, Some(Uid::from_raw(NOBODY)), Some(Gid::from_raw(NOBODY)))?;
    Ok(contents)
}

fn walk(folder: &OwnedFd, above: &Path, contents: &mut RootContents) -> io::Result<()> {
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if [c".", c".."].contains(&name) {
            continue;
        }
        let stat = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let kind = FileType::from_raw_mode(stat.st_mode);
        let is_deletion = kind == FileType::CharacterDevice && stat.st_rdev == 0;
        let is_kept = matches!(kind, FileType::RegularFile | FileType::Directory | FileType::Symlink) || is_deletion;
        if !is_kept {
            unlinkat(folder, name, AtFlags::empty())?;
            continue;
        }
        let owner = (Some(Uid::from_raw(NOBODY)), Some(Gid::from_raw(NOBODY)));
        chownat(folder, name, owner.0, owner.1, AtFlags::SYMLINK_NOFOLLOW)?;
        if kind != FileType::Symlink && stat.st_mode & 0o6000 != 0 {
            chmodat(folder, name, Mode::from_raw_mode(stat.st_mode & 0o1777), AtFlags::empty())?;
        }
        contents.n_files += 1;
        contents.bytes += stat.st_blocks.cast_unsigned() * 512;
        if kind == FileType::Directory {
            let path = above.join(name.to_string_lossy().as_ref());
            contents.note_python(&path);
            walk(&inner(folder.as_fd(), name)?, &path, contents)?;
        }
    }
    Ok(())
}

fn inner(folder: BorrowedFd<'_>, name: &std::ffi::CStr) -> io::Result<OwnedFd> {
    Ok(openat(folder, name, OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?)
}

impl RootContents {
    fn note_python(&mut self, path: &Path) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let pair = name.strip_suffix(".dist-info").and_then(|name| name.rsplit_once('-'));
        if let Some((name, version)) = pair.filter(|_pair| path.starts_with("usr/local/lib")) {
            self.python_packages.insert(name.to_owned(), version.to_owned());
        }
    }
}
