//! Photographs from a folder of the user's.

mod fit;
mod open;

use std::path::PathBuf;
use std::sync::Arc;

use quintain_core::digest::Digest;
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

use super::shelf::PictureShelf;
use super::{Photo, Photos};

pub use open::FolderError;

/// How many fitted photographs are kept ready.
const KEPT: usize = 64;

/// A folder of JPEG and PNG files, its subfolders included. Whoever opens it reads every file once, so that its name
/// can tell what was in it; a file that changes afterwards is refused.
pub struct PhotoFolder {
    base_name: String,
    digest: Digest,
    files: Vec<PhotoFile>,
    shelf: PictureShelf,
}

/// One file of a folder.
pub(in crate::sources) struct PhotoFile {
    /// Where it is, from the folder, with `/` between the parts.
    pub(in crate::sources) name: String,
    path: PathBuf,
    /// The hash of its bytes when the folder was opened.
    pub(in crate::sources) digest: Digest,
}

impl PhotoFolder {
    fn file(&self, name: &str) -> Result<&PhotoFile, String> {
        let at = self.files.binary_search_by(|file| file.name.as_str().cmp(name));
        at.map(|at| &self.files[at]).map_err(|_place| format!("{} has no photograph `{name}`", self.name()))
    }

    /// The photograph at a size, from the shelf or from its file.
    fn fitted(&self, file: &PhotoFile, width: u32, height: u32) -> Result<(Photo, Arc<Picture>), String> {
        if let Some(found) = self.shelf.find(&file.name, width, height) {
            return Ok(found);
        }
        let decoded = file.decode().map_err(|error| error.to_string())?;
        let picture = Arc::new(fit::fit(&decoded, width, height));
        let photo = Photo { name: file.name.clone(), width, height, digest: picture.digest() };
        self.shelf.put(photo.clone(), Arc::clone(&picture));
        Ok((photo, picture))
    }
}

impl Photos for PhotoFolder {
    fn name(&self) -> String {
        format!("folder `{}` {}", self.base_name, self.digest.short())
    }

    fn pick(&self, rng: &mut Rng, width: u32, height: u32) -> Result<Photo, String> {
        let file = rng.choose(&self.files);
        self.fitted(file, width, height).map(|(photo, _)| photo)
    }

    fn load(&self, photo: &Photo) -> Result<Arc<Picture>, String> {
        let (now, picture) = self.fitted(self.file(&photo.name)?, photo.width, photo.height)?;
        if now.digest == photo.digest {
            return Ok(picture);
        }
        Err(format!("photograph `{}` of {} does not have the pixels it was picked with", photo.name, self.name()))
    }
}

#[cfg(test)]
mod tests;
