//! `quintain doctor RUN`: every file of a run looked at, and mended where that can be.

use std::time::{Duration, Instant};

use quintain_core::words::count;
use quintain_runner::Ledger;
use quintain_runner::engine::sqlite::{damage_of, move_aside};
use quintain_runner::ledger::TrialEntry;
use quintain_store::line_sum::SumRule;
use quintain_store::{Damage, PlannedTrial, RunDir};
use quintain_workshop::Workshop;
use serde_json::json;

use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::first_lines;

/// So many broken things are listed; `--json` has all.
const MOST_LISTED: usize = 200;

/// How often it is told how far the look is.
const TELL_EVERY: Duration = Duration::from_secs(2);

pub(super) fn doctor(name: &str, mend: bool, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let run = workshop.open_unwatched(name)?;
    let ledger = look(&run, printer)?;
    let found = run.damage().list();
    let done = if mend { mended(&run, &ledger)? } else { Vec::new() };
    let left = if mend { left(name, workshop, printer)? } else { found.clone() };
    let json = json!({
        "run": run.header().name,
        "trials": ledger.n_planned,
        "outcomes": ledger.entries.len(),
        "damage": found,
        "mended": done,
        "left": left,
    });
    printer.data(&json, || text(&run, &ledger, &found, &done, &left))?;
    Ok(if left.is_empty() { Exit::Success } else { Exit::Refused })
}

/// Looks at everything, telling how far it is.
fn look(run: &RunDir, printer: Printer) -> anyhow::Result<Ledger> {
    let ledger = Ledger::of(run)?;
    if let Some(why) = damage_of(&run.engine_path()) {
        run.note_engine(why, "`quintain resume` and `doctor RUN --mend` move it aside; the record knows what it knew");
    }
    for entry in &ledger.entries {
        // What the engine says is on record may be gone with its segment; that is noted as it is met.
        run.salvaged(&entry.place)?;
    }
    let mut told = Instant::now();
    run.examine(&mut |what, n| {
        if told.elapsed() > TELL_EVERY {
            told = Instant::now();
            printer.say(format!("looked at {n} {what}"));
        }
    })?;
    let n_lost = ledger.n_planned.saturating_sub(ledger.entries.len() as u64);
    if n_lost > 0 && run.has_damaged_engine() {
        run.note_lost_trials(format!("{} not on record, and the engine cannot tell of them", count(n_lost, "trial")));
    }
    Ok(ledger)
}

fn mended(run: &RunDir, ledger: &Ledger) -> anyhow::Result<Vec<String>> {
    let on_record: Vec<PlannedTrial> = ledger.entries.iter().map(TrialEntry::planned).collect();
    let mut done = run.mend(&on_record)?;
    if run.has_damaged_engine() {
        let aside = move_aside(&run.engine_path())?;
        done.push(format!("the engine's file was moved to {}; `quintain resume` makes a new one", aside.display()));
    }
    Ok(done)
}

/// What is still broken after mending.
fn left(name: &str, workshop: &Workshop, printer: Printer) -> anyhow::Result<Vec<Damage>> {
    let run = workshop.open_unwatched(name)?;
    look(&run, printer)?;
    Ok(run.damage().list())
}

fn text(run: &RunDir, ledger: &Ledger, found: &[Damage], done: &[String], left: &[Damage]) -> String {
    let mut lines: Vec<String> = found.iter().map(ToString::to_string).collect();
    lines.extend(done.iter().map(|done| format!("mended: {done}")));
    let (n_known, n_planned) = (ledger.entries.len(), count(ledger.n_planned, "trial"));
    let state = match (found.len(), left.len()) {
        (0, _) => "nothing is broken".to_owned(),
        (n, 0) => format!("{} mended", count(n, "broken thing")),
        (_, n) => format!("{} left; everything else can be read", count(n, "broken thing")),
    };
    let unseen = (run.header().sums == SumRule::WhereThere).then_some(
        "\nan older program planned this run: its lines have no sums, and damage that still reads as JSON is not seen",
    );
    let summary = format!("{n_known} of {n_planned} have an outcome; {state}{}", unseen.unwrap_or_default());
    format!("{}\n{summary}", first_lines(&lines, MOST_LISTED)).trim_start().to_owned()
}
