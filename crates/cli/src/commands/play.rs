//! `quintain play`

use std::io::{self, BufReader};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use quintain_agents::Terminal;
use quintain_core::Verdict;
use quintain_runner::{Grid, Job, Ledger, RunOptions, plan, run_here};
use quintain_store::{AgentUsed, RunDir, RunHeader, Selection};
use serde_json::json;

use crate::args::{Common, PlayArgs};
use crate::commands::run::now;
use crate::commands::show::pick_of;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::{cast, files, fingerprint, interrupt};

/// Who plays, in the run's records.
const PLAYER: &str = "human";

pub(crate) fn play(args: &PlayArgs, common: &Common, printer: Printer) -> anyhow::Result<Exit> {
    let mut selections = cast::suites(common)?.select(&args.task)?;
    let [selection] = selections.as_mut_slice() else {
        bail!("`{}` names {} tasks\nhint: name one; `quintain list tasks` lists them", args.task, selections.len());
    };
    let pick = pick_of(selection);
    (selection.preset, selection.seed) = (pick.preset, pick.seed);
    let header = header(&args, common)?;
    let cast = cast::cast(&header, common)?.with_agent(PLAYER, terminal(args.screen.clone()));
    let agents = [PLAYER.to_owned()];
    let grid = Grid { selections: &selections, seeds: &[], agents: &agents, repeats: 1 };
    let planned = plan(&grid, &cast)?;
    let header = RunHeader { agents: vec![player()], ..header };
    let run = RunDir::create(&common.runs.join(&header.name), &header, &planned)?;
    let stop = interrupt::flag_on_signal()?;
    let options = RunOptions {
        n_workers: 1,
        max_attempts: 1,
        call_limit: Duration::from_secs(24 * 3600),
        ..RunOptions::default()
    };
    let tasks: Vec<_> = selections.into_iter().map(|Selection { task, .. }| task).collect();
    let summary =
        run_here(&Job { run: &run, tasks: &tasks, cast: &cast, options: &options, stop: &stop, emit: &|_event| {} })?;
    if summary.n_left > 0 {
        printer.say(format!("left unfinished; what was played is kept in {}", run.path().display()));
        return Ok(Exit::Interrupted);
    }
    tell(&run, printer)
}

fn terminal(
    screen: PathBuf,
) -> impl Fn(&quintain_runner::AgentContext<'_>) -> Result<Box<dyn quintain_core::Agent + Send>, quintain_core::AgentError>
+ Send
+ Sync
+ 'static {
    move |_context| Ok(Box::new(Terminal::new(BufReader::new(io::stdin()), io::stdout(), screen.clone())?))
}

fn header(args: &PlayArgs, common: &Common) -> anyhow::Result<RunHeader> {
    let free = |name: &String| !common.runs.join(name).exists();
    let name = match &args.name {
        Some(name) if !free(name) => bail!("run `{name}` is already there\nhint: choose another --name"),
        Some(name) => name.clone(),
        None => (1..).map(|n| format!("play-{n}")).find(free).unwrap_or_default(),
    };
    let mut header = RunHeader::new(name, now());
    header.selectors = vec![args.task.clone()];
    header.settings = files::settings(&args.how)?;
    header.limits = files::limits(&args.how);
    header.fingerprint = fingerprint::here(common);
    header.repeats = 1;
    "sqlite".clone_into(&mut header.engine);
    Ok(header)
}

fn player() -> AgentUsed {
    AgentUsed { label: PLAYER.to_owned(), spec: PLAYER.to_owned(), version: None, model: None }
}

fn tell(run: &RunDir, printer: Printer) -> anyhow::Result<Exit> {
    let ledger = Ledger::of(run)?;
    let Some(entry) = ledger.entries.first() else { bail!("the trial has no outcome") };
    let json = json!({ "trial": entry.trial, "verdict": entry.verdict, "spent": entry.spent, "run": run.path() });
    printer.data(&json, || words(&entry.verdict, entry.spent.steps))?;
    printer.say(format!("kept in {}", run.path().display()));
    Ok(if entry.verdict.ending.is_fault() { Exit::Faults } else { Exit::Success })
}

fn words(verdict: &Verdict, n_steps: u32) -> String {
    let solved = if verdict.solved { "solved" } else { "not solved" };
    let mut text = format!("\n{solved} ({}, {n_steps} steps, score {})", verdict.ending, verdict.score.value());
    for finding in &verdict.findings {
        text.push_str(&format!("\n  {}: {}", finding.check, finding.because));
    }
    text
}
