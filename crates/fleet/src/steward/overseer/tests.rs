use std::sync::atomic::Ordering;

use quintain_runner::engine::Engine;
use quintain_runner::engine::memory::MemoryEngine;
use quintain_runner::engine::steered::RunTerms;

use super::*;
use crate::steward::trials::{HandClock, LEASE_FOR, commit, floor, lease, units};

/// An overseer of an engine in memory, and workers with so many slots.
struct Bed {
    engine: Arc<MemoryEngine>,
    clock: Arc<HandClock>,
    overseer: Overseer<MemoryEngine>,
    slots: BTreeMap<String, u64>,
}

impl Bed {
    fn new(n_slots: u64) -> Self {
        let (engine, clock) = floor();
        let overseer = Overseer::new(Arc::clone(&engine), OverseerOptions::default());
        Self { engine, clock, overseer, slots: BTreeMap::from([("puzzles".to_owned(), n_slots)]) }
    }

    async fn enqueue(&self, run: &str, n_units: u32) {
        self.engine.set_terms(run, &RunTerms { chunk: 4, ..RunTerms::default() }).await.unwrap();
        self.engine.enqueue(&units(run, 0..n_units)).await.unwrap();
    }

    /// A round, so much later.
    async fn round(&mut self, passed_ms: i64) -> OverseerRound {
        let now_ms = self.clock.0.fetch_add(passed_ms, Ordering::Relaxed) + passed_ms;
        self.overseer.round(now_ms, &self.slots).await.unwrap()
    }

    /// Another steward takes over.
    fn fail_over(&mut self) {
        self.overseer = Overseer::new(Arc::clone(&self.engine), OverseerOptions::default());
    }

    async fn n_done(&self, run: &str) -> u64 {
        self.engine.progress(run).await.unwrap().n_done
    }

    /// Plays until nothing is left, and returns how many units were leased.
    async fn play_all(&mut self) -> usize {
        let mut n_leased = 0;
        for _ in 0..10_000 {
            let round = self.round(100).await;
            let leases = lease(&*self.engine, 50).await;
            n_leased += leases.len();
            let is_over = leases.is_empty() && round.n_offered == 0 && round.is_caught_up;
            commit(&*self.engine, leases).await;
            if is_over && self.overseer.outstanding().values().sum::<u64>() == 0 {
                return n_leased;
            }
        }
        panic!("it never ended: {:?}", self.overseer.outstanding());
    }
}

#[tokio::test]
async fn every_unit_is_offered_once() {
    let mut bed = Bed::new(8);
    bed.enqueue("a", 5_000).await;
    bed.enqueue("b", 300).await;
    assert_eq!(bed.play_all().await, 5_300);
    assert_eq!((bed.n_done("a").await, bed.n_done("b").await), (5_000, 300));
}

#[tokio::test]
async fn whoever_takes_over_offers_nothing_twice() {
    let mut bed = Bed::new(8);
    bed.enqueue("a", 1_000).await;
    let mut n_leased = 0;
    for _ in 0..20 {
        bed.round(100).await;
        bed.round(1_000).await;
        let leases = lease(&*bed.engine, 10).await;
        n_leased += leases.len();
        commit(&*bed.engine, leases).await;
        bed.fail_over();
    }
    assert_eq!(n_leased + bed.play_all().await, 1_000);
    assert_eq!(bed.engine.n_overlaps(), 0);
}

#[tokio::test]
async fn offers_that_the_server_lost_are_made_again() {
    let mut bed = Bed::new(8);
    bed.enqueue("a", 40).await;
    bed.round(0).await;
    assert_eq!(bed.overseer.feeder().n_out("a"), 40);
    let held = lease(&*bed.engine, 4).await;
    bed.engine.forget_offers("a");
    assert_eq!(lease(&*bed.engine, 100).await.len(), 0);
    assert_eq!(bed.round(1_000).await.n_reoffered, 0, "an audit is not due yet");
    bed.engine.beat(&held).await.unwrap();
    let round = bed.round(OverseerOptions::default().audit_every_ms).await;
    assert_eq!(round.n_reoffered, 36, "what is held is not offered again");
    commit(&*bed.engine, held).await;
    bed.play_all().await;
    assert_eq!(bed.n_done("a").await, 40);
}

#[tokio::test]
async fn a_run_that_is_told_to_go_again_goes_on() {
    let mut bed = Bed::new(8);
    bed.enqueue("a", 200).await;
    bed.round(0).await;
    bed.engine.direct("a", RunDirection::Pause).await.unwrap();
    assert_eq!(bed.round(1_000).await.n_offered, 0);
    assert_eq!(lease(&*bed.engine, 10).await.len(), 0);
    bed.engine.direct("a", RunDirection::Go).await.unwrap();
    bed.overseer.suspect("a");
    bed.round(1).await;
    bed.play_all().await;
    assert_eq!(bed.n_done("a").await, 200);
}

#[tokio::test]
async fn units_that_come_later_are_offered_later() {
    let mut bed = Bed::new(8);
    bed.enqueue("a", 10).await;
    bed.play_all().await;
    bed.engine.enqueue(&units("a", 10..30)).await.unwrap();
    bed.round(1_000).await;
    assert_eq!(bed.overseer.outstanding()["a"], 20);
    assert_eq!(bed.play_all().await, 20);
}

#[tokio::test]
async fn what_is_known_from_elsewhere_is_not_offered() {
    let mut bed = Bed::new(8);
    bed.enqueue("a", 100).await;
    bed.overseer.recall([("a".to_owned(), (10..100).collect())], 0);
    bed.round(0).await;
    let mut leased: Vec<u64> = lease(&*bed.engine, 100).await.iter().map(|lease| lease.key).collect();
    leased.sort_unstable();
    assert_eq!(leased, (0..10).collect::<Vec<_>>());
}

#[tokio::test]
async fn attempts_go_on_counting_when_offers_are_made_again() {
    let mut bed = Bed::new(8);
    bed.enqueue("a", 1).await;
    bed.round(0).await;
    let first = lease(&*bed.engine, 1).await;
    assert_eq!(first[0].attempt, 1);
    bed.round(OverseerOptions::default().audit_every_ms).await;
    bed.engine.beat(&first).await.unwrap();
    // The holder falls silent while the run is paused, which empties the queue.
    bed.engine.direct("a", RunDirection::Pause).await.unwrap();
    bed.round(LEASE_FOR.as_millis() as i64 * 2).await;
    assert_eq!(lease(&*bed.engine, 1).await, []);
    bed.engine.direct("a", RunDirection::Go).await.unwrap();
    bed.round(1_000).await;
    bed.round(1_000).await;
    let second = lease(&*bed.engine, 1).await;
    assert_eq!(second.iter().map(|lease| lease.attempt).collect::<Vec<_>>(), [2]);
}
