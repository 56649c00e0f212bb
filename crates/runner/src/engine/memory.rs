//! An engine in memory: for tests, for small uses, and for simulations of fleets that no machine here could hold.
//!
//! It keeps the same promises as the others for as long as the process lives. Work lies in parcels, as it does on a
//! fleet's server: a parcel is leased whole, is given to another when its holder falls silent, and is gone when all its
//! units are settled or moved. What an opening was given and has not handed on is its own, as with a worker's process.

mod leasing;
mod outcomes;
mod parcel;
mod runs;
mod state;
mod steered;

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use quintain_core::lock::LockAlways as _;
use tokio::sync::Notify;

use super::sqlite::LEASE_FOR;
use super::{
    Committed, EndedAttempt, Engine, EngineError, Hold, Lease, LeaseOrder, Outcome, RecordedOutcome, Release,
    RunDirection, RunProgress, SystemClock, Unit, WallClock,
};
use parcel::OpenedParcel;
use state::MemoryState;

/// How often to look for work whose time has come.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Who puts units on offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offers {
    /// The engine, each alone and as soon as it is added.
    AtOnce,
    /// A steward, in parcels: only what it offers is leased.
    BySteward,
}

/// An engine in memory. Openings of it share what they hold.
pub struct MemoryEngine {
    shared: Arc<SharedMemory>,
    opened: Mutex<Vec<OpenedParcel>>,
}

struct SharedMemory {
    state: Mutex<MemoryState>,
    lease_for: Duration,
    clock: Arc<dyn WallClock>,
    put_back: Notify,
}

impl MemoryEngine {
    /// An empty engine with leases of the usual length, by the machine's clock.
    pub fn new(offers: Offers) -> Self {
        Self::with(offers, LEASE_FOR, Arc::new(SystemClock))
    }

    /// An empty engine with leases of another length, and another clock.
    pub fn with(offers: Offers, lease_for: Duration, clock: Arc<dyn WallClock>) -> Self {
        let state = Mutex::new(MemoryState::new(offers));
        Self::over(Arc::new(SharedMemory { state, lease_for, clock, put_back: Notify::new() }))
    }

    /// Another opening of the same engine, as another process would have it.
    #[must_use]
    pub fn open(&self) -> Self {
        Self::over(Arc::clone(&self.shared))
    }

    fn over(shared: Arc<SharedMemory>) -> Self {
        Self { shared, opened: Mutex::default() }
    }

    /// Puts back what this opening was given in parcels and has not handed on. Returns how many units those are.
    pub fn put_back_unopened(&self) -> u32 {
        let cursors = std::mem::take(&mut *self.opened.lock().always());
        let mut state = self.state();
        cursors.iter().map(|cursor| state.put_back_unopened(cursor)).sum()
    }

    /// Forgets every parcel of a run that is on offer and not leased, as a server does that lost its last writes.
    pub fn forget_offers(&self, run: &str) {
        self.state().forget_offers(run);
    }

    /// How often a unit was leased while somebody else still held it.
    pub fn n_overlaps(&self) -> u64 {
        self.state().n_overlaps
    }

    fn state(&self) -> MutexGuard<'_, MemoryState> {
        // Nothing in a call can panic between two changes that belong together, unless memory ends.
        self.shared.state.lock().always()
    }

    fn now(&self) -> i64 {
        self.shared.clock.now_ms()
    }

    fn deadline(&self) -> i64 {
        self.now() + self.shared.lease_for.as_millis() as i64
    }

    fn lease_now(&self, order: &LeaseOrder) -> Vec<Lease> {
        let (now, deadline) = (self.now(), self.deadline());
        self.state().lease(order, &mut self.opened.lock().always(), now, deadline)
    }
}

impl Engine for MemoryEngine {
    async fn enqueue(&self, units: &[Unit]) -> Result<u64, EngineError> {
        let n_new = self.state().enqueue(units);
        self.shared.put_back.notify_waiters();
        Ok(n_new)
    }

    async fn lease(&self, order: &LeaseOrder) -> Result<Vec<Lease>, EngineError> {
        if order.wait.is_zero() {
            return Ok(self.lease_now(order));
        }
        let until = Instant::now() + order.wait;
        loop {
            let put_back = self.shared.put_back.notified();
            let leases = self.lease_now(order);
            let left = until.saturating_duration_since(Instant::now());
            if !leases.is_empty() || left.is_zero() {
                return Ok(leases);
            }
            drop(tokio::time::timeout(left.min(LOOK_AGAIN), put_back).await);
        }
    }

    async fn beat(&self, leases: &[Lease]) -> Result<Vec<Hold>, EngineError> {
        let deadline = self.deadline();
        let mut state = self.state();
        self.opened.lock().always().iter().for_each(|cursor| state.keep_opened(cursor, deadline));
        Ok(leases.iter().map(|lease| state.beat(lease, deadline)).collect())
    }

    async fn commit(&self, results: &[(Lease, Outcome)]) -> Result<Vec<Committed>, EngineError> {
        let mut state = self.state();
        results.iter().map(|(lease, outcome)| state.commit(lease, outcome)).collect()
    }

    async fn release(&self, lease: &Lease, release: &Release) -> Result<Hold, EngineError> {
        let due = self.now() + release.delay.as_millis() as i64;
        let hold = self.state().release(lease, release, due)?;
        self.shared.put_back.notify_waiters();
        Ok(hold)
    }

    async fn outcomes(&self, run: &str, from: u64, max: usize) -> Result<Vec<RecordedOutcome>, EngineError> {
        Ok(self.state().outcomes(run, from, max))
    }

    async fn attempts(&self, run: &str) -> Result<Vec<EndedAttempt>, EngineError> {
        Ok(self.state().attempts(run))
    }

    async fn direct(&self, run: &str, direction: RunDirection) -> Result<(), EngineError> {
        self.state().direct(run, direction);
        self.shared.put_back.notify_waiters();
        Ok(())
    }

    async fn progress(&self, run: &str) -> Result<RunProgress, EngineError> {
        Ok(self.state().progress(run))
    }
}

#[cfg(test)]
mod tests;
