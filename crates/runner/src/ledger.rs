//! What came of a run, read back: which attempt of each trial counts, and what became of the others.
//!
//! The engine knows; where its file is gone (an archived run, a copy without it) the record itself tells.

use std::collections::BTreeMap;

use quintain_core::{Ending, Spent, TrialId, Verdict};
use quintain_store::{Place, RunDir};

use crate::engine::{AttemptEnd, Engine, EngineError, SqliteEngine};
use crate::run::RunError;

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// The trials that have an outcome, in the order they ended.
    pub entries: Vec<Entry>,
    /// How many trials were planned.
    pub n_planned: u64,
}

/// What came of one trial.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Which.
    pub trial: TrialId,
    /// The attempt that counts.
    pub attempt: u32,
    /// The verdict.
    pub verdict: Verdict,
    /// What was used up.
    pub spent: Spent,
    /// Where its record lies.
    pub place: Place,
    /// How earlier attempts ended in faults.
    pub faulted: Vec<Ending>,
}

impl Ledger {
    /// Reads what came of a run.
    pub fn of(run: &RunDir) -> Result<Self, RunError> {
        let n_planned = run.plan()?.len() as u64;
        let entries = if run.engine_path().exists() { from_engine(run)? } else { from_record(run)? };
        Ok(Self { entries, n_planned })
    }

    /// What came of a trial.
    pub fn entry(&self, trial: &TrialId) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.trial == *trial)
    }
}

fn from_engine(run: &RunDir) -> Result<Vec<Entry>, RunError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(RunError::Runtime)?;
    let engine = SqliteEngine::open(&run.engine_path())?;
    let name = &run.header().name;
    let recorded = runtime.block_on(engine.outcomes(name, 0, usize::MAX))?;
    let mut faulted = faulted_attempts(runtime.block_on(engine.attempts(name))?);
    let entry = |recorded: crate::engine::Recorded| {
        Ok(Entry {
            trial: recorded.unit.parse().map_err(|_cause| unreadable(&recorded.unit, &recorded.unit))?,
            attempt: recorded.attempt,
            verdict: recorded.outcome.verdict,
            spent: recorded.outcome.spent,
            place: recorded
                .outcome
                .place
                .parse()
                .map_err(|_cause| unreadable(&recorded.unit, &recorded.outcome.place))?,
            faulted: faulted.remove(&recorded.unit).unwrap_or_default(),
        })
    };
    recorded.into_iter().map(entry).collect()
}

fn unreadable(unit: &str, what: &str) -> EngineError {
    EngineError::Unreadable { unit: unit.to_owned(), why: format!("`{what}` cannot be read") }
}

fn faulted_attempts(attempts: Vec<crate::engine::Attempt>) -> BTreeMap<String, Vec<Ending>> {
    let mut faulted: BTreeMap<String, Vec<Ending>> = BTreeMap::new();
    for attempt in attempts {
        if let AttemptEnd::Faulted { ending, .. } = attempt.end {
            faulted.entry(attempt.unit).or_default().push(ending);
        }
    }
    faulted
}

/// The attempt that counts is the first that ended without a fault, else the last that ended.
fn from_record(run: &RunDir) -> Result<Vec<Entry>, RunError> {
    let mut by_trial: BTreeMap<TrialId, Vec<Entry>> = BTreeMap::new();
    for attempt in run.attempts()?.into_iter().filter(|attempt| attempt.finished) {
        let record = run.read(&attempt.place)?;
        let (Some(verdict), Some(stopped)) = (record.verdict(), record.stopped()) else { continue };
        by_trial.entry(attempt.trial.clone()).or_default().push(Entry {
            trial: attempt.trial,
            attempt: attempt.attempt,
            verdict: verdict.clone(),
            spent: stopped.spent,
            place: attempt.place,
            faulted: Vec::new(),
        });
    }
    Ok(by_trial.into_values().filter_map(counting).collect())
}

fn counting(mut ended: Vec<Entry>) -> Option<Entry> {
    ended.sort_by_key(|entry| entry.attempt);
    let counts = ended.iter().position(|entry| !entry.verdict.ending.is_fault()).unwrap_or(ended.len().checked_sub(1)?);
    let faulted = ended[..counts].iter().map(|entry| entry.verdict.ending.clone()).collect();
    Some(Entry { faulted, ..ended.swap_remove(counts) })
}
