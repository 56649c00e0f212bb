//! Why a run's files could not be read or written.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a run's files could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The operating system refused.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// What was being done, as a verb.
        doing: &'static str,
        /// To which file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is no run here.
    #[error("{} is not a run: it has no run.json\nhint: a run is made by `quintain run`", .0.display())]
    NotARun(PathBuf),
    /// Something is in the way of a new run.
    #[error("{} is already there\nhint: choose another directory, or `quintain resume` it if it is a run", .0.display())]
    AlreadyThere(PathBuf),
    /// A newer program wrote this.
    #[error("{what} is of version {found}, and this program reads up to {known}\nhint: use a newer quintain")]
    Newer {
        /// What was read.
        what: String,
        /// Its version.
        found: u32,
        /// The newest version that can be read.
        known: u32,
    },
    /// A file that holds something else than it should.
    #[error("{}: {why}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong, with its place.
        why: String,
    },
    /// Lines that are whole and yet cannot be read.
    #[error("{}", list(.0))]
    BadLines(Vec<BadLine>),
    /// A place that holds no attempt.
    #[error("there is no attempt at {place}: {why}")]
    NoSuchPlace {
        /// The place.
        place: String,
        /// Why not.
        why: String,
    },
    /// A segment that is gone, with everything that it held.
    #[error("segment {segment} is not there")]
    SegmentGone {
        /// Its name.
        segment: String,
    },
    /// A segment that ends before an attempt that it held.
    #[error("segment {segment} ends at byte {n_bytes}, before an attempt that it held")]
    SegmentCut {
        /// Its name.
        segment: String,
        /// How long it is.
        n_bytes: u64,
    },
    /// An attempt that cannot be joined to the one it continues.
    #[error("the attempt at {place} cannot be joined to the one before it: {why}")]
    BrokenChain {
        /// The later attempt.
        place: String,
        /// Why not.
        why: String,
    },
    /// A picture that cannot be packed or unpacked, or is not the one its name says.
    #[error("picture {name}: {why}")]
    Picture {
        /// The name it is stored under.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// The archive could not do what it was asked.
    #[error(transparent)]
    Archive(#[from] crate::archive::ArchiveError),
}

/// A line that is whole and yet cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// The file, from the run's directory.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// What is wrong.
    pub why: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.why)
    }
}

fn list(lines: &[BadLine]) -> String {
    lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

impl StoreError {
    /// Gives an error of the operating system its place, for `map_err`.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { doing, path: path.to_owned(), source }
    }

    /// Gives a reading error its place, for `map_err`.
    pub(crate) fn malformed<E: fmt::Display>(path: &Path) -> impl FnOnce(E) -> Self {
        move |why| Self::Malformed { path: path.to_owned(), why: why.to_string() }
    }
}
