//! A built-in generator of things that happen one way only, for those who have no clips at hand.
//!
//! A clip is made from its name alone: what happens, and a seed. Every frame is painted for its own moment, so that the
//! order of frames is exact by construction. In each, something happens that never goes back: wax burns, snow melts, sand
//! falls, dominoes topple.

mod backdrop;
mod ball;
mod candle;
mod dominoes;
mod firework;
mod flower;
mod hourglass;
mod ink;
mod snowman;
mod stage;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

use self::stage::ClipStage;
use super::moments::{TRIES, can_be_told_apart, moments};
use super::{Clip, Clips, WantedFrames};
use crate::sources::recent::Recent;

/// Counts up whenever the same name gives other pixels.
const VERSION: u32 = 1;
/// How many clips are kept ready.
const KEPT: usize = 32;
/// A clip goes from moment 0 to this one.
const LAST: u32 = 1000;
/// How many clips are tried before giving up.
const CLIPS: usize = 16;

/// Frames in the order of time.
type Frames = Vec<Arc<Picture>>;

/// Something that happens, from 0 to 1, and never goes back.
trait Happening {
    /// What happens, in a sentence.
    fn about(&self) -> &'static str;

    /// Paints what stays the same.
    fn backdrop(&self, stage: &mut ClipStage);

    /// Paints what there is to see at a time.
    fn paint(&self, stage: &mut ClipStage, time: f32);
}

/// A kind of happening: its name, and how one is made.
type HappeningKind = (&'static str, fn(&mut Rng) -> Box<dyn Happening>);

const KINDS: [HappeningKind; 8] = [
    ("ball", ball::make),
    ("candle", candle::make),
    ("dominoes", dominoes::make),
    ("firework", firework::make),
    ("flower", flower::make),
    ("hourglass", hourglass::make),
    ("ink", ink::make),
    ("snowman", snowman::make),
];

/// The built-in generator of things that happen.
pub struct Happenings {
    recent: Recent<(Clip, Frames)>,
}

impl Default for Happenings {
    fn default() -> Self {
        Self { recent: Recent::new(KEPT) }
    }
}

impl Happenings {
    fn cut(&self, name: &str, moments: &[u32], side: u32) -> Result<(Clip, Frames), String> {
        if let Some(found) = self.recent.find(|(clip, _)| clip.is_cut(name, moments, side)) {
            return Ok(found);
        }
        let no_clip = || format!("there is no happening `{name}`");
        let (about, frames) = render(name, moments, side).ok_or_else(no_clip)?;
        let clip = Clip::of(name, moments.to_vec(), side, Some(about.to_owned()), &frames);
        self.recent.put((clip.clone(), frames.clone()), |(other, _)| *other == clip);
        Ok((clip, frames))
    }

    /// Frames of one clip that can be told apart, if there are any.
    fn of_clip(&self, name: &str, rng: &mut Rng, wanted: &WantedFrames) -> Result<Option<Clip>, String> {
        for _ in 0..TRIES {
            let Some(moments) = moments(wanted, LAST, rng) else { continue };
            let (clip, frames) = self.cut(name, &moments, wanted.side)?;
            if can_be_told_apart(frames.iter().map(AsRef::as_ref), wanted.least_difference) {
                return Ok(Some(clip));
            }
        }
        Ok(None)
    }
}

impl Clips for Happenings {
    fn name(&self) -> String {
        format!("built-in happenings {VERSION}")
    }

    fn pick(&self, rng: &mut Rng, wanted: &WantedFrames) -> Result<Clip, String> {
        for _ in 0..CLIPS {
            let (kind, _) = rng.choose(&KINDS);
            let name = format!("{kind}-{:016x}", rng.next_u64());
            if let Some(clip) = self.of_clip(&name, rng, wanted)? {
                return Ok(clip);
            }
        }
        let (n_frames, least) = (wanted.n_frames, wanted.least_difference);
        Err(format!("{CLIPS} happenings were tried: none has {n_frames} frames that differ by {least} of 255"))
    }

    fn load(&self, clip: &Clip) -> Result<Frames, String> {
        let (now, frames) = self.cut(&clip.name, &clip.moments, clip.side)?;
        if now.digest == clip.digest {
            return Ok(frames);
        }
        Err(format!("happening `{}` does not have the pixels it was picked with: another version made it", clip.name))
    }
}

/// Paints the frames of a clip at some moments.
fn render(name: &str, moments: &[u32], side: u32) -> Option<(&'static str, Frames)> {
    let (kind, seed) = name.split_once('-')?;
    let (_, make) = KINDS.iter().find(|(name, _)| *name == kind)?;
    let mut rng = Rng::new(u64::from_str_radix(seed, 16).ok()?);
    let happening = make(&mut rng);
    let mut empty = ClipStage::new(side);
    happening.backdrop(&mut empty);
    let frame = |moment: &u32| {
        let mut stage = empty.copied();
        happening.paint(&mut stage, *moment as f32 / LAST as f32);
        Arc::new(stage.develop(&mut rng))
    };
    Some((happening.about(), moments.iter().map(frame).collect()))
}
