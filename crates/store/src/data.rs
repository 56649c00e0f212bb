//! Data that others publish: what there is, under which licence, from where, with which checksum. Nothing is kept that has
//! another one.

mod fetch;
mod sets;

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

pub use fetch::{FetchResult, client, fetch};
pub use sets::{DATA_FORMAT, DataFile, DataManifest, DataSet};

/// Why data could not be had.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The operating system refused.
    #[error("cannot {doing} {}", path.display())]
    Io {
        /// What was being done, as a verb.
        doing: &'static str,
        /// To which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A list of data that cannot be used.
    #[error("{from} is no list of data: {why}")]
    Manifest {
        /// Where it was read.
        from: String,
        /// What is wrong.
        why: String,
    },
    /// Whoever publishes it did not hand it out.
    #[error("cannot fetch {url}: {why}\nhint: the same command goes on where it broke off")]
    Fetch {
        /// From where.
        url: String,
        /// What happened.
        why: String,
    },
    /// What came is not what was listed.
    #[error(
        "{url} is not what the list says: {why}\nhint: it was changed where it is published, or on the way; nothing of it was kept"
    )]
    Mismatch {
        /// From where.
        url: String,
        /// What is different.
        why: String,
    },
}

/// How a file on disk compares with its listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It is there and as listed.
    Sound,
    /// It is not there.
    Missing,
    /// It is there and has other bytes.
    Altered,
}

/// Where a file of a set lies in the folder of data.
pub fn path_of(folder: &Path, set: &DataSet, file: &DataFile) -> PathBuf {
    folder.join(&set.name).join(&file.path)
}

/// Looks at a file of a set, byte by byte.
pub fn verify(folder: &Path, set: &DataSet, file: &DataFile) -> Result<Condition, DataError> {
    let path = path_of(folder, set, file);
    match std::fs::metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Condition::Missing),
        Err(error) => return Err(io_error("read", &path)(error)),
        Ok(metadata) if metadata.len() != file.size => return Ok(Condition::Altered),
        Ok(_) => {}
    }
    Ok(if sum(&path)? == file.sha256 { Condition::Sound } else { Condition::Altered })
}

/// The SHA-256 of a file, as 64 hexadecimal digits.
fn sum(path: &Path) -> Result<String, DataError> {
    let mut file = std::fs::File::open(path).map_err(io_error("read", path))?;
    let mut hasher = Sha256::new();
    io::copy(&mut file, &mut hasher).map_err(io_error("read", path))?;
    Ok(hasher.finalize().iter().flat_map(|byte| [byte >> 4, byte & 15]).map(digit).collect())
}

/// A number below 16 as a hexadecimal digit.
fn digit(number: u8) -> char {
    char::from(if number < 10 { b'0' + number } else { b'a' + number - 10 })
}

fn io_error(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> DataError {
    let path = path.to_owned();
    move |source| DataError::Io { doing, path, source }
}

#[cfg(test)]
mod tests;
