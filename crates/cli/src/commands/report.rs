//! `quintain report`

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use quintain_core::{Digest, TrialId};
use quintain_report::{HtmlReport, HtmlTrial, Row, html, summary};
use quintain_runner::Ledger;
use quintain_store::RunDir;
use serde_json::json;

use crate::args::{Common, ReportArgs};
use crate::exit::Exit;
use crate::printer::Printer;
use crate::{files, rows};

/// Trials whose pictures go into the report that follows a run.
const N_PICTURED: usize = 200;

pub(crate) fn report(args: &ReportArgs, common: &Common, printer: Printer) -> anyhow::Result<Exit> {
    let run = files::open_run(&args.run, common)?;
    let html = (!args.no_html).then(|| args.html.clone().unwrap_or_else(|| html_path(&run)));
    tell(&run, html.as_deref(), args.pictures, common, printer)?;
    Ok(Exit::Success)
}

/// The report at the end of a run. Faults show in the exit code.
pub(crate) fn after_run(run: &RunDir, common: &Common, printer: Printer) -> anyhow::Result<Exit> {
    let rows = tell(run, Some(&html_path(run)), N_PICTURED, common, printer)?;
    Ok(if rows.iter().any(Row::faulted) { Exit::Faults } else { Exit::Success })
}

fn html_path(run: &RunDir) -> PathBuf {
    run.path().join("report.html")
}

fn tell(
    run: &RunDir,
    html_to: Option<&Path>,
    n_pictured: usize,
    common: &Common,
    printer: Printer,
) -> anyhow::Result<Vec<Row>> {
    let rows = rows::with_tasks(run, common)?;
    let summary = summary(&rows);
    let n_planned = Ledger::of(run)?.n_planned;
    let json = json!({ "run": run.header(), "planned": n_planned, "summary": summary });
    printer.data(&json, || summary.text())?;
    if (rows.len() as u64) < n_planned {
        printer.say(format!("{} of {n_planned} trials have an outcome", rows.len()));
    }
    if let Some(path) = html_to {
        files::write(path, html(&document(run, &rows, n_pictured)?).as_bytes())?;
        printer.say(format!("report: {}", path.display()));
    }
    Ok(rows)
}

fn document(run: &RunDir, rows: &[Row], n_pictured: usize) -> anyhow::Result<HtmlReport> {
    let ledger = Ledger::of(run)?;
    let places: BTreeMap<&TrialId, _> = ledger.entries.iter().map(|entry| (&entry.trial, &entry.place)).collect();
    let chosen = chosen(rows, n_pictured);
    let mut pictures = BTreeMap::new();
    let mut trials = Vec::with_capacity(rows.len());
    for row in rows {
        let record = match places.get(&row.trial) {
            Some(place) if chosen.contains(&row.trial) => Some(run.trajectory(place)?),
            _ => None,
        };
        let steps = record.as_ref().map(quintain_store::AttemptRecord::steps);
        let last_screen = record.as_ref().and_then(|record| record.evidence()).and_then(|evidence| evidence.screen);
        let shown = steps.iter().flatten().flat_map(|step| step.shown.pictures.values().copied());
        for digest in shown.chain(last_screen) {
            keep(run, digest, &mut pictures)?;
        }
        let instruction =
            record.as_ref().and_then(|record| record.briefing()).map(|briefing| briefing.instruction.clone());
        trials.push(HtmlTrial { row: row.clone(), instruction, steps, last_screen });
    }
    Ok(HtmlReport { name: run.header().name.clone(), fingerprint: fingerprint(run), trials, pictures })
}

/// The trials that can be stepped through: those that went wrong first.
fn chosen(rows: &[Row], n: usize) -> BTreeSet<TrialId> {
    let mut order: Vec<&Row> = rows.iter().collect();
    order.sort_by_key(|row| row.verdict.solved);
    order.into_iter().take(n).map(|row| row.trial.clone()).collect()
}

fn keep(run: &RunDir, digest: Digest, pictures: &mut BTreeMap<Digest, Vec<u8>>) -> anyhow::Result<()> {
    if !pictures.contains_key(&digest)
        && let Some(png) = run.frames().get_png(digest)?
    {
        pictures.insert(digest, png);
    }
    Ok(())
}

fn fingerprint(run: &RunDir) -> Vec<(String, String)> {
    let header = run.header();
    let mut lines: Vec<(String, String)> = vec![
        ("created".to_owned(), header.created.clone()),
        ("tasks".to_owned(), header.selectors.join(" ")),
        ("agents".to_owned(), header.agents.iter().map(|agent| agent.spec.clone()).collect::<Vec<_>>().join(", ")),
        ("shown".to_owned(), serde_json::to_string(&header.settings.show).unwrap_or_default()),
    ];
    lines.extend(header.suites.iter().map(|suite| (format!("suite {}", suite.name), suite.digest.short())));
    lines.extend(header.fingerprint.clone());
    lines
}
