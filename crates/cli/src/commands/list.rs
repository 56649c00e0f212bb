//! `quintain list`

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
    let strategies = |name: &str| quintain_puzzles::Puzzles::strategies(name).unwrap_or_default().join(", ");
    let names = quintain_puzzles::Puzzles::names().into_iter();
    names.map(|name| vec![("puzzle", name.to_owned()), ("strategies", strategies(name))]).collect()
}

fn agents() -> Rows {
    [
        ("oracle", "plays the solution; oracle:strategy=...,length=...,seed=..."),
        ("idle", "ends at once; idle:endless never does anything and never ends"),
        ("random", "draws blindly from the published actions; random:seed=3"),
        ("replay:RUN", "says again what was said in a recorded run"),
        ("cmd:PROGRAM", "a program that speaks JSON lines; docs/agent-protocol.md"),
    ]
    .into_iter()
    .map(|(agent, about)| vec![("agent", agent.to_owned()), ("about", about.to_owned())])
    .collect()
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
