//! Objects from a folder of the user's.

mod gather;
mod obj;
mod open;
mod scene;
#[cfg(test)]
mod tests;
mod thin;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use quintain_core::digest::Digest;
use quintain_core::rng::Rng;

use super::{Body, Meshes, Object, content};
use crate::sources::recent::Recent;

pub use open::MeshFolderError;

/// How many objects are kept ready.
const KEPT: usize = 64;

/// A folder of OBJ, glTF and GLB files, its subfolders included. Whoever opens it reads every file once, with the
/// pictures and other files that it needs, so that its name can tell what was in it; a file that changes afterwards is
/// refused.
pub struct MeshFolder {
    base_name: String,
    digest: Digest,
    files: Vec<MeshFile>,
    recent: Recent<(Object, Body)>,
}

/// One object of a folder.
struct MeshFile {
    /// Where it is, from the folder, with `/` between the parts.
    name: String,
    path: PathBuf,
    /// The hashes of its file and of the files that it needs, when the folder was opened.
    parts: BTreeMap<PathBuf, Digest>,
}

impl MeshFolder {
    fn object(&self, file: &MeshFile) -> Result<(Object, Body), String> {
        if let Some(found) = self.recent.find(|(object, _)| object.name == file.name) {
            return Ok(found);
        }
        let body: Body = Arc::new(file.read().map_err(|error| error.to_string())?);
        let object = Object { name: file.name.clone(), digest: content(&body) };
        self.recent.put((object.clone(), Arc::clone(&body)), |(other, _)| *other == object);
        Ok((object, body))
    }
}

impl Meshes for MeshFolder {
    fn name(&self) -> String {
        format!("folder `{}` {}", self.base_name, self.digest.short())
    }

    fn pick(&self, rng: &mut Rng) -> Result<Object, String> {
        self.object(rng.choose(&self.files)).map(|(object, _)| object)
    }

    fn load(&self, object: &Object) -> Result<Body, String> {
        let at = self.files.binary_search_by(|file| file.name.as_str().cmp(&object.name));
        let at = at.map_err(|_place| format!("{} has no object `{}`", self.name(), object.name))?;
        let (now, body) = self.object(&self.files[at])?;
        if now.digest == object.digest {
            return Ok(body);
        }
        Err(format!("object `{}` of {} does not have the shape it was picked with", object.name, self.name()))
    }
}
