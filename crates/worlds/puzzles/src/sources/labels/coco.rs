//! Photographs whose things people have outlined, from a file in COCO or LVIS format.
//!
//! Neither format promises that everything is outlined. LVIS says of which kinds some may be missing, and these are left
//! out; COCO says nothing, so its counts are what its annotators counted, and the source's name says so. Kinds of which a
//! picture shows a crowd, outlined as one, are left out too, and so are kinds of which one is too small to be seen.

mod format;
mod open;
mod outline;

use std::collections::BTreeMap;
use std::sync::Arc;

use quintain_core::digest::Digest;
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

use self::format::LabelOutline;
use super::{Labelled, Labels, Mask, Thing, WantedPicture};
use crate::sources::photos::Photo;
use crate::sources::photos::folder::PhotoFile;
use crate::sources::photos::opaque::lay_on_white;
use crate::sources::photos::shelf::PictureShelf;

pub use open::LabelsError;

/// How many photographs are kept ready.
const KEPT: usize = 64;

/// A label file with the photographs it speaks of. Whoever opens it reads every photograph once, so that its name can tell
/// what was there; one that changes afterwards is refused. Photographs are shown at their own size.
pub struct LabelFile {
    file_name: String,
    digest: Digest,
    /// Whether the file says which kinds are outlined without exception.
    tells_gaps: bool,
    photos: Vec<LabelledPhoto>,
    /// For every number of things, the photographs and kinds that have so many.
    by_count: BTreeMap<usize, Vec<(usize, String)>>,
    shelf: PictureShelf,
}

/// One photograph of a label file.
struct LabelledPhoto {
    file: PhotoFile,
    width: u32,
    height: u32,
    licence: Option<String>,
    /// What is outlined in it, each with its kind. Kinds with gaps are left out.
    outlines: Vec<(String, LabelOutline)>,
}

impl LabelledPhoto {
    fn things(&self) -> Vec<Thing> {
        let mask = |outline: &LabelOutline| outline::mask(outline, self.width, self.height);
        let thing =
            |(kind, outline): &(String, LabelOutline)| Thing { kind: kind.clone(), color: None, mask: mask(outline) };
        self.outlines.iter().map(thing).collect()
    }

    fn picture(&self) -> Result<Picture, String> {
        // Outlines speak of pixels as they are stored, not of a photograph turned upright.
        let decoded = self.file.decode_as_stored().map_err(|error| error.to_string())?;
        let (name, (width, height)) = (&self.file.name, decoded.dimensions());
        if (width, height) != (self.width, self.height) {
            let (wanted_width, wanted_height) = (self.width, self.height);
            return Err(format!("`{name}` is {width}x{height}, but its labels are for {wanted_width}x{wanted_height}"));
        }
        let mut rgba = decoded.into_raw();
        lay_on_white(&mut rgba);
        Picture::from_rgba(width, height, rgba).ok_or_else(|| format!("`{name}` has no pixels"))
    }
}

impl LabelFile {
    /// How many photographs it has.
    pub fn n_photos(&self) -> usize {
        self.photos.len()
    }

    /// How many outlined things may be spoken of.
    pub fn n_things(&self) -> usize {
        self.photos.iter().map(|photo| photo.outlines.len()).sum()
    }

    /// The licences of its photographs, and how many are under each.
    pub fn licences(&self) -> BTreeMap<String, usize> {
        let mut licences = BTreeMap::new();
        for photo in &self.photos {
            *licences.entry(photo.licence.clone().unwrap_or_else(|| "no licence told".to_owned())).or_default() += 1;
        }
        licences
    }

    fn ready(&self, labelled: &LabelledPhoto) -> Result<(Photo, Arc<Picture>), String> {
        let LabelledPhoto { file, width, height, .. } = labelled;
        if let Some(found) = self.shelf.find(&file.name, *width, *height) {
            return Ok(found);
        }
        let picture = Arc::new(labelled.picture()?);
        let photo = Photo { name: file.name.clone(), width: *width, height: *height, digest: picture.digest() };
        self.shelf.put(photo.clone(), Arc::clone(&picture));
        Ok((photo, picture))
    }
}

impl Labels for LabelFile {
    fn name(&self) -> String {
        let told = if self.tells_gaps { "kinds outlined without gaps" } else { "as its annotators saw it" };
        format!("labels `{}` {}, {told}", self.file_name, self.digest.short())
    }

    /// A number is drawn evenly among those that occur, so that a usual number is no better guess than a rare one.
    fn pick(&self, rng: &mut Rng, wanted: &WantedPicture) -> Result<Labelled, String> {
        let (least, most) = (wanted.least, wanted.most.max(wanted.least));
        let found: Vec<&Vec<_>> = self.by_count.range(least..=most).map(|(_, found)| found).collect();
        if found.is_empty() {
            return Err(format!("no photograph of {} shows {least} to {most} things of one kind", self.name()));
        }
        let pairs = *rng.choose(&found);
        let (photo_idx, kind) = rng.choose(pairs);
        let labelled = &self.photos[*photo_idx];
        let (photo, _) = self.ready(labelled)?;
        Ok(Labelled { photo, licence: labelled.licence.clone(), kind: kind.clone(), things: labelled.things() })
    }

    fn load(&self, photo: &Photo) -> Result<Arc<Picture>, String> {
        let labelled = self.photos.iter().find(|labelled| labelled.file.name == photo.name);
        let labelled = labelled.ok_or_else(|| format!("{} has no photograph `{}`", self.name(), photo.name))?;
        let (now, picture) = self.ready(labelled)?;
        if now == *photo {
            return Ok(picture);
        }
        Err(format!("photograph `{}` of {} does not have the pixels it was picked with", photo.name, self.name()))
    }
}

#[cfg(test)]
mod tests;
