//! `quintain run`

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use quintain_agents::AgentSpec;
use quintain_agents::Pace;
use quintain_agents::loops::prompts;
use quintain_core::Task;
use quintain_core::limits::Budget;
use quintain_runner::{Grid, Job, RunOptions, RunSummary, plan, run_here};
use quintain_store::{AgentUsed, PlannedTrial, RunDir, RunHeader, Selection, SuiteUsed, Suites, suites};

use crate::args::{Common, RunArgs, WorkingArgs};
use crate::audience::{Audience, locked};
use crate::commands::{estimate, report};
use crate::diagnosis::offers;
use crate::exit::Exit;
use crate::fleet::hand_in;
use crate::fleet::play::{self, Venue, Visit};
use crate::printer::{Printer, count};
use crate::{budget, cast, files, fingerprint, interrupt, models, playable, player};

/// The seeds of tasks that have no canonical instance, unless others are named.
const USUAL_SEEDS: &str = "5";

pub(crate) fn run(args: &RunArgs, common: &Common, printer: Printer) -> anyhow::Result<Exit> {
    let suites = cast::suites(common)?;
    let selections = select(&suites, args, printer)?;
    let agents = args.agent.iter().map(|text| agent_used(text)).collect::<anyhow::Result<Vec<_>>>()?;
    let header = header(args, agents, &suites, &selections, common)?;
    offers::check(&args.how, &header, &selections)?;
    let planned = plan_run(&header, &selections, common)?;
    begin(args, header, &planned, selections, common, printer)
}

/// Begins a run that is planned, here or on a fleet, or only says what it would be.
pub(crate) fn begin(
    args: &RunArgs,
    mut header: RunHeader,
    planned: &[PlannedTrial],
    selections: Vec<Selection>,
    common: &Common,
    printer: Printer,
) -> anyhow::Result<Exit> {
    let elsewhere = play::is_meant(&args.on_fleet);
    if elsewhere {
        hand_in::check(&header)?;
        play::ENGINE.clone_into(&mut header.engine);
    }
    if args.dry_run {
        return estimate::dry_run(args, &header, planned, common, printer);
    }
    let path = common.runs.join(&header.name);
    if path.exists() {
        bail!(
            "run `{0}` is already there\nhint: go on with `quintain resume {0}`, or choose another --name",
            header.name
        );
    }
    let tasks: Vec<Task> = selections.into_iter().map(|selection| selection.task).collect();
    if elsewhere {
        return hand_over(args, &header, planned, &tasks, common, printer);
    }
    models::check(&header)?;
    let dir = RunDir::create(&path, &header, planned)?;
    carry_out(&dir, &tasks, &args.working, common, printer)
}

/// Has a run played by a fleet. Its server and archive are reached before anything of the run is made.
fn hand_over(
    args: &RunArgs,
    header: &RunHeader,
    planned: &[PlannedTrial],
    tasks: &[Task],
    common: &Common,
    printer: Printer,
) -> anyhow::Result<Exit> {
    models::check_for_elsewhere(header)?;
    let visit = Visit::of(&args.on_fleet, &args.working, common, printer);
    let venue = Venue::reach(visit)?;
    venue.check_name(&header.name)?;
    let dir = RunDir::create(&common.runs.join(&header.name), header, planned)?;
    venue.play(dir, tasks)
}

/// Plays what is left of a run, shows it, and tells what came of it.
pub(crate) fn carry_out(
    run: &RunDir,
    tasks: &[Task],
    working: &WorkingArgs,
    common: &Common,
    printer: Printer,
) -> anyhow::Result<Exit> {
    let summary = play_here(run, tasks, working, common, printer)?;
    for words in remarks(&summary) {
        printer.say(words);
    }
    if summary.n_left > 0 {
        printer.say(budget::left_words(run, &summary)?);
        return Ok(Exit::Interrupted);
    }
    report::after_run(run, common, printer)
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
    common: &Common,
    printer: Printer,
) -> anyhow::Result<RunSummary> {
    let by_hand = player::takes_part(run.header());
    let mut cast = cast::cast_to_play(run, common)?;
    let mut options = options(working);
    let mut shown_by = printer;
    if by_hand {
        cast = player::join(cast, Path::new(player::SCREEN), Pace::Stepped, printer);
        options = player::options();
        shown_by.quiet = true; // A bar would draw over the game.
    }
    let audience = Arc::new(Mutex::new(Audience::new(shown_by, working.log.as_deref())?));
    let told = Arc::clone(&audience);
    let stop = interrupt::flag_on_signal(move || locked(&told).say(interrupt::FINISHING))?;
    let emit = |event| locked(&audience).on(&event);
    let summary = run_here(&Job { run, tasks, cast: &cast, options: &options, stop: &stop, emit: &emit })?;
    locked(&audience).finish()?;
    Ok(summary)
}

pub(crate) fn options(working: &WorkingArgs) -> RunOptions {
    let defaults = RunOptions::default();
    RunOptions { n_workers: working.workers.unwrap_or(defaults.n_workers), max_attempts: working.attempts, ..defaults }
}

/// What is to be played: on a fleet everything that was named, here what this machine can play of it.
pub(crate) fn select(suites: &Suites, args: &RunArgs, printer: Printer) -> anyhow::Result<Vec<Selection>> {
    if !play::is_meant(&args.on_fleet) {
        return playable::selected(suites, &args.tasks, printer);
    }
    let mut selections = Vec::new();
    for selector in &args.tasks {
        selections.extend(suites.select(selector)?);
    }
    Ok(selections)
}

pub(crate) fn plan_run(
    header: &RunHeader,
    selections: &[Selection],
    common: &Common,
) -> anyhow::Result<Vec<PlannedTrial>> {
    let agents: Vec<String> = header.agents.iter().map(|agent| agent.label.clone()).collect();
    let grid = Grid { selections, seeds: &header.seeds, agents: &agents, repeats: header.repeats };
    Ok(plan(&grid, &cast::cast(header, common)?)?)
}

/// The seeds that are meant; none at all means the canonical instances.
fn seeds(named: Option<&str>, selections: &[Selection]) -> anyhow::Result<Vec<u64>> {
    match named {
        Some("canonical") => Ok(Vec::new()),
        Some(named) => files::seeds(named),
        None if selections.iter().all(|selection| selection.task.has_canonical()) => Ok(Vec::new()),
        None => files::seeds(USUAL_SEEDS),
    }
}

/// What a run says of itself before its first trial.
pub(crate) fn header(
    args: &RunArgs,
    agents: Vec<AgentUsed>,
    suites: &Suites,
    selections: &[Selection],
    common: &Common,
) -> anyhow::Result<RunHeader> {
    let name = args.name.clone().unwrap_or_else(|| made_up_name(&args.tasks, &agents, common));
    files::check_name(&name)?;
    let mut header = RunHeader::new(name, now());
    header.selectors.clone_from(&args.tasks);
    header.suites = suites_used(suites, selections);
    header.agents = agents;
    header.settings = files::settings(&args.how)?;
    header.limits = files::limits(&args.how);
    header.budget = budget::budget(&args.budget, Budget::default());
    header.seeds = seeds(args.seeds.as_deref(), selections)?;
    header.repeats = args.repeats;
    header.fingerprint = fingerprint::here(common, selections);
    models::describe(&mut header, common.models.as_deref(), args.cache.as_deref())?;
    "sqlite".clone_into(&mut header.engine);
    Ok(header)
}

pub(crate) fn agent_used(text: &str) -> anyhow::Result<AgentUsed> {
    let spec: AgentSpec = text.parse()?;
    if let AgentSpec::Command { argv } | AgentSpec::Outside { argv } = &spec
        && let Some(program) = argv.first().filter(|program| !files::is_program(program))
    {
        bail!("there is no program `{program}` to play\nhint: name it by its path, or put its folder on PATH");
    }
    let (version, model) = match &spec {
        AgentSpec::Model(looped) => {
            (Some(format!("prompts {}", prompts::digest().short())), Some(looped.model_names()))
        }
        _ => (None, None),
    };
    Ok(AgentUsed { label: spec.label(), spec: spec.to_string(), version, model })
}

pub(crate) fn suites_used(suites: &Suites, selections: &[Selection]) -> Vec<SuiteUsed> {
    let mut names: Vec<&str> = selections.iter().map(|selection| selection.task.id.suite()).collect();
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .map(|name| {
            let tasks = selections.iter().map(|selection| &selection.task).filter(|task| task.id.suite() == name);
            SuiteUsed { name: name.to_owned(), from: suites.origin(), digest: suites::digest_of(tasks) }
        })
        .collect()
}

/// What is played, who plays, and a number if that name is taken.
fn made_up_name(tasks: &[String], agents: &[AgentUsed], common: &Common) -> String {
    let word = |text: &str| {
        text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect::<String>()
    };
    let what = tasks.iter().map(|task| word(task.trim_matches(['/', '.']))).collect::<Vec<_>>().join("+");
    let who = agents.iter().map(|agent| word(&agent.label)).collect::<Vec<_>>().join("+");
    let stem: String = format!("{what}_{who}").trim_start_matches('-').chars().take(80).collect();
    files::free_name(&stem, '_', common)
}

pub(crate) fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    utc(since)
}

/// Seconds since 1970 as `2026-11-15T01:23:45Z`. The day is found by the civil-from-days method.
fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

/// The tasks of a run that exists, or why they are not there.
pub(crate) fn tasks_for(run: &RunDir, common: &Common) -> anyhow::Result<Vec<Task>> {
    crate::rows::tasks_of(run, common)
        .with_context(|| format!("the tasks of run `{}` cannot be read", run.header().name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calendar_is_right() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(utc(1_794_705_825), "2026-11-15T01:23:45Z");
    }
}
