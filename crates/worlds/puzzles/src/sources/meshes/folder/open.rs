//! Finding and reading the files of a folder of objects.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use quintain_core::digest::Digest;

use super::gather::Gathered;
use super::{KEPT, MeshFile, MeshFolder, obj, scene};
use crate::solid::Mesh;
use crate::sources::listing::files_below;
use crate::sources::recent::Recent;

/// How files end that are taken for objects.
const ENDINGS: [&str; 3] = ["obj", "gltf", "glb"];

/// Why a folder cannot be a source of objects.
#[derive(Debug, thiserror::Error)]
pub enum MeshFolderError {
    /// It is not there, or no folder.
    #[error("cannot read the mesh folder `{}`", path.display())]
    NoFolder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// No objects in it.
    #[error("no meshes found in `{}`: OBJ or glTF files are wanted (.obj, .gltf, .glb)", path.display())]
    Empty {
        /// The folder.
        path: PathBuf,
    },
    /// A file cannot be read.
    #[error("cannot read the file `{}` of a mesh", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is no mesh.
    #[error("the mesh `{}` cannot be understood: {why}", path.display())]
    NoMesh {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A file has changed since the folder was opened.
    #[error("the file `{}` of a mesh has changed since the folder was opened", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

impl MeshFolder {
    /// Opens a folder: finds its objects and reads each, with the files that it needs.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, MeshFolderError> {
        let path = path.as_ref();
        let no_folder = |source| MeshFolderError::NoFolder { path: path.to_owned(), source };
        let root = path.canonicalize().map_err(no_folder)?;
        let names = files_below(&root, &ENDINGS).map_err(no_folder)?;
        if names.is_empty() {
            return Err(MeshFolderError::Empty { path: path.to_owned() });
        }
        let files = names.into_iter().map(|name| MeshFile::open(&root, name)).collect::<Result<Vec<_>, _>>()?;
        let parts =
            files.iter().flat_map(|file| file.parts.values().map(|digest| (file.name.as_str(), &digest.bytes()[..])));
        Ok(Self {
            base_name: root.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned()),
            digest: Digest::of_parts(parts),
            files,
            recent: Recent::new(KEPT),
        })
    }
}

impl MeshFile {
    fn open(root: &Path, name: String) -> Result<Self, MeshFolderError> {
        let path = root.join(&name);
        let no_mesh = |why| MeshFolderError::NoMesh { path: path.clone(), why };
        let bytes = read(&path)?;
        let is_obj = is_obj(&path);
        let needs = if is_obj { obj::needs(&path, &bytes) } else { scene::needs(&path, &bytes) };
        let mut parts = BTreeMap::from([(path.clone(), Digest::of(&bytes))]);
        for part in needs.map_err(no_mesh)? {
            parts.insert(part.clone(), Digest::of(&read(&part)?));
        }
        Ok(Self { name, path, parts })
    }

    /// Its surfaces, as long as its files are what they were.
    pub(super) fn read(&self) -> Result<Vec<Mesh>, MeshFolderError> {
        let mut files = BTreeMap::new();
        for (path, digest) in &self.parts {
            let bytes = read(path)?;
            if Digest::of(&bytes) != *digest {
                return Err(MeshFolderError::Changed { path: path.clone() });
            }
            files.insert(path.clone(), bytes);
        }
        let no_mesh = |why| MeshFolderError::NoMesh { path: self.path.clone(), why };
        let mut gathered = Gathered::default();
        let result = if is_obj(&self.path) {
            obj::read(&self.path, &files, &mut gathered)
        } else {
            scene::read(&self.path, &files, &mut gathered)
        };
        result.and_then(|()| gathered.finish()).map_err(no_mesh)
    }
}

fn is_obj(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("obj"))
}

fn read(path: &Path) -> Result<Vec<u8>, MeshFolderError> {
    fs::read(path).map_err(|source| MeshFolderError::Unreadable { path: path.to_owned(), source })
}
