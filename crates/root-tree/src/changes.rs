//! What was changed of a tree, as one file: a tar that is the same whenever the changes are the same.
//!
//! The changes are the upper folder of an overlay. Files, folders and links are entries of their own, sorted, without times and
//! of owner zero. A deletion is an empty file `.wh.NAME`, and a folder that hides what is below it holds `.wh..wh..opq`, as layers
//! of container images have them. Devices, sockets and pipes are left out, and so is what has a name that would say a deletion.

mod put;
mod tar_entry;
#[cfg(test)]
mod tests;
mod write;

use std::io;
use std::path::{Path, PathBuf};

pub use put::put_changes;
pub use write::write_changes;

/// What the names of deletions begin with.
const WHITEOUT: &str = ".wh.";
/// The file in a folder that hides what is below it.
const OPAQUE: &str = ".wh..wh..opq";
/// How an overlay remembers such a folder.
const OPAQUE_ATTRIBUTE: &str = "trusted.overlay.opaque";
/// How deep folders may be nested.
const MAX_DEPTH: usize = 64;
/// What is kept of modes: rights, and who may remove files of others. That somebody becomes somebody else is not.
const KEPT_MODE: u32 = 0o1777;

/// How much changes may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangesLimits {
    /// The bytes of all files together.
    pub max_bytes: u64,
    /// How many files, folders, links and deletions.
    pub max_files: u64,
}

/// How much changes are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChangesCount {
    /// The bytes of all files together.
    pub bytes: u64,
    /// How many files, folders, links and deletions.
    pub n_files: u64,
    /// How many devices, sockets, pipes and names that would say a deletion are left out, or were not wanted.
    pub n_left_out: u64,
}

/// Why changes cannot be written or put back.
#[derive(Debug, thiserror::Error)]
pub enum ChangesFault {
    /// There is more than there may be.
    #[error("the changes are more than {0}")]
    TooMuch(String),
    /// A tar that nobody here has written.
    #[error("`{}` in the tar of changes: {why}", path.display())]
    Hostile {
        /// The entry.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Something cannot be read or written.
    #[error("`{}`: {source}", path.display())]
    Io {
        /// What it is, below the folder of the changes.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl ChangesFault {
    fn io(path: &Path, source: impl Into<io::Error>) -> Self {
        Self::Io { path: path.to_owned(), source: source.into() }
    }

    fn hostile(path: &Path, why: impl Into<String>) -> Self {
        Self::Hostile { path: path.to_owned(), why: why.into() }
    }
}

impl ChangesCount {
    /// Counts something, unless it is too much.
    fn add(&mut self, bytes: u64, limits: &ChangesLimits) -> Result<(), ChangesFault> {
        self.n_files += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        if self.n_files > limits.max_files {
            return Err(ChangesFault::TooMuch(format!("{} files", limits.max_files)));
        }
        if self.bytes > limits.max_bytes {
            return Err(ChangesFault::TooMuch(format!("{} MB", limits.max_bytes >> 20)));
        }
        Ok(())
    }
}
