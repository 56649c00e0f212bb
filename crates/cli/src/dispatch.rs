//! From the words of a command line to the one function that does what they ask.

use std::ffi::OsString;

use clap::Parser;
use quintain_workshop::{ProgramParts, Workshop};

use crate::args::{Cli, Command};
use crate::exit::Exit;
use crate::printer::Printer;
use crate::{commands, damage, resolve};

/// Does what a command line asks, the program's name being its first word, and gives the exit code.
pub fn main(words: impl IntoIterator<Item = OsString>) -> u8 {
    main_with(words, &ProgramParts::default())
}

/// The same in a program with other worlds or suites in it.
pub fn main_with(words: impl IntoIterator<Item = OsString>, parts: &ProgramParts) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    let as_json = words.iter().any(|word| word == "--json");
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(error) => return not_understood(&error, Printer { json: as_json, quiet: true }),
    };
    let printer = Printer { json: cli.json, quiet: cli.quiet };
    let exit = run(cli, parts, printer).unwrap_or_else(|error| {
        printer.error(&error);
        Exit::of_error(&error)
    });
    exit.code()
}

/// A command line that could not be read, or one that asks for help.
fn not_understood(error: &clap::Error, printer: Printer) -> u8 {
    if printer.json && error.use_stderr() {
        let words = error.to_string();
        let said = words.trim().trim_start_matches("error: ");
        printer.error(&anyhow::Error::msg(said.to_owned()));
    } else {
        let _unheard = error.print();
    }
    u8::try_from(error.exit_code()).unwrap_or(1)
}

fn run(cli: Cli, parts: &ProgramParts, printer: Printer) -> anyhow::Result<Exit> {
    let workshop = parts.workshop(resolve::setup(&cli.common));
    if cli.common.no_sandbox {
        printer.say("warning: browsers run without their sandbox; a page that breaks out has this user's rights");
    }
    let done = carry_out(cli.command, &workshop, printer);
    damage::tell(&workshop, printer);
    done
}

fn carry_out(command: Command, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    match command {
        Command::Run(args) => commands::run::run(&args, workshop, printer),
        Command::Resume(args) => commands::resume::resume(&args, workshop, printer),
        Command::Report(args) => commands::report::report(&args, workshop, printer),
        Command::Label(args) => commands::label::label(&args, workshop, printer),
        Command::Compare(args) => commands::compare::compare(&args, workshop, printer),
        Command::Diagnose(args) => commands::diagnose::diagnose(&args, workshop, printer),
        Command::Replay(args) => commands::replay::replay(&args, workshop, printer),
        Command::Rescore(args) => commands::rescore::rescore(&args, workshop, printer),
        Command::Check(args) => commands::check::check(&args, workshop, printer),
        Command::New(args) => commands::new::new(&args, workshop, printer),
        Command::Import(args) => commands::import::import(&args, printer),
        Command::Seeds(args) => commands::seeds::seeds(&args, printer),
        Command::Play(args) => commands::play::play(&args, workshop, printer),
        Command::Bridge(args) => commands::bridge::bridge(&args, workshop, printer),
        Command::ProviderSim(args) => commands::provider_sim::provider_sim(&args, workshop, printer),
        Command::Web(args) => commands::web::web(&args, printer),
        Command::Open(args) => commands::open::open(&args, workshop, printer),
        Command::Submit(args) => commands::submit::submit(&args, workshop, printer),
        Command::Worker(args) => commands::worker::worker(&args, workshop, printer),
        Command::Steward(args) => commands::steward::steward(&args, printer),
        Command::Fleet(args) => commands::fleet::fleet(&args, workshop, printer),
        Command::Pull(args) => commands::pull::pull(&args, workshop, printer),
        Command::List(args) => commands::list::list(&args, workshop, printer),
        Command::Show(args) => commands::show::show(&args, workshop, printer),
        Command::Export(args) => commands::export::export(&args, workshop, printer),
        Command::Demos(args) => commands::demos::demos(&args, workshop, printer),
        Command::Data(args) => commands::data::data(&args, printer),
        Command::Tree(args) => commands::tree::tree(&args, printer),
        Command::Models(args) => commands::models::models(&args, workshop, printer),
        Command::Doctor(args) => commands::doctor::doctor(&args, workshop, printer),
        Command::Prune(args) => commands::prune::prune(&args, workshop, printer),
        Command::Demo(args) => commands::demo::demo(&args, workshop, printer),
        Command::Completions(args) => commands::completions::completions(&args),
    }
}
