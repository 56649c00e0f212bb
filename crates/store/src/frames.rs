//! Pictures, each stored once under the hash of its pixels.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Mutex;

use quintain_core::lock::LockAlways as _;
use quintain_core::{Digest, Picture, Screen};
use quintain_png::{check_whole, decode, encode};

use crate::blobs::BlobStore;
use crate::error::StoreError;
use crate::file::{FilePut, read_if_there};

/// So many names are remembered before the memory is emptied; a forgotten name costs one look at the disk.
const MAX_KNOWN: usize = 1_000_000;

/// A directory of pictures: `ab/<digest>.png`. A picture that is there already is not packed again.
#[derive(Debug)]
pub struct FrameStore {
    files: BlobStore,
    known: Mutex<HashSet<Digest>>,
}

impl FrameStore {
    /// The store in a directory, which is made when the first picture is put in.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { files: BlobStore::new(root), known: Mutex::new(HashSet::new()) }
    }

    /// Stores a picture under its digest, which the caller has at hand.
    pub fn put(&self, digest: Digest, screen: &Screen) -> Result<(), StoreError> {
        self.put_if_new(digest, screen).map(|_put| ())
    }

    /// The same, telling whether the picture was there already.
    pub(crate) fn put_if_new(&self, digest: Digest, screen: &Screen) -> Result<FilePut, StoreError> {
        if self.knows(digest) {
            return Ok(FilePut::AlreadyThere);
        }
        let put = self.files.put_named(digest, ".png", || match screen {
            Screen::Raw(picture) => encode(picture).map_err(|why| broken(digest, why)),
            Screen::Png { bytes, .. } => Ok(bytes.to_vec()),
        })?;
        self.remember(digest);
        Ok(put)
    }

    /// The PNG file of a picture, if it is stored. One that is damaged is an error.
    pub fn get_png(&self, digest: Digest) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(png) = read_if_there(&self.path(digest))? else { return Ok(None) };
        check_whole(&png).map_err(|why| broken(digest, why))?;
        Ok(Some(png))
    }

    /// The pixels of a picture, if it is stored.
    pub fn get(&self, digest: Digest) -> Result<Option<Picture>, StoreError> {
        let Some(png) = self.get_png(digest)? else { return Ok(None) };
        decode(&png).map(Some).map_err(|why| broken(digest, why))
    }

    /// Checks that the stored picture is the one its name says: by its pixels, or, for pictures that came packed, by
    /// its bytes.
    pub fn verify(&self, digest: Digest) -> Result<(), StoreError> {
        let png = self.get_png(digest)?.ok_or_else(|| broken(digest, "is not stored"))?;
        if Digest::of(&png) == digest {
            return Ok(());
        }
        let found = decode(&png).map_err(|why| broken(digest, why))?.digest();
        if found == digest { Ok(()) } else { Err(broken(digest, format!("holds other pixels: {found}"))) }
    }

    /// Where a picture is stored.
    pub fn path(&self, digest: Digest) -> PathBuf {
        self.files.path(digest, ".png")
    }

    fn knows(&self, digest: Digest) -> bool {
        self.known.lock().always().contains(&digest)
    }

    fn remember(&self, digest: Digest) {
        let mut known = self.known.lock().always();
        if known.len() >= MAX_KNOWN {
            known.clear();
        }
        known.insert(digest);
    }
}

fn broken(digest: Digest, why: impl Into<String>) -> StoreError {
    StoreError::Picture { name: digest.to_string(), why: why.into() }
}
