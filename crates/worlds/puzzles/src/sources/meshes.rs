//! Where objects in three dimensions come from: a folder of the user's, or a generator of toys.

mod folder;
mod made;

use std::sync::Arc;

use quintain_core::digest::Digest;
use quintain_core::rng::Rng;
use serde::{Deserialize, Serialize};

use crate::solid::Mesh;

pub use folder::{MeshFolder, MeshFolderError};
pub use made::Toys;

/// The surfaces of an object, together fitted into the unit ball at the origin, upright along y.
pub type Body = Arc<Vec<Mesh>>;

/// A source of objects.
pub trait Meshes: Send + Sync {
    /// What it is called: a verdict names it.
    fn name(&self) -> String;

    /// Picks an object. The same numbers give the same object.
    fn pick(&self, rng: &mut Rng) -> Result<Object, String>;

    /// The surfaces of an object that was picked before. It is an error if they have changed since.
    fn load(&self, object: &Object) -> Result<Body, String>;
}

/// An object by name, so that an instance can be told and made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// Its name in the source.
    pub name: String,
    /// The hash of its surfaces.
    pub digest: Digest,
}

/// The hash of all that can be seen of an object.
fn content(body: &[Mesh]) -> Digest {
    let mut bytes = Vec::new();
    let numbers =
        |bytes: &mut Vec<u8>, numbers: &[f32]| bytes.extend(numbers.iter().flat_map(|part| part.to_le_bytes()));
    for mesh in body {
        bytes.extend((mesh.positions.len() as u32).to_le_bytes());
        numbers(&mut bytes, mesh.positions.as_flattened());
        numbers(&mut bytes, mesh.normals.as_flattened());
        bytes.extend_from_slice(mesh.colors.as_flattened());
        bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
        bytes.extend(mesh.triangles.as_flattened().iter().flat_map(|corner| corner.to_le_bytes()));
        if let Some(skin) = &mesh.skin {
            numbers(&mut bytes, skin.places.as_flattened());
            bytes.extend_from_slice(skin.texture.texels().as_flattened());
        }
    }
    Digest::of(&bytes)
}
