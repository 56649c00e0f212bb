//! A built-in generator of photo-like scenes, for those who have no photographs at hand.
//!
//! A scene is made from its name alone: the kind of scene and a seed. All arithmetic is plain `f32` (no library
//! functions but square roots), so the same name gives the same pixels everywhere.

mod city;
mod coast;
mod forest;
mod fruit;
mod lake;
mod land;
mod meadow;
pub(in crate::sources) mod noise;
mod plants;
pub(in crate::sources) mod sheet;
pub(in crate::sources) mod sky;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

use self::sheet::PaintSheet;
use super::shelf::PictureShelf;
use super::{Photo, Photos};

/// Counts up whenever the same name gives other pixels.
const VERSION: u32 = 1;
/// How many scenes are kept ready.
const KEPT: usize = 32;

/// The built-in generator of photo-like scenes.
pub struct Scenes {
    shelf: PictureShelf,
}

impl Default for Scenes {
    fn default() -> Self {
        Self { shelf: PictureShelf::new(KEPT) }
    }
}

/// A kind of scene: its name, and how it is painted.
type SceneKind = (&'static str, fn(&mut PaintSheet, &mut Rng));

const KINDS: [SceneKind; 6] = [
    ("lake", lake::paint),
    ("meadow", meadow::paint),
    ("city", city::paint),
    ("fruit", fruit::paint),
    ("coast", coast::paint),
    ("forest", forest::paint),
];

impl Scenes {
    fn scene(&self, name: &str, width: u32, height: u32) -> Result<(Photo, Arc<Picture>), String> {
        if let Some(found) = self.shelf.find(name, width, height) {
            return Ok(found);
        }
        let picture = Arc::new(render(name, width, height).ok_or_else(|| format!("there is no scene `{name}`"))?);
        let photo = Photo { name: name.to_owned(), width, height, digest: picture.digest() };
        self.shelf.put(photo.clone(), Arc::clone(&picture));
        Ok((photo, picture))
    }
}

impl Photos for Scenes {
    fn name(&self) -> String {
        format!("built-in scenes {VERSION}")
    }

    fn pick(&self, rng: &mut Rng, width: u32, height: u32) -> Result<Photo, String> {
        let (kind, _) = rng.choose(&KINDS);
        let name = format!("{kind}-{:016x}", rng.next_u64());
        self.scene(&name, width, height).map(|(photo, _)| photo)
    }

    fn load(&self, photo: &Photo) -> Result<Arc<Picture>, String> {
        let (now, picture) = self.scene(&photo.name, photo.width, photo.height)?;
        if now.digest == photo.digest {
            return Ok(picture);
        }
        Err(format!("scene `{}` does not have the pixels it was picked with: another version made it", photo.name))
    }
}

/// Paints the scene of a name.
fn render(name: &str, width: u32, height: u32) -> Option<Picture> {
    let (kind, seed) = name.split_once('-')?;
    let (_, paint) = KINDS.iter().find(|(name, _)| *name == kind)?;
    let mut rng = Rng::new(u64::from_str_radix(seed, 16).ok()?);
    let mut sheet = PaintSheet::new(width as usize, height as usize);
    paint(&mut sheet, &mut rng);
    Some(sheet.develop(&mut rng))
}
