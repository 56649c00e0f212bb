//! `quintain list`

use std::collections::BTreeSet;

use quintain_agents::catalogue::{Catalogue, ComputerTool, Entry, Price};
use serde_json::{Value, json};

use crate::args::{Common, ListArgs, What};
use crate::exit::Exit;
use crate::files::{open_run, run_names, table};
use crate::printer::Printer;
use crate::{cast, files};

pub(crate) fn list(args: &ListArgs, common: &Common, printer: Printer) -> anyhow::Result<Exit> {
    let rows = match args.what {
        What::Suites => suites(common)?,
        What::Tasks => tasks(common)?,
        What::Puzzles => puzzles(),
        What::Checks => cast::palette().names().map(|name| vec![("check", name.to_owned())]).collect(),
        What::Agents => agents(),
        What::Models => models(common)?,
        What::Runs => runs(common)?,
    };
    let objects: Vec<Value> =
        rows.iter().map(|row| row.iter().map(|(key, value)| (key.to_string(), json!(value))).collect()).collect();
    printer.data(&objects, || {
        let plain: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|(_, value)| value.clone()).collect()).collect();
        table(&plain)
    })?;
    Ok(Exit::Success)
}

type Rows = Vec<Vec<(&'static str, String)>>;

fn suites(common: &Common) -> anyhow::Result<Rows> {
    let suites = cast::suites(common)?;
    let mut rows = Vec::new();
    for name in suites.names()? {
        let n_tasks = suites.tasks(&name)?.len();
        rows.push(vec![("suite", name), ("tasks", format!("{n_tasks} tasks"))]);
    }
    Ok(rows)
}

fn tasks(common: &Common) -> anyhow::Result<Rows> {
    let suites = cast::suites(common)?;
    let mut rows = Vec::new();
    for name in suites.names()? {
        for task in suites.tasks(&name)? {
            let presets: Vec<&str> = task.spec.presets.keys().map(String::as_str).collect();
            rows.push(vec![
                ("task", task.id.to_string()),
                ("presets", presets.join(", ")),
                ("title", task.spec.task.title.clone()),
            ]);
        }
    }
    Ok(rows)
}

fn puzzles() -> Rows {
    let row = |puzzle: &quintain_puzzles::Entry| {
        vec![("puzzle", puzzle.name().to_owned()), ("strategies", puzzle.strategies().join(", "))]
    };
    let mut entries: Vec<&quintain_puzzles::Entry> =
        quintain_puzzles::kind::ALL.iter().chain(quintain_physics::ALL).collect();
    entries.sort_by_key(|entry| entry.name());
    entries.into_iter().map(row).collect()
}

fn agents() -> Rows {
    [
        ("oracle", "plays the solution; oracle:strategy=...,length=...,seed=..."),
        ("idle", "ends at once; idle:endless never does anything and never ends"),
        ("random", "draws blindly from the published actions; random:seed=3"),
        ("replay:RUN", "says again what was said in a recorded run"),
        ("cmd:PROGRAM", "a program that speaks JSON lines; docs/agent-protocol.md"),
        ("outside:PROGRAM", "an unmodified program with a base URL to set; docs/outside-agents.md"),
        ("turns:PROVIDER/NAME", "a model that answers each turn with one action as text; docs/loops.md"),
        ("react:PROVIDER/NAME", "a model that thinks, then acts with tools"),
        ("generalist:PROVIDER/NAME", "a model that works for hours with everything at hand; gui=PROVIDER/NAME"),
        ("planner:PROVIDER/NAME", "a model that decides and one that points; grounder=PROVIDER/NAME"),
    ]
    .into_iter()
    .map(|(agent, about)| vec![("agent", agent.to_owned()), ("about", about.to_owned())])
    .collect()
}

fn models(common: &Common) -> anyhow::Result<Rows> {
    let catalogue = Catalogue::load(common.models.as_deref())?;
    let names: BTreeSet<&str> = catalogue.entries().iter().map(|entry| entry.name.as_str()).collect();
    Ok(names.into_iter().map(|name| model(&catalogue.known(name))).collect())
}

/// What is known of a model, in words; what is not known stays empty.
fn model(entry: &Entry) -> Vec<(&'static str, String)> {
    let computer = entry.computer.is_some_and(|tool| tool != ComputerTool::None);
    vec![
        ("model", entry.name.clone()),
        ("tool", if computer { "computer tool" } else { "our tools" }.to_owned()),
        ("points", entry.points.map(|points| format!("{points:?}").to_lowercase()).unwrap_or_default()),
        ("sees", if entry.sees == Some(false) { "blind" } else { "sees" }.to_owned()),
        ("context", entry.context.map(|tokens| format!("{tokens} tokens")).unwrap_or_default()),
        ("price", entry.price.as_ref().map_or("price unknown".to_owned(), price)),
        ("source", entry.source.clone().unwrap_or_default()),
    ]
}

/// US dollars per million tokens.
fn price(price: &Price) -> String {
    let parts = [
        (Some(price.input), "in"),
        (Some(price.output), "out"),
        (price.cached, "cached"),
        (price.cache_write, "cache write"),
    ];
    let parts = parts.into_iter().filter_map(|(usd, what)| usd.map(|usd| format!("${usd} {what}")));
    let long = price.long.map(|long| format!("${} in and ${} out over {} tokens", long.input, long.output, long.over));
    parts.chain(long).collect::<Vec<_>>().join(", ")
}

fn runs(common: &Common) -> anyhow::Result<Rows> {
    let mut rows = Vec::new();
    for name in run_names(common) {
        let run = open_run(&name, common)?;
        let (done, planned) = files::progress(&run)?;
        rows.push(vec![
            ("run", name),
            ("created", run.header().created.clone()),
            ("trials", format!("{done} of {planned} trials")),
            ("tasks", run.header().selectors.join(" ")),
        ]);
    }
    Ok(rows)
}
