//! The server as a steward reaches it: the engine in memory, with outages.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use quintain_runner::engine::steered::{Parcel, RegisteredUnit, RunStanding, RunTerms, SettledUnit, SteeredEngine};
use quintain_runner::engine::{
    Committed, EndedAttempt, Engine, EngineError, Hold, Lease, LeaseOrder, MemoryEngine, Outcome, RecordedOutcome,
    Release, RunDirection, RunProgress, Unit,
};

/// Whether the server can be reached, and how often it was asked.
#[derive(Debug)]
pub(super) struct Switch {
    is_up: AtomicBool,
    n_reads: AtomicU64,
    n_offers: AtomicU64,
}

impl Switch {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { is_up: AtomicBool::new(true), n_reads: AtomicU64::new(0), n_offers: AtomicU64::new(0) })
    }

    pub(super) fn is_up(&self) -> bool {
        self.is_up.load(Ordering::Relaxed)
    }

    pub(super) fn go_up(&self) {
        self.is_up.store(true, Ordering::Relaxed);
    }

    pub(super) fn go_down(&self) {
        self.is_up.store(false, Ordering::Relaxed);
    }

    /// What the steward has read.
    pub(super) fn n_reads(&self) -> u64 {
        self.n_reads.load(Ordering::Relaxed)
    }

    /// The parcels that the steward has sent.
    pub(super) fn n_offers(&self) -> u64 {
        self.n_offers.load(Ordering::Relaxed)
    }

    fn read(&self) -> Result<(), EngineError> {
        self.reach(&self.n_reads, 1)
    }

    fn reach(&self, counter: &AtomicU64, n: u64) -> Result<(), EngineError> {
        if !self.is_up() {
            return Err(EngineError::Server { doing: "answer", why: "it is away".to_owned() });
        }
        counter.fetch_add(n, Ordering::Relaxed);
        Ok(())
    }
}

/// The server.
pub(super) struct SimulatedServer {
    pub(super) engine: MemoryEngine,
    pub(super) switch: Arc<Switch>,
}

impl Engine for SimulatedServer {
    async fn enqueue(&self, units: &[Unit]) -> Result<u64, EngineError> {
        self.switch.read()?;
        self.engine.enqueue(units).await
    }

    async fn lease(&self, order: &LeaseOrder) -> Result<Vec<Lease>, EngineError> {
        self.switch.read()?;
        self.engine.lease(order).await
    }

    async fn beat(&self, leases: &[Lease]) -> Result<Vec<Hold>, EngineError> {
        self.switch.read()?;
        self.engine.beat(leases).await
    }

    async fn commit(&self, results: &[(Lease, Outcome)]) -> Result<Vec<Committed>, EngineError> {
        self.switch.read()?;
        self.engine.commit(results).await
    }

    async fn release(&self, lease: &Lease, release: &Release) -> Result<Hold, EngineError> {
        self.switch.read()?;
        self.engine.release(lease, release).await
    }

    async fn outcomes(&self, run: &str, from: u64, max: usize) -> Result<Vec<RecordedOutcome>, EngineError> {
        self.switch.read()?;
        self.engine.outcomes(run, from, max).await
    }

    async fn attempts(&self, run: &str) -> Result<Vec<EndedAttempt>, EngineError> {
        self.switch.read()?;
        self.engine.attempts(run).await
    }

    async fn direct(&self, run: &str, direction: RunDirection) -> Result<(), EngineError> {
        self.switch.read()?;
        self.engine.direct(run, direction).await
    }

    async fn progress(&self, run: &str) -> Result<RunProgress, EngineError> {
        self.switch.read()?;
        self.engine.progress(run).await
    }
}

impl SteeredEngine for SimulatedServer {
    async fn set_terms(&self, run: &str, terms: &RunTerms) -> Result<(), EngineError> {
        self.switch.read()?;
        self.engine.set_terms(run, terms).await
    }

    async fn runs(&self) -> Result<Vec<RunStanding>, EngineError> {
        self.switch.read()?;
        self.engine.runs().await
    }

    async fn registered(&self, run: &str, from: u32, max: usize) -> Result<Vec<RegisteredUnit>, EngineError> {
        self.switch.read()?;
        self.engine.registered(run, from, max).await
    }

    async fn on_offer(&self, run: &str) -> Result<Vec<Range<u32>>, EngineError> {
        self.switch.read()?;
        self.engine.on_offer(run).await
    }

    async fn held(&self, run: &str) -> Result<BTreeMap<u32, u32>, EngineError> {
        self.switch.read()?;
        self.engine.held(run).await
    }

    async fn n_attempts(&self, run: &str) -> Result<BTreeMap<u32, u32>, EngineError> {
        self.switch.read()?;
        self.engine.n_attempts(run).await
    }

    async fn offer(&self, parcels: &[Parcel]) -> Result<u64, EngineError> {
        self.switch.reach(&self.switch.n_offers, parcels.len() as u64)?;
        self.engine.offer(parcels).await
    }

    async fn settled(&self, from: u64, max: usize) -> Result<Vec<SettledUnit>, EngineError> {
        self.switch.read()?;
        self.engine.settled(from, max).await
    }
}
