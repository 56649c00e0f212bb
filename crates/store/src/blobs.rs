//! Files named by the hash of what they hold.

use std::path::PathBuf;

use quintain_core::Digest;

use crate::error::StoreError;
use crate::file::{Put, read_if_there, write_whole};

/// A directory of files named by their BLAKE3 hash: `ab/<digest>`, `ab` being the first two digits.
#[derive(Debug)]
pub struct BlobStore {
    root: PathBuf,
}

impl BlobStore {
    /// The store in a directory, which is made when the first file is put in.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Stores bytes under their hash. The same bytes are stored once.
    pub fn put(&self, bytes: &[u8]) -> Result<Digest, StoreError> {
        let digest = Digest::of(bytes);
        self.put_named(digest, "", || Ok(bytes.to_vec()))?;
        Ok(digest)
    }

    /// The bytes stored under a name, if there are any.
    pub fn get(&self, digest: Digest) -> Result<Option<Vec<u8>>, StoreError> {
        read_if_there(&self.path(digest, ""))
    }

    /// Stores what `make` makes under a name, unless that name is taken already.
    pub(crate) fn put_named(
        &self,
        digest: Digest,
        suffix: &str,
        make: impl FnOnce() -> Result<Vec<u8>, StoreError>,
    ) -> Result<Put, StoreError> {
        let path = self.path(digest, suffix);
        if path.exists() {
            return Ok(Put::AlreadyThere);
        }
        write_whole(&path, &make()?)?;
        Ok(Put::New)
    }

    /// Where a name is stored.
    pub(crate) fn path(&self, digest: Digest, suffix: &str) -> PathBuf {
        let name = digest.to_string();
        self.root.join(&name[..2]).join(format!("{name}{suffix}"))
    }
}
