//! Which pictures of an attempt are kept, and what each is laid over.

use std::collections::HashMap;
use std::sync::Arc;

use quintain_core::{Digest, Picture, Screen, TrialEvent};
use quintain_png::changed_share;
use serde::{Deserialize, Serialize};

use super::dir::RunFiles;
use crate::error::StoreError;
use crate::frames::KeyFrame;

/// A picture that differs in more than this share of its pixels is stored whole, and later ones are laid over it.
const MOST_CHANGED: f64 = 0.5;

/// Which pictures of a trial are kept. Events name all of them, whether they are or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeptPictures {
    /// Every one.
    #[default]
    All,
    /// The first and the last, and those in between that differ much from the one kept before. In apps that is every one.
    Key,
    /// The first and the last.
    Ends,
}

impl KeptPictures {
    /// Whether it need not be written down.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
    pub(crate) fn is_all(&self) -> bool {
        *self == Self::All
    }
}

/// Stores the pictures of one attempt after another.
#[derive(Debug)]
pub(super) struct FrameKeeper {
    kept: KeptPictures,
    keys: HashMap<(u32, u32), KeyFrame>,
    /// The last that was found to differ little from its key frame: a screen that stays as it is is not compared again.
    near_key: Option<Digest>,
    stage: AttemptStage,
    /// Shown since the last turn.
    shown: Vec<(Digest, Screen)>,
    /// Shown with the last turn and not stored: should nothing follow, these are the last.
    held: Vec<(Digest, Screen)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AttemptStage {
    BeforeFirstTurn,
    Between,
    Over,
}

impl FrameKeeper {
    pub(super) fn new(kept: KeptPictures) -> Self {
        let (keys, shown, held) = (HashMap::new(), Vec::new(), Vec::new());
        Self { kept, keys, near_key: None, stage: AttemptStage::BeforeFirstTurn, shown, held }
    }

    /// Begins another attempt: nothing of it lies over a picture of an earlier one.
    pub(super) fn begin(&mut self) {
        *self = Self::new(self.kept);
    }

    /// Stores a picture, or holds it until it is known whether it is the last.
    pub(super) fn take(&mut self, files: &RunFiles, digest: Digest, screen: &Screen) -> Result<(), StoreError> {
        let is_kept = match (self.kept, self.stage) {
            (KeptPictures::All, _) | (_, AttemptStage::BeforeFirstTurn | AttemptStage::Over) => true,
            (KeptPictures::Key, AttemptStage::Between) => self.differs_much(digest, screen),
            (KeptPictures::Ends, AttemptStage::Between) => false,
        };
        if is_kept {
            return self.store(files, digest, screen);
        }
        self.shown.push((digest, screen.clone()));
        Ok(())
    }

    /// Notes an event: a turn makes what was shown before it the last for now, the end makes it the last.
    pub(super) fn note(&mut self, files: &RunFiles, event: &TrialEvent) -> Result<(), StoreError> {
        match event {
            TrialEvent::Turn { .. } => {
                self.stage = AttemptStage::Between;
                self.held = std::mem::take(&mut self.shown);
            }
            TrialEvent::Stopped { .. } => {
                self.stage = AttemptStage::Over;
                for (digest, screen) in std::mem::take(&mut self.held) {
                    self.store(files, digest, &screen)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn differs_much(&mut self, digest: Digest, screen: &Screen) -> bool {
        let Screen::Raw(picture) = screen else { return true };
        let Some(key) = self.key_of(picture) else { return true };
        if key.digest == digest || self.near_key == Some(digest) {
            return false;
        }
        if changed_share(&key.picture, picture) > MOST_CHANGED {
            return true;
        }
        self.near_key = Some(digest);
        false
    }

    fn key_of(&self, picture: &Picture) -> Option<&KeyFrame> {
        self.keys.get(&(picture.width(), picture.height()))
    }

    fn store(&mut self, files: &RunFiles, digest: Digest, screen: &Screen) -> Result<(), StoreError> {
        let Screen::Raw(picture) = screen else { return files.put_frame(digest, screen, None) };
        if !files.lays_over() {
            return files.put_frame(digest, screen, None);
        }
        if self.differs_much(digest, screen) {
            let key = KeyFrame { digest, picture: Arc::clone(picture) };
            self.keys.insert((picture.width(), picture.height()), key);
            self.near_key = None;
            return files.put_frame(digest, screen, None);
        }
        files.put_frame(digest, screen, self.key_of(picture))
    }
}
