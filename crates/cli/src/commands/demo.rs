//! `quintain demo`

use std::collections::BTreeMap;
use std::io::IsTerminal;

use quintain_core::Task;
use quintain_report::Summary;
use quintain_store::RunDir;
use quintain_workshop::Workshop;

use crate::args::{AgentAccess, BudgetArgs, DemoArgs, HowArgs, OnFleetArgs, PictureChoice, RunArgs, WorkingArgs};
use crate::commands::{report, run};
use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::table;

pub(crate) fn demo(args: &DemoArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    printer
        .say("the puzzles, easy and hard, two seeds each: the oracle plays them, and a random agent for comparison\n");
    let name = workshop.free_name(&args.name, '-');
    let settings = settings(&name);
    let (header, planned, selections) = run::lay_out(&settings, workshop, printer)?;
    let dir = RunDir::create(&workshop.runs().join(&name), &header, &planned)?;
    let tasks: Vec<Task> = selections.into_iter().map(|selection| selection.task).collect();
    // Without a bar every trial would be a line, and all of it is to fit a screen.
    let quiet = printer.quiet || !std::io::stderr().is_terminal();
    let played = run::play_out(&dir, &tasks, &settings.working, workshop, Printer { quiet, ..printer })?;
    if let run::PlayedOut::Interrupted = played {
        return Ok(Exit::Interrupted);
    }
    let exit = report::after_run_as(one_screen, &dir, workshop, printer)?;
    printer.say(next(&name));
    Ok(exit)
}

fn settings(name: &str) -> RunArgs {
    RunArgs {
        tasks: vec!["puzzles".to_owned()],
        agent: vec!["oracle".to_owned(), "random".to_owned()],
        agent_files: Vec::new(),
        agent_access: AgentAccess::Sandbox,
        private: None,
        edition: None,
        seeds: Some("2".to_owned()),
        after: Vec::new(),
        repeats: 1,
        name: Some(name.to_owned()),
        how: HowArgs::default(),
        cache: None,
        pictures: PictureChoice::All,
        working: WorkingArgs { workers: None, attempts: 3, log: None },
        on_fleet: OnFleetArgs::default(),
        dry_run: false,
        pilot: None,
        budget: BudgetArgs::default(),
    }
}

/// The most lines that tasks take: with the words around them a screen has 24.
const TASK_LINES: usize = 17;

/// How many trials each agent solved, task by task. A newcomer sees all of it on one screen; `report` has the rest.
fn one_screen(all: &Summary, by_agent: &BTreeMap<String, Summary>) -> String {
    let head = std::iter::once("solved".to_owned()).chain(by_agent.keys().cloned());
    let line = |name: &str, task: Option<&str>| {
        let solved = by_agent.values().map(|summary| solved(summary, task));
        std::iter::once(name.to_owned()).chain(solved).collect::<Vec<_>>()
    };
    let mut lines = vec![head.collect()];
    let n_listed = if all.by_task.len() > TASK_LINES { TASK_LINES - 1 } else { all.by_task.len() };
    let (listed, more) = all.by_task.split_at(n_listed);
    lines.extend(listed.iter().map(|task| line(&task.name, Some(&task.name))));
    if !more.is_empty() {
        lines.push(vec![format!("and {} more", more.len())]);
    }
    lines.push(line("all", None));
    table(&lines)
}

/// `3 of 4`, of one task or of all.
fn solved(summary: &Summary, task: Option<&str>) -> String {
    let group = task.map_or(Some(&summary.total), |task| summary.by_task.iter().find(|group| group.name == task));
    group.map_or_else(|| "-".to_owned(), |group| format!("{} of {}", group.success.hits, group.success.n))
}

/// The commands that a newcomer would want next.
fn next(name: &str) -> String {
    let commands = [
        (format!("quintain report {name}"), "every figure of this run"),
        (format!("quintain show {name} puzzles/maze-2d@easy#0~oracle~0"), "one trial, step by step"),
        ("quintain play puzzles/sliding-block@easy".to_owned(), "play one yourself"),
    ];
    let lines: Vec<_> =
        commands.into_iter().map(|(command, what)| vec![format!("  {command}"), what.to_owned()]).collect();
    format!("next:\n{}", table(&lines))
}
