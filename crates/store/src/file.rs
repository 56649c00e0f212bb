//! Files that appear whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::StoreError;

/// Whether a file was there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilePut {
    New,
    AlreadyThere,
}

/// Writes a file under another name and renames it, so that nobody ever sees half of it. Its folder is made where there is
/// none.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    write_whole_into(path, bytes, |folder| fs::create_dir_all(folder))
}

/// The same for one who has a say in which folders may be made.
pub(crate) fn write_whole_into(
    path: &Path,
    bytes: &[u8],
    make_folder: impl FnOnce(&Path) -> io::Result<()>,
) -> Result<(), StoreError> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let draft = draft_in(folder);
    let written = match fs::write(&draft, bytes) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make_folder(folder).map_err(StoreError::io("create", folder))?;
            fs::write(&draft, bytes)
        }
        other => other,
    };
    let moved = written.and_then(|()| fs::rename(&draft, path));
    moved.map_err(|source| {
        // The draft is hidden and named after this process: leaving it behind harms nobody.
        drop(fs::remove_file(&draft));
        StoreError::Io { doing: "write", path: path.to_owned(), source }
    })
}

/// Makes a file in a folder, and the folder where there is none, but nothing above it.
pub(crate) fn create_in(folder: &Path, path: &Path) -> Result<File, StoreError> {
    match File::create(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make_dir(folder).map_err(StoreError::io("create", folder))?;
            File::create(path).map_err(StoreError::io("create", path))
        }
        other => other.map_err(StoreError::io("create", path)),
    }
}

/// Makes a folder in one that is there, unless somebody else was faster.
pub(crate) fn make_dir(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// The contents of a file, if there is one.
pub(crate) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::io("read", path)(error)),
    }
}

/// Opens a file of lines to add more. Half a line that a killed process left is closed first, so that it spoils no other.
pub(crate) fn open_lines(path: &Path) -> io::Result<File> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    if file.metadata()?.len() > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
    }
    Ok(file)
}

/// Whether a file is the draft of a process of this machine that is gone.
pub(crate) fn is_draft_of_the_dead(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let pid = name.strip_prefix(".draft-").and_then(|rest| rest.split('-').next()?.parse::<u32>().ok());
    pid.is_some_and(|pid| pid != std::process::id() && !Path::new("/proc").join(pid.to_string()).exists())
}

/// A hidden name in the same folder that no other writer uses.
pub(crate) fn draft_in(folder: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    folder.join(format!(".draft-{}-{count}", std::process::id()))
}
