//! Where the trials of one run are played, whoever hands out the leases.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use quintain_core::trial::TrialResult;
use quintain_core::{Backoff, Boundary, Ending, TrialId, Verdict};
use quintain_store::{AttemptRecord, AttemptSummary, PlannedTrial, SegmentWriter};

use crate::allowance::Allowance;
use crate::attempt::{Attempt, AttemptResult};
use crate::earlier_attempts::{AttemptBefore, EarlierAttempts};
use crate::engine::{AttemptEnd, Lease, Outcome, Release};
use crate::prepared_plan::PreparedPlan;
use crate::run::{Job, RunError};
use crate::tally::RunTally;

/// The longest that a trial rests after a fault.
const LONGEST_REST: Duration = Duration::from_mins(5);

/// Where the trials of one run are played. It calls no engine: what is to be handed in, it returns.
pub struct TrialPlayer<'a> {
    pub(crate) job: Job<'a>,
    pub(crate) program: PreparedPlan,
    pub(crate) past: EarlierAttempts<'a>,
    pub(crate) tally: RunTally,
}

/// What came of a lease, to be handed in.
pub struct Finish {
    /// The trial.
    pub trial: TrialId,
    /// The lease under which it is handed in: an earlier attempt's where that one had come to an end unnoticed.
    pub lease: Lease,
    /// How.
    pub how: HandInForm,
}

/// How an attempt is to be handed in.
pub enum HandInForm {
    /// With an outcome.
    Ended(Box<Outcome>),
    /// Back to the engine.
    Released(Release),
}

/// Tells the engine at once of an attempt that ended in a fault and that it does not know.
pub type PutBack<'a> = &'a dyn Fn(&Lease, &Release) -> Result<(), RunError>;

impl<'a> TrialPlayer<'a> {
    /// Prepares what the plan of a run needs, and looks over what was recorded of it.
    pub fn open(job: Job<'a>) -> Result<Self, RunError> {
        let program = PreparedPlan::new(job.run.plan()?, job.tasks, job.cast)?;
        Self::with(job, program)
    }

    /// The same with a plan that is prepared already.
    pub(crate) fn with(job: Job<'a>, program: PreparedPlan) -> Result<Self, RunError> {
        let past = EarlierAttempts::of(job.run)?;
        let tally = RunTally::within(Allowance::of(job.run, &past)?);
        Ok(Self { job, program, past, tally })
    }

    /// Whether a trial is in the plan, as far as it is known here.
    pub fn knows(&self, unit: &str) -> bool {
        self.program.find(unit).is_some()
    }

    /// Learns more of the plan.
    pub fn learn(&self, more: Vec<PlannedTrial>) -> Result<(), RunError> {
        self.program.extend(more, self.job.tasks, self.job.cast)
    }

    /// Takes in the lines of earlier attempts that were recorded elsewhere, as a segment of that name.
    pub fn recall(&self, segment: &str, lines: &[u8]) -> Result<(), RunError> {
        for attempt in self.job.run.add_segment(segment, lines)? {
            self.past.note(attempt);
        }
        Ok(())
    }

    /// Plays what was leased, or returns what an earlier process had finished. Returns nothing if the trial is not in the
    /// plan.
    pub fn play(
        &self,
        lease: &Lease,
        lost: &AtomicBool,
        writer: &mut SegmentWriter,
        put_back: PutBack<'_>,
    ) -> Result<Option<Finish>, RunError> {
        let mut lease = lease.clone();
        let Some((planned, part)) = self.program.find(&lease.unit) else {
            return Ok(None);
        };
        let trial = &planned.trial;
        let half = match self.past.before(&lease)? {
            AttemptBefore::Nothing => None,
            AttemptBefore::Half(record) => Some(record),
            AttemptBefore::Finished(record) => {
                if let Some(finish) = self.found(trial, &lease, &record, put_back)? {
                    return Ok(Some(finish));
                }
                lease.n_faults += 1;
                self.past.to_go_on_from(&lease)
            }
        };
        let (job, tally) = (&self.job, &self.tally);
        let attempt = Attempt { job, tally, planned: &planned, part: &part, lease: &lease, lost };
        let came = attempt.play(writer, half.as_deref())?;
        Ok(Some(self.finish(trial, lease, came)))
    }

    /// An attempt that was finished and never handed in: its verdict counts, or its fault does.
    fn found(
        &self,
        trial: &TrialId,
        lease: &Lease,
        record: &AttemptRecord,
        put_back: PutBack<'_>,
    ) -> Result<Option<Finish>, RunError> {
        let earlier = Lease { attempt: record.attempt, ..lease.clone() };
        let Some(finished) = record.outcome() else { return Ok(None) };
        let place = record.place.to_string();
        if self.is_retried(lease, &finished.verdict.ending) {
            let end = fault(&finished.verdict);
            put_back(&earlier, &Release { delay: Duration::ZERO, end, place: Some(place) })?;
            return Ok(None);
        }
        let how = ended(finished, place);
        Ok(Some(Finish { trial: trial.clone(), lease: earlier, how }))
    }

    /// A fault is tried again as long as there are attempts left. A judge's fault is not: playing again would not mend
    /// the judge, and what was played can be judged again from the record.
    fn is_retried(&self, lease: &Lease, ending: &Ending) -> bool {
        let judges = matches!(ending, Ending::Fault(Boundary::Judge));
        let lost_too_often = lease.n_lost > self.job.options.max_lost;
        ending.is_fault() && !judges && !lost_too_often && lease.n_faults + 1 < self.job.options.max_attempts
    }

    fn finish(&self, trial: &TrialId, lease: Lease, came: AttemptResult) -> Finish {
        let AttemptResult { finished, diverged, place, n_turns } = came;
        let summary = AttemptSummary {
            trial: trial.clone(),
            attempt: lease.attempt,
            finished: finished.is_some(),
            continues: None,
            torn: false,
            n_turns,
            place: place.clone(),
        };
        let how = match finished {
            Some(finished) if self.is_retried(&lease, &finished.verdict.ending) => {
                self.past.note(summary);
                let delay = if diverged { Duration::ZERO } else { self.rest(lease.n_faults) };
                HandInForm::Released(Release { delay, end: fault(&finished.verdict), place: Some(place.to_string()) })
            }
            Some(finished) => ended(finished, place.to_string()),
            None => {
                let place = (!place.is_empty()).then(|| place.to_string());
                if place.is_some() {
                    self.past.note(summary);
                }
                HandInForm::Released(Release { delay: Duration::ZERO, end: AttemptEnd::PutDown, place })
            }
        };
        Finish { trial: trial.clone(), lease, how }
    }

    fn rest(&self, n_faults: u32) -> Duration {
        let backoff = Backoff { first: self.job.options.rest, longest: LONGEST_REST };
        backoff.after(n_faults.saturating_add(1))
    }
}

fn ended(finished: TrialResult, place: String) -> HandInForm {
    HandInForm::Ended(Box::new(Outcome::new(finished, place)))
}

fn fault(verdict: &Verdict) -> AttemptEnd {
    AttemptEnd::Faulted { ending: verdict.ending.clone(), why: verdict.fault.clone().unwrap_or_default() }
}
