//! `quintain import`

use std::collections::BTreeMap;

use quintain_core::words::count;
use quintain_workshop::{HarborImport, ImportReport, ImportedTask};

use crate::args::{ImportArgs, ImportWhat};
use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::{first_lines, table};

/// So many tasks are listed unless all are asked for.
const MOST_ROWS: usize = 40;
/// So many remarks are told.
const MOST_REMARKS: usize = 8;
/// The longest reason in the table, in characters.
const LONGEST_WHY: usize = 100;

pub(crate) fn import(args: &ImportArgs, printer: Printer) -> anyhow::Result<Exit> {
    let ImportWhat::Harbor { folder, into, build, all } = &args.what;
    let mut import = HarborImport::read(folder)?;
    if *build {
        import.build_trees(&|words| printer.say(words))?;
    }
    if let Some(into) = into {
        import.write_suite(into)?;
    }
    let report = import.report();
    let most = if *all { usize::MAX } else { MOST_ROWS };
    printer.data(&report, || text(&report, most))?;
    if let Some(into) = into {
        printer.say(format!("\n{} written to {}", count(report.n_run, "task"), into.display()));
    }
    Ok(Exit::Success)
}

fn text(report: &ImportReport, most: usize) -> String {
    let rows: Vec<Vec<String>> = report.tasks.iter().take(most).map(row).collect();
    let more = report.tasks.len() - rows.len();
    let rest = if more > 0 { format!("\nand {more} more: --all lists them") } else { String::new() };
    let counts = format!(
        "{}: {} can run here, {} cannot, {} damaged",
        count(report.tasks.len(), "task"),
        report.n_run,
        report.n_not,
        report.n_damaged
    );
    format!("{}{rest}\n\n{counts}{}", table(&rows), remarks(report))
}

fn row(task: &ImportedTask) -> Vec<String> {
    let remarks = &task.fitness.remarks;
    let (standing, why) = match &task.problems {
        Some(problems) => ("damaged", first_of(&problems.0)),
        None if task.runs_here && remarks.is_empty() => ("runs here", String::new()),
        None if task.runs_here => ("runs here", count(remarks.len(), "remark")),
        None => ("not, because", first_of(&task.fitness.reasons)),
    };
    vec![task.folder.clone(), standing.to_owned(), why]
}

/// The first of several things, and how many more there are.
fn first_of<T: ToString>(things: &[T]) -> String {
    let first = things.first().map(ToString::to_string).unwrap_or_default();
    let cut = match first.char_indices().nth(LONGEST_WHY) {
        Some((at, _)) => format!("{} …", &first[..at]),
        None => first,
    };
    let more = things.len().saturating_sub(1);
    if more > 0 { format!("{cut} (and {more} more)") } else { cut }
}

/// The remarks on tasks that run, each once, the most frequent first.
fn remarks(report: &ImportReport) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for remark in report.tasks.iter().filter(|task| task.runs_here).flat_map(|task| &task.fitness.remarks) {
        *counts.entry(remark).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let lines: Vec<String> = counts.iter().map(|(remark, n)| format!("  {n} × {remark}")).collect();
    if lines.is_empty() { String::new() } else { format!("\n{}", first_lines(&lines, MOST_REMARKS)) }
}
