//! The folder of changes, written as a tar.

use std::ffi::{CString, OsStr};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, fgetxattr, fstat, open, openat, readlinkat, statat};

use super::tar_entry::{self, EntryBody, TarEntry};
use super::{ChangesCount, ChangesFault, ChangesLimits, KEPT_MODE, MAX_DEPTH, OPAQUE, OPAQUE_ATTRIBUTE, WHITEOUT};

/// Writes what is in the upper folder of an overlay as a tar. Nothing is followed that leads out of it: every folder is opened
/// from the one above it.
pub fn write_changes(upper: &Path, limits: &ChangesLimits, out: &mut dyn Write) -> Result<ChangesCount, ChangesFault> {
    let here = Path::new("");
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = open(upper, flags, Mode::empty()).map_err(|error| ChangesFault::io(upper, error))?;
    let mut writer = ChangesWriter { limits, count: ChangesCount::default(), out };
    writer.folder(&folder, here, 0)?;
    tar_entry::end(writer.out).map_err(|error| ChangesFault::io(here, error))?;
    Ok(writer.count)
}

struct ChangesWriter<'a> {
    limits: &'a ChangesLimits,
    count: ChangesCount,
    out: &'a mut dyn Write,
}

impl ChangesWriter<'_> {
    fn folder(&mut self, folder: &OwnedFd, above: &Path, depth: usize) -> Result<(), ChangesFault> {
        if depth > MAX_DEPTH {
            return Err(ChangesFault::TooMuch(format!("{MAX_DEPTH} folders in each other")));
        }
        let names = self.names(folder.as_fd()).map_err(|error| ChangesFault::io(above, error))?;
        for name in names {
            let path = above.join(OsStr::from_bytes(name.to_bytes()));
            if name.to_bytes().starts_with(WHITEOUT.as_bytes()) {
                self.count.n_left_out += 1;
                continue;
            }
            let stat = statat(folder, &name, AtFlags::SYMLINK_NOFOLLOW).map_err(|e| ChangesFault::io(&path, e))?;
            self.one(folder.as_fd(), &name, &path, &stat, depth)?;
        }
        Ok(())
    }

    /// Sorted by their bytes. No more are listed than may be there: a folder of any size takes no more memory.
    fn names(&self, folder: BorrowedFd<'_>) -> io::Result<Vec<CString>> {
        let most = usize::try_from(self.limits.max_files).unwrap_or(usize::MAX).saturating_add(3);
        let listed = Dir::read_from(folder)?.take(most);
        let mut names = listed.map(|entry| Ok(entry?.file_name().to_owned())).collect::<io::Result<Vec<_>>>()?;
        names.retain(|name| ![c".", c".."].contains(&name.as_c_str()));
        names.sort();
        Ok(names)
    }

    fn one(
        &mut self,
        folder: BorrowedFd<'_>,
        name: &CString,
        path: &Path,
        stat: &Stat,
        depth: usize,
    ) -> Result<(), ChangesFault> {
        let io = |error: rustix::io::Errno| ChangesFault::io(path, error);
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => {
                let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
                let file = openat(folder, name, flags, Mode::empty()).map_err(io)?;
                self.file(&file, path)
            }
            FileType::Directory => {
                let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                let inner = openat(folder, name, flags, Mode::empty()).map_err(io)?;
                self.entry(path, stat.st_mode, EntryBody::Folder, &mut io::empty())?;
                if is_opaque(inner.as_fd()) {
                    self.entry(&path.join(OPAQUE), 0, EntryBody::File(0), &mut io::empty())?;
                }
                self.folder(&inner, path, depth + 1)
            }
            FileType::Symlink => {
                let target = readlinkat(folder, name, Vec::new()).map_err(io)?.into_bytes();
                self.entry(path, 0o777, EntryBody::Link(target), &mut io::empty())
            }
            FileType::CharacterDevice if stat.st_rdev == 0 => {
                let mut marked = WHITEOUT.as_bytes().to_vec();
                marked.extend(name.to_bytes());
                self.entry(&path.with_file_name(OsStr::from_bytes(&marked)), 0, EntryBody::File(0), &mut io::empty())
            }
            _ => {
                self.count.n_left_out += 1;
                Ok(())
            }
        }
    }

    fn file(&mut self, file: &OwnedFd, path: &Path) -> Result<(), ChangesFault> {
        let io = |error: io::Error| ChangesFault::io(path, error);
        let stat = fstat(file).map_err(|error| io(error.into()))?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(io(io::Error::other("it is no regular file any more")));
        }
        let mut content = File::from(file.try_clone().map_err(io)?);
        self.entry(path, stat.st_mode, EntryBody::File(stat.st_size.cast_unsigned()), &mut content)
    }

    fn entry(
        &mut self,
        path: &Path,
        mode: u32,
        body: EntryBody,
        content: &mut dyn io::Read,
    ) -> Result<(), ChangesFault> {
        let bytes = if let EntryBody::File(size) = body { size } else { 0 };
        self.count.add(bytes, self.limits)?;
        let name = path.as_os_str().as_bytes().to_vec();
        let entry = TarEntry { name, mode: mode & KEPT_MODE, body };
        entry.write(content, self.out).map_err(|error| ChangesFault::io(path, error))
    }
}

/// Whether a folder hides what is below it.
fn is_opaque(folder: BorrowedFd<'_>) -> bool {
    let mut value = [0; 8];
    fgetxattr(folder, OPAQUE_ATTRIBUTE, &mut value).is_ok_and(|length| value[..length] == *b"y")
}
