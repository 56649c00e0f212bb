//! The committer hands in what workers bring: many outcomes in one trip, each after its record was written.

use std::time::Duration;

use quintain_core::{Event, TrialId};

use crate::desk::{DeskRule, HandInDesk};
use crate::engine::{AttemptEnd, Committed, Engine, Lease, Release};
use crate::run::{Job, RunError, RunThreads};
use crate::trial_player::{Finish, HandInForm};

/// Where workers leave what they bring.
pub(crate) type FinishQueue = HandInDesk<Finish>;

/// Outcomes cost a transaction a trip, whatever their length, so they are only counted.
pub(crate) const DESK: DeskRule =
    DeskRule { enough: 64, heavy: u64::MAX, most: usize::MAX, linger: Duration::from_millis(5), full: 1024 };

/// Hands in what workers bring.
pub(crate) struct Committer<'a, E> {
    pub(crate) job: &'a Job<'a>,
    pub(crate) hall: &'a RunThreads<'a, E>,
}

impl<E: Engine> Committer<'_, E> {
    /// Serves until the desk is closed, or until the engine fails: what was recorded will be handed in when the run is
    /// resumed.
    pub(crate) fn serve(&self) -> Result<(), RunError> {
        loop {
            let finishes = self.hall.desk.take();
            if finishes.is_empty() {
                return Ok(());
            }
            self.hand_in(finishes)?;
        }
    }

    /// The worker of a fleet hands in likewise (`fleet`, `worker/handover.rs`), but never fails: there, others hold leases
    /// of the same run, and an engine that is away is waited for. Here the engine is a file of ours, and what it cannot
    /// take ends the run, to be resumed.
    fn hand_in(&self, finishes: Vec<Finish>) -> Result<(), RunError> {
        let mut ended = Vec::new();
        let mut trials = Vec::new();
        for Finish { trial, lease, how } in finishes {
            match how {
                HandInForm::Ended(outcome) => {
                    ended.push((lease, *outcome));
                    trials.push(trial);
                }
                HandInForm::Released(release) => self.put_back(trial, &lease, &release)?,
            }
        }
        if ended.is_empty() {
            return Ok(());
        }
        let committed = self.hall.runtime.block_on(self.hall.engine.commit(&ended))?;
        for ((trial, (lease, outcome)), committed) in trials.into_iter().zip(ended).zip(committed) {
            self.hall.pool.done_with(&lease);
            if committed == Committed::Won {
                (self.job.emit)(Event::trial_ended(trial, lease.attempt, outcome.finished()));
            }
        }
        Ok(())
    }

    /// Tells first, then puts back: once it is back, someone may begin the next attempt.
    fn put_back(&self, trial: TrialId, lease: &Lease, release: &Release) -> Result<(), RunError> {
        match &release.end {
            AttemptEnd::Faulted { ending, why } => {
                self.hall.site.tally.faulted();
                let (attempt, ending, why) = (lease.attempt, ending.clone(), why.clone());
                (self.job.emit)(Event::AttemptFaulted { trial, attempt, ending, why });
            }
            _ => (self.job.emit)(Event::TrialInterrupted { trial }),
        }
        self.hall.pool.done_with(lease);
        self.hall.runtime.block_on(self.hall.engine.release(lease, release))?;
        Ok(())
    }
}
