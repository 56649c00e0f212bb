//! `quintain play`

use std::fmt::Write;

use anyhow::bail;
use quintain_agents::PersonPace;
use quintain_core::check::Finding;
use quintain_core::words::{beginning, count, wrapped};
use quintain_core::{Event, Task, Verdict};
use quintain_report::ending_of;
use quintain_runner::{Cast, Grid, Job, Ledger, plan, run_here};
use quintain_store::{RunDir, RunHeader, Selection, StoreError};
use quintain_workshop::{Workshop, WrongWord, check_name, fingerprint, now, suites_used};
use serde_json::json;

use crate::args::PlayArgs;
use crate::commands::show::pick_of;
use crate::exit::Exit;
use crate::oracle_file::OracleFile;
use crate::printer::Printer;
use crate::{disk, interrupt, player, resolve};

pub(crate) fn play(args: &PlayArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let mut selections = workshop.suites()?.select(&args.task)?;
    let [selection] = selections.as_mut_slice() else {
        bail!(WrongWord(format!(
            "`{}` names {} tasks\nhint: name one; `quintain list tasks` lists them",
            args.task,
            selections.len()
        )));
    };
    let pick = pick_of(selection);
    (selection.preset, selection.seed) = (pick.preset, pick.seed);
    disk::check_folder_of(&args.screen)?;
    let recording = args.record_oracle.then(|| OracleFile::of(args, workshop)).transpose()?;
    let mut header = header(args, &selections, workshop)?;
    let pace = if args.wall { PersonPace::Wall } else { PersonPace::Stepped };
    let cast = workshop.cast(&header)?;
    let cast = match &recording {
        Some(oracle) => player::join_recorded(cast, &args.screen, &oracle.lines, printer),
        None => player::join(cast, &args.screen, pace, printer),
    };
    let agents = [player::PLAYER.to_owned()];
    let grid = Grid { selections: &selections, seeds: &[], agents: &agents, repeats: 1, after: &[] };
    let planned = plan(&grid, &cast)?;
    let run = loop {
        match RunDir::create(&workshop.runs().join(&header.name), &header, &planned) {
            // Somebody else took the name in between: take the next.
            Err(StoreError::AlreadyThere(_)) if args.name.is_none() => {
                header.name = workshop.free_name("play", '-');
            }
            made => break made?,
        }
    };
    let tasks: Vec<_> = selections.into_iter().map(|Selection { task, .. }| task).collect();
    let exit = finish(&run, &tasks, &cast, &|_event| {}, printer)?;
    if let Some(oracle) = recording {
        for entry in &Ledger::of(&run)?.entries {
            oracle.keep(&entry.finished.verdict, printer)?;
        }
    }
    Ok(exit)
}

/// Plays a game to its end, or until it is left, and tells what came of it.
pub(crate) fn finish(
    run: &RunDir,
    tasks: &[Task],
    cast: &Cast,
    emit: &(dyn Fn(Event) + Sync),
    printer: Printer,
) -> anyhow::Result<Exit> {
    let stop = interrupt::flag_on_signal(move || printer.say(interrupt::FINISHING))?;
    let options = player::options();
    let job = Job { run, tasks, cast, options: &options, stop: &stop, emit };
    if run_here(&job)?.n_left > 0 {
        printer.say(format!("left unfinished\nhint: quintain resume {}", run.path().display()));
        return Ok(Exit::Interrupted);
    }
    tell(run, printer)
}

fn header(args: &PlayArgs, selections: &[Selection], workshop: &Workshop) -> anyhow::Result<RunHeader> {
    let name = args.name.clone().unwrap_or_else(|| workshop.free_name("play", '-'));
    check_name(&name)?;
    if workshop.runs().join(&name).exists() {
        bail!("run `{name}` is already there\nhint: choose another --name");
    }
    let mut header = RunHeader::new(name, now());
    header.selectors = vec![args.task.clone()];
    header.suites = suites_used(workshop.suites()?, selections);
    header.agents = vec![player::used()];
    header.settings = resolve::settings(&args.how)?;
    header.limits = resolve::limits(&args.how);
    header.fingerprint = fingerprint::here(workshop.offerings()?, selections);
    header.repeats = 1;
    "sqlite".clone_into(&mut header.engine);
    Ok(header)
}

pub(crate) fn tell(run: &RunDir, printer: Printer) -> anyhow::Result<Exit> {
    let ledger = Ledger::of(run)?;
    let Some(entry) = ledger.entries.first() else { bail!("the trial has no outcome") };
    let json = json!({ "trial": entry.trial, "verdict": entry.finished.verdict, "spent": entry.finished.spent, "run": run.path() });
    printer.data(&json, || words(&entry.finished.verdict, entry.finished.spent.steps))?;
    printer.say(format!("kept in {}", run.path().display()));
    Ok(if entry.finished.verdict.ending.is_fault() { Exit::Faults } else { Exit::Success })
}

/// So much of a finding is told; the record has the rest.
const FINDING: usize = 4000;

/// A finding, whole unless it is endless, broken at words behind an indent of two.
pub(crate) fn finding_lines(finding: &Finding) -> String {
    wrapped(&beginning(&format!("{}: {}", finding.check, finding.because), FINDING), 98, 4)
}

pub(crate) fn words(verdict: &Verdict, n_steps: u32) -> String {
    let solved = if verdict.solved { "solved" } else { "not solved" };
    let mut text =
        format!("\n{solved} ({}, {}, score {})", ending_of(verdict), count(n_steps, "step"), verdict.score.value());
    for finding in &verdict.findings {
        let _infallible = write!(text, "\n  {}", finding_lines(finding));
    }
    let state_score = verdict.state_score.unwrap_or(verdict.score);
    if !verdict.solved && state_score.is_full() && !verdict.ending.is_fault() {
        text += "\n  everything was reached, but only a trial that the player ends counts as solved";
    }
    text
}
