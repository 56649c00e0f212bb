//! The conformance suite in memory, and what a steward is promised.

use std::sync::atomic::{AtomicI64, Ordering};

use super::*;
use crate::conformance_suite;
use crate::engine::AttemptEnd;
use crate::engine::conformance::{Ground, outcome};
use crate::engine::steered::{Parcel, Priority, RunTerms, SteeredEngine};

/// A clock that goes on only when told.
#[derive(Default)]
struct HandClock(AtomicI64);

impl WallClock for HandClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

struct Memory {
    engine: MemoryEngine,
    clock: Arc<HandClock>,
}

impl Memory {
    fn new(offers: Offers) -> Self {
        let clock = Arc::<HandClock>::default();
        let engine = MemoryEngine::with(offers, Duration::from_mins(1), Arc::<HandClock>::clone(&clock));
        Self { engine, clock }
    }

    fn pass_secs(&self, secs: i64) {
        self.clock.0.fetch_add(secs * 1000, Ordering::SeqCst);
    }

    /// An engine with a steward, and a run of so many puzzles.
    async fn stewarded(n_units: usize) -> Self {
        let memory = Self::new(Offers::BySteward);
        let units: Vec<_> = (0..n_units).map(|i| unit(&format!("u{i}"))).collect();
        assert_eq!(memory.engine.enqueue(&units).await.unwrap(), n_units as u64);
        memory
    }

    async fn offer(&self, first: u32, count: usize) -> u64 {
        let units = self.engine.registered("run", first, count).await.unwrap();
        self.engine.offer(&[Parcel { run: "run".to_owned(), units }]).await.unwrap()
    }

    async fn progress(&self) -> String {
        let p = self.engine.progress("run").await.unwrap();
        format!("{} of {}, {} leased, {} waiting, {} held", p.n_done, p.n_units, p.n_leased, p.n_waiting, p.n_held)
    }

    async fn on_offer(&self) -> String {
        let spans = self.engine.on_offer("run").await.unwrap();
        spans.iter().map(|span| format!("{}..{}", span.start, span.end)).collect::<Vec<_>>().join(" ")
    }
}

impl Ground for Memory {
    type Engine = MemoryEngine;

    async fn open(&self) -> MemoryEngine {
        self.engine.open()
    }

    async fn pass(&self, time: Duration) {
        self.clock.0.fetch_add(time.as_millis() as i64, Ordering::SeqCst);
    }

    fn lease_for(&self) -> Duration {
        Duration::from_mins(1)
    }
}

conformance_suite!(Memory::new(Offers::AtOnce));

fn unit(id: &str) -> Unit {
    Unit { run: "run".to_owned(), id: id.to_owned(), class: "puzzles".to_owned(), n_before: 0 }
}

async fn lease(engine: &MemoryEngine, max: usize) -> Vec<Lease> {
    let order = LeaseOrder { classes: vec!["puzzles".to_owned()], max, wait: Duration::ZERO };
    engine.lease(&order).await.unwrap()
}

fn told(leases: &[Lease]) -> String {
    leases.iter().map(|lease| format!("{}#{}", lease.unit, lease.attempt)).collect::<Vec<_>>().join(" ")
}

async fn commit(engine: &MemoryEngine, lease: &Lease) -> Committed {
    engine.commit(&[(lease.clone(), outcome(""))]).await.unwrap().remove(0)
}

fn put_down(delay: Duration) -> Release {
    Release { delay, end: AttemptEnd::PutDown, place: None }
}

#[tokio::test]
async fn with_a_steward_only_what_it_offers_is_leased() {
    let memory = Memory::stewarded(6).await;
    assert_eq!(told(&lease(&memory.engine, 9).await), "");
    assert_eq!(memory.offer(2, 2).await, 1);
    assert_eq!(memory.offer(2, 2).await, 0, "it is there already");
    assert_eq!(memory.offer(4, 1).await, 1);
    assert_eq!(memory.on_offer().await, "2..5");
    assert_eq!(told(&lease(&memory.engine, 9).await), "u2#1 u3#1 u4#1");
    assert_eq!(memory.progress().await, "0 of 6, 3 leased, 3 waiting, 0 held");
}

#[tokio::test]
async fn a_parcel_is_one_opening_s_and_comes_back_whole() {
    let memory = Memory::stewarded(4).await;
    memory.offer(0, 4).await;
    let (one, two) = (memory.engine.open(), memory.engine.open());
    let first = lease(&one, 2).await;
    assert_eq!(told(&first), "u0#1 u1#1");
    assert_eq!(told(&lease(&two, 2).await), "", "the rest of the parcel is the first one's");
    assert_eq!(commit(&one, &first[0]).await, Committed::Won);
    memory.pass_secs(61);
    assert_eq!(told(&lease(&two, 9).await), "u1#2 u2#1 u3#1", "what was settled is left out");
    assert_eq!(told(&lease(&one, 9).await), "");
    assert_eq!(memory.engine.held("run").await.unwrap(), [(1, 2), (2, 1), (3, 1)].into());
    assert_eq!(memory.engine.n_attempts("run").await.unwrap(), [(1, 1)].into());
}

#[tokio::test]
async fn a_beat_keeps_the_whole_parcel_with_what_is_not_begun() {
    let memory = Memory::stewarded(3).await;
    memory.offer(0, 3).await;
    let (one, two) = (memory.engine.open(), memory.engine.open());
    let held = lease(&one, 1).await;
    for _ in 0..3 {
        memory.pass_secs(40);
        assert_eq!(one.beat(&held).await.unwrap(), [Hold::Still]);
        assert_eq!(told(&lease(&two, 9).await), "");
    }
    assert_eq!(told(&lease(&one, 9).await), "u1#1 u2#1");
}

#[tokio::test]
async fn a_unit_put_back_from_a_parcel_travels_alone() {
    let memory = Memory::stewarded(3).await;
    memory.offer(0, 3).await;
    let leases = lease(&memory.engine, 3).await;
    memory.engine.release(&leases[1], &put_down(Duration::from_secs(5))).await.unwrap();
    commit(&memory.engine, &leases[0]).await;
    commit(&memory.engine, &leases[2]).await;
    assert_eq!(memory.on_offer().await, "1..2", "the parcel is spent");
    assert_eq!(told(&lease(&memory.engine, 9).await), "");
    memory.pass_secs(5);
    assert_eq!(told(&lease(&memory.engine, 9).await), "u1#2");
}

#[tokio::test]
async fn what_is_not_begun_can_be_put_back() {
    let memory = Memory::stewarded(4).await;
    memory.offer(0, 4).await;
    let (one, two) = (memory.engine.open(), memory.engine.open());
    lease(&one, 1).await;
    assert_eq!(one.put_back_unopened(), 3);
    assert_eq!(told(&lease(&two, 9).await), "u1#1 u2#1 u3#1");
}

#[tokio::test]
async fn a_run_that_is_stopped_is_not_offered_until_the_steward_does_it_again() {
    let memory = Memory::stewarded(4).await;
    memory.offer(0, 2).await;
    memory.offer(2, 2).await;
    let held = lease(&memory.engine, 1).await;
    memory.engine.direct("run", RunDirection::Pause).await.unwrap();
    assert_eq!(memory.offer(0, 2).await, 0);
    assert_eq!(memory.progress().await, "0 of 4, 1 leased, 0 waiting, 3 held");
    memory.engine.direct("run", RunDirection::Go).await.unwrap();
    assert_eq!(memory.on_offer().await, "");
    assert_eq!(memory.engine.held("run").await.unwrap(), [(0, 1)].into());
    assert_eq!(memory.engine.beat(&held).await.unwrap(), [Hold::Still]);
    memory.pass_secs(61);
    assert_eq!(told(&lease(&memory.engine, 9).await), "", "nobody has offered it again");
    assert_eq!(memory.engine.n_attempts("run").await.unwrap(), [(0, 1)].into());
    memory.offer(0, 4).await;
    assert_eq!(told(&lease(&memory.engine, 9).await), "u0#2 u1#1 u2#1 u3#1");
    assert_eq!(memory.engine.n_overlaps(), 0);
}

#[tokio::test]
async fn a_unit_in_two_parcels_is_played_twice_and_counted_once() {
    let memory = Memory::stewarded(2).await;
    memory.offer(0, 2).await;
    memory.offer(1, 1).await;
    let leases = lease(&memory.engine, 9).await;
    assert_eq!(told(&leases), "u0#1 u1#1 u1#2");
    assert_eq!(memory.engine.n_overlaps(), 1);
    assert_eq!(memory.progress().await, "0 of 2, 2 leased, 0 waiting, 0 held");
    assert_eq!(commit(&memory.engine, &leases[2]).await, Committed::Won);
    assert!(matches!(commit(&memory.engine, &leases[1]).await, Committed::Already(_)));
    assert_eq!(commit(&memory.engine, &leases[0]).await, Committed::Won);
    assert_eq!(memory.progress().await, "2 of 2, 0 leased, 0 waiting, 0 held");
    assert_eq!(memory.on_offer().await, "");
    let settled = memory.engine.settled(2, 9).await.unwrap();
    assert_eq!(settled.iter().map(|s| (s.idx, s.recorded.seq)).collect::<Vec<_>>(), [(0, 2)]);
}

#[tokio::test]
async fn forgotten_offers_can_be_made_again() {
    let memory = Memory::stewarded(4).await;
    memory.offer(0, 1).await;
    memory.offer(1, 3).await;
    lease(&memory.engine, 1).await;
    memory.engine.forget_offers("run");
    assert_eq!(memory.on_offer().await, "0..1");
    assert_eq!(memory.offer(1, 3).await, 1);
}

#[tokio::test]
async fn terms_are_kept_and_begin_a_run() {
    let memory = Memory::new(Offers::BySteward);
    let terms = RunTerms { priority: Priority::High, chunk: 16 };
    memory.engine.set_terms("new", &terms).await.unwrap();
    let runs = memory.engine.runs().await.unwrap();
    assert_eq!((&*runs[0].run, runs[0].terms, runs[0].n_units), ("new", terms, 0));
}

#[tokio::test]
async fn a_waiting_worker_hears_of_new_work_and_does_not_wait_for_ever() {
    let engine = MemoryEngine::new(Offers::AtOnce);
    let order = |wait| LeaseOrder { classes: vec!["puzzles".to_owned()], max: 1, wait };
    assert_eq!(engine.lease(&order(Duration::from_millis(20))).await.unwrap(), []);
    let other = engine.open();
    let waiting = tokio::spawn(async move { other.lease(&order(Duration::from_secs(20))).await });
    tokio::task::yield_now().await;
    engine.enqueue(&[unit("a")]).await.unwrap();
    assert_eq!(waiting.await.unwrap().unwrap().len(), 1);
}

#[tokio::test]
async fn a_unit_that_nobody_added_is_named() {
    let memory = Memory::stewarded(1).await;
    memory.offer(0, 1).await;
    let mut stray = lease(&memory.engine, 1).await.remove(0);
    stray.key = 7;
    let error = memory.engine.commit(&[(stray, outcome(""))]).await.unwrap_err();
    assert_eq!(error.to_string(), "the engine holds something unreadable for `u0`: no such unit was ever added");
}
