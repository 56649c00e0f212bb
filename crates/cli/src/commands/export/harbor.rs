//! `quintain export --harbor`: instances of ours as folders that Harbor plays.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use anyhow::{Context, bail};
use quintain_core::world::HandedWork;
use quintain_core::{FileSet, Instance, Offering, Pick, Task};
use quintain_harbor::{HarborOutline, out_of_task, plain_name, solve_script};
use quintain_store::DiskFile;
use quintain_workshop::{Workshop, WrongWord};
use serde_json::json;

use crate::args::HarborExportArgs;
use crate::commands::show::pick_of;
use crate::disk;
use crate::exit::Exit;
use crate::printer::Printer;

/// The first half of the names that instances have in Harbor.
const ORG: &str = "quintain";
/// What `doctor` tells about packages begins so.
const INSTALL: &str = "apt install ";

pub(super) fn export(
    what: &str,
    (args, out): (&HarborExportArgs, &Path),
    workshop: &Workshop,
    printer: Printer,
) -> anyhow::Result<Exit> {
    let program = args.program.as_ref().map(|path| DiskFile::at(path).handle()).transpose()?;
    let judge: FileSet = program.into_iter().map(|file| ("quintain".to_owned(), file)).collect();
    let mut written = Vec::new();
    for selection in workshop.suites()?.select(what)? {
        let offering = workshop.offerings()?.of(&selection.task)?;
        let (instance, work) = handed(offering, &selection.task, &pick_of(&selection))?;
        let files = harbor_folder(offering, &selection.task, (&instance, &work), &judge)?;
        let folder = out.join(plain_name(&instance.id.to_string()));
        if folder.exists() {
            bail!("{} is already there\nhint: give -o another folder, or take that one away", folder.display());
        }
        write(&folder, &files)?;
        written.push(folder.display().to_string());
    }
    printer.data(&json!({ "folders": written }), || {
        let hint = "put the program `quintain` into the folder `tests` of each, or give --program";
        let rest = if judge.is_empty() { format!("\nhint: {hint}") } else { String::new() };
        format!("{}{rest}", written.join("\n"))
    })?;
    Ok(Exit::Success)
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

/// Writes the files; scripts and programs can be run.
fn write(folder: &Path, files: &FileSet) -> anyhow::Result<()> {
    for (path, file) in files {
        let place = folder.join(path);
        disk::write(&place, b"")?;
        let cannot = || format!("cannot write {}", place.display());
        file.copy_to(&mut fs::File::create(&place).with_context(cannot)?).with_context(cannot)?;
        if ["sh", "quintain"].iter().any(|end| path.ends_with(end)) {
            fs::set_permissions(&place, Permissions::from_mode(0o755)).with_context(cannot)?;
        }
    }
    Ok(())
}
