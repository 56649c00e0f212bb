//! What puzzles are made of: photographs and other things of the user's, or built-in generators of such things.

pub mod clips;
pub mod labels;
mod listing;
pub mod meshes;
pub mod photos;
mod recent;

use std::sync::Arc;

use self::clips::{Clips, Happenings};
use self::labels::{Arrangements, Labels};
use self::meshes::{Meshes, Toys};
use self::photos::{Photos, Scenes};

/// What an instance of a puzzle is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleMaterial {
    /// A photograph.
    Photos,
    /// Frames of a clip.
    Clips,
    /// A picture whose things are outlined.
    Labels,
    /// An object in three dimensions.
    Meshes,
}

/// Where each kind of material comes from. By default everything is generated, so that nothing need be installed.
#[derive(Clone)]
pub struct MaterialSources {
    /// Where photographs come from.
    pub photos: Arc<dyn Photos>,
    /// Where frames of clips come from.
    pub clips: Arc<dyn Clips>,
    /// Where pictures come from whose things are outlined.
    pub labels: Arc<dyn Labels>,
    /// Where objects in three dimensions come from.
    pub meshes: Arc<dyn Meshes>,
}

impl Default for MaterialSources {
    fn default() -> Self {
        Self {
            photos: Arc::new(Scenes::default()),
            clips: Arc::new(Happenings::default()),
            labels: Arc::new(Arrangements::default()),
            meshes: Arc::new(Toys::default()),
        }
    }
}

impl MaterialSources {
    /// What the source of a material is called: a verdict names it.
    pub fn name(&self, material: PuzzleMaterial) -> String {
        match material {
            PuzzleMaterial::Photos => self.photos.name(),
            PuzzleMaterial::Clips => self.clips.name(),
            PuzzleMaterial::Labels => self.labels.name(),
            PuzzleMaterial::Meshes => self.meshes.name(),
        }
    }
}
