//! What came of a run, read back: which attempt of each trial counts, and what became of the others.
//!
//! The engine knows; where its file is gone (an archived run, a copy without it), or does not know a trial's outcome, the
//! record itself tells. Reading changes nothing in the run; what is found broken is noted and done without.

mod wasted;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use quintain_core::trial::TrialResult;
use quintain_core::verdict::Digests;
use quintain_core::{Ending, Spent, TrialId};
use quintain_store::{AttemptRecord, AttemptSummary, LineRange, PlannedTrial, ReadablePlan, RunDir};

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

impl TrialEntry {
    /// What the plan said of it, as its verdict repeats it: for whoever has lost the line of the plan.
    pub fn planned(&self) -> PlannedTrial {
        let Digests { task, world, instance } = self.finished.verdict.digests;
        PlannedTrial { trial: self.trial.clone(), task, world, instance, identity: None }
    }
}

impl Ledger {
    /// Reads what came of a run. What is damaged costs itself: the engine and the record both know every verdict, and the
    /// one stands in for the other. What was found broken is noted in the run.
    pub fn of(run: &RunDir) -> Result<Self, RunError> {
        let ReadablePlan { trials, n_damaged } = run.readable_plan()?;
        let planned: HashSet<String> = trials.iter().map(|planned| planned.trial.to_string()).collect();
        let known = known_to_engine(run)?;
        let mut faulted = FaultedAttempts::of(&known.attempts, run);
        let expected = known.n_units.max(run.header().n_trials.unwrap_or(0));
        let n_in_plan = planned.len() as u64 + n_damaged;
        let plan_is_whole = n_damaged == 0 && !planned.is_empty() && n_in_plan >= expected;
        let mut ledger = Self::default();
        for recorded in known.outcomes {
            // Where lines of the plan are damaged or gone, theirs may be the trials that are not in it.
            let is_planned = !plan_is_whole || planned.contains(&recorded.unit);
            let faults = faulted.by_unit.remove(&recorded.unit).unwrap_or_default();
            match entry(run, &recorded, faults).filter(|_| is_planned) {
                Some(entry) => ledger.entries.push(entry),
                None => note_engine(run, &format!("its outcome of `{}` cannot be", recorded.unit)),
            }
        }
        let n_planned = n_in_plan.max(expected);
        if n_in_plan < expected {
            run.note_plan_gap(format!("there were {expected} trials, it has {}", planned.len()));
        }
        if (ledger.entries.len() as u64) < n_planned || planned.is_empty() {
            ledger.add_from_record(run, &faulted)?;
        }
        ledger.n_planned = n_planned.max(ledger.entries.len() as u64);
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
        let mut by_trial: BTreeMap<TrialId, Vec<ClosedAttempt>> = BTreeMap::new();
        for attempt in run.salvaged_attempts()? {
            if !attempt.finished || known.contains(&attempt.trial) || faulted.has(&attempt) {
                continue;
            }
            if let Some(record) = run.salvaged(&attempt.place)? {
                by_trial.entry(attempt.trial.clone()).or_default().extend(ClosedAttempt::of(&record));
            }
        }
        self.entries.extend(by_trial.into_iter().filter_map(|(trial, ended)| counting(run, trial, ended)));
        Ok(())
    }
}

/// What the engine's file says; as much as can be read of it.
fn known_to_engine(run: &RunDir) -> Result<RunGlance, EngineError> {
    let path = run.engine_path();
    if !path.exists() {
        return Ok(RunGlance::default());
    }
    match glance(&path, &run.header().name) {
        Err(error @ EngineError::Newer { .. }) => Err(error),
        Err(error) => {
            note_engine(run, &error.to_string());
            Ok(RunGlance::default())
        }
        Ok(known) => {
            known.broken.iter().for_each(|error| note_engine(run, &error.to_string()));
            Ok(known)
        }
    }
}

/// Notes that the engine's file is damaged. It is no part of the record.
fn note_engine(run: &RunDir, why: &str) {
    run.note_engine(why, "the record tells instead; `quintain resume` and `doctor RUN --mend` make it anew");
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
    fn of(attempts: &[EndedAttempt], run: &RunDir) -> Self {
        let mut faulted = Self::default();
        for EndedAttempt { unit, attempt, end, place } in attempts {
            let AttemptEnd::Faulted { ending, .. } = end else { continue };
            let parsed = place.as_deref().and_then(|place| place.parse().ok());
            if parsed.is_none() && place.is_some() {
                note_engine(run, &format!("the place of an attempt of `{unit}` cannot be read"));
            }
            let place = parsed;
            let fault = AttemptFault { attempt: *attempt, ending: ending.clone(), place };
            faulted.by_unit.entry(unit.clone()).or_default().push(fault);
        }
        faulted
    }

    fn has(&self, attempt: &AttemptSummary) -> bool {
        let faults = self.by_unit.get(&attempt.trial.to_string());
        faults.is_some_and(|faults| faults.iter().any(|fault| fault.attempt == attempt.attempt))
    }
}

/// Nothing where what the engine says makes no sense.
fn entry(run: &RunDir, recorded: &RecordedOutcome, faults: Vec<AttemptFault>) -> Option<TrialEntry> {
    let place: LineRange = recorded.outcome.place.parse().ok()?;
    let places: Vec<LineRange> = faults.iter().filter_map(|fault| fault.place.clone()).collect();
    Some(TrialEntry {
        trial: recorded.unit.parse().ok()?,
        attempt: recorded.attempt,
        finished: recorded.outcome.clone().finished(),
        wasted: wasted::wasted(run, &place, &places),
        place,
        faulted: faults.into_iter().map(|fault| fault.ending).collect(),
    })
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
