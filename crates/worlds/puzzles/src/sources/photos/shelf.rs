//! A shelf for the pictures that were made last, so that picking and loading make each only once.

use std::sync::Arc;

use quintain_core::picture::Picture;

use super::Photo;
use crate::sources::recent::Recent;

/// The pictures that were made last.
pub(in crate::sources) struct PictureShelf(Recent<(Photo, Arc<Picture>)>);

impl PictureShelf {
    pub(in crate::sources) fn new(capacity: usize) -> Self {
        Self(Recent::new(capacity))
    }

    /// The picture of that name and size, if it is still here, with its full description.
    pub(in crate::sources) fn find(&self, name: &str, width: u32, height: u32) -> Option<(Photo, Arc<Picture>)> {
        self.0.find(|(photo, _)| (photo.width, photo.height) == (width, height) && photo.name == name)
    }

    /// Puts a picture on the shelf; the oldest falls off when it is full.
    pub(in crate::sources) fn put(&self, photo: Photo, picture: Arc<Picture>) {
        let same = photo.clone();
        self.0.put((photo, picture), |(other, _)| *other == same);
    }
}
