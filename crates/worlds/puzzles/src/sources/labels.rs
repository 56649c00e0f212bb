//! Where pictures come from in which every thing is outlined: label files of the user's, or a generator of such pictures.

mod coco;
mod made;
mod mask;
pub(crate) mod usual;

use std::sync::Arc;

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

use super::photos::Photo;

pub use coco::{LabelFile, LabelsError};
pub use made::Arrangements;
pub use mask::Mask;

/// A source of pictures whose things are outlined.
pub trait Labels: Send + Sync {
    /// What it is called: a verdict names it.
    fn name(&self) -> String;

    /// Picks a picture and a kind of thing of which it shows a wanted number. The same numbers give the same picture.
    fn pick(&self, rng: &mut Rng, wanted: &WantedPicture) -> Result<Labelled, String>;

    /// The pixels of a picture that was picked before. It is an error if they have changed since.
    fn load(&self, photo: &Photo) -> Result<Arc<Picture>, String>;
}

/// What a picture should show. A label file heeds only the number of things: its pictures are what they are.
#[derive(Clone, Debug)]
pub struct WantedPicture {
    /// Pixels across of a generated picture.
    pub width: u32,
    /// Pixels down of a generated picture.
    pub height: u32,
    /// Things of the kind in question, at least.
    pub least: usize,
    /// Things of the kind in question, at most.
    pub most: usize,
    /// Things of other kinds, at most.
    pub others: usize,
    /// How far two things may reach over each other, as a share of their radii.
    pub overlap: f64,
    /// How large things are, as a share of the usual.
    pub size: f64,
}

/// A picture with outlines.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The picture, by name.
    pub photo: Photo,
    /// The licence it may be used by, where the source tells one.
    pub licence: Option<String>,
    /// The kind of thing in question: all things of this kind are outlined.
    pub kind: String,
    /// Every thing that may be spoken of. Kinds of which some may lack an outline are left out.
    pub things: Vec<Thing>,
}

impl Labelled {
    /// The things of the kind in question.
    pub fn in_question(&self) -> impl Iterator<Item = &Thing> {
        self.things.iter().filter(|thing| thing.kind == self.kind)
    }
}

/// One outlined thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    /// What it is, as one says it of one.
    pub kind: String,
    /// Its colour, where that is known and sets things of its kind apart.
    pub color: Option<String>,
    /// Where it can be seen.
    pub mask: Mask,
}

#[cfg(test)]
mod tests;
