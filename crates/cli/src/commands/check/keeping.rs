//! Small files of sound certificates, in a folder that is kept with the suites.

use std::path::Path;

use anyhow::bail;
use quintain_core::Task;
use quintain_core::words::count;
use quintain_runner::certify::{Certificate, KeptCertificate};
use quintain_store::{KeptFiles, Selection};
use quintain_workshop::{KeptState, Workshop};

/// The version of the program, as kept certificates name it.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A folder of kept certificates that is added to.
pub(super) struct KeepingFolder<'a> {
    folder: &'a Path,
    files: KeptFiles,
}

impl<'a> KeepingFolder<'a> {
    /// A folder for what is selected, which must be whole tasks.
    pub(super) fn of(folder: &'a Path, selections: &[Selection]) -> anyhow::Result<Self> {
        let is_part = |selection: &&Selection| selection.preset.is_some() || selection.seed.is_some();
        if let Some(part) = selections.iter().find(is_part) {
            let id = &part.task.id;
            bail!("a kept certificate is about all of `{id}`\nhint: leave out `@` and `#`, or leave out --keep");
        }
        Ok(Self { folder, files: KeptFiles::Folder(folder.to_owned()) })
    }

    /// What is kept of a task, if it still holds.
    pub(super) fn fitting(&self, workshop: &Workshop, task: &Task) -> anyhow::Result<Option<KeptCertificate>> {
        Ok(match workshop.kept(task, &self.files)? {
            KeptState::Fits(kept) => Some(kept),
            _ => None,
        })
    }

    /// Keeps what was proven, unless what is kept is worth more.
    pub(super) fn keep(
        &self,
        workshop: &Workshop,
        task: &Task,
        certificate: &Certificate,
        say: &dyn Fn(String),
    ) -> anyhow::Result<()> {
        let key = workshop.certificate_key(task)?;
        let Some(new) = KeptCertificate::of(certificate, key, VERSION) else { return Ok(()) };
        match self.fitting(workshop, task)? {
            Some(kept) if kept.outweighs(&new) => {
                say(staying(&kept, &new));
                Ok(())
            }
            _ => Ok(KeptFiles::write(self.folder, &task.id, &new.to_json())?),
        }
    }
}

/// That a small file stays as it is, why, and how to have the new one.
fn staying(kept: &KeptCertificate, new: &KeptCertificate) -> String {
    let extent = |one: &KeptCertificate| format!("{}, {}", one.form.name(), count(one.n_seeds, "seed"));
    format!(
        "the small file kept of {} proves more and stays: {}; this one is {}\nhint: delete it and check again, or name \
         another folder with --keep",
        kept.task,
        extent(kept),
        extent(new)
    )
}
