//! Pictures, each stored once under the hash of its pixels.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use quintain_core::lock::LockAlways as _;
use quintain_core::{Digest, Picture, Screen};
use quintain_png::{check_whole, decode, decode_webp, encode, encode_over, encode_webp, name_below};

use crate::blobs::BlobStore;
use crate::error::StoreError;
use crate::file::{FilePut, read_if_there};

/// So many names are remembered before the memory is emptied; a forgotten name costs one look at the disk.
const MAX_KNOWN: usize = 1_000_000;

/// How many pictures may lie over one another. Writers lay each over a whole one; more are met only where the same picture was
/// stored by several.
const MOST_LAYERS: u32 = 16;

/// How the names of files end: what came as PNG stays so, byte by byte; what came as pixels is WebP. Older programs wrote PNG
/// throughout.
const WEBP: &str = ".webp";
const PNG: &str = ".png";

/// A directory of pictures: `ab/<digest>.webp` or `ab/<digest>.png`. A picture that is there already is not packed again.
#[derive(Debug)]
pub struct FrameStore {
    files: BlobStore,
    known: Mutex<HashSet<Digest>>,
}

/// A stored picture that others may be laid over.
#[derive(Clone, Debug)]
pub(crate) struct KeyFrame {
    pub(crate) digest: Digest,
    pub(crate) picture: Arc<Picture>,
}

impl FrameStore {
    /// The store in a directory, which is made when the first picture is put in.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { files: BlobStore::new(root), known: Mutex::new(HashSet::new()) }
    }

    /// Stores a picture under its digest, which the caller has at hand.
    pub fn put(&self, digest: Digest, screen: &Screen) -> Result<(), StoreError> {
        self.put_if_new(digest, screen, None).map(|_put| ())
    }

    /// The same, telling whether the picture was there already. Where a key frame is named, only what differs from it is
    /// stored.
    pub(crate) fn put_if_new(
        &self,
        digest: Digest,
        screen: &Screen,
        over: Option<&KeyFrame>,
    ) -> Result<FilePut, StoreError> {
        if self.knows(digest) {
            return Ok(FilePut::AlreadyThere);
        }
        let put = match screen {
            Screen::Png { bytes, .. } => self.files.put_named(digest, PNG, || Ok(bytes.to_vec()))?,
            // An older program may have stored it as PNG.
            Screen::Raw(_) if self.files.path(digest, PNG).exists() => FilePut::AlreadyThere,
            Screen::Raw(picture) => self.files.put_named(digest, WEBP, || {
                let top = over.and_then(|key| encode_over(picture, &key.picture, &key.digest.to_string()));
                top.unwrap_or_else(|| encode_webp(picture)).map_err(|why| broken(digest, why))
            })?,
        };
        self.remember(digest);
        Ok(put)
    }

    /// The PNG file of a picture, if it is stored: the very bytes that a world or a model was given. One that is damaged is an
    /// error.
    pub fn get_png(&self, digest: Digest) -> Result<Option<Vec<u8>>, StoreError> {
        if let Some(png) = read_if_there(&self.files.path(digest, PNG))? {
            check_whole(&png).map_err(|why| broken(digest, why))?;
            return Ok(Some(png));
        }
        let Some(picture) = self.whole(digest, MOST_LAYERS)? else { return Ok(None) };
        encode(&picture).map(Some).map_err(|why| broken(digest, why))
    }

    /// The pixels of a picture, if it is stored.
    pub fn get(&self, digest: Digest) -> Result<Option<Picture>, StoreError> {
        match read_if_there(&self.files.path(digest, PNG))? {
            Some(png) => decode(&png).map(Some).map_err(|why| broken(digest, why)),
            None => self.whole(digest, MOST_LAYERS),
        }
    }

    /// The pixels of a picture that was stored as such, with what lies below it. They are held against its name.
    fn whole(&self, digest: Digest, n_layers: u32) -> Result<Option<Picture>, StoreError> {
        let Some(webp) = read_if_there(&self.files.path(digest, WEBP))? else { return Ok(None) };
        let top = decode_webp(&webp).map_err(|why| broken(digest, why))?;
        let picture = match top.over.clone() {
            None => top.picture,
            Some(name) => {
                let lost = |why: &str| broken(digest, format!("the picture below it, {name}, {why}"));
                let below: Digest = name.parse().map_err(|_garbage| lost("has no name of a picture"))?;
                let n_left = n_layers.checked_sub(1).ok_or_else(|| lost("lies over too many others"))?;
                let below = self.whole(below, n_left).map_err(|_damage| lost("is damaged"))?;
                top.laid_over(&below.ok_or_else(|| lost("is not there"))?).map_err(|why| broken(digest, why))?
            }
        };
        let found = picture.digest();
        if found == digest { Ok(Some(picture)) } else { Err(broken(digest, format!("holds other pixels: {found}"))) }
    }

    /// All pictures that are stored, each with its file.
    pub(crate) fn stored(&self) -> Result<Vec<(Digest, PathBuf)>, StoreError> {
        self.files.stored(&[WEBP, PNG])
    }

    /// The picture that a stored one lies over, where it does.
    pub(crate) fn below(&self, digest: Digest) -> Result<Option<Digest>, StoreError> {
        let Some(webp) = read_if_there(&self.files.path(digest, WEBP))? else { return Ok(None) };
        let name = name_below(&webp).map_err(|why| broken(digest, why))?;
        Ok(name.and_then(|name| name.parse().ok()))
    }

    /// Checks that the stored picture is the one its name says: by its pixels, or, for pictures that came packed, by
    /// its bytes.
    pub fn verify(&self, digest: Digest) -> Result<(), StoreError> {
        let Some(png) = read_if_there(&self.files.path(digest, PNG))? else {
            return self.whole(digest, MOST_LAYERS)?.map(drop).ok_or_else(|| broken(digest, "is not stored"));
        };
        if Digest::of(&png) == digest {
            return Ok(());
        }
        let found = check_whole(&png).and_then(|()| decode(&png)).map_err(|why| broken(digest, why))?.digest();
        if found == digest { Ok(()) } else { Err(broken(digest, format!("holds other pixels: {found}"))) }
    }

    /// Where a picture is stored, or would be if it came as pixels.
    pub fn path(&self, digest: Digest) -> PathBuf {
        let png = self.files.path(digest, PNG);
        if png.exists() { png } else { self.files.path(digest, WEBP) }
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

/// Stores a picture that was packed elsewhere, if it is the one its name says. Nothing lies below it.
pub(crate) fn put_packed(files: &BlobStore, digest: Digest, bytes: &[u8]) -> Result<(), StoreError> {
    let is_png = bytes.starts_with(b"\x89PNG");
    let check = || {
        let right = if is_png {
            Digest::of(bytes) == digest || decode(bytes)?.digest() == digest
        } else {
            decode_webp(bytes)?.picture.digest() == digest
        };
        if right { Ok(bytes.to_vec()) } else { Err("its pixels are others".to_owned()) }
    };
    files.put_named(digest, if is_png { PNG } else { WEBP }, || check().map_err(|why| broken(digest, why))).map(drop)
}

fn broken(digest: Digest, why: impl Into<String>) -> StoreError {
    StoreError::Picture { name: digest.to_string(), why: why.into() }
}
