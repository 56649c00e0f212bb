//! Files, as whoever sits in the sandbox sees them.

use std::ffi::OsStr;
use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use crate::protocol::{FolderEntry, FolderEntryKind, InitAnswer, MAX_FRAME};

/// Nobody is waited for who would have to open the other end of a pipe.
const NON_BLOCKING: i32 = 0o4000;
/// Room in a frame for what stands beside the bytes of a file.
const ASIDE: u64 = 4096;

pub(crate) fn read(path: &[u8], offset: u64, max_bytes: u64) -> io::Result<InitAnswer> {
    let mut file = OpenOptions::new().read(true).custom_flags(NON_BLOCKING).open(path_of(path))?;
    let size = regular(&file)?;
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    file.take(max_bytes.min(MAX_FRAME as u64 - ASIDE)).read_to_end(&mut bytes)?;
    Ok(InitAnswer::Bytes { bytes, size })
}

pub(crate) fn write(path: &[u8], bytes: &[u8]) -> io::Result<InitAnswer> {
    let path = path_of(path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options.create(true).custom_flags(NON_BLOCKING).write(true).truncate(true);
    let mut file = options.open(path)?;
    regular(&file)?;
    file.write_all(bytes)?;
    Ok(InitAnswer::Written)
}

pub(crate) fn list(path: &[u8], max_entries: u64) -> io::Result<InitAnswer> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(path_of(path))? {
        let entry = entry?;
        let kind = kind_of(entry.file_type()?);
        // What is gone by now has no length any more.
        let size = if kind == FolderEntryKind::File { entry.metadata().map_or(0, |data| data.len()) } else { 0 };
        entries.push(FolderEntry { name: entry.file_name().into_vec(), kind, size });
    }
    let n_all = entries.len() as u64;
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    entries.truncate(usize::try_from(max_entries).unwrap_or(usize::MAX));
    Ok(InitAnswer::Entries { entries, n_all })
}

/// The length of a regular file. Anything else has none, and could keep a reader for ever.
fn regular(file: &File) -> io::Result<u64> {
    let data = file.metadata()?;
    if data.is_file() { Ok(data.len()) } else { Err(io::Error::other("it is not a regular file")) }
}

fn kind_of(what: FileType) -> FolderEntryKind {
    if what.is_file() {
        FolderEntryKind::File
    } else if what.is_dir() {
        FolderEntryKind::Folder
    } else if what.is_symlink() {
        FolderEntryKind::Link
    } else {
        FolderEntryKind::Other
    }
}

fn path_of(path: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(path))
}
