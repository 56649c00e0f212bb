//! `quintain run`

use std::path::Path;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use quintain_agents::AgentSpec;
use quintain_core::Task;
use quintain_runner::{Grid, Job, RunOptions, RunSummary, plan, run_here};
use quintain_store::{AgentUsed, PlannedTrial, RunDir, RunHeader, Selection, SuiteUsed, Suites, suites};

use crate::args::{Common, RunArgs, WorkingArgs};
use crate::commands::report;
use crate::exit::Exit;
use crate::live::Live;
use crate::printer::Printer;
use crate::{cast, files, fingerprint, interrupt};

pub(crate) fn run(args: &RunArgs, common: &Common, printer: Printer) -> anyhow::Result<Exit> {
    let suites = cast::suites(common)?;
    let selections = select(&suites, &args.tasks)?;
    let header = header(&args, &suites, &selections, common)?;
    let planned = plan_run(&header, &selections, common)?;
    if args.dry_run {
        return dry_run(&planned, printer);
    }
    let path = common.runs.join(&header.name);
    if path.exists() {
        bail!(
            "run `{0}` is already there\nhint: go on with `quintain resume {0}`, or choose another --name",
            header.name
        );
    }
    let dir = RunDir::create(&path, &header, &planned)?;
    let tasks: Vec<Task> = selections.into_iter().map(|selection| selection.task).collect();
    carry_out(&dir, &tasks, &args.working, common, printer)
}

/// Plays what is left of a run, shows it, and tells what came of it.
pub(crate) fn carry_out(
    run: &RunDir,
    tasks: &[Task],
    working: &WorkingArgs,
    common: &Common,
    printer: Printer,
) -> anyhow::Result<Exit> {
    let summary = play(run, tasks, working, common, printer)?;
    if summary.n_continued > 0 {
        printer.say(format!(
            "{} half-done trials went on from {} recorded turns",
            summary.n_continued, summary.n_turns_recovered
        ));
    }
    if summary.n_left > 0 {
        printer.say(format!("{} trials left\nhint: quintain resume {}", summary.n_left, run.header().name));
        return Ok(Exit::Interrupted);
    }
    report::after_run(run, common, printer)
}

fn play(
    run: &RunDir,
    tasks: &[Task],
    working: &WorkingArgs,
    common: &Common,
    printer: Printer,
) -> anyhow::Result<RunSummary> {
    let cast = cast::cast(run.header(), common)?;
    let options = options(working);
    let stop = interrupt::flag_on_signal()?;
    let live = Mutex::new(Live::new(printer));
    let job = Job {
        run,
        tasks,
        cast: &cast,
        options: &options,
        stop: &stop,
        emit: &|event| live.lock().expect("showing does not panic").on(&event),
    };
    Ok(run_here(&job)?)
}

fn options(working: &WorkingArgs) -> RunOptions {
    let defaults = RunOptions::default();
    RunOptions { n_workers: working.workers.unwrap_or(defaults.n_workers), max_attempts: working.attempts, ..defaults }
}

fn select(suites: &Suites, selectors: &[String]) -> anyhow::Result<Vec<Selection>> {
    let mut selections = Vec::new();
    for selector in selectors {
        selections.extend(suites.select(selector)?);
    }
    Ok(selections)
}

fn plan_run(header: &RunHeader, selections: &[Selection], common: &Common) -> anyhow::Result<Vec<PlannedTrial>> {
    let agents: Vec<String> = header.agents.iter().map(|agent| agent.label.clone()).collect();
    let grid = Grid { selections, seeds: &header.seeds, agents: &agents, repeats: header.repeats };
    Ok(plan(&grid, &cast::cast(header, common)?)?)
}

fn header(args: &RunArgs, suites: &Suites, selections: &[Selection], common: &Common) -> anyhow::Result<RunHeader> {
    let agents = args.agent.iter().map(|text| agent_used(text)).collect::<anyhow::Result<Vec<_>>>()?;
    let name = args.name.clone().unwrap_or_else(|| made_up_name(&args.tasks, &agents, common));
    check_name(&name)?;
    let mut header = RunHeader::new(name, now());
    header.selectors.clone_from(&args.tasks);
    header.suites = suites_used(suites, selections);
    header.agents = agents;
    header.settings = files::settings(&args.how)?;
    header.limits = files::limits(&args.how);
    header.seeds = files::seeds(&args.seeds)?;
    header.repeats = args.repeats;
    header.fingerprint = fingerprint::here(common);
    "sqlite".clone_into(&mut header.engine);
    Ok(header)
}

fn agent_used(text: &str) -> anyhow::Result<AgentUsed> {
    let spec: AgentSpec = text.parse()?;
    Ok(AgentUsed { label: spec.label(), spec: spec.to_string(), version: None, model: None })
}

fn suites_used(suites: &Suites, selections: &[Selection]) -> Vec<SuiteUsed> {
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
    let stem: String = format!("{what}_{who}").chars().take(80).collect();
    let taken = |name: &String| common.runs.join(name).exists();
    std::iter::once(stem.clone()).chain((2..).map(|n| format!("{stem}_{n}"))).find(|name| !taken(name)).unwrap_or(stem)
}

fn check_name(name: &str) -> anyhow::Result<()> {
    let mut components = Path::new(name).components();
    let plain = matches!((components.next(), components.next()), (Some(std::path::Component::Normal(_)), None));
    if plain {
        Ok(())
    } else {
        bail!("`{name}` cannot name a run\nhint: letters, digits, dots and hyphens; --runs says where runs are kept")
    }
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

fn dry_run(planned: &[PlannedTrial], printer: Printer) -> anyhow::Result<Exit> {
    printer.data(&planned, || planned.iter().map(|planned| format!("{}\n", planned.trial)).collect())?;
    printer.say(format!("{} trials; nothing was run", planned.len()));
    Ok(Exit::Success)
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
