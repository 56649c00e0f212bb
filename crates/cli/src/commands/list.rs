//! `quintain list`

use std::collections::BTreeSet;

use quintain_core::check::CheckManual;
use quintain_core::offering::AppOffered;
use quintain_core::words::count;
use quintain_models::catalogue::{ComputerTool, ModelCatalogue, ModelFacts, Price};
use quintain_workshop::compose::palette;
use quintain_workshop::{Workshop, agents_line, progress};
use serde_json::{Value, json};

use crate::args::{ListArgs, ListedThing};
use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::table;

pub(crate) fn list(args: &ListArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let rows = match args.what {
        ListedThing::Suites => suites(workshop)?,
        ListedThing::Tasks => tasks(workshop)?,
        ListedThing::Puzzles => puzzles(workshop)?,
        ListedThing::Checks => checks(workshop)?,
        ListedThing::Agents => agents(),
        ListedThing::Models => models(workshop)?,
        ListedThing::Runs => runs(workshop),
    };
    let objects: Vec<Value> =
        rows.iter().map(|row| row.iter().map(|(key, value)| (key.to_string(), json!(value))).collect()).collect();
    let of_models = (args.what == ListedThing::Models).then(|| models_table(workshop)).transpose()?;
    printer.data(&objects, || {
        if let Some(table) = of_models {
            return table;
        }
        let plain: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|(_, value)| value.clone()).collect()).collect();
        table(&plain)
    })?;
    if args.what == ListedThing::Models {
        printer.say(
            "US dollars for a million tokens; --json tells besides what long requests cost, and where facts are from",
        );
    }
    Ok(Exit::Success)
}

type ListRows = Vec<Vec<(&'static str, String)>>;

fn suites(workshop: &Workshop) -> anyhow::Result<ListRows> {
    let suites = workshop.suites()?;
    let mut rows = Vec::new();
    for name in suites.names()? {
        let n_tasks = suites.tasks(&name)?.len();
        rows.push(vec![("suite", name), ("tasks", count(n_tasks, "task"))]);
    }
    Ok(rows)
}

fn tasks(workshop: &Workshop) -> anyhow::Result<ListRows> {
    let suites = workshop.suites()?;
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

/// Whatever has a solver with strategies.
fn puzzles(workshop: &Workshop) -> anyhow::Result<ListRows> {
    let offerings = workshop.unfurnished()?;
    let mut apps: Vec<AppOffered> = offerings.iter().flat_map(|offering| offering.apps.clone()).collect();
    apps.retain(|app| !app.strategies.is_empty());
    apps.sort_by_key(|app| app.name);
    let row = |app: AppOffered| vec![("puzzle", app.name.to_owned()), ("strategies", app.strategies.join(", "))];
    Ok(apps.into_iter().map(row).collect())
}

fn checks(workshop: &Workshop) -> anyhow::Result<ListRows> {
    let palette = palette(&workshop.unfurnished()?);
    let row = |(name, manual): (&str, CheckManual)| {
        let says = manual.says.split_inclusive(". ").next().unwrap_or_default().trim();
        vec![("check", name.to_owned()), ("says", says.to_owned())]
    };
    Ok(palette.manuals().map(row).collect())
}

fn agents() -> ListRows {
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

fn models(workshop: &Workshop) -> anyhow::Result<ListRows> {
    let catalogue = ModelCatalogue::load(workshop.setup().models.as_deref())?;
    let names: BTreeSet<&str> = catalogue.entries().iter().map(|entry| entry.name.as_str()).collect();
    Ok(names.into_iter().map(|name| model(&catalogue.known(name))).collect())
}

/// What is known of a model, in words; what is not known stays empty.
fn model(entry: &ModelFacts) -> Vec<(&'static str, String)> {
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

/// The models as a table that fits a terminal: `--json` tells besides what long requests cost and where facts are from.
fn models_table(workshop: &Workshop) -> anyhow::Result<String> {
    let catalogue = ModelCatalogue::load(workshop.setup().models.as_deref())?;
    let names: BTreeSet<&str> = catalogue.entries().iter().map(|entry| entry.name.as_str()).collect();
    let head = ["model", "tools", "points", "context", "in", "out", "cached", "write"].map(str::to_owned).to_vec();
    let lines = names.into_iter().map(|name| model_line(&catalogue.known(name)));
    Ok(table(&std::iter::once(head).chain(lines).collect::<Vec<_>>()))
}

fn model_line(entry: &ModelFacts) -> Vec<String> {
    let tool = match (entry.computer, entry.sees) {
        (_, Some(false)) => "ours, blind",
        (Some(tool), _) if tool != ComputerTool::None => "computer",
        _ => "ours",
    };
    let usd = |of: &dyn Fn(&Price) -> Option<f64>| {
        entry.price.as_ref().and_then(of).map_or_else(|| "?".to_owned(), |usd| format!("${usd}"))
    };
    vec![
        entry.name.clone(),
        tool.to_owned(),
        entry.points.map(|points| format!("{points:?}").to_lowercase()).unwrap_or_default(),
        entry.context.map(thousands).unwrap_or_default(),
        usd(&|price| Some(price.input)),
        usd(&|price| Some(price.output)),
        usd(&|price| price.cached),
        usd(&|price| price.cache_write),
    ]
}

/// `200k`, `1M`: as contexts are usually told.
fn thousands(tokens: u64) -> String {
    match tokens {
        n if n >= 1_000_000 && n.is_multiple_of(100_000) => format!("{}M", n as f64 / 1e6),
        n if n >= 1000 && n.is_multiple_of(1000) => format!("{}k", n / 1000),
        n => n.to_string(),
    }
}

/// One run that cannot be read hides no other.
fn runs(workshop: &Workshop) -> ListRows {
    let row = |name: String| {
        run_row(&name, workshop).unwrap_or_else(|error| {
            let why = format!("{error:#}").lines().next().unwrap_or_default().to_owned();
            vec![("run", name), ("broken", format!("cannot be read: {why}"))]
        })
    };
    workshop.run_names().into_iter().map(row).collect()
}

fn run_row(name: &str, workshop: &Workshop) -> anyhow::Result<Vec<(&'static str, String)>> {
    let run = workshop.open_run(name)?;
    let (done, planned) = progress(&run)?;
    Ok(vec![
        ("run", name.to_owned()),
        ("created", run.header().created.clone()),
        ("trials", format!("{done} of {planned} trials")),
        ("tasks", run.header().selectors.join(" ")),
        ("agents", agents_line(run.header())),
    ])
}
