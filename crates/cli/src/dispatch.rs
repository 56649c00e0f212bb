//! From the words of a command line to the one function that does what they ask.

use std::ffi::OsString;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::commands;
use crate::exit::Exit;
use crate::printer::{self, Printer};

/// Does what a command line asks, the program's name being its first word, and gives the exit code.
pub fn main(words: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(error) => {
            let _unheard = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(1);
        }
    };
    let printer = Printer { json: cli.json, quiet: cli.quiet };
    let exit = run(cli, printer).unwrap_or_else(|error| {
        printer::error(&error);
        Exit::Failure
    });
    exit.code()
}

fn run(cli: Cli, printer: Printer) -> anyhow::Result<Exit> {
    let common = cli.common;
    if common.no_sandbox {
        printer.say("warning: browsers run without their sandbox; a page that breaks out has this user's rights");
    }
    match cli.command {
        Command::Run(args) => commands::run::run(&args, &common, printer),
        Command::Resume(args) => commands::resume::resume(&args, &common, printer),
        Command::Report(args) => commands::report::report(&args, &common, printer),
        Command::Label(args) => commands::label::label(&args, &common, printer),
        Command::Compare(args) => commands::compare::compare(&args, &common, printer),
        Command::Diagnose(args) => commands::diagnose::diagnose(&args, &common, printer),
        Command::Replay(args) => commands::replay::replay(&args, &common, printer),
        Command::Rescore(args) => commands::rescore::rescore(&args, &common, printer),
        Command::Check(args) => commands::check::check(&args, &common, printer),
        Command::New(args) => commands::new::new(&args, &common, printer),
        Command::Play(args) => commands::play::play(&args, &common, printer),
        Command::Bridge(args) => commands::bridge::bridge(&args, &common, printer),
        Command::ProviderSim(args) => commands::provider_sim::provider_sim(&args, &common, printer),
        Command::Open(args) => commands::open::open(&args, &common, printer),
        Command::Submit(args) => commands::submit::submit(&args, &common, printer),
        Command::Worker(args) => commands::worker::worker(&args, &common, printer),
        Command::Steward(args) => commands::steward::steward(&args, printer),
        Command::Fleet(args) => commands::fleet::fleet(&args, printer),
        Command::Pull(args) => commands::pull::pull(&args, &common, printer),
        Command::List(args) => commands::list::list(&args, &common, printer),
        Command::Show(args) => commands::show::show(&args, &common, printer),
        Command::Export(args) => commands::export::export(&args, &common, printer),
        Command::Demos(args) => commands::demos::demos(&args, &common, printer),
        Command::Data(args) => commands::data::data(&args, printer),
        Command::Doctor => commands::doctor::doctor(&common, printer),
        Command::Demo(args) => commands::demo::demo(&args, &common, printer),
        Command::Completions(args) => commands::completions::completions(&args),
    }
}
