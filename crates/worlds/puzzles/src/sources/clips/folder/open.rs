//! Finding and reading the files of a folder of clips.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use quintain_core::digest::Digest;

use super::decode::find_ffmpeg;
use super::{ClipFile, ClipFolder, KEPT_CUT, KEPT_SAMPLED};
use crate::sources::listing::files_below;
use crate::sources::recent::Recent;

/// How files end that are taken for clips.
const ENDINGS: [&str; 9] = ["avi", "gif", "m4v", "mkv", "mov", "mp4", "mpg", "ogv", "webm"];

/// Why a folder cannot be a source of clips.
#[derive(Debug, thiserror::Error)]
pub enum ClipsError {
    /// It is not there, or no folder.
    #[error("cannot read the clip folder `{}`", path.display())]
    NoFolder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// No clips in it.
    #[error("no clips found in `{}`: video files are wanted (.mp4, .mkv, .webm, .mov, .avi, .gif and others)", path.display())]
    Empty {
        /// The folder.
        path: PathBuf,
    },
    /// The program that decodes clips is not on the path.
    #[error("clips are decoded by the program `ffmpeg`, which is not on the PATH: install it (apt install ffmpeg)")]
    Missing,
    /// The program that decodes clips cannot be run.
    #[error("clips are decoded by the program `ffmpeg`, which cannot be run: install it (apt install ffmpeg)")]
    NoFfmpeg {
        /// Why.
        source: std::io::Error,
    },
    /// A file cannot be read.
    #[error("cannot read the clip `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is no clip.
    #[error("the clip `{}` cannot be decoded: {why}", path.display())]
    NoClip {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A file has changed since the folder was opened.
    #[error("the clip `{}` has changed since the folder was opened", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

impl ClipFolder {
    /// Opens a folder: finds its clips and reads each, with the text beside it that says what happens.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ClipsError> {
        Self::open_with(path.as_ref(), find_ffmpeg())
    }

    pub(super) fn open_with(path: &Path, ffmpeg: Option<PathBuf>) -> Result<Self, ClipsError> {
        let no_folder = |source| ClipsError::NoFolder { path: path.to_owned(), source };
        let root = path.canonicalize().map_err(no_folder)?;
        let names = files_below(&root, &ENDINGS).map_err(no_folder)?;
        if names.is_empty() {
            return Err(ClipsError::Empty { path: path.to_owned() });
        }
        let ffmpeg = ffmpeg.ok_or(ClipsError::Missing)?;
        let files = names.into_iter().map(|name| ClipFile::open(&root, name)).collect::<Result<Vec<_>, _>>()?;
        let parts = files.iter().flat_map(|file| {
            let about = file.about.as_deref().unwrap_or_default();
            [(file.name.as_str(), &file.digest.bytes()[..]), ("about", about.as_bytes())]
        });
        Ok(Self {
            base_name: root.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned()),
            digest: Digest::of_parts(parts),
            ffmpeg,
            files,
            sampled: Recent::new(KEPT_SAMPLED),
            cut: Recent::new(KEPT_CUT),
        })
    }
}

impl ClipFile {
    fn open(root: &Path, name: String) -> Result<Self, ClipsError> {
        let path = root.join(&name);
        let digest = digest_of(&path)?;
        let about = about(&path.with_extension("txt"))?;
        Ok(Self { name, path, digest, about })
    }

    /// Refuses a file that is not what it was.
    pub(super) fn check_unchanged(&self) -> Result<(), ClipsError> {
        if digest_of(&self.path)? == self.digest {
            return Ok(());
        }
        Err(ClipsError::Changed { path: self.path.clone() })
    }
}

fn digest_of(path: &Path) -> Result<Digest, ClipsError> {
    let bytes = fs::read(path).map_err(|source| ClipsError::Unreadable { path: path.to_owned(), source })?;
    Ok(Digest::of(&bytes))
}

/// What a text file says, if it is there and says something.
fn about(path: &Path) -> Result<Option<String>, ClipsError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ClipsError::Unreadable { path: path.to_owned(), source }),
    }
}
