//! A built-in generator of toys, for those who have no meshes at hand.
//!
//! A toy is made from its name alone: its kind and a seed. Every kind looks different from every side: nothing turns it
//! into itself.

mod animals;
mod kit;
mod rooms;
#[cfg(test)]
mod tests;
mod vehicles;
mod vessels;

use std::sync::Arc;

use quintain_core::rng::Rng;

use super::{Body, Meshes, Object, content};
use crate::solid::Mesh;
use crate::sources::recent::Recent;

/// Counts up whenever the same name gives another toy.
const VERSION: u32 = 1;
/// How many toys are kept ready.
const KEPT: usize = 32;

/// The built-in generator of toys.
pub struct Toys {
    recent: Recent<(Object, Body)>,
}

impl Default for Toys {
    fn default() -> Self {
        Self { recent: Recent::new(KEPT) }
    }
}

/// A kind of toy: its name, and how it is built, upright along y.
type ToyKind = (&'static str, fn(&mut Rng) -> Mesh);

pub(super) const KINDS: [ToyKind; 11] = [
    ("mug", vessels::mug),
    ("teapot", vessels::teapot),
    ("can", vessels::watering_can),
    ("lamp", rooms::lamp),
    ("chair", rooms::chair),
    ("house", rooms::house),
    ("boat", vehicles::boat),
    ("car", vehicles::car),
    ("plane", vehicles::plane),
    ("engine", vehicles::engine),
    ("dog", animals::dog),
];

impl Toys {
    fn toy(&self, name: &str) -> Result<(Object, Body), String> {
        if let Some(found) = self.recent.find(|(object, _)| object.name == name) {
            return Ok(found);
        }
        let mesh = build(name).ok_or_else(|| format!("there is no toy `{name}`"))?;
        let body: Body = Arc::new(vec![mesh.fitted()]);
        let object = Object { name: name.to_owned(), digest: content(&body) };
        self.recent.put((object.clone(), Arc::clone(&body)), |(other, _)| *other == object);
        Ok((object, body))
    }
}

impl Meshes for Toys {
    fn name(&self) -> String {
        format!("built-in toys {VERSION}")
    }

    fn pick(&self, rng: &mut Rng) -> Result<Object, String> {
        let (kind, _) = rng.choose(&KINDS);
        let name = format!("{kind}-{:016x}", rng.next_u64());
        self.toy(&name).map(|(object, _)| object)
    }

    fn load(&self, object: &Object) -> Result<Body, String> {
        let (now, body) = self.toy(&object.name)?;
        if now.digest == object.digest {
            return Ok(body);
        }
        Err(format!("toy `{}` does not have the shape it was picked with: another version made it", object.name))
    }
}

/// Builds the toy of a name.
pub(super) fn build(name: &str) -> Option<Mesh> {
    let (kind, seed) = name.split_once('-')?;
    let (_, make) = KINDS.iter().find(|(name, _)| *name == kind)?;
    Some(make(&mut Rng::new(u64::from_str_radix(seed, 16).ok()?)))
}
