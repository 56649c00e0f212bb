//! The place beside the trees where one is built. It goes with its owner, or with the next build where we were killed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use quintain_process::SweptFolder;

/// What such places are called, before something that nobody else has.
const PREFIX: &str = ".building-";

/// A place to build in, on the same file system as the trees.
#[derive(Debug)]
pub(crate) struct BuildPlace {
    folder: SweptFolder,
}

impl BuildPlace {
    /// A new one. Those of builders who died are removed first.
    pub(crate) fn new(store: &Path) -> io::Result<Self> {
        Ok(Self { folder: SweptFolder::within(store, PREFIX)? })
    }

    /// A new folder in it. Nobody else is given it: what is built belongs to us until it is whole.
    pub(crate) fn inner(&self, name: &str) -> io::Result<PathBuf> {
        let folder = self.folder.path().join(name);
        fs::create_dir(&folder)?;
        Ok(folder)
    }
}
