//! Files on a disk, as handles.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quintain_core::files::FileError;
use quintain_core::{Digest, FileHandle, FileSet, FileSource};

use crate::error::StoreError;

/// A file on a disk of this machine.
#[derive(Clone, Debug)]
pub struct DiskFile {
    path: PathBuf,
}

impl DiskFile {
    /// The file at a path.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// A handle to it. It is read once, to find out what it holds.
    pub fn handle(self) -> Result<FileHandle, StoreError> {
        let path = self.path.clone();
        FileHandle::of(Arc::new(self)).map_err(|error| match error {
            FileError::Read(source) => StoreError::io("read", &path)(source),
            other => StoreError::io("read", &path)(io::Error::other(other.to_string())),
        })
    }

    /// A handle to it for one who knows what it holds.
    pub fn known_as(self, digest: Digest, n_bytes: u64) -> FileHandle {
        FileHandle::known(digest, n_bytes, Arc::new(self))
    }
}

/// The regular files below a folder, by their path in it. Links are not followed.
pub fn files_below(folder: &Path) -> Result<FileSet, StoreError> {
    let mut files = FileSet::new();
    gather(folder, "", &mut files)?;
    Ok(files)
}

fn gather(folder: &Path, prefix: &str, files: &mut FileSet) -> Result<(), StoreError> {
    for entry in fs::read_dir(folder).map_err(StoreError::io("read", folder))? {
        let entry = entry.map_err(StoreError::io("read", folder))?;
        let (path, name) = (entry.path(), format!("{prefix}{}", entry.file_name().to_string_lossy()));
        let kind = entry.file_type().map_err(StoreError::io("read", &path))?;
        if kind.is_dir() {
            gather(&path, &format!("{name}/"), files)?;
        } else if kind.is_file() {
            files.insert(name, DiskFile::at(path).handle()?);
        }
    }
    Ok(())
}

impl FileSource for DiskFile {
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(File::open(&self.path)?))
    }

    fn path(&self) -> Option<&Path> {
        Some(&self.path)
    }
}
