//! A worker: takes a lease, plays the trial, leaves what came of it at the desk, and so on.

use std::time::{Duration, Instant};

use quintain_core::{Boundary, Ending, Spent, TrialId, Verdict};
use quintain_store::{AttemptRecord, AttemptSummary, SegmentWriter};

use crate::attempt::{Attempt, Came};
use crate::clerk::{Finish, How};
use crate::engine::{AttemptEnd, Engine, Lease, Outcome, Release};
use crate::past::Before;
use crate::pool::Held;
use crate::run::{Hall, Job, RunError};

/// The longest that a trial rests after a fault.
const LONGEST_REST: Duration = Duration::from_mins(5);

/// One worker, with a thread of its own.
pub(crate) struct Worker<'a, E> {
    pub(crate) job: &'a Job<'a>,
    pub(crate) hall: &'a Hall<'a, E>,
}

impl<E: Engine> Worker<'_, E> {
    /// Works until nothing is left, or until the run is told to stop.
    pub(crate) fn work(&self) -> Result<(), RunError> {
        let mut writer = self.job.run.segment_writer()?;
        while let Some(held) = self.hall.pool.next()? {
            let began = Instant::now();
            self.play_out(&held, &mut writer)?;
            self.hall.pool.took(began.elapsed());
        }
        Ok(())
    }

    /// Plays what was leased and leaves what came of it at the desk.
    pub(crate) fn play_out(&self, held: &Held, writer: &mut SegmentWriter) -> Result<(), RunError> {
        let played = self.play(held, writer);
        if played.is_err() {
            self.leave_unplayed(&held.lease)?;
        }
        if let Some(finish) = played? {
            self.hall.desk.leave(finish);
        }
        Ok(())
    }

    /// Puts a lease back that this worker cannot play.
    fn leave_unplayed(&self, lease: &Lease) -> Result<(), RunError> {
        let release = Release { delay: Duration::ZERO, end: AttemptEnd::PutDown, place: None };
        self.hall.runtime.block_on(self.hall.engine.release(lease, &release))?;
        self.hall.pool.done_with(lease);
        Ok(())
    }

    /// Plays what was leased, or hands in what an earlier process had finished.
    fn play(&self, held: &Held, writer: &mut SegmentWriter) -> Result<Option<Finish>, RunError> {
        let mut lease = held.lease.clone();
        let Some((planned, part)) = self.hall.program.find(&lease.unit) else {
            self.leave_unplayed(&lease)?; // It belongs to another run of this engine.
            return Ok(None);
        };
        let trial = &planned.trial;
        let half = match self.hall.past.before(&lease)? {
            Before::Nothing => None,
            Before::Half(record) => Some(record),
            Before::Finished(record) => {
                if let Some(finish) = self.found(trial, &lease, &record)? {
                    return Ok(Some(finish));
                }
                lease.n_faults += 1;
                self.hall.past.to_go_on_from(&lease)
            }
        };
        let (job, tally) = (self.job, self.hall.tally);
        let attempt = Attempt { job, tally, planned: &planned, part: &part, lease: &lease, lost: &held.lost };
        let came = attempt.play(writer, half.as_deref())?;
        Ok(Some(self.finish(trial, lease, came)))
    }

    /// An attempt that was finished and never handed in: its verdict counts, or its fault does.
    fn found(&self, trial: &TrialId, lease: &Lease, record: &AttemptRecord) -> Result<Option<Finish>, RunError> {
        let earlier = Lease { attempt: record.attempt, ..lease.clone() };
        let (Some(verdict), Some(stopped)) = (record.verdict(), record.stopped()) else {
            return Ok(None);
        };
        let place = record.place.to_string();
        if self.is_retried(lease, &verdict.ending) {
            let release = Release { delay: Duration::ZERO, end: fault(verdict), place: Some(place) };
            self.hall.runtime.block_on(self.hall.engine.release(&earlier, &release))?;
            return Ok(None);
        }
        self.hall.pool.done_with(lease);
        let how = ended(verdict.clone(), stopped.spent, place);
        Ok(Some(Finish { trial: trial.clone(), lease: earlier, how }))
    }

    /// A fault is tried again as long as there are attempts left. A judge's fault is not: playing again would not mend
    /// the judge, and what was played can be judged again from the record.
    fn is_retried(&self, lease: &Lease, ending: &Ending) -> bool {
        let judges = matches!(ending, Ending::Fault(Boundary::Judge));
        let lost_too_often = lease.n_lost > self.job.options.max_lost;
        ending.is_fault() && !judges && !lost_too_often && lease.n_faults + 1 < self.job.options.max_attempts
    }

    fn finish(&self, trial: &TrialId, lease: Lease, came: Came) -> Finish {
        let Came { ended: verdict, diverged, place, n_turns } = came;
        let summary = AttemptSummary {
            trial: trial.clone(),
            attempt: lease.attempt,
            finished: verdict.is_some(),
            continues: None,
            torn: false,
            n_turns,
            place: place.clone(),
        };
        let how = match verdict {
            Some((verdict, _)) if self.is_retried(&lease, &verdict.ending) => {
                self.hall.past.note(summary);
                let delay = if diverged { Duration::ZERO } else { self.rest(lease.n_faults) };
                How::Released(Release { delay, end: fault(&verdict), place: Some(place.to_string()) })
            }
            Some((verdict, spent)) => ended(verdict, spent, place.to_string()),
            None => {
                let place = (!place.is_empty()).then(|| place.to_string());
                if place.is_some() {
                    self.hall.past.note(summary);
                }
                How::Released(Release { delay: Duration::ZERO, end: AttemptEnd::PutDown, place })
            }
        };
        Finish { trial: trial.clone(), lease, how }
    }

    fn rest(&self, n_faults: u32) -> Duration {
        self.job.options.rest.saturating_mul(1 << n_faults.min(16)).min(LONGEST_REST)
    }
}

fn ended(verdict: Verdict, spent: Spent, place: String) -> How {
    How::Ended(Box::new(Outcome { verdict, spent, place }))
}

fn fault(verdict: &Verdict) -> AttemptEnd {
    AttemptEnd::Faulted { ending: verdict.ending.clone(), why: verdict.fault.clone().unwrap_or_default() }
}
