//! Outcomes: the first one for a unit stays, for as long as the engine lives.

use std::sync::Arc;

use quintain_core::{Spent, Verdict};

use super::runs::Run;
use super::state::{MemoryState, RunNumber};
use crate::engine::{AttemptEnd, Committed, EndedAttempt, EngineError, Lease, Outcome, RecordedOutcome};

/// How many verdicts are remembered to be shared.
const N_VERDICTS: usize = 8;

/// An outcome as it is kept.
pub(super) struct KeptOutcome {
    pub(super) run: RunNumber,
    pub(super) idx: u32,
    attempt: u32,
    verdict: Arc<Verdict>,
    spent: Spent,
    place: Box<str>,
}

impl MemoryState {
    /// Hands in an outcome. The same attempt may hand in again: it has won once and for all.
    pub(super) fn commit(&mut self, lease: &Lease, outcome: &Outcome) -> Result<Committed, EngineError> {
        let (run, idx) = self.find(lease)?;
        let seq = self.runs[run as usize].unit(idx).seq;
        if seq > 0 {
            return Ok(self.too_late(run, idx, lease.attempt, outcome));
        }
        let verdict = self.share(&outcome.verdict);
        let place = outcome.place.as_str().into();
        self.rows.push(KeptOutcome { run, idx, attempt: lease.attempt, verdict, spent: outcome.spent, place });
        let found = &mut self.runs[run as usize];
        found.unit_mut(idx).seq = self.rows.len() as u32;
        found.n_done += 1;
        found.notes.remove(&(idx, lease.attempt));
        self.end_leases_of_unit(run, idx, lease.attempt);
        Ok(Committed::Won)
    }

    fn too_late(&mut self, run: RunNumber, idx: u32, attempt: u32, outcome: &Outcome) -> Committed {
        let counts = self.recorded(self.runs[run as usize].unit(idx).seq);
        if counts.attempt == attempt {
            return Committed::Won;
        }
        self.runs[run as usize].note(idx, attempt, AttemptEnd::Late, Some(outcome.place.clone()));
        Committed::Already(Box::new(counts))
    }

    /// A verdict that is shared with an equal one seen lately.
    fn share(&mut self, verdict: &Verdict) -> Arc<Verdict> {
        if let Some(same) = self.verdicts.iter().find(|known| ***known == *verdict) {
            return Arc::clone(same);
        }
        let kept = Arc::new(verdict.clone());
        self.verdicts.truncate(N_VERDICTS - 1);
        self.verdicts.push_front(Arc::clone(&kept));
        kept
    }

    /// The outcome of that number, from 1.
    pub(super) fn recorded(&self, seq: u32) -> RecordedOutcome {
        let row = &self.rows[seq as usize - 1];
        let outcome =
            Outcome { verdict: (*row.verdict).clone(), spent: row.spent, place: row.place.clone().into_string() };
        let unit = self.runs[row.run as usize].ids.get(row.idx).to_owned();
        RecordedOutcome { seq: u64::from(seq), unit, attempt: row.attempt, outcome }
    }

    /// The outcomes of a run, from a sequence number on.
    pub(super) fn outcomes(&self, run: &str, from: u64, max: usize) -> Vec<RecordedOutcome> {
        let Some(&run) = self.numbers.get(run) else { return Vec::new() };
        let seqs = from.max(1)..=self.rows.len() as u64;
        let of_run = |seq: &u64| self.rows[*seq as usize - 1].run == run;
        seqs.filter(of_run).take(max).map(|seq| self.recorded(seq as u32)).collect()
    }

    /// Every attempt of a run that is over, by unit and number.
    pub(super) fn attempts(&self, run: &str) -> Vec<EndedAttempt> {
        let Some(&run) = self.numbers.get(run) else { return Vec::new() };
        let run = &self.runs[run as usize];
        (0..run.units.len() as u32).flat_map(|idx| self.attempts_at(run, idx)).collect()
    }

    fn attempts_at(&self, run: &Run, idx: u32) -> Vec<EndedAttempt> {
        let unit = run.ids.get(idx);
        let noted = run.notes.range((idx, 0)..=(idx, u32::MAX)).map(|((_, attempt), note)| EndedAttempt {
            unit: unit.to_owned(),
            attempt: *attempt,
            end: note.end.clone(),
            place: note.place.clone(),
        });
        let seq = run.unit(idx).seq as usize;
        let won = seq.checked_sub(1).map(|row| &self.rows[row]).map(|row| EndedAttempt {
            unit: unit.to_owned(),
            attempt: row.attempt,
            end: AttemptEnd::Won,
            place: Some(row.place.to_string()),
        });
        let mut attempts: Vec<EndedAttempt> = noted.chain(won).collect();
        attempts.sort_by_key(|attempt| attempt.attempt);
        attempts
    }
}
