//! Files that are written below a folder.

use std::fs::{self, File};
use std::path::Path;

use anyhow::Context;
use quintain_core::FileSet;

/// Writes files below a folder, piece by piece: they may be of any length. Folders that are not there are made.
pub(crate) fn write_files(folder: &Path, files: &FileSet) -> anyhow::Result<()> {
    for (path, file) in files {
        let place = folder.join(path);
        if let Some(above) = place.parent() {
            fs::create_dir_all(above).with_context(|| format!("cannot make {}", above.display()))?;
        }
        let cannot = || format!("cannot write {}", place.display());
        let mut to = File::create(&place).with_context(cannot)?;
        file.copy_to(&mut to).with_context(cannot)?;
    }
    Ok(())
}
