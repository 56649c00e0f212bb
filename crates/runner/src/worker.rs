//! A worker: takes a lease, plays the trial, leaves what came of it at the desk, and so on.

use std::time::{Duration, Instant};

use quintain_store::SegmentWriter;

use crate::engine::{AttemptEnd, Engine, Lease, Release};
use crate::lease_pool::HeldLease;
use crate::run::{Job, RunError, RunThreads};

/// One worker, with a thread of its own.
pub(crate) struct WorkerThread<'a, E> {
    pub(crate) job: &'a Job<'a>,
    pub(crate) hall: &'a RunThreads<'a, E>,
}

impl<E: Engine> WorkerThread<'_, E> {
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

    /// Plays what was leased and leaves what came of it at the desk. What is not of this run, or cannot be played at all,
    /// is put back.
    pub(crate) fn play_out(&self, held: &HeldLease, writer: &mut SegmentWriter) -> Result<(), RunError> {
        let put_back = |lease: &Lease, release: &Release| self.put_back(lease, release);
        let played = self.hall.site.play(&held.lease, &held.lost, writer, &put_back);
        let Ok(Some(finish)) = played else {
            self.put_back(&held.lease, &UNPLAYED)?;
            self.hall.pool.done_with(&held.lease);
            return played.map(|_nothing| ());
        };
        if finish.lease.attempt != held.lease.attempt {
            self.hall.pool.done_with(&held.lease); // It is handed in under an earlier one.
        }
        self.hall.desk.leave(finish, 0);
        Ok(())
    }

    fn put_back(&self, lease: &Lease, release: &Release) -> Result<(), RunError> {
        self.hall.runtime.block_on(self.hall.engine.release(lease, release))?;
        Ok(())
    }
}

const UNPLAYED: Release = Release { delay: Duration::ZERO, end: AttemptEnd::PutDown, place: None };
