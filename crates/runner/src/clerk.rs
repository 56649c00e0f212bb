//! The clerk hands in what workers bring: many outcomes in one trip, each after its record was written.

use std::sync::{Condvar, Mutex};
use std::time::Duration;

use quintain_core::{Event, TrialId};

use crate::engine::{AttemptEnd, Committed, Engine, Lease, Outcome, Release};
use crate::pool::lock;
use crate::run::{Hall, Job, RunError};
use crate::site::{Finish, How};

/// How long to wait for company before handing in.
const LINGER: Duration = Duration::from_millis(5);

/// As many as are worth a trip of their own.
const ENOUGH: usize = 64;

/// As many as may pile up before workers have to wait.
const FULL: usize = 1024;

/// Where workers leave what they bring.
#[derive(Default)]
pub(crate) struct Desk {
    pile: Mutex<Pile>,
    bell: Condvar,
    room: Condvar,
}

#[derive(Default)]
struct Pile {
    finishes: Vec<Finish>,
    closed: bool,
}

impl Desk {
    /// Leaves something to be handed in. Waits while the desk is full.
    pub(crate) fn leave(&self, finish: Finish) {
        let pile = lock(&self.pile);
        let full = |pile: &mut Pile| pile.finishes.len() >= FULL && !pile.closed;
        let mut pile = self.room.wait_while(pile, full).unwrap_or_else(std::sync::PoisonError::into_inner);
        pile.finishes.push(finish);
        if pile.finishes.len() == 1 || pile.finishes.len() == ENOUGH {
            self.bell.notify_one();
        }
    }

    /// Nothing more will be left.
    pub(crate) fn close(&self) {
        lock(&self.pile).closed = true;
        self.bell.notify_one();
        self.room.notify_all();
    }

    /// Everything that was left, as soon as there is enough or a little later; nothing once the desk is closed and empty.
    fn take(&self) -> Vec<Finish> {
        let into_inner = std::sync::PoisonError::into_inner;
        let empty = |pile: &mut Pile| pile.finishes.is_empty() && !pile.closed;
        let pile = self.bell.wait_while(lock(&self.pile), empty).unwrap_or_else(into_inner);
        let few = |pile: &mut Pile| pile.finishes.len() < ENOUGH && !pile.closed;
        let (mut pile, _) =
            self.bell.wait_timeout_while(pile, LINGER, few).unwrap_or_else(std::sync::PoisonError::into_inner);
        self.room.notify_all();
        std::mem::take(&mut pile.finishes)
    }
}

/// Hands in what workers bring.
pub(crate) struct Clerk<'a, E> {
    pub(crate) job: &'a Job<'a>,
    pub(crate) hall: &'a Hall<'a, E>,
}

impl<E: Engine> Clerk<'_, E> {
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

    fn hand_in(&self, finishes: Vec<Finish>) -> Result<(), RunError> {
        let mut ended = Vec::new();
        let mut trials = Vec::new();
        for Finish { trial, lease, how } in finishes {
            match how {
                How::Ended(outcome) => {
                    ended.push((lease, *outcome));
                    trials.push(trial);
                }
                How::Released(release) => self.put_back(trial, &lease, &release)?,
            }
        }
        if ended.is_empty() {
            return Ok(());
        }
        let committed = self.hall.runtime.block_on(self.hall.engine.commit(&ended))?;
        for ((trial, (lease, outcome)), committed) in trials.into_iter().zip(ended).zip(committed) {
            self.hall.pool.done_with(&lease);
            if committed == Committed::Won {
                let Outcome { verdict, spent, .. } = outcome;
                let verdict = Box::new(verdict);
                (self.job.emit)(Event::TrialEnded { trial, attempt: lease.attempt, verdict, spent });
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
