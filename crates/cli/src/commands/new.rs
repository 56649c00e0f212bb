//! `quintain new`

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use quintain_checks::scaffold::{self, NewTask};
use quintain_core::task::TaskId;
use quintain_core::{FileHandle, FileSet, Task};
use quintain_store::{OWN_SUITES, Suites};
use quintain_workshop::{Workshop, WrongWord};

use crate::args::NewArgs;
use crate::disk;
use crate::exit::Exit;
use crate::printer::Printer;

pub(crate) fn new(args: &NewArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let id: TaskId = args.id.parse()?;
    let models = workshop.suites()?.tasks(&args.like)?;
    let [model] = models.as_slice() else {
        bail!(WrongWord(format!(
            "`{}` names {} tasks\nhint: --like takes one; `quintain list tasks` lists them",
            args.like,
            models.len()
        )));
    };
    refuse_shadow(&id, workshop)?;
    let folder = args.into.join(id.suite()).join(id.name());
    if folder.exists() {
        bail!("{} is already there\nhint: choose another name, or change the task that is there", folder.display());
    }
    let title = args.title.clone().unwrap_or_else(|| id.name().replace('-', " "));
    let salt = salt(&id);
    let called = called(&id, &args.into, &folder);
    let new = NewTask { id: &id, title: &title, model, salt: salt.as_bytes(), called: &called };
    let mut files: BTreeMap<String, FileHandle> = data_of(model).collect();
    files.extend(scaffold::files(&new)?.into_iter().map(|(path, text)| (path, text.into_bytes().into())));
    for (path, file) in &files {
        write(&folder.join(path), file)?;
    }
    let paths: Vec<String> = files.keys().map(|path| folder.join(path).display().to_string()).collect();
    printer.data(&paths, || paths.join("\n"))?;
    printer.say(format!(
        "\nnow: change {}, then prove it sound with\n  quintain check {called} --quick --seeds 3",
        folder.join("task.toml").display(),
    ));
    Ok(Exit::Success)
}

/// A task of a name that is known already would never be found by it.
fn refuse_shadow(id: &TaskId, workshop: &Workshop) -> anyhow::Result<()> {
    let known = [workshop.suites()?.task_names()?, Suites::embedded().task_names()?].concat();
    if known.contains(&id.to_string()) {
        bail!("there is a task `{id}` already\nhint: choose another name, such as `my-{id}`");
    }
    Ok(())
}

/// How the command line names a task in a folder of suites: by its name where it is looked up there.
fn called(id: &TaskId, into: &Path, folder: &Path) -> String {
    if into == Path::new(OWN_SUITES) { id.to_string() } else { folder.display().to_string() }
}

/// The files of the model that are not its declaration: what agents are given and what only the judge may read.
fn data_of(model: &Task) -> impl Iterator<Item = (String, FileHandle)> {
    let under = |folder: &'static str, files: &FileSet| {
        let named = |(path, file): (&String, &FileHandle)| (format!("{folder}/{path}"), file.clone());
        files.iter().map(named).collect::<Vec<_>>()
    };
    under("input", &model.input).into_iter().chain(under("reference", &model.reference))
}

/// Writes a file piece by piece: it may be of any length.
fn write(path: &Path, file: &FileHandle) -> anyhow::Result<()> {
    disk::write(path, b"")?;
    let cannot = || format!("cannot write {}", path.display());
    let mut out = std::fs::File::create(path).with_context(cannot)?;
    std::io::copy(&mut file.open().with_context(cannot)?, &mut out).with_context(cannot)?;
    Ok(())
}

/// Something that no other task was made with.
fn salt(id: &TaskId) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    format!("{id} {now} {}", std::process::id())
}
