//! `quintain seeds`

use std::path::Path;

use quintain_workshop::{ExamEdition, make_seed_key, now, read_seed_key};
use serde_json::json;

use crate::args::{SeedsArgs, SeedsCommand};
use crate::exit::Exit;
use crate::printer::Printer;

pub(crate) fn seeds(args: &SeedsArgs, printer: Printer) -> anyhow::Result<Exit> {
    match &args.command {
        SeedsCommand::New { file } => {
            tell_key(&make_seed_key(file)?.id(), file, printer)?;
            printer.say(format!(
                "{} is secret: who has it knows the instances; play them with\n  quintain run SUITE --agent AGENT --private {0} --seeds 5",
                file.display()
            ));
        }
        SeedsCommand::Id { file } => tell_key(&read_seed_key(file)?.id(), file, printer)?,
        SeedsCommand::Edition { file, key, name, tasks, count } => {
            let key = read_seed_key(key)?.id();
            let (name, tasks) = (name.clone(), tasks.clone());
            let edition = ExamEdition { name, tasks, count: *count, key, opened: today(), retired: None, secret: None };
            edition.write_new(file)?;
            tell_edition(&edition, file, printer)?;
        }
        SeedsCommand::Retire { file, key } => {
            let edition = ExamEdition::read(file)?.retire(&read_seed_key(key)?, &today(), file)?;
            tell_edition(&edition, file, printer)?;
        }
    }
    Ok(Exit::Success)
}

fn tell_key(id: &str, file: &Path, printer: Printer) -> anyhow::Result<()> {
    printer.data(&json!({ "key": id, "file": file }), || id.to_owned())
}

fn tell_edition(edition: &ExamEdition, file: &Path, printer: Printer) -> anyhow::Result<()> {
    let standing = match &edition.retired {
        Some(day) => format!("retired on {day}: its key is published in {}", file.display()),
        None => format!("opened on {}; its key is kept", edition.opened),
    };
    let text = format!(
        "edition {}: {} instances of each of {}, key {}\n{standing}",
        edition.name,
        edition.count,
        edition.tasks.join(" "),
        edition.key
    );
    printer
        .data(&json!({ "edition": edition.name, "key": edition.key, "file": file, "retired": edition.retired }), || {
            text
        })
}

fn today() -> String {
    now().chars().take(10).collect()
}
