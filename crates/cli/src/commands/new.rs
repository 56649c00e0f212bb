//! `quintain new`

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::bail;
use quintain_checks::scaffold::{self, NewTask};
use quintain_core::task::TaskId;
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
    let folder = args.into.join(id.suite()).join(id.name());
    if folder.exists() {
        bail!("{} is already there\nhint: choose another name, or change the task that is there", folder.display());
    }
    let title = args.title.clone().unwrap_or_else(|| id.name().replace('-', " "));
    let salt = salt(&id);
    let new = NewTask { id: &id, title: &title, model, salt: salt.as_bytes() };
    let made = scaffold::files(&new)?;
    for (path, text) in &made {
        disk::write(&folder.join(path), text.as_bytes())?;
    }
    let paths: Vec<String> = made.keys().map(|path| folder.join(path).display().to_string()).collect();
    printer.data(&paths, || paths.join("\n"))?;
    printer.say(format!(
        "\nnow: change {}, then prove it sound with\n  quintain check {} --quick --seeds 3",
        folder.join("task.toml").display(),
        folder.display()
    ));
    Ok(Exit::Success)
}

/// Something that no other task was made with.
fn salt(id: &TaskId) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    format!("{id} {now} {}", std::process::id())
}
