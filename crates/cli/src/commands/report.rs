//! `quintain report`

use std::collections::BTreeMap;
use std::path::PathBuf;

use quintain_core::money::dollars_and_cents;
use quintain_core::{Digest, Spent, TrialId};
use quintain_report::{Diagnosis, HtmlReport, HtmlTrial, Summary, TrialRow, UnplayedTrial, html, summary};
use quintain_runner::Ledger;
use quintain_store::{AttemptRecord, RunDir};
use quintain_workshop::Workshop;
use serde_json::json;

use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::table;
use crate::{budget, diagnosis, disk};

/// When the pictures of one HTML file weigh this much, further trials come without.
const MAX_PICTURE_BYTES: usize = 48 * 1024 * 1024;

/// How many trials a page lists; a page with a million of them would not open.
const MOST_LISTED: usize = 20_000;

/// Trials whose pictures go into the report that follows a run.
const N_PICTURED: usize = 200;

/// What a run came to, by agent, made into text.
pub(crate) type ReportText = fn(&Summary, &BTreeMap<String, Summary>) -> String;

pub(crate) fn report(args: &ReportArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let run = workshop.open_run(&args.run)?;
    let html = (!args.no_html).then(|| args.html.clone().unwrap_or_else(|| run.report_path()));
    let oracles = args.oracle.iter().map(|run| workshop.open_run(run)).collect::<anyhow::Result<Vec<_>>>()?;
    tell(&run, &ReportForm { html_to: html, n_pictured: args.pictures, text, oracles }, workshop, printer)?;
    Ok(Exit::Success)
}

/// The report at the end of a run. Faults show in the exit code.
pub(crate) fn after_run(run: &RunDir, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    after_run_as(text, run, workshop, printer)
}

/// The same with a text of the caller's.
pub(crate) fn after_run_as(
    text: ReportText,
    run: &RunDir,
    workshop: &Workshop,
    printer: Printer,
) -> anyhow::Result<Exit> {
    let html_to = Some(run.report_path());
    let form = ReportForm { html_to, n_pictured: N_PICTURED, text, oracles: Vec::new() };
    let rows = tell(run, &form, workshop, printer)?;
    Ok(if rows.iter().any(TrialRow::faulted) { Exit::Faults } else { Exit::Success })
}

/// In which form a run is told.
struct ReportForm {
    /// Where the page goes; nowhere if none is wanted.
    html_to: Option<PathBuf>,
    /// Of how many trials it shows the pictures.
    n_pictured: usize,
    text: ReportText,
    /// Other runs in which the oracle played.
    oracles: Vec<RunDir>,
}

fn tell(run: &RunDir, form: &ReportForm, workshop: &Workshop, printer: Printer) -> anyhow::Result<Vec<TrialRow>> {
    let rows = workshop.rows_against(run, &form.oracles, &|words| printer.say(words))?;
    let unplayed = workshop.unplayed(run, &rows)?;
    let summary = summary(&rows, &unplayed);
    let ledger = Ledger::of(run)?;
    let by_agent = by_agent(&rows, &unplayed);
    let calls = run.calls()?;
    let found = diagnosis::found(run, &rows)?;
    let json = json!({
        "run": run.header(),
        "diagnosis": found,
        "planned": ledger.n_planned,
        "summary": summary,
        "by_agent": by_agent,
        "wasted": wasted(&ledger),
        "calls": calls,
        "damage": run.damage().list(),
    });
    printer.data(&json, || found.as_ref().map_or_else(|| (form.text)(&summary, &by_agent), Diagnosis::text))?;
    if let Some(private) = &run.header().private {
        printer
            .say(format!("private seeds, key {}: the record and the page name them, the figures do not", private.key));
    }
    say_what_is_missing(&ledger, rows.len(), printer);
    if calls.totals.n_calls > 0 {
        printer.say(format!("the books: {}", budget::calls_words(&calls.totals)));
    }
    if !calls.unknown.is_empty() {
        printer.say(format!("{} calls may have been billed; --json lists them under `calls`", calls.unknown.len()));
    }
    if let Some(path) = &form.html_to {
        disk::write(path, html(&document(run, &rows, &ledger, form.n_pictured)?, &rows, &unplayed).as_bytes())?;
        printer.say(format!("report: {}", path.display()));
        if let Some(found) = &found {
            diagnosis::draw(run.header(), found, path, printer)?;
        }
    }
    Ok(rows)
}

/// What attempts used up that ended in faults.
fn wasted(ledger: &Ledger) -> Spent {
    ledger.entries.iter().map(|entry| entry.wasted).fold(Spent::default(), Spent::plus)
}

fn say_what_is_missing(ledger: &Ledger, n_rows: usize, printer: Printer) {
    if (n_rows as u64) < ledger.n_planned {
        printer.say(format!("{n_rows} of {} trials have an outcome", ledger.n_planned));
    }
    let wasted = wasted(ledger);
    if wasted.steps > 0 {
        let Spent { steps, tokens, cost_usd, .. } = wasted;
        let cost = dollars_and_cents(cost_usd);
        printer.say(format!("not in the figures: {steps} steps, {tokens} tokens and {cost} lost to faults"));
    }
}

/// What each agent came to, by its name.
fn by_agent(rows: &[TrialRow], unplayed: &[UnplayedTrial]) -> BTreeMap<String, Summary> {
    let mut parts: BTreeMap<String, (Vec<TrialRow>, Vec<UnplayedTrial>)> = BTreeMap::new();
    for row in rows {
        parts.entry(row.trial.agent.clone()).or_default().0.push(row.clone());
    }
    for trial in unplayed {
        parts.entry(trial.trial.agent.clone()).or_default().1.push(trial.clone());
    }
    parts.into_iter().map(|(agent, (rows, unplayed))| (agent, summary(&rows, &unplayed))).collect()
}

/// Agents are not mixed: a line for each, then each by itself.
fn text(all: &Summary, by_agent: &BTreeMap<String, Summary>) -> String {
    if by_agent.len() < 2 {
        return all.text();
    }
    let percent = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", 100.0 * share));
    let mut lines = vec![["agent", "trials", "faults", "success", "score", "isolation"].map(str::to_owned).to_vec()];
    lines.extend(by_agent.iter().map(|(agent, Summary { total, isolation, .. })| {
        let (success, score) = (percent(total.success.value), percent(total.score.value));
        let isolation = isolation.get(agent).map_or_else(|| "unknown".to_owned(), ToString::to_string);
        vec![agent.clone(), total.n.to_string(), total.n_faulted.to_string(), success, score, isolation]
    }));
    let blocks = by_agent.iter().map(|(agent, summary)| format!("\n\n== {agent}\n\n{}", summary.text().trim_end()));
    std::iter::once(table(&lines)).chain(blocks).collect()
}

fn document(run: &RunDir, rows: &[TrialRow], ledger: &Ledger, n_pictured: usize) -> anyhow::Result<HtmlReport> {
    let mut album = TrialAlbum::default();
    let places: BTreeMap<&TrialId, _> = ledger.entries.iter().map(|entry| (&entry.trial, &entry.place)).collect();
    let order = in_order_of_interest(rows);
    for row in order.iter().take(n_pictured) {
        if let Some(place) = places.get(&row.trial) {
            run.salvaged(place)?.map(|record| album.add(run, record)).transpose()?;
        }
    }
    let mut listed: Vec<&TrialRow> = listed(rows, &order);
    listed.sort_by(|a, b| a.trial.cmp(&b.trial));
    let trials = listed
        .into_iter()
        .map(|row| {
            let record = album.records.remove(&row.trial);
            let briefing = record.as_ref().and_then(AttemptRecord::briefing);
            HtmlTrial {
                row: row.clone(),
                instruction: briefing.map(|briefing| briefing.instruction.clone()),
                last_screen: record.as_ref().and_then(AttemptRecord::evidence).and_then(|evidence| evidence.screen),
                steps: record.as_ref().map(AttemptRecord::steps),
            }
        })
        .collect();
    Ok(HtmlReport { name: run.header().name.clone(), fingerprint: fingerprint(run), trials, pictures: album.pictures })
}

/// The trials that a page lists: all, or as many as it can hold, what went wrong first.
fn listed<'a>(rows: &'a [TrialRow], order: &[&'a TrialRow]) -> Vec<&'a TrialRow> {
    if rows.len() <= MOST_LISTED {
        return rows.iter().collect();
    }
    let (right, wrong): (Vec<&TrialRow>, Vec<&TrialRow>) = order.iter().partition(|row| row.verdict.solved);
    wrong.into_iter().chain(right).take(MOST_LISTED).collect()
}

/// Every task and agent comes early, and what went wrong before what went right.
fn in_order_of_interest(rows: &[TrialRow]) -> Vec<&TrialRow> {
    let mut order: Vec<&TrialRow> = rows.iter().collect();
    order.sort_by_key(|row| (row.trial.repeat, row.trial.instance.pick.seed, row.verdict.solved));
    order
}

/// The trials that can be stepped through, and their pictures.
#[derive(Default)]
struct TrialAlbum {
    records: BTreeMap<TrialId, AttemptRecord>,
    pictures: BTreeMap<Digest, Vec<u8>>,
    n_bytes: usize,
}

impl TrialAlbum {
    /// Adds a trial, with all its pictures while there is room.
    fn add(&mut self, run: &RunDir, record: AttemptRecord) -> anyhow::Result<()> {
        let steps = if self.n_bytes < MAX_PICTURE_BYTES { record.steps() } else { Vec::new() };
        let shown = steps.iter().flat_map(|step| step.shown.pictures.values().copied());
        for digest in shown.chain(record.evidence().and_then(|evidence| evidence.screen)) {
            if !self.pictures.contains_key(&digest)
                && let Some(png) = run.picture(digest)?
            {
                self.n_bytes += png.len();
                self.pictures.insert(digest, png);
            }
        }
        self.records.insert(record.trial.clone(), record);
        Ok(())
    }
}

fn fingerprint(run: &RunDir) -> Vec<(String, String)> {
    let header = run.header();
    let mut lines: Vec<(String, String)> = vec![
        ("created".to_owned(), header.created.clone()),
        ("tasks".to_owned(), header.selectors.join(" ")),
        ("agents".to_owned(), header.agents.iter().map(|agent| agent.spec.clone()).collect::<Vec<_>>().join(", ")),
        ("shown".to_owned(), serde_json::to_string(&header.settings.show).unwrap_or_default()),
    ];
    lines.extend(header.private.iter().map(|private| ("private seeds".to_owned(), format!("key {}", private.key))));
    lines.extend(header.suites.iter().map(|suite| (format!("suite {}", suite.name), suite.digest.short())));
    lines.extend(header.fingerprint.clone());
    lines
}
