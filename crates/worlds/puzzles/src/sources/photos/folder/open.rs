//! Finding, reading and decoding the files of a folder.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageReader, RgbaImage};
use quintain_core::digest::Digest;

use super::{KEPT, PhotoFile, PhotoFolder};
use crate::sources::listing::files_below;
use crate::sources::photos::shelf::PictureShelf;

/// Why a folder cannot be a source of photographs.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It is not there, or no folder.
    #[error("cannot read the photo folder `{}`", path.display())]
    NoFolder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// No photographs in it.
    #[error("no photos found in `{}`: JPEG or PNG files are wanted (.jpg, .jpeg, .png)", path.display())]
    Empty {
        /// The folder.
        path: PathBuf,
    },
    /// A file cannot be read.
    #[error("cannot read the photo `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is no picture.
    #[error("the photo `{}` cannot be decoded: {why}", path.display())]
    NoPicture {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A file has changed since the folder was opened.
    #[error("the photo `{}` has changed since the folder was opened", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

impl PhotoFolder {
    /// Opens a folder: finds its photographs, reads each, and checks that it is one.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FolderError> {
        let path = path.as_ref();
        let no_folder = |source| FolderError::NoFolder { path: path.to_owned(), source };
        let root = path.canonicalize().map_err(no_folder)?;
        let names = files_below(&root, &["jpg", "jpeg", "png"]).map_err(no_folder)?;
        if names.is_empty() {
            return Err(FolderError::Empty { path: path.to_owned() });
        }
        let files = names.into_iter().map(|name| PhotoFile::open(&root, name)).collect::<Result<Vec<_>, _>>()?;
        let parts = files.iter().map(|file| (file.name.as_str(), &file.digest.bytes()[..]));
        Ok(Self {
            base_name: root.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned()),
            digest: Digest::of_parts(parts),
            files,
            shelf: PictureShelf::new(KEPT),
        })
    }
}

impl PhotoFile {
    /// Reads a file once and checks that it is a picture.
    pub(in crate::sources) fn open(root: &Path, name: String) -> Result<Self, FolderError> {
        let path = root.join(&name);
        let bytes = read(&path)?;
        let size = ImageReader::new(Cursor::new(&bytes)).with_guessed_format().map(ImageReader::into_dimensions);
        match size {
            Ok(Ok(_)) => Ok(Self { digest: Digest::of(&bytes), name, path }),
            Ok(Err(error)) => Err(FolderError::NoPicture { path, why: error.to_string() }),
            Err(source) => Err(FolderError::Unreadable { path, source }),
        }
    }

    /// Its pixels, upright, as long as the file is what it was.
    pub(in crate::sources) fn decode(&self) -> Result<RgbaImage, FolderError> {
        let (mut picture, orientation) = self.stored()?;
        picture.apply_orientation(orientation);
        Ok(picture.into_rgba8())
    }

    /// Its pixels as they are stored, whichever way up, as long as the file is what it was.
    pub(in crate::sources) fn decode_as_stored(&self) -> Result<RgbaImage, FolderError> {
        Ok(self.stored()?.0.into_rgba8())
    }

    /// The picture as it is stored, and how it is to be turned upright.
    fn stored(&self) -> Result<(DynamicImage, Orientation), FolderError> {
        let bytes = read(&self.path)?;
        if Digest::of(&bytes) != self.digest {
            return Err(FolderError::Changed { path: self.path.clone() });
        }
        let no_picture =
            |error: image::ImageError| FolderError::NoPicture { path: self.path.clone(), why: error.to_string() };
        let reader = ImageReader::new(Cursor::new(&bytes))
            .with_guessed_format()
            .map_err(|source| FolderError::Unreadable { path: self.path.clone(), source })?;
        let mut decoder = reader.into_decoder().map_err(no_picture)?;
        let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
        let picture = DynamicImage::from_decoder(decoder).map_err(no_picture)?;
        Ok((picture, orientation))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, FolderError> {
    fs::read(path).map_err(|source| FolderError::Unreadable { path: path.to_owned(), source })
}
