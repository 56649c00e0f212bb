//! `quintain seeds`

use quintain_workshop::{make_seed_key, read_seed_key};
use serde_json::json;

use crate::args::{SeedsArgs, SeedsCommand};
use crate::exit::Exit;
use crate::printer::Printer;

pub(crate) fn seeds(args: &SeedsArgs, printer: Printer) -> anyhow::Result<Exit> {
    let (key, path) = match &args.command {
        SeedsCommand::New { file } => (make_seed_key(file)?, file),
        SeedsCommand::Id { file } => (read_seed_key(file)?, file),
    };
    printer.data(&json!({ "key": key.id(), "file": path }), || key.id())?;
    if matches!(args.command, SeedsCommand::New { .. }) {
        printer.say(format!(
            "{} is secret: who has it knows the instances; play them with\n  quintain run SUITE --agent AGENT --private {0} --seeds 5",
            path.display()
        ));
    }
    Ok(Exit::Success)
}
