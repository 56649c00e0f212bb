//! What puzzles are made of: photographs and other things of the user's, or built-in generators of such things.

pub mod labels;
pub mod photos;

use std::sync::Arc;

use self::labels::{Arrangements, Labels};
use self::photos::{Photos, Scenes};

/// What an instance of a puzzle is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    /// A photograph.
    Photos,
    /// A picture whose things are outlined.
    Labels,
}

/// Where each kind of material comes from. By default everything is generated, so that nothing need be installed.
#[derive(Clone)]
pub struct Sources {
    /// Where photographs come from.
    pub photos: Arc<dyn Photos>,
    /// Where pictures come from whose things are outlined.
    pub labels: Arc<dyn Labels>,
}

impl Default for Sources {
    fn default() -> Self {
        Self { photos: Arc::new(Scenes::default()), labels: Arc::new(Arrangements::default()) }
    }
}

impl Sources {
    /// What the source of a material is called: a verdict names it.
    pub fn name(&self, material: Material) -> String {
        match material {
            Material::Photos => self.photos.name(),
            Material::Labels => self.labels.name(),
        }
    }
}
