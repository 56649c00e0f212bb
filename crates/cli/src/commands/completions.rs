//! `quintain completions`

use std::io;

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::exit::Exit;

#[expect(clippy::unnecessary_wraps, reason = "every command has the same form")]
pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    clap_complete::generate(args.shell, &mut Cli::command(), "quintain", &mut io::stdout());
    Ok(Exit::Success)
}
