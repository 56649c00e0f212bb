//! A run of a fleet as a run directory again: its record from the archive, its outcomes from whoever knows them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, bail};
use quintain_core::suggest;
use quintain_fleet::jetstream::is_cut;
use quintain_runner::engine::{AttemptEnd, EndedAttempt, Outcome, RecordedOutcome};
use quintain_runner::{Engine, SqliteEngine};
use quintain_store::archive::{Archive, ArchivedRun, OutcomeRow, PullProgress, PulledRun};
use quintain_store::{Damage, RunDir};

use super::Fleet;
use super::hand_in::units;
use crate::printer::Printer;

/// The most outcomes that are asked for at once.
const PAGE: usize = 10_000;

/// What is known of a run: the outcomes that count, and the attempts that brought none.
#[derive(Default)]
pub(crate) struct KnownRun {
    pub(crate) outcomes: Vec<RecordedOutcome>,
    pub(crate) attempts: Vec<EndedAttempt>,
    /// What of the archive could not be read to know it.
    pub(crate) broken: Vec<Damage>,
}

/// The run of that name in the archive.
pub(crate) async fn archived(archive: &Archive, run: &str) -> anyhow::Result<ArchivedRun> {
    let found = archive.run(run)?;
    if found.exists().await? {
        return Ok(found);
    }
    let known = archive.runs().await?;
    let hint = suggest::hint(run, known.iter().map(String::as_str));
    bail!("the archive {} has no run `{run}`\nhint: {hint}", archive.url())
}

/// Brings the record of a run into a folder, telling how far it is.
pub(crate) async fn record(archived: &ArchivedRun, to: &Path, printer: Printer) -> anyhow::Result<PulledRun> {
    let mut told = 0;
    let mut tell = |progress: PullProgress| {
        let tenth = progress.n_packs.div_ceil(10).max(1);
        let is_last = progress.n_in == progress.n_packs && told < progress.n_in;
        if is_last || progress.n_in >= told + tenth {
            told = progress.n_in;
            printer.say(format!("pulled {} of {} packs", progress.n_in, progress.n_packs));
        }
    };
    let pulled = archived.pull(to, &mut tell).await?;
    if !pulled.missing.is_empty() {
        printer.say(format!("{} stretches of the record never reached the archive", pulled.missing.len()));
    }
    Ok(pulled)
}

/// What the server knows of a run.
pub(crate) async fn from_server(fleet: &Fleet, run: &str) -> anyhow::Result<KnownRun> {
    let (mut outcomes, mut next) = (Vec::new(), 0);
    loop {
        let page = fleet.engine.outcomes(run, next, PAGE).await?;
        let Some(last) = page.last() else { break };
        next = last.seq + 1;
        outcomes.extend(page);
    }
    Ok(KnownRun { outcomes, attempts: fleet.engine.attempts(run).await?, ..KnownRun::default() })
}

/// Puts outcomes in place of those of which a message could not hold all: packs tell of them whole.
pub(crate) async fn make_whole(known: &mut KnownRun, archived: &ArchivedRun) -> anyhow::Result<()> {
    if !known.outcomes.iter().any(|recorded| is_cut(&recorded.outcome)) {
        return Ok(());
    }
    let shipped = archived.recovered(&BTreeSet::new()).await?.into_iter();
    let mut whole: BTreeMap<String, OutcomeRow> = shipped.map(|row| (row.trial.to_string(), row)).collect();
    for recorded in known.outcomes.iter_mut().filter(|recorded| is_cut(&recorded.outcome)) {
        let found = whole.remove(&recorded.unit).filter(|row| row.place == recorded.outcome.place);
        if let Some(row) = found {
            recorded.outcome = Outcome::new(row.finished, row.place);
        }
    }
    Ok(())
}

/// What the archive knows of a run: outcomes that were written down, and what packs tell of the others.
pub(crate) async fn from_archive(archived: &ArchivedRun) -> anyhow::Result<KnownRun> {
    let (mut rows, broken) = archived.readable_outcomes().await?;
    let known: BTreeSet<u32> = rows.iter().map(|row| row.idx).collect();
    rows.extend(archived.recovered(&known).await?);
    let counted: BTreeMap<String, u32> = rows.iter().map(|row| (row.trial.to_string(), row.attempt)).collect();
    let attempts = attempts(archived, &counted).await?;
    Ok(KnownRun { outcomes: rows.into_iter().map(recorded).collect(), attempts, broken })
}

fn recorded(row: OutcomeRow) -> RecordedOutcome {
    let outcome = Outcome::new(row.finished, row.place);
    RecordedOutcome { seq: row.seq, unit: row.trial.to_string(), attempt: row.attempt, outcome }
}

/// The attempts that packs tell of and that brought no outcome that counts.
async fn attempts(archived: &ArchivedRun, counted: &BTreeMap<String, u32>) -> anyhow::Result<Vec<EndedAttempt>> {
    let mut attempts = Vec::new();
    for page in archived.pack_names(None).await?.chunks(PAGE) {
        let manifests = archived.readable_manifests(page).await?;
        for shipped in manifests.into_iter().flat_map(|manifest| manifest.attempts) {
            let unit = shipped.trial.to_string();
            if counted.get(&unit) != Some(&shipped.attempt) {
                let end = shipped.end.and_then(|end| serde_json::from_value(end).ok()).unwrap_or(AttemptEnd::Late);
                attempts.push(EndedAttempt { unit, attempt: shipped.attempt, end, place: Some(shipped.place) });
            }
        }
    }
    Ok(attempts)
}

/// Writes down what is known, so that the run can be reported, replayed, judged again and exported from its folder.
pub(crate) async fn write_down(archived: &ArchivedRun, run: &RunDir, known: &KnownRun) -> anyhow::Result<()> {
    let units = units(run.header(), &run.plan()?, &archived.tasks().await?)?;
    let engine = SqliteEngine::open(&run.engine_path())?;
    engine.import(&units, &known.outcomes, &known.attempts).context("the outcomes cannot be written down")
}
