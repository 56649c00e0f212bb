//! Instances of ours as folders that Harbor plays.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use quintain_core::world::HandedWork;
use quintain_core::{FileSet, Instance, Offering, Pick, Task};
use quintain_harbor::{HarborOutline, out_of_task, plain_name, solve_script};
use quintain_store::DiskFile;

use crate::workshop::Workshop;
use crate::written_files::write_files;
use crate::wrong_word::WrongWord;

/// The first half of the names that instances have in Harbor.
const ORG: &str = "quintain";
/// What needs tell about packages begins so.
const INSTALL: &str = "apt install ";

/// Where instances are written to as folders of Harbor's, and what judges them there.
#[derive(Clone, Debug)]
pub struct HarborExport {
    out: PathBuf,
    judge: FileSet,
}

impl HarborExport {
    /// Below a folder, each with the program `quintain` for Harbor's machine, where one is given: it judges there.
    pub fn new(out: &Path, program: Option<&Path>) -> anyhow::Result<Self> {
        let program = program.map(|path| DiskFile::at(path).handle()).transpose()?;
        let judge = program.into_iter().map(|file| ("quintain".to_owned(), file)).collect();
        Ok(Self { out: out.to_owned(), judge })
    }

    /// Whether the program that judges goes with them.
    pub fn has_program(&self) -> bool {
        !self.judge.is_empty()
    }

    /// Writes an instance of a task as a folder of its own, and says which. Only a task that is worked on in files can be
    /// played elsewhere.
    pub fn write(&self, task: &Task, pick: &Pick, workshop: &Workshop) -> anyhow::Result<PathBuf> {
        let offering = workshop.offerings()?.of(task)?;
        let (instance, work) = handed(offering, task, pick)?;
        let files = harbor_folder(offering, task, (&instance, &work), &self.judge)?;
        let folder = self.out.join(plain_name(&instance.id.to_string()));
        if folder.exists() {
            bail!("{} is already there\nhint: give -o another folder, or take that one away", folder.display());
        }
        write_files(&folder, &files)?;
        // Scripts and programs can be run.
        for path in files.keys().filter(|path| ["sh", "quintain"].iter().any(|end| path.ends_with(end))) {
            let place = folder.join(path);
            let cannot = || format!("cannot write {}", place.display());
            fs::set_permissions(&place, Permissions::from_mode(0o755)).with_context(cannot)?;
        }
        Ok(folder)
    }
}

fn handed(offering: &Offering, task: &Task, pick: &Pick) -> anyhow::Result<(Instance, HandedWork)> {
    let instance = offering.world.instantiate(task, pick)?;
    match offering.world.handed_out(task, &instance)? {
        Some(work) => Ok((instance, work)),
        None => bail!(WrongWord(format!(
            "`{}` cannot be played elsewhere: only tasks that are worked on in files can\nhint: for example exam/mail-threads@easy#1",
            task.id
        ))),
    }
}

fn harbor_folder(
    offering: &Offering,
    task: &Task,
    (instance, work): (&Instance, &HandedWork),
    judge: &FileSet,
) -> anyhow::Result<FileSet> {
    let mends = offering.needs_of(task).filter_map(|need| need.mend.strip_prefix(INSTALL)?.split(';').next());
    let mut apt: Vec<String> = mends.flat_map(str::split_whitespace).map(str::to_owned).collect();
    apt.sort();
    apt.dedup();
    let solve = solve_script(&work.solution);
    let outline = HarborOutline {
        org: ORG,
        instance: &instance.id.to_string(),
        title: &task.spec.task.title,
        difficulty: &task.difficulty(&instance.id.pick).to_string(),
        instruction: &instance.instruction,
        input: &work.files,
        apt: &apt,
        solve: solve.as_deref(),
        judge,
        minutes: task.limits(&instance.id.pick).minutes,
    };
    out_of_task(&outline).with_context(|| format!("`{}` cannot be written in Harbor's format", instance.id))
}
