//! `quintain report`

mod album;

use std::collections::BTreeMap;
use std::path::PathBuf;

use quintain_core::money::dollars_and_cents;
use quintain_core::{Spent, TrialId};
use quintain_report::summary::ChainSummary;
use quintain_report::{Diagnosis, HtmlReport, HtmlTrial, Summary, TrialRow, UnplayedTrial, html, listed_size, summary};
use quintain_runner::Ledger;
use quintain_store::{AttemptRecord, PrivateSeedsUsed, RunDir};
use quintain_workshop::Workshop;
use serde_json::{Value, json};

use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::table;
use crate::{budget, diagnosis, disk};
use album::{PagePictures, TrialAlbum};

/// What the page of a run takes that was just played.
const PAGE_BYTES: usize = 8_000_000;

/// What a page takes besides its trials: figures, tables, scripts.
const REST_BYTES: usize = 500_000;

/// Trials whose pictures go into the report that follows a run.
const N_PICTURED: usize = 200;

/// What a run came to, by agent, made into text.
pub(crate) type ReportText = fn(&Summary, &BTreeMap<String, Summary>) -> String;

pub(crate) fn report(args: &ReportArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let run = workshop.open_run(&args.run)?;
    let html = (!args.no_html).then(|| args.html.clone().unwrap_or_else(|| run.report_path()));
    let oracles = args.oracle.iter().map(|run| workshop.open_run(run)).collect::<anyhow::Result<Vec<_>>>()?;
    let page_bytes = (args.page_size * 1e6) as usize;
    tell(&run, &ReportForm { html_to: html, n_pictured: args.pictures, page_bytes, text, oracles }, workshop, printer)?;
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
    let form = ReportForm { html_to, n_pictured: N_PICTURED, page_bytes: PAGE_BYTES, text, oracles: Vec::new() };
    let rows = tell(run, &form, workshop, printer)?;
    Ok(if rows.iter().any(TrialRow::faulted) { Exit::Faults } else { Exit::Success })
}

/// In which form a run is told.
struct ReportForm {
    /// Where the page goes; nowhere if none is wanted.
    html_to: Option<PathBuf>,
    /// Of how many trials it shows the pictures.
    n_pictured: usize,
    /// How many bytes it may take.
    page_bytes: usize,
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
        "summary": unmixed(&summary)?,
        "by_agent": by_agent,
        "wasted": wasted(&ledger),
        "calls": calls,
        "damage": run.damage().list(),
    });
    printer.data(&json, || found.as_ref().map_or_else(|| (form.text)(&summary, &by_agent), Diagnosis::text))?;
    if let Some(private) = &run.header().private {
        printer.say(format!("{}: the record and the page name them, the figures do not", private_seeds(private)));
    }
    say_who_they_are(run, printer);
    say_what_is_missing(&ledger, rows.len(), printer);
    if calls.totals.n_calls > 0 {
        printer.say(format!("the books: {}", budget::calls_words(&calls.totals)));
    }
    if !calls.unknown.is_empty() {
        printer.say(format!("{} calls may have been billed; --json lists them under `calls`", calls.unknown.len()));
    }
    if let Some(path) = &form.html_to {
        let document = document(run, &rows, &ledger, form)?;
        disk::write(path, html(&document, &rows, &unplayed).as_bytes())?;
        printer.say(format!("report: {}", path.display()));
        if let Some(note) = &document.pictures_note {
            let megabytes = form.page_bytes as f64 / 1e6;
            printer.say(format!("  kept to {megabytes} MB (--page-size gives more): {note}"));
        }
        if let Some(found) = &found {
            diagnosis::draw(run.header(), found, path, printer)?;
        }
    }
    Ok(rows)
}

/// The summary as JSON. Where several agents played, what would mix them is left out: `by_agent` has it for each.
fn unmixed(summary: &Summary) -> anyhow::Result<Value> {
    let mut value = serde_json::to_value(summary)?;
    if let Some(fields) = value.as_object_mut().filter(|_| summary.by_agent.len() > 1) {
        for mixed in ["total", "by_task", "by_difficulty", "by_capability"] {
            fields.remove(mixed);
        }
    }
    Ok(value)
}

/// What attempts used up that ended in faults.
fn wasted(ledger: &Ledger) -> Spent {
    ledger.entries.iter().map(|entry| entry.wasted).fold(Spent::default(), Spent::plus)
}

/// How many agents are told by what they are asked for.
const MOST_SPECS: usize = 8;

/// Agents whose names do not say how they were asked for.
/// Which private seeds a run has.
fn private_seeds(private: &PrivateSeedsUsed) -> String {
    let edition = private.edition.as_ref().map_or_else(String::new, |edition| format!(" of edition {edition}"));
    format!("private seeds{edition}, key {}", private.key)
}

fn say_who_they_are(run: &RunDir, printer: Printer) {
    let varied = run.header().diagnosis.as_ref().map(|plan| &plan.variations);
    let own = |label: &String| varied.is_none_or(|varied| !varied.contains_key(label));
    let unsaid = run.header().agents.iter().filter(|agent| agent.label != agent.spec && own(&agent.label));
    let plain = unsaid.filter(|agent| agent.label != agent.spec.replace('=', "-").replace(',', ":"));
    for agent in plain.take(MOST_SPECS) {
        printer.say(format!("{} is {}", agent.label, agent.spec));
    }
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
    let is_alone = parts.len() < 2;
    let told = |(agent, (rows, unplayed)): (String, (Vec<TrialRow>, Vec<UnplayedTrial>))| {
        let mut own = summary(&rows, &unplayed);
        // How hard a task is follows from all agents together.
        if let Some(chains) = own.chains.as_mut().filter(|_| !is_alone) {
            chains.levels.clear();
        }
        (agent, own)
    };
    parts.into_iter().map(told).collect()
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
    let matrix = all.matrix.as_ref().map(|matrix| format!("\n\n{}", matrix.text().trim_end()));
    let levels = all.chains.as_ref().and_then(ChainSummary::levels_text);
    let levels = levels.map(|levels| format!("\n\n{}", levels.trim_end()));
    let blocks = by_agent.iter().map(|(agent, summary)| format!("\n\n== {agent}\n\n{}", summary.text().trim_end()));
    std::iter::once(table(&lines)).chain(matrix).chain(levels).chain(blocks).collect()
}

/// What a page shows, within the bytes that it may take.
fn document(run: &RunDir, rows: &[TrialRow], ledger: &Ledger, form: &ReportForm) -> anyhow::Result<HtmlReport> {
    let mut album = TrialAlbum::default();
    let places: BTreeMap<&TrialId, _> = ledger.entries.iter().map(|entry| (&entry.trial, &entry.place)).collect();
    let order = in_order_of_interest(rows);
    let (listed, n_listed_bytes) = listed(&order, form.page_bytes / 4);
    for row in listed.iter().take(form.n_pictured) {
        if let Some(place) = places.get(&row.trial)
            && let Some(record) = run.salvaged(place)?
        {
            album.add(record, form.page_bytes / 4);
        }
    }
    let room = form.page_bytes.saturating_sub(n_listed_bytes + album.n_step_bytes + REST_BYTES);
    let PagePictures { pictures, note } = album.pictures(run, room)?;
    let mut trials: Vec<HtmlTrial> = listed.into_iter().map(|row| told(row, album.records.get(&row.trial))).collect();
    trials.sort_by(|a, b| a.row.trial.cmp(&b.row.trial));
    let (name, fingerprint) = (run.header().name.clone(), fingerprint(run));
    Ok(HtmlReport { name, fingerprint, trials, pictures, pictures_note: note })
}

/// A trial as a page lists it, with its steps where they are at hand.
fn told(row: &TrialRow, record: Option<&AttemptRecord>) -> HtmlTrial {
    let briefing = record.and_then(AttemptRecord::briefing);
    HtmlTrial {
        row: row.clone(),
        instruction: briefing.map(|briefing| briefing.instruction.clone()),
        last_screen: record.and_then(AttemptRecord::evidence).and_then(|evidence| evidence.screen),
        steps: record.map(AttemptRecord::steps),
    }
}

/// The trials that a page lists: all, or as many as it can hold, what is of interest first; and the bytes they take.
fn listed<'a>(order: &[&'a TrialRow], most_bytes: usize) -> (Vec<&'a TrialRow>, usize) {
    let (mut listed, mut n_bytes) = (Vec::new(), 0);
    for row in order {
        let size = listed_size(row);
        if n_bytes + size > most_bytes {
            break;
        }
        n_bytes += size;
        listed.push(*row);
    }
    (listed, n_bytes)
}

/// Every task and agent comes early, and what went wrong before what went right.
fn in_order_of_interest(rows: &[TrialRow]) -> Vec<&TrialRow> {
    let mut order: Vec<&TrialRow> = rows.iter().collect();
    order.sort_by_key(|row| (row.trial.repeat, row.trial.instance.pick.seed, row.verdict.solved));
    order
}

fn fingerprint(run: &RunDir) -> Vec<(String, String)> {
    let header = run.header();
    let mut lines: Vec<(String, String)> = vec![
        ("created".to_owned(), header.created.clone()),
        ("tasks".to_owned(), header.selectors.join(" ")),
        ("agents".to_owned(), header.agents.iter().map(|agent| agent.spec.clone()).collect::<Vec<_>>().join(", ")),
        ("shown".to_owned(), serde_json::to_string(&header.settings.show).unwrap_or_default()),
    ];
    lines.extend(header.private.iter().map(|private| ("seeds".to_owned(), private_seeds(private))));
    lines.extend(header.suites.iter().map(|suite| (format!("suite {}", suite.name), suite.digest.short())));
    lines.extend(header.fingerprint.clone());
    lines
}
