//! What came of a run, read back: which attempt of each trial counts, and what became of the others.
//!
//! The engine knows; where its file is gone (an archived run, a copy without it), or does not know a trial's outcome, the
//! record itself tells. Reading changes nothing in the run.

mod wasted;

use std::collections::{BTreeMap, BTreeSet};

use quintain_core::trial::TrialResult;
use quintain_core::{Ending, Spent, TrialId};
use quintain_store::{AttemptRecord, AttemptSummary, LineRange, RunDir, StoreError};

use crate::engine::sqlite::{RunGlance, glance};
use crate::engine::{AttemptEnd, EndedAttempt, EngineError, RecordedOutcome};
use crate::run::RunError;

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// The trials that have an outcome: those that the engine knows in the order they ended, then the others by name.
    pub entries: Vec<TrialEntry>,
    /// How many trials were planned.
    pub n_planned: u64,
    /// How many lines of the record could not be read: their attempts are left out. The record is read only where the engine does not know the
    /// outcome of every planned trial.
    pub n_bad_lines: u64,
}

/// What came of one trial.
#[derive(Clone, Debug)]
pub struct TrialEntry {
    /// Which.
    pub trial: TrialId,
    /// The attempt that counts.
    pub attempt: u32,
    /// What it came to. The turns that it took over from earlier attempts are counted too.
    pub finished: TrialResult,
    /// What attempts that ended in faults used up besides: whatever of theirs the attempt that counts did not take over.
    pub wasted: Spent,
    /// Where its record lies.
    pub place: LineRange,
    /// How earlier attempts ended in faults.
    pub faulted: Vec<Ending>,
}

impl Ledger {
    /// Reads what came of a run.
    pub fn of(run: &RunDir) -> Result<Self, RunError> {
        let n_planned = run.plan()?.len() as u64;
        let path = run.engine_path();
        let known = if path.exists() { glance(&path, &run.header().name)? } else { RunGlance::default() };
        let mut faulted = FaultedAttempts::of(&known.attempts)?;
        let mut ledger = Self { n_planned, ..Self::default() };
        for recorded in known.outcomes {
            let faults = faulted.by_unit.remove(&recorded.unit).unwrap_or_default();
            ledger.entries.push(entry(run, recorded, faults)?);
        }
        if (ledger.entries.len() as u64) < n_planned {
            ledger.add_from_record(run, &faulted)?;
        }
        Ok(ledger)
    }

    /// What came of a trial.
    pub fn entry(&self, trial: &TrialId) -> Option<&TrialEntry> {
        self.entries.iter().find(|entry| entry.trial == *trial)
    }

    /// Adds the trials that came to an end on record, and that the engine does not know to be over. A fault that it knows
    /// of is no end: the trial will be tried again.
    fn add_from_record(&mut self, run: &RunDir, faulted: &FaultedAttempts) -> Result<(), RunError> {
        let known: BTreeSet<TrialId> = self.entries.iter().map(|entry| entry.trial.clone()).collect();
        let scan = run.scan()?;
        let is_known_bad = |place: &LineRange| scan.bad_lines.iter().any(|bad| bad.file.contains(&place.segment));
        let mut n_bad_lines = scan.bad_lines.len() as u64;
        let mut by_trial: BTreeMap<TrialId, Vec<ClosedAttempt>> = BTreeMap::new();
        for attempt in &scan.attempts {
            if !attempt.finished || known.contains(&attempt.trial) || faulted.has(attempt) {
                continue;
            }
            match run.read(&attempt.place) {
                Ok(record) => by_trial.entry(attempt.trial.clone()).or_default().extend(ClosedAttempt::of(&record)),
                Err(StoreError::BadLines(_)) => n_bad_lines += u64::from(!is_known_bad(&attempt.place)),
                Err(error) => return Err(error.into()),
            }
        }
        self.n_bad_lines = n_bad_lines;
        self.entries.extend(by_trial.into_iter().filter_map(|(trial, ended)| counting(run, trial, ended)));
        Ok(())
    }
}

/// Attempts that the engine knows to have ended in faults and that did not end their trials.
#[derive(Default)]
struct FaultedAttempts {
    by_unit: BTreeMap<String, Vec<AttemptFault>>,
}

struct AttemptFault {
    attempt: u32,
    ending: Ending,
    place: Option<LineRange>,
}

impl FaultedAttempts {
    fn of(attempts: &[EndedAttempt]) -> Result<Self, EngineError> {
        let mut faulted = Self::default();
        for EndedAttempt { unit, attempt, end, place } in attempts {
            let AttemptEnd::Faulted { ending, .. } = end else { continue };
            let place = place.as_deref().map(|place| readable(unit, place)).transpose()?;
            let fault = AttemptFault { attempt: *attempt, ending: ending.clone(), place };
            faulted.by_unit.entry(unit.clone()).or_default().push(fault);
        }
        Ok(faulted)
    }

    fn has(&self, attempt: &AttemptSummary) -> bool {
        let faults = self.by_unit.get(&attempt.trial.to_string());
        faults.is_some_and(|faults| faults.iter().any(|fault| fault.attempt == attempt.attempt))
    }
}

fn entry(run: &RunDir, recorded: RecordedOutcome, faults: Vec<AttemptFault>) -> Result<TrialEntry, EngineError> {
    let place: LineRange = readable(&recorded.unit, &recorded.outcome.place)?;
    let places: Vec<LineRange> = faults.iter().filter_map(|fault| fault.place.clone()).collect();
    Ok(TrialEntry {
        trial: readable(&recorded.unit, &recorded.unit)?,
        attempt: recorded.attempt,
        finished: recorded.outcome.finished(),
        wasted: wasted::wasted(run, &place, &places),
        place,
        faulted: faults.into_iter().map(|fault| fault.ending).collect(),
    })
}

fn readable<T: std::str::FromStr>(unit: &str, text: &str) -> Result<T, EngineError> {
    let unreadable = || EngineError::Unreadable { unit: unit.to_owned(), why: format!("`{text}` cannot be read") };
    text.parse().map_err(|_cause| unreadable())
}

/// An attempt that came to an end.
struct ClosedAttempt {
    attempt: u32,
    finished: TrialResult,
    place: LineRange,
}

impl ClosedAttempt {
    fn of(record: &AttemptRecord) -> Option<Self> {
        Some(Self { attempt: record.attempt, finished: record.outcome()?, place: record.place.clone() })
    }
}

/// The attempt that counts is the first that ended without a fault, else the last that ended.
fn counting(run: &RunDir, trial: TrialId, mut ended: Vec<ClosedAttempt>) -> Option<TrialEntry> {
    ended.sort_by_key(|ended| ended.attempt);
    let counts =
        ended.iter().position(|ended| !ended.finished.verdict.ending.is_fault()).unwrap_or(ended.len().checked_sub(1)?);
    let places: Vec<LineRange> = ended[..counts].iter().map(|ended| ended.place.clone()).collect();
    let faulted = ended[..counts].iter().map(|ended| ended.finished.verdict.ending.clone()).collect();
    let ClosedAttempt { attempt, finished, place } = ended.swap_remove(counts);
    Some(TrialEntry { trial, attempt, finished, wasted: wasted::wasted(run, &place, &places), place, faulted })
}
