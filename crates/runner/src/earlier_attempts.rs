//! What earlier attempts left on disk: finished ones that nobody counted, and half-done or broken ones to go on from.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use quintain_core::lock::LockAlways as _;
use quintain_core::{Boundary, Ending};
use quintain_store::{AttemptRecord, AttemptSummary, RunDir, StoreError};

use crate::engine::Lease;

/// How old a look at the disk must be before a lease that another process lost is worth a new one.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// The attempts on disk, by trial.
pub(crate) struct EarlierAttempts<'a> {
    run: &'a RunDir,
    seen: Mutex<SeenAttempts>,
}

#[derive(Default)]
struct SeenAttempts {
    attempts: HashMap<String, Vec<AttemptSummary>>,
    at: Option<Instant>,
}

/// What there is before an attempt.
pub(crate) enum AttemptBefore {
    /// Nothing to build on.
    Nothing,
    /// An attempt that came to a verdict which was never handed in.
    Finished(Box<AttemptRecord>),
    /// An attempt to go on from, with all its turns, those it took over included.
    Half(Box<AttemptRecord>),
}

impl<'a> EarlierAttempts<'a> {
    /// Looks over the whole record of a run.
    pub(crate) fn of(run: &'a RunDir) -> Result<Self, StoreError> {
        let past = Self { run, seen: Mutex::default() };
        past.look(&mut past.seen())?;
        Ok(past)
    }

    fn seen(&self) -> MutexGuard<'_, SeenAttempts> {
        self.seen.lock().always()
    }

    fn look(&self, seen: &mut SeenAttempts) -> Result<(), StoreError> {
        seen.at = Some(Instant::now());
        seen.attempts.clear();
        let mut attempts = self.run.salvaged_attempts()?;
        attempts.sort_by_key(|attempt| attempt.attempt);
        for attempt in attempts {
            seen.attempts.entry(attempt.trial.to_string()).or_default().push(attempt);
        }
        Ok(())
    }

    /// The highest number of an attempt, for each trial that has any.
    pub(crate) fn n_attempts(&self) -> HashMap<String, u32> {
        let last = |(trial, attempts): (&String, &Vec<AttemptSummary>)| {
            Some((trial.clone(), attempts.iter().map(|attempt| attempt.attempt).max()?))
        };
        self.seen().attempts.iter().filter_map(last).collect()
    }

    /// How many turns were taken in all attempts together.
    pub(crate) fn n_turns(&self) -> u64 {
        self.seen().attempts.values().flatten().map(|attempt| u64::from(attempt.n_turns)).sum()
    }

    /// What there is before the attempt of a lease. A record that cannot be read back is nothing to build on.
    pub(crate) fn before(&self, lease: &Lease) -> Result<AttemptBefore, StoreError> {
        if lease.attempt == 1 {
            return Ok(AttemptBefore::Nothing);
        }
        let mut seen = self.seen();
        let lost_elsewhere = lease.n_lost > 0 && !seen.knows_last_of(lease);
        if lost_elsewhere && seen.at.is_none_or(|at| at.elapsed() >= LOOK_AGAIN) {
            self.look(&mut seen)?;
        }
        let Some(attempts) = seen.attempts.get(&lease.unit) else {
            return Ok(AttemptBefore::Nothing);
        };
        let n_finished = attempts.iter().filter(|attempt| attempt.finished).count();
        if n_finished > lease.n_faults as usize
            && let Some(finished) = attempts.iter().rfind(|attempt| attempt.finished)
        {
            // One that lost a line still has its verdict; to play it again would change what is known.
            let record = self.run.salvaged(&finished.place)?;
            return Ok(record.map_or(AttemptBefore::Nothing, |record| AttemptBefore::Finished(Box::new(record))));
        }
        Ok(self.half(attempts, lease).map_or(AttemptBefore::Nothing, AttemptBefore::Half))
    }

    /// The turns that the attempt of a lease can go on from.
    pub(crate) fn to_go_on_from(&self, lease: &Lease) -> Option<Box<AttemptRecord>> {
        self.half(self.seen().attempts.get(&lease.unit)?, lease)
    }

    /// The last attempt that has turns decides: attempts that broke before the first one say nothing about them.
    fn half(&self, attempts: &[AttemptSummary], lease: &Lease) -> Option<Box<AttemptRecord>> {
        for attempt in attempts.iter().rev().filter(|attempt| attempt.attempt < lease.attempt) {
            let record = self.run.trajectory(&attempt.place).ok()?;
            if record.n_turns() > 0 {
                return may_go_on(attempt, &record).then(|| Box::new(record));
            }
        }
        None
    }

    /// Notes an attempt of this process that ended without an outcome. A look at the disk may have found it already.
    pub(crate) fn note(&self, attempt: AttemptSummary) {
        let mut seen = self.seen();
        let attempts = seen.attempts.entry(attempt.trial.to_string()).or_default();
        attempts.retain(|known| known.attempt != attempt.attempt);
        let idx = attempts.partition_point(|known| known.attempt < attempt.attempt);
        attempts.insert(idx, attempt);
    }
}

/// Whether an attempt's turns can be built on. Those of an attempt that was cut off can, and so can those before a fault
/// of the provider or the harness: they were paid for. A fault of the world would strike again at the same place, and one
/// that says the world does not look as recorded even more so. The same goes for a harness that broke again without
/// having taken one turn more.
fn may_go_on(attempt: &AttemptSummary, record: &AttemptRecord) -> bool {
    match record.verdict().map(|verdict| &verdict.ending) {
        None | Some(Ending::Fault(Boundary::Provider)) => true,
        Some(Ending::Fault(Boundary::Harness)) => attempt.n_turns > 0,
        Some(_) => false,
    }
}

impl SeenAttempts {
    fn knows_last_of(&self, lease: &Lease) -> bool {
        let attempts = self.attempts.get(&lease.unit);
        attempts.is_some_and(|attempts| attempts.last().is_some_and(|last| last.attempt + 1 >= lease.attempt))
    }
}

#[cfg(test)]
mod tests {
    use quintain_store::{LineRange, RunHeader};

    use super::*;

    #[test]
    fn an_attempt_is_listed_once() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDir::create(&folder.path().join("run"), &RunHeader::new("test", "now"), &[]).unwrap();
        let past = EarlierAttempts::of(&run).unwrap();
        let attempt = |attempt, n_turns| AttemptSummary {
            trial: "test/count~counting~0".parse().unwrap(),
            attempt,
            place: LineRange { segment: "0001-0000".to_owned(), start: 0, end: 9 },
            continues: None,
            n_turns,
            finished: true,
            torn: false,
        };
        for noted in [attempt(1, 3), attempt(3, 1), attempt(2, 2), attempt(3, 4)] {
            past.note(noted);
        }
        let attempts = &past.seen().attempts["test/count~counting~0"];
        assert_eq!(*attempts, [attempt(1, 3), attempt(2, 2), attempt(3, 4)]);
    }
}
