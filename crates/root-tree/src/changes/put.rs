//! A tar of changes, put back into a folder.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use quintain_process::NOBODY;
use rustix::fs::{
    AtFlags, FileType, Gid, Mode, OFlags, Uid, XattrFlags, chownat, fchmod, fsetxattr, mkdirat, mknodat, open, openat,
    symlinkat,
};
use rustix::io::Errno;
use rustix::process::geteuid;
use tar::Archive;

use super::tar_entry::{self, EntryBody, TarEntry};
use super::{ChangesCount, ChangesFault, ChangesLimits, KEPT_MODE, MAX_DEPTH, OPAQUE, OPAQUE_ATTRIBUTE, WHITEOUT};

/// What there is besides the bytes of files, at most, for each entry: headers, long names and room up to the next block.
const MAX_OVERHEAD: u64 = 4 * 4096;

/// Puts changes into an empty folder, those of them whose paths are wanted. A deletion has the path of what was deleted.
/// Started by root it gives them to the user that owns nothing. Whatever the tar says, nothing outside of the folder is touched.
pub fn put_changes(
    tar: &mut dyn Read,
    upper: &Path,
    limits: &ChangesLimits,
    wanted: &dyn Fn(&Path) -> bool,
) -> Result<ChangesCount, ChangesFault> {
    let io = |error: io::Error| ChangesFault::io(upper, error);
    if fs::read_dir(upper).map_err(io)?.next().is_some() {
        return Err(io(io::Error::other("changes are put into an empty folder only")));
    }
    let top = open(upper, FOLDER, Mode::empty()).map_err(|error| io(error.into()))?;
    let room = limits.max_files.saturating_mul(MAX_OVERHEAD).saturating_add(limits.max_bytes);
    let mut archive = Archive::new(tar.take(room));
    let mut entries = archive.entries().map_err(io)?.raw(true);
    let mut putter = ChangesPutter { top, limits, wanted, count: ChangesCount::default(), folders: BTreeMap::new() };
    while let Some((entry, mut content)) = tar_entry::next(&mut entries).map_err(io)? {
        putter.entry(&entry, &mut content)?;
    }
    putter.close_folders()?;
    Ok(putter.count)
}

const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

struct ChangesPutter<'a> {
    top: OwnedFd,
    limits: &'a ChangesLimits,
    wanted: &'a dyn Fn(&Path) -> bool,
    count: ChangesCount,
    /// The modes of folders, and whether they are there. They are set last: a folder may forbid what is to be put into it.
    folders: BTreeMap<PathBuf, FolderMode>,
}

#[derive(Clone, Copy)]
struct FolderMode {
    mode: u32,
    is_made: bool,
}

impl ChangesPutter<'_> {
    fn entry(&mut self, entry: &TarEntry, content: &mut dyn Read) -> Result<(), ChangesFault> {
        let path = checked(&entry.name)?;
        let bytes = if let EntryBody::File(size) = entry.body { size } else { 0 };
        self.count.add(bytes, self.limits)?;
        let (path, marked) = meant(&path, &entry.body)?;
        if entry.body == EntryBody::Folder {
            let mode = entry.mode & KEPT_MODE;
            self.folders.entry(path.clone()).or_insert(FolderMode { mode, is_made: false }).mode = mode;
        }
        if !(self.wanted)(&path) {
            self.count.n_left_out += 1;
            return Ok(());
        }
        self.put(&path, marked, entry, content)
    }

    fn put(
        &mut self,
        path: &Path,
        marked: MarkedEntry,
        entry: &TarEntry,
        content: &mut dyn Read,
    ) -> Result<(), ChangesFault> {
        let io = |error: Errno| ChangesFault::io(path, error);
        if marked == MarkedEntry::Opaque {
            let folder = self.folder(path)?;
            return fsetxattr(folder, OPAQUE_ATTRIBUTE, b"y", XattrFlags::empty()).map_err(io);
        }
        let (above, name) = (path.parent().unwrap_or(Path::new("")), path.file_name().unwrap_or_default());
        if entry.body == EntryBody::Folder {
            return self.folder(path).map(drop);
        }
        let folder = self.folder(above)?;
        match &entry.body {
            _ if marked == MarkedEntry::Deletion => {
                mknodat(&folder, name, FileType::CharacterDevice, Mode::empty(), 0).map_err(io)?;
            }
            EntryBody::Link(target) => symlinkat(OsStr::from_bytes(target), &folder, name).map_err(io)?,
            _ => {
                let flags = OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::WRONLY | OFlags::CLOEXEC;
                let file = openat(&folder, name, flags, Mode::RUSR | Mode::WUSR).map_err(io)?;
                let mut file = File::from(file);
                io::copy(content, &mut file).map_err(|error| ChangesFault::io(path, error))?;
                fchmod(&file, Mode::from_raw_mode(entry.mode & KEPT_MODE)).map_err(io)?;
            }
        }
        give_away(&folder, name).map_err(io)
    }

    /// A folder, opened component by component, and made where it is not there yet.
    fn folder(&mut self, path: &Path) -> Result<OwnedFd, ChangesFault> {
        let mut folder = self.top.try_clone().map_err(|error| ChangesFault::io(path, error))?;
        let mut sofar = PathBuf::new();
        for name in path {
            sofar.push(name);
            let io = |error: Errno| ChangesFault::io(&sofar, error);
            match mkdirat(&folder, name, Mode::RWXU) {
                Ok(()) => give_away(&folder, name).map_err(io)?,
                Err(Errno::EXIST) => {}
                Err(error) => return Err(io(error)),
            }
            folder = openat(&folder, name, FOLDER, Mode::empty())
                .map_err(|_error| ChangesFault::hostile(path, "what it lies in is no folder"))?;
            self.folders.entry(sofar.clone()).or_insert(FolderMode { mode: 0o755, is_made: true }).is_made = true;
        }
        Ok(folder)
    }

    /// Gives folders their modes, the inner before the outer.
    fn close_folders(&mut self) -> Result<(), ChangesFault> {
        let made: Vec<(PathBuf, u32)> =
            self.folders.iter().filter(|(_, folder)| folder.is_made).map(|(path, f)| (path.clone(), f.mode)).collect();
        for (path, mode) in made.into_iter().rev() {
            let folder = self.folder(&path)?;
            fchmod(folder.as_fd(), Mode::from_raw_mode(mode)).map_err(|error| ChangesFault::io(&path, error))?;
        }
        Ok(())
    }
}

/// Whether an entry says something about another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MarkedEntry {
    Plain,
    Deletion,
    Opaque,
}

/// What an entry is about.
fn meant(path: &Path, body: &EntryBody) -> Result<(PathBuf, MarkedEntry), ChangesFault> {
    let name = path.file_name().unwrap_or_default().as_bytes();
    let Some(deleted) = name.strip_prefix(WHITEOUT.as_bytes()) else {
        return Ok((path.to_owned(), MarkedEntry::Plain));
    };
    if *body != EntryBody::File(0) {
        return Err(ChangesFault::hostile(path, "a deletion is an empty file"));
    }
    if name == OPAQUE.as_bytes() {
        return match path.parent() {
            Some(folder) if folder != Path::new("") => Ok((folder.to_owned(), MarkedEntry::Opaque)),
            _ => Err(ChangesFault::hostile(path, "the whole system cannot be hidden")),
        };
    }
    let deleted = OsStr::from_bytes(deleted);
    if ["", ".", ".."].contains(&deleted.to_str().unwrap_or("other"))
        || deleted.as_bytes().starts_with(WHITEOUT.as_bytes())
    {
        return Err(ChangesFault::hostile(path, "it says no name that could be deleted"));
    }
    Ok((path.with_file_name(deleted), MarkedEntry::Deletion))
}

/// A path that stays below the folder that it is put into.
fn checked(name: &[u8]) -> Result<PathBuf, ChangesFault> {
    let path = Path::new(OsStr::from_bytes(name));
    let hostile = |why: &str| Err(ChangesFault::hostile(path, why));
    let plain: PathBuf = path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
    // Whatever is written otherwise than we write it, with dots, from the top, or with a slash too many, is not ours.
    if name.is_empty() || plain.as_os_str().as_bytes() != name {
        return hostile("no path below the folder of changes");
    }
    if name.contains(&0) {
        return hostile("a zero in its name");
    }
    if path.components().count() > MAX_DEPTH + 2 {
        return hostile("it lies too deep");
    }
    let marks = path.parent().into_iter().flatten().any(|part| part.as_bytes().starts_with(WHITEOUT.as_bytes()));
    if marks { hostile("it lies in what is deleted") } else { Ok(path.to_owned()) }
}

/// Gives something to the user that owns nothing, where we are root.
fn give_away(folder: &OwnedFd, name: &OsStr) -> Result<(), Errno> {
    if !geteuid().is_root() {
        return Ok(());
    }
    let owner = (Some(Uid::from_raw(NOBODY)), Some(Gid::from_raw(NOBODY)));
    chownat(folder, name, owner.0, owner.1, AtFlags::SYMLINK_NOFOLLOW)
}
