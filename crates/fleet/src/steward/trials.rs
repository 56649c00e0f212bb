//! Trials, outcomes and engines for tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use quintain_runner::engine::conformance::outcome;
use quintain_runner::engine::memory::{MemoryEngine, Offers};
use quintain_runner::engine::{Engine, Lease, LeaseOrder, Unit, WallClock};

/// A clock that is set by hand.
#[derive(Debug, Default)]
pub(super) struct HandClock(pub(super) AtomicI64);

impl WallClock for HandClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// How long leases last on a floor.
pub(super) const LEASE_FOR: Duration = Duration::from_mins(1);

/// An engine whose offers are made by a steward, with its clock.
pub(super) fn floor() -> (Arc<MemoryEngine>, Arc<HandClock>) {
    let clock = Arc::new(HandClock::default());
    (Arc::new(MemoryEngine::with(Offers::BySteward, LEASE_FOR, Arc::clone(&clock) as Arc<dyn WallClock>)), clock)
}

/// The name of a trial.
pub(super) fn trial(idx: u32) -> String {
    format!("test/counter#{idx}~oracle~0")
}

/// Units of a run in the order of its plan.
pub(super) fn units(run: &str, places: std::ops::Range<u32>) -> Vec<Unit> {
    let unit = |idx| Unit { run: run.to_owned(), id: trial(idx), class: "puzzles".to_owned(), n_before: 0 };
    places.map(unit).collect()
}

/// Leases so many units.
pub(super) async fn lease(engine: &impl Engine, max: usize) -> Vec<Lease> {
    let order = LeaseOrder { classes: vec!["puzzles".to_owned()], max, wait: Duration::ZERO };
    engine.lease(&order).await.expect("units can be leased")
}

/// Hands in outcomes.
pub(super) async fn commit(engine: &impl Engine, leases: Vec<Lease>) {
    let place = |lease: &Lease| format!("lab-s-0000:{}-{}", lease.key, lease.key + 1);
    let results: Vec<_> = leases.into_iter().map(|lease| (lease.clone(), outcome(&place(&lease)))).collect();
    engine.commit(&results).await.expect("outcomes can be handed in");
}
