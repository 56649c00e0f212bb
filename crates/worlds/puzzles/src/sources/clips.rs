//! Where frames of clips come from: a folder of the user's, or a generator of things that happen.

mod folder;
mod happenings;
mod moments;

use std::sync::Arc;

use quintain_core::digest::Digest;
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use serde::{Deserialize, Serialize};

pub use folder::{ClipFolder, ClipsError, find_ffmpeg};
pub use happenings::Happenings;

/// A source of clips in which time has a direction that can be seen.
pub trait Clips: Send + Sync {
    /// What it is called: a verdict names it.
    fn name(&self) -> String;

    /// Picks a clip and frames of it that can be told apart. The same numbers give the same frames.
    fn pick(&self, rng: &mut Rng, wanted: &WantedFrames) -> Result<Clip, String>;

    /// The frames of a clip that was picked before, in the order of time. It is an error if they have changed since.
    fn load(&self, clip: &Clip) -> Result<Vec<Arc<Picture>>, String>;
}

/// Which frames are wanted.
#[derive(Clone, Copy, Debug)]
pub struct WantedFrames {
    /// How many.
    pub n_frames: usize,
    /// Pixels along a side of each.
    pub side: u32,
    /// Over which share of the clip they are spread.
    pub span: f64,
    /// How different every two of them must look: the mean difference of a colour channel, out of 255.
    pub least_difference: f64,
}

/// Frames of a clip by name, so that an instance can be told and made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clip {
    /// The clip's name in the source.
    pub name: String,
    /// Where in the clip the frames are, as its source counts, in the order of time.
    pub moments: Vec<u32>,
    /// Pixels along a side of each frame.
    pub side: u32,
    /// What happens in it, in a sentence, where the source knows.
    pub about: Option<String>,
    /// The hash of all frames' pixels.
    pub digest: Digest,
}

impl Clip {
    fn of(name: &str, moments: Vec<u32>, side: u32, about: Option<String>, frames: &[Arc<Picture>]) -> Self {
        let all: Vec<u8> = frames.iter().flat_map(|frame| *frame.digest().bytes()).collect();
        Self { name: name.to_owned(), moments, side, about, digest: Digest::of(&all) }
    }

    /// Whether it is the same frames of the same clip.
    fn is_cut(&self, name: &str, moments: &[u32], side: u32) -> bool {
        self.name == name && self.moments == moments && self.side == side
    }
}
