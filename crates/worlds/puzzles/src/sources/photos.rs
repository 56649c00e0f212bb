//! Where photographs come from: a folder of the user's, or a generator of photo-like scenes.

pub(in crate::sources) mod folder;
pub(in crate::sources) mod opaque;
pub(in crate::sources) mod scenes;
pub(in crate::sources) mod shelf;

use std::sync::Arc;

use quintain_core::digest::Digest;
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use serde::{Deserialize, Serialize};

pub use folder::{FolderError, PhotoFolder};
pub use scenes::Scenes;

/// A source of photographs.
pub trait Photos: Send + Sync {
    /// What it is called: a verdict names it.
    fn name(&self) -> String;

    /// Picks a photograph and fits it to a size. The same numbers give the same photograph.
    fn pick(&self, rng: &mut Rng, width: u32, height: u32) -> Result<Photo, String>;

    /// The pixels of a photograph that was picked before. It is an error if they have changed since.
    fn load(&self, photo: &Photo) -> Result<Arc<Picture>, String>;
}

/// A photograph by name, so that an instance can be told and made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Photo {
    /// Its name in the source.
    pub name: String,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// The hash of its pixels at that size.
    pub digest: Digest,
}
