//! `quintain run`

use std::sync::{Arc, Mutex};

use anyhow::bail;
use quintain_core::Task;
use quintain_core::lock::LockAlways as _;
use quintain_core::words::count;
use quintain_runner::{Job, RunSummary, run_here};
use quintain_store::{PlannedTrial, RunDir, RunHeader, Selection};
use quintain_workshop::{Workshop, agent_used, check_sandbox, fingerprint, models, unconfined};

use crate::args::{RunArgs, WorkingArgs};
use crate::audience::RunAudience;
use crate::commands::{estimate, report};
use crate::diagnosis::offers;
use crate::exit::Exit;
use crate::fleet::hand_in;
use crate::fleet::play::{self, FleetPlay, ReachedFleet};
use crate::printer::Printer;
use crate::{budget, interrupt, resolve};

/// A run before its first trial: what it says of itself, what is to be played, and the tasks it is played in.
pub(crate) type LaidOut = (RunHeader, Vec<PlannedTrial>, Vec<Selection>);

pub(crate) fn run(args: &RunArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let (header, planned, selections) = lay_out(args, workshop, printer)?;
    begin(args, header, &planned, selections, workshop, printer)
}

/// Plans a run; nothing of it is made yet.
pub(crate) fn lay_out(args: &RunArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<LaidOut> {
    let settings = resolve::run(args)?;
    let selections = workshop.select(&settings, &|words| printer.say(words))?;
    let access = resolve::program_access(args)?;
    let agents = args.agent.iter().map(|text| agent_used(text, &access)).collect::<anyhow::Result<Vec<_>>>()?;
    let header = workshop.header(&settings, agents, &selections)?;
    offers::check(&header, &selections)?;
    let planned = workshop.plan(&settings, &header, &selections, &workshop.cast(&header)?)?;
    Ok((header, planned, selections))
}

/// Begins a run that is planned, here or on a fleet, or only says what it would be.
pub(crate) fn begin(
    args: &RunArgs,
    mut header: RunHeader,
    planned: &[PlannedTrial],
    selections: Vec<Selection>,
    workshop: &Workshop,
    printer: Printer,
) -> anyhow::Result<Exit> {
    let elsewhere = play::is_meant(&args.on_fleet);
    if elsewhere {
        hand_in::check(&header)?;
        play::ENGINE.clone_into(&mut header.engine);
    }
    for gone in models::retired(&header)? {
        printer.say(format!("warning: {gone}"));
    }
    if args.dry_run {
        return estimate::dry_run(args, &header, planned, workshop, printer);
    }
    warn_of_unconfined(&header, printer);
    let path = workshop.runs().join(&header.name);
    if path.exists() {
        bail!(
            "run `{0}` is already there\nhint: go on with `quintain resume {0}`, or choose another --name",
            header.name
        );
    }
    let tasks: Vec<Task> = selections.into_iter().map(|selection| selection.task).collect();
    if elsewhere {
        header.classes = fingerprint::classes(workshop.offerings()?, &tasks, &header.fingerprint);
        return hand_over(args, &header, planned, &tasks, workshop, printer);
    }
    models::check(&header)?;
    check_sandbox(&header)?;
    let dir = RunDir::create(&path, &header, planned)?;
    carry_out(&dir, &tasks, &args.working, workshop, printer)
}

/// Says which agents could look up solutions, where there are any.
pub(crate) fn warn_of_unconfined(header: &RunHeader, printer: Printer) {
    if let Some(warning) = unconfined(header) {
        printer.say(format!("warning: agents {warning}"));
    }
}

/// Has a run played by a fleet. Its server and archive are reached before anything of the run is made.
fn hand_over(
    args: &RunArgs,
    header: &RunHeader,
    planned: &[PlannedTrial],
    tasks: &[Task],
    workshop: &Workshop,
    printer: Printer,
) -> anyhow::Result<Exit> {
    models::check_for_elsewhere(header)?;
    let visit = FleetPlay::of(&args.on_fleet, &args.working, workshop, printer);
    let venue = ReachedFleet::reach(visit)?;
    venue.check_name(&header.name)?;
    let dir = RunDir::create(&workshop.runs().join(&header.name), header, planned)?;
    venue.play(dir, tasks)
}

/// Plays what is left of a run, shows it, and tells what came of it.
pub(crate) fn carry_out(
    run: &RunDir,
    tasks: &[Task],
    working: &WorkingArgs,
    workshop: &Workshop,
    printer: Printer,
) -> anyhow::Result<Exit> {
    match play_out(run, tasks, working, workshop, printer)? {
        PlayedOut::Complete => report::after_run(run, workshop, printer),
        PlayedOut::Interrupted => Ok(Exit::Interrupted),
    }
}

/// Whether a run came to its end.
pub(crate) enum PlayedOut {
    Complete,
    Interrupted,
}

/// Plays what is left of a run, and says what did not go smoothly.
pub(crate) fn play_out(
    run: &RunDir,
    tasks: &[Task],
    working: &WorkingArgs,
    workshop: &Workshop,
    printer: Printer,
) -> anyhow::Result<PlayedOut> {
    let summary = play_here(run, tasks, working, workshop, printer)?;
    for words in remarks(&summary) {
        printer.say(words);
    }
    if summary.n_left == 0 {
        return Ok(PlayedOut::Complete);
    }
    printer.say(budget::left_words(run, &summary)?);
    Ok(PlayedOut::Interrupted)
}

/// What did not go smoothly, in words.
fn remarks(summary: &RunSummary) -> Vec<String> {
    let RunSummary { n_faulted, n_continued, n_turns_recovered, n_started_over, n_turns_lost, .. } = summary;
    let remarks = [
        (*n_faulted, format!("made again after a fault: {}", count(*n_faulted, "attempt"))),
        (*n_continued, {
            let turns = count(*n_turns_recovered, "recorded turn");
            format!("{} went on from {turns}", count(*n_continued, "half-done trial"))
        }),
        (*n_started_over, {
            let turns = count(*n_turns_lost, "turn");
            format!("{} began anew, {turns} lost", count(*n_started_over, "half-done trial"))
        }),
    ];
    remarks.into_iter().filter(|(n, _)| *n > 0).map(|(_, words)| words).collect()
}

fn play_here(
    run: &RunDir,
    tasks: &[Task],
    working: &WorkingArgs,
    workshop: &Workshop,
    printer: Printer,
) -> anyhow::Result<RunSummary> {
    let cast = workshop.cast_to_play(run)?;
    let options = resolve::work(working).options();
    let audience = Arc::new(Mutex::new(RunAudience::new(printer, working.log.as_deref())?));
    let told = Arc::clone(&audience);
    let stop = interrupt::flag_on_signal(move || told.lock().always().say(interrupt::FINISHING))?;
    let hears = Arc::clone(&audience);
    cast.notices.heard_by(move |words| hears.lock().always().say(words));
    let emit = |event| audience.lock().always().on(&event);
    let summary = run_here(&Job { run, tasks, cast: &cast, options: &options, stop: &stop, emit: &emit })?;
    audience.lock().always().finish()?;
    Ok(summary)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use clap::Parser;
    use quintain_workshop::{OfferWorlds, Setup, worlds};

    use super::*;
    use crate::args::{Cli, Command};

    #[test]
    fn a_run_opens_worlds_and_their_sources_once() {
        let home = tempfile::tempdir().unwrap();
        let n_opened = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&n_opened);
        let offer: OfferWorlds = Arc::new(move |settings| {
            counted.fetch_add(1, Ordering::SeqCst);
            worlds::offered(settings)
        });
        let setup = Setup { runs: home.path().join("runs"), ..Setup::default() };
        let workshop = Workshop::with_worlds(setup, offer);
        let typed = ["quintain", "run", "puzzles/maze-2d@easy#0", "--agent", "oracle", "--name", "night", "--here"];
        let Command::Run(args) = Cli::try_parse_from(typed).unwrap().command else { panic!("it is a run") };
        let exit = run(&args, &workshop, Printer { json: false, quiet: true }).unwrap();
        assert_eq!((exit, n_opened.load(Ordering::SeqCst)), (Exit::Success, 1), "selected, planned, played, reported");
    }
}
