//! The files that an agent left at the end of a trial, written to a folder.

use std::fs::{self, File};
use std::path::Path;

use anyhow::{Context, bail};
use quintain_core::FileHandle;
use quintain_core::files::is_safe_name;
use quintain_core::words::count;
use quintain_store::RunDir;
use quintain_workshop::record_of;
use serde_json::json;

use crate::printer::Printer;

/// Writes each file piece by piece. One that cannot be read is named and costs only itself.
pub(super) fn write(run: &RunDir, trial: &str, folder: &Path, printer: Printer) -> anyhow::Result<()> {
    let id = super::trial::id(trial)?;
    let record = record_of(run, &id)?;
    let left = record.evidence().map(|evidence| evidence.files).unwrap_or_default();
    if left.is_empty() {
        bail!("the agent left no files in trial `{id}`");
    }
    let mut written = Vec::new();
    for (name, digest) in &left {
        let copied = match run.blobs().handle(*digest)? {
            Some(file) if is_safe_name(name) => copy(&file, &folder.join(name)),
            Some(_) => Err(anyhow::anyhow!("its name leads out of the folder")),
            None => Err(anyhow::anyhow!("it is missing in the run\nhint: quintain doctor {}", run.header().name)),
        };
        match copied {
            Ok(()) => written.push(name),
            Err(why) => printer.say(format!("{name}: {why:#}")),
        }
    }
    if written.is_empty() {
        bail!("none of the {} that the agent left can be read", count(left.len(), "file"));
    }
    let text = || format!("wrote {} to {}\n", count(written.len(), "file"), folder.display());
    printer.data(&json!({ "trial": id, "folder": folder, "files": written }), text)
}

fn copy(file: &FileHandle, to: &Path) -> anyhow::Result<()> {
    let into = to.parent().unwrap_or(to);
    fs::create_dir_all(into).with_context(|| format!("cannot make {}", into.display()))?;
    let mut written = File::create_new(to).with_context(|| format!("cannot write {}", to.display()))?;
    Ok(file.copy_to(&mut written)?)
}
