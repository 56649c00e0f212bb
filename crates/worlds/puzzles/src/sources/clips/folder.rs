//! Clips from a folder of the user's, decoded by the program `ffmpeg`.

mod decode;
mod open;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;

use quintain_core::digest::Digest;
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

use self::decode::{Sampled, sample};
use super::moments::{TRIES, can_be_told_apart, moments};
use super::{Clip, Clips, WantedFrames};
use crate::sources::recent::Recent;

pub use decode::find_ffmpeg;
pub use open::ClipsError;

/// How many clips are kept ready with all their sampled frames, and how many with the frames that were picked.
const KEPT_SAMPLED: usize = 6;
const KEPT_CUT: usize = 48;
/// How many clips are tried before giving up.
const CLIPS: usize = 12;

/// A folder of video files, its subfolders included. Whoever opens it reads every file once, so that its name can tell
/// what was in it; a file that changes afterwards is refused.
pub struct ClipFolder {
    base_name: String,
    digest: Digest,
    ffmpeg: PathBuf,
    files: Vec<ClipFile>,
    sampled: Recent<(Digest, u32, Arc<Sampled>)>,
    cut: Recent<(Clip, Vec<Arc<Picture>>)>,
}

/// One file of a folder.
struct ClipFile {
    /// Where it is, from the folder, with `/` between the parts.
    name: String,
    path: PathBuf,
    /// The hash of its bytes when the folder was opened.
    digest: Digest,
    /// What happens in it, from the text file beside it.
    about: Option<String>,
}

impl ClipFolder {
    fn file(&self, name: &str) -> Result<&ClipFile, String> {
        let at = self.files.binary_search_by(|file| file.name.as_str().cmp(name));
        at.map(|at| &self.files[at]).map_err(|_place| format!("{} has no clip `{name}`", self.name()))
    }

    /// The sampled frames of a file at a size, kept by the hash of its bytes.
    fn sampled(&self, file: &ClipFile, side: u32) -> Result<Arc<Sampled>, String> {
        let is_it = |(digest, at, _): &(Digest, u32, Arc<Sampled>)| *digest == file.digest && *at == side;
        if let Some((_, _, found)) = self.sampled.find(is_it) {
            return Ok(found);
        }
        file.check_unchanged().map_err(|error| error.to_string())?;
        let sampled = Arc::new(sample(&self.ffmpeg, &file.path, side).map_err(|error| error.to_string())?);
        self.sampled.put((file.digest, side, Arc::clone(&sampled)), is_it);
        Ok(sampled)
    }

    /// The frames of a file at some moments.
    fn frames(&self, file: &ClipFile, moments: &[u32], side: u32) -> Result<(Clip, Vec<Arc<Picture>>), String> {
        if let Some(found) = self.cut.find(|(clip, _)| clip.is_cut(&file.name, moments, side)) {
            return Ok(found);
        }
        let sampled = self.sampled(file, side)?;
        let frame = |moment: &u32| sampled.frame(*moment).map(Arc::new);
        let frames: Option<Vec<_>> = moments.iter().map(frame).collect();
        let frames = frames.ok_or_else(|| format!("clip `{}` is shorter than it was", file.name))?;
        let clip = Clip::of(&file.name, moments.to_vec(), side, file.about.clone(), &frames);
        self.cut.put((clip.clone(), frames.clone()), |(other, _)| *other == clip);
        Ok((clip, frames))
    }

    /// Frames of one file that can be told apart, if there are any.
    fn of_file(&self, file: &ClipFile, rng: &mut Rng, wanted: &WantedFrames) -> Result<Option<Clip>, String> {
        let sampled = self.sampled(file, wanted.side)?;
        for _ in 0..TRIES {
            let Some(moments) = moments(wanted, sampled.last(), rng) else { continue };
            let frames: Vec<Picture> = moments.iter().filter_map(|moment| sampled.frame(*moment)).collect();
            if can_be_told_apart(&frames, wanted.least_difference) {
                return self.frames(file, &moments, wanted.side).map(|(clip, _)| Some(clip));
            }
        }
        Ok(None)
    }
}

impl Clips for ClipFolder {
    fn name(&self) -> String {
        format!("clip folder `{}` {}", self.base_name, self.digest.short())
    }

    fn pick(&self, rng: &mut Rng, wanted: &WantedFrames) -> Result<Clip, String> {
        for _ in 0..CLIPS {
            let file = rng.choose(&self.files);
            if let Some(clip) = self.of_file(file, rng, wanted)? {
                return Ok(clip);
            }
        }
        let (n_frames, least) = (wanted.n_frames, wanted.least_difference);
        let name = self.name();
        Err(format!("{CLIPS} clips of {name} were tried: none has {n_frames} frames that differ by {least} of 255"))
    }

    fn load(&self, clip: &Clip) -> Result<Vec<Arc<Picture>>, String> {
        let (now, frames) = self.frames(self.file(&clip.name)?, &clip.moments, clip.side)?;
        if now.digest == clip.digest {
            return Ok(frames);
        }
        let name = self.name();
        Err(format!(
            "clip `{}` of {name} does not have the pixels it was picked with: is this another ffmpeg?",
            clip.name
        ))
    }
}
