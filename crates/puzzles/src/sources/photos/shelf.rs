//! A shelf for the pictures that were made last, so that picking and loading make each only once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quintain_core::picture::Picture;

use super::Photo;

/// The pictures that were made last.
pub(in crate::sources) struct Shelf {
    capacity: usize,
    held: Mutex<VecDeque<(Photo, Arc<Picture>)>>,
}

impl Shelf {
    pub(in crate::sources) fn new(capacity: usize) -> Self {
        Self { capacity, held: Mutex::default() }
    }

    /// The picture of that name and size, if it is still here, with its full description.
    pub(in crate::sources) fn find(&self, name: &str, width: u32, height: u32) -> Option<(Photo, Arc<Picture>)> {
        let held = self.held();
        let found =
            held.iter().rev().find(|(photo, _)| (photo.width, photo.height) == (width, height) && photo.name == name);
        found.cloned()
    }

    /// Puts a picture on the shelf; the oldest falls off when it is full.
    pub(in crate::sources) fn put(&self, photo: Photo, picture: Arc<Picture>) {
        let mut held = self.held();
        if held.iter().any(|(other, _)| *other == photo) {
            return;
        }
        if held.len() == self.capacity {
            held.pop_front();
        }
        held.push_back((photo, picture));
    }

    /// A panic elsewhere leaves the shelf as it was: every change of it is a single call.
    fn held(&self) -> MutexGuard<'_, VecDeque<(Photo, Arc<Picture>)>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
