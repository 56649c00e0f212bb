//! `quintain completions`

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::exit::Exit;
use crate::printer;

pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "quintain", &mut script);
    printer::plain(String::from_utf8_lossy(&script).trim_end())?;
    Ok(Exit::Success)
}
