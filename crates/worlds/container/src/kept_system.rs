//! What was changed of a system, kept after every turn, so that a trial can go on after a crash.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quintain_core::event::{KeepError, Record};
use quintain_core::{Digest, FileSet};
use quintain_process::SweptFolder;
use quintain_root_tree::{ChangesFault, ChangesLimits, put_changes, write_changes};
use quintain_workspace::FrozenFiles;

/// More than this is not kept after every turn: every turn writes all of it.
pub(crate) const MOST: ChangesLimits = ChangesLimits { max_bytes: 64 << 20, max_files: 20_000 };
/// The file that holds what was changed until now.
const NOW: &str = "now.tar";

/// Where changes are written down on the way into a record.
#[derive(Debug)]
pub(crate) struct KeptSystem {
    folder: Arc<SweptFolder>,
    /// What earlier steps left. It is written once, and read once.
    steps: BTreeMap<String, Digest>,
}

impl KeptSystem {
    pub(crate) fn new(folder: Arc<SweptFolder>) -> Self {
        Self { folder, steps: BTreeMap::new() }
    }

    /// Keeps what lies in the upper folder of a system, and what earlier steps left, in a record. Nothing where there is more
    /// than is kept, or where it changes while it is read.
    pub(crate) fn keep(
        &mut self,
        upper: &Path,
        left: &Path,
        record: &mut dyn Record,
    ) -> Result<Option<BTreeMap<String, Digest>>, KeepError> {
        let Ok(place) = self.written(upper) else { return Ok(None) };
        let (Ok(now), Ok(left)) = (FrozenFiles::below(&place, &self.folder), FrozenFiles::below(left, &self.folder))
        else {
            return Ok(None);
        };
        if left.n_bytes > MOST.max_bytes {
            return Ok(None);
        }
        for (path, source) in left.files {
            if let Entry::Vacant(place) = self.steps.entry(path) {
                place.insert(record.file(&source)?.digest());
            }
        }
        let mut files = self.steps.clone();
        for (path, source) in now.files {
            files.insert(path, record.file(&source)?.digest());
        }
        Ok(Some(files))
    }

    /// The changes in a folder of their own, written anew.
    fn written(&self, upper: &Path) -> Result<PathBuf, ChangesFault> {
        let place = self.folder.path().join("kept");
        let io = |source: io::Error| ChangesFault::Io { path: PathBuf::from(NOW), source };
        fs::create_dir_all(&place).map_err(io)?;
        write_changes(upper, &MOST, &mut File::create(place.join(NOW)).map_err(io)?)?;
        Ok(place)
    }
}

/// Puts what was kept back: changes into an empty upper folder, and what earlier steps left where they left it.
pub(crate) fn put_back(files: &FileSet, upper: &Path, left: &Path) -> Result<(), String> {
    let now = files.get(NOW).ok_or("what was changed is not among what was kept")?;
    let mut tar = now.open().map_err(|error| error.to_string())?;
    put_changes(&mut *tar, upper, &MOST, &|_path| true).map_err(|fault| fault.to_string())?;
    for (path, file) in files.iter().filter(|(path, _)| *path != NOW) {
        let mut to = File::create(left.join(path)).map_err(|error| error.to_string())?;
        file.copy_to(&mut to).map_err(|error| error.to_string())?;
    }
    Ok(())
}
