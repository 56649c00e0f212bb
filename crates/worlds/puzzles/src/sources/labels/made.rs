//! A built-in generator of pictures with many things, every one of them known to the pixel.
//!
//! A picture is made from its name alone: what is in question, a seed, and how many things lie how close. Things are
//! painted from the back to the front, and whoever is painted last owns a pixel: so the masks are exact.

mod arrange;
mod garden;
mod ground;
mod kinds;
mod paint;
mod shape;
mod shore;
mod table;

use std::sync::Arc;

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

use self::kinds::{KINDS, ThingKind, kind_named};
use self::paint::{Painted, paint};
use super::{Labelled, Labels, WantedPicture};
use crate::sources::photos::Photo;
use crate::sources::photos::shelf::PictureShelf;

/// Counts up whenever the same name gives other pixels.
const VERSION: u32 = 1;
/// How many pictures are kept ready.
const KEPT: usize = 32;
/// How often an arrangement is tried before giving up.
const TRIES: usize = 24;
/// How much of every thing must be in sight.
pub(super) const LEAST_VISIBLE: f64 = 0.62;
/// How many things a picture may hold.
const MOST_THINGS: usize = 80;
/// Pixels along a side of the picture.
const SIDES: std::ops::RangeInclusive<u32> = 160..=2048;

/// The built-in generator of pictures with many things.
pub struct Arrangements {
    shelf: PictureShelf,
}

impl Default for Arrangements {
    fn default() -> Self {
        Self { shelf: PictureShelf::new(KEPT) }
    }
}

/// All that a picture is made from, besides its size.
#[derive(Clone)]
pub(super) struct PictureRecipe {
    kind: &'static ThingKind,
    seed: u64,
    n_things: usize,
    n_others: usize,
    /// How far things may reach over each other, in hundredths of their radii.
    overlap: u8,
    /// How large things are, in hundredths of the usual.
    size: u8,
}

impl PictureRecipe {
    fn draw(rng: &mut Rng, wanted: &WantedPicture) -> Self {
        Self {
            kind: rng.choose(&KINDS),
            n_things: rng.between(wanted.least as i64, wanted.most as i64) as usize,
            n_others: rng.between(wanted.others.div_ceil(2) as i64, wanted.others as i64) as usize,
            overlap: (wanted.overlap * 100.0).round() as u8,
            size: (wanted.size * 100.0).round() as u8,
            seed: rng.next_u64(),
        }
    }

    fn name(&self) -> String {
        let Self { kind, seed, n_things, n_others, overlap, size } = self;
        format!("{}-{seed:016x}-{n_things}-{n_others}-{overlap}-{size}", kind.name)
    }

    fn from_name(name: &str) -> Option<Self> {
        let mut parts = name.split('-');
        let recipe = Self {
            kind: kind_named(parts.next()?)?,
            seed: u64::from_str_radix(parts.next()?, 16).ok()?,
            n_things: parts.next()?.parse().ok()?,
            n_others: parts.next()?.parse().ok()?,
            overlap: parts.next()?.parse().ok()?,
            size: parts.next()?.parse().ok()?,
        };
        parts.next().is_none().then_some(recipe)
    }
}

/// Whether such a picture can be made.
fn check(wanted: &WantedPicture) -> Result<(), String> {
    let WantedPicture { width, height, least, most, others, overlap, size } = *wanted;
    for (name, pixels) in [("width", width), ("height", height)] {
        if !SIDES.contains(&pixels) {
            return Err(format!("`{name}` is {pixels}: a picture has {} to {} pixels", SIDES.start(), SIDES.end()));
        }
    }
    if least == 0 || least > most || most + others > MOST_THINGS {
        return Err(format!(
            "{least} to {most} things and {others} others: at least one is wanted, and {MOST_THINGS} together at most"
        ));
    }
    if !(0.0..=0.4).contains(&overlap) || !(0.4..=2.0).contains(&size) {
        return Err(format!("an overlap of {overlap} and a size of {size}: 0 to 0.4 and 0.4 to 2 are possible"));
    }
    Ok(())
}

impl Labels for Arrangements {
    fn name(&self) -> String {
        format!("built-in arrangements {VERSION}")
    }

    fn pick(&self, rng: &mut Rng, wanted: &WantedPicture) -> Result<Labelled, String> {
        check(wanted)?;
        let mut recipe = PictureRecipe::draw(rng, wanted);
        for _ in 0..TRIES {
            let Painted { picture, things, least_visible } = paint(&recipe, wanted.width, wanted.height);
            if least_visible >= LEAST_VISIBLE {
                let (width, height) = (wanted.width, wanted.height);
                let photo = Photo { name: recipe.name(), width, height, digest: picture.digest() };
                self.shelf.put(photo.clone(), Arc::new(picture));
                return Ok(Labelled { photo, licence: None, kind: recipe.kind.name.to_owned(), things });
            }
            recipe.seed = rng.next_u64();
        }
        Err(format!("{TRIES} arrangements were tried: in each, something is hidden; a smaller `overlap` helps"))
    }

    fn load(&self, photo: &Photo) -> Result<Arc<Picture>, String> {
        let Photo { name, width, height, digest } = photo;
        if let Some((found, picture)) = self.shelf.find(name, *width, *height)
            && found.digest == *digest
        {
            return Ok(picture);
        }
        let recipe = PictureRecipe::from_name(name).filter(|_| SIDES.contains(width) && SIDES.contains(height));
        let recipe = recipe.ok_or_else(|| format!("there is no arrangement `{name}` of {width}x{height}"))?;
        let picture = Arc::new(paint(&recipe, *width, *height).picture);
        if picture.digest() != *digest {
            return Err(format!(
                "arrangement `{name}` does not have the pixels it was picked with: another version made it"
            ));
        }
        self.shelf.put(photo.clone(), Arc::clone(&picture));
        Ok(picture)
    }
}

#[cfg(test)]
mod tests;
