//! The engine of laptops and CI: one SQLite file, no server.
//!
//! One connection writes, in immediate transactions over a write-ahead log. What a transaction has committed survives the
//! death of the process at any instruction. Several processes on one machine may share the file.

mod aside;
mod glance;
mod import;
mod leasing;
mod outcomes;
mod schema;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use quintain_core::lock::LockAlways as _;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::Notify;

pub use aside::{damage_of, move_aside};
pub(crate) use glance::{RunGlance, glance};

use super::owner::Owner;
use super::{
    Committed, EndedAttempt, Engine, EngineError, Hold, Lease, LeaseOrder, Outcome, RecordedOutcome, Release,
    RunDirection, RunProgress, SystemClock, Unit, WallClock,
};

/// How often to look for work that another process may have put back.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// How long a lease lasts when nobody says otherwise.
pub const LEASE_FOR: Duration = Duration::from_mins(1);

/// Units that are played again though they had an outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReopenedUnits {
    /// How many.
    pub n: u64,
    /// How many faults the unluckiest of them had.
    pub most_faults: u32,
}

/// An engine in one SQLite file.
pub struct SqliteEngine {
    connection: Mutex<Connection>,
    owner: i64,
    lease_for: Duration,
    clock: Arc<dyn WallClock>,
    put_back: Notify,
}

impl SqliteEngine {
    /// Opens an engine, making its file if there is none. Leases of processes on this machine that are gone are taken
    /// back at once.
    pub fn open(path: &Path) -> Result<Self, EngineError> {
        Self::open_with(path, LEASE_FOR, Arc::new(SystemClock))
    }

    /// Opens an engine with leases of another length, and another clock.
    pub fn open_with(path: &Path, lease_for: Duration, clock: Arc<dyn WallClock>) -> Result<Self, EngineError> {
        let mut connection = schema::connect(path)?;
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let here = Owner::current();
        let owner = schema::enter_owner(&tx, &here)?;
        for gone in schema::owners_gone(&tx, &here)? {
            leasing::take_back_from(&tx, gone)?;
        }
        tx.commit()?;
        Ok(Self { connection: Mutex::new(connection), owner, lease_for, clock, put_back: Notify::new() })
    }

    /// Lets the units of a run that ended in faults be played again.
    pub fn reopen_faults(&self, run: &str) -> Result<ReopenedUnits, EngineError> {
        self.write(|tx| outcomes::reopen_faults(tx, run))
    }

    /// Takes over what another engine knows of a run: its units, outcomes and attempts that brought none. What is known
    /// here already stays.
    pub fn import(
        &self,
        units: &[Unit],
        outcomes: &[RecordedOutcome],
        attempts: &[EndedAttempt],
    ) -> Result<(), EngineError> {
        self.write(|tx| import::import(tx, units, outcomes, attempts))
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic in a transaction rolled it back, so the connection is sound.
        self.connection.lock().always()
    }

    fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, EngineError>) -> Result<T, EngineError> {
        let mut connection = self.connection();
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let result = work(&tx)?;
        tx.commit()?;
        Ok(result)
    }

    fn lease_now(&self, order: &LeaseOrder) -> Result<Vec<Lease>, EngineError> {
        let now = self.clock.now_ms();
        let deadline = now + self.lease_for.as_millis() as i64;
        self.write(|tx| {
            leasing::take_back_expired(tx, now)?;
            leasing::lease(tx, order, &leasing::LeaseTerms { now, deadline, owner: self.owner })
        })
    }
}

impl Engine for SqliteEngine {
    async fn enqueue(&self, units: &[Unit]) -> Result<u64, EngineError> {
        let n_new = self.write(|tx| schema::enqueue(tx, units))?;
        self.put_back.notify_waiters();
        Ok(n_new)
    }

    async fn lease(&self, order: &LeaseOrder) -> Result<Vec<Lease>, EngineError> {
        let until = Instant::now() + order.wait;
        loop {
            let put_back = self.put_back.notified();
            let leases = self.lease_now(order)?;
            let left = until.saturating_duration_since(Instant::now());
            if !leases.is_empty() || left.is_zero() {
                return Ok(leases);
            }
            drop(tokio::time::timeout(left.min(LOOK_AGAIN), put_back).await);
        }
    }

    async fn beat(&self, leases: &[Lease]) -> Result<Vec<Hold>, EngineError> {
        let deadline = self.clock.now_ms() + self.lease_for.as_millis() as i64;
        self.write(|tx| leases.iter().map(|lease| leasing::beat(tx, lease, deadline)).collect())
    }

    async fn commit(&self, results: &[(Lease, Outcome)]) -> Result<Vec<Committed>, EngineError> {
        self.write(|tx| results.iter().map(|(lease, outcome)| outcomes::commit(tx, lease, outcome)).collect())
    }

    async fn release(&self, lease: &Lease, release: &Release) -> Result<Hold, EngineError> {
        let due = self.clock.now_ms() + release.delay.as_millis() as i64;
        let hold = self.write(|tx| leasing::release(tx, lease, release, due))?;
        self.put_back.notify_waiters();
        Ok(hold)
    }

    async fn outcomes(&self, run: &str, from: u64, max: usize) -> Result<Vec<RecordedOutcome>, EngineError> {
        outcomes::outcomes(&self.connection(), run, from, max)
    }

    async fn attempts(&self, run: &str) -> Result<Vec<EndedAttempt>, EngineError> {
        outcomes::attempts(&self.connection(), run)
    }

    async fn direct(&self, run: &str, direction: RunDirection) -> Result<(), EngineError> {
        self.write(|tx| leasing::direct(tx, run, direction))?;
        self.put_back.notify_waiters();
        Ok(())
    }

    async fn progress(&self, run: &str) -> Result<RunProgress, EngineError> {
        outcomes::progress(&self.connection(), run)
    }
}

#[cfg(test)]
mod tests;
