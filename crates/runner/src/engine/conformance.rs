//! What every engine promises, as tests that any engine can be put through unchanged.
//!
//! An engine's own tests implement [`Ground`] and call [`conformance_suite!`](crate::conformance_suite).

mod crash;

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::verdict::Digests;
use quintain_core::{Boundary, Digest, Ending, Score, Spent, Verdict};

use super::{
    AttemptEnd, Committed, EndedAttempt, Engine, Hold, Lease, LeaseOrder, Outcome, RecordedOutcome, Release,
    RunDirection, Unit,
};

pub use crash::any_crash_point_changes_nothing;

/// Where an engine is tested: a fresh one of its own for each test.
pub trait Ground: Send + Sync {
    /// The engine.
    type Engine: Engine + 'static;

    /// Opens the engine, as a new process would. What an earlier opening took in is still there.
    fn open(&self) -> impl Future<Output = Self::Engine> + Send;

    /// Lets so much of the engine's time pass.
    fn pass(&self, time: Duration) -> impl Future<Output = ()> + Send;

    /// How long a lease lasts.
    fn lease_for(&self) -> Duration;
}

/// Makes one test of each promise. Takes an expression that makes a fresh [`Ground`].
#[macro_export]
macro_rules! conformance_suite {
    ($fresh:expr) => {
        $crate::conformance_suite!(@each $fresh,
            enqueueing_again_changes_nothing,
            a_unit_is_leased_to_one,
            classes_are_kept_apart,
            a_silent_lease_is_given_to_another,
            beats_keep_a_lease,
            the_first_outcome_wins_even_when_late,
            an_outcome_counts_once,
            a_released_unit_rests,
            every_attempt_is_kept,
            a_jump_of_the_clock_loses_nothing,
            outcomes_can_be_replayed_from_anywhere,
            runs_are_kept_apart,
            a_run_can_be_paused_and_cancelled,
            attempts_on_record_are_not_numbered_again,
            many_workers_share_the_work,
            any_crash_point_changes_nothing
        );
    };
    (@each $fresh:expr, $($name:ident),*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                $crate::engine::conformance::$name($fresh).await;
            }
        )*
    };
}

const RUN: &str = "run-a";
const CLASS: &str = "puzzles";

fn unit(id: usize) -> Unit {
    Unit { run: RUN.to_owned(), id: format!("unit-{id}"), class: CLASS.to_owned(), n_before: 0 }
}

fn units(n: usize) -> Vec<Unit> {
    (0..n).map(unit).collect()
}

fn order(max: usize) -> LeaseOrder {
    LeaseOrder { classes: vec![CLASS.to_owned()], max, wait: Duration::ZERO }
}

/// An outcome that can be told from others by its place.
pub fn outcome(place: &str) -> Outcome {
    let digest = Digest::of(b"");
    let verdict = Verdict {
        ending: Ending::Done,
        score: Score::ONE,
        solved: true,
        findings: Vec::new(),
        milestones: Vec::new(),
        digests: Digests { task: digest, world: digest, instance: digest },
        source: None,
        fault: None,
        state_score: None,
        outside: false,
    };
    Outcome {
        verdict,
        spent: Spent { steps: 3, elapsed_ms: 5, tokens: 7, cost_usd: 0.1, n_unknown: 0 },
        place: place.to_owned(),
    }
}

fn fault() -> AttemptEnd {
    AttemptEnd::Faulted { ending: Ending::Fault(Boundary::Provider), why: "the provider hung up".to_owned() }
}

fn release(end: AttemptEnd, delay: Duration) -> Release {
    Release { delay, end, place: Some("somewhere".to_owned()) }
}

/// The engine under test, with calls that must not fail.
struct TestedEngine<E>(E);

impl<E: Engine> TestedEngine<E> {
    async fn enqueue(&self, units: &[Unit]) -> u64 {
        self.0.enqueue(units).await.expect("units can be added")
    }

    async fn lease(&self, max: usize) -> Vec<Lease> {
        self.0.lease(&order(max)).await.expect("units can be leased")
    }

    /// A unit that is there, though whoever hands it out may have to hear of it first.
    async fn one(&self) -> Lease {
        let order = LeaseOrder { wait: Duration::from_secs(5), ..order(1) };
        self.0.lease(&order).await.expect("units can be leased").pop().expect("a unit is there")
    }

    async fn beat(&self, lease: &Lease) -> Hold {
        self.0.beat(std::slice::from_ref(lease)).await.expect("a lease can be kept")[0]
    }

    async fn commit(&self, lease: &Lease, place: &str) -> Committed {
        let result = [(lease.clone(), outcome(place))];
        self.0.commit(&result).await.expect("an outcome can be handed in").remove(0)
    }

    async fn release(&self, lease: &Lease, how: &Release) -> Hold {
        self.0.release(lease, how).await.expect("a unit can be put back")
    }

    async fn outcomes(&self, from: u64) -> Vec<RecordedOutcome> {
        self.0.outcomes(RUN, from, usize::MAX).await.expect("outcomes can be read")
    }

    async fn attempts(&self) -> Vec<EndedAttempt> {
        self.0.attempts(RUN).await.expect("attempts can be read")
    }

    async fn direct(&self, direction: RunDirection) {
        self.0.direct(RUN, direction).await.expect("a run can be directed");
    }

    /// `done/units, leased, waiting, held` in short.
    async fn progress(&self) -> String {
        let p = self.0.progress(RUN).await.expect("progress can be read");
        format!("{}/{} done, {} leased, {} waiting, {} held", p.n_done, p.n_units, p.n_leased, p.n_waiting, p.n_held)
    }
}

async fn bed<G: Ground>(ground: &G) -> TestedEngine<G::Engine> {
    TestedEngine(ground.open().await)
}

fn names(leases: &[Lease]) -> Vec<(String, u32)> {
    leases.iter().map(|lease| (lease.unit.clone(), lease.attempt)).collect()
}

/// Adding units that are there already adds nothing, whatever became of them.
pub async fn enqueueing_again_changes_nothing<G: Ground>(ground: G) {
    let bed = bed(&ground).await;
    assert_eq!(bed.enqueue(&units(3)).await, 3);
    assert_eq!(bed.enqueue(&units(4)).await, 1);
    let leases = bed.lease(2).await;
    assert_eq!(bed.commit(&leases[0], "here").await, Committed::Won);
    assert_eq!(bed.enqueue(&units(4)).await, 0);
    assert_eq!(bed.progress().await, "1/4 done, 1 leased, 2 waiting, 0 held");
}

/// While a lease is held, nobody else gets the unit. Units come in the order they were added.
pub async fn a_unit_is_leased_to_one<G: Ground>(ground: G) {
    let bed = bed(&ground).await;
    bed.enqueue(&units(3)).await;
    let first = bed.lease(2).await;
    assert_eq!(names(&first), [("unit-0".to_owned(), 1), ("unit-1".to_owned(), 1)]);
    assert!(first.iter().all(|lease| lease.run == RUN && lease.n_faults == 0 && lease.n_lost == 0));
    assert_eq!(names(&bed.lease(9).await), [("unit-2".to_owned(), 1)]);
    assert_eq!(bed.lease(9).await, []);
}

/// A worker is given only what it can do.
pub async fn classes_are_kept_apart<G: Ground>(ground: G) {
    let bed = bed(&ground).await;
    let other = Unit { class: "desktop".to_owned(), ..unit(7) };
    bed.enqueue(&[unit(0), other]).await;
    assert_eq!(names(&bed.lease(9).await), [("unit-0".to_owned(), 1)]);
    let wish = LeaseOrder { classes: vec!["gpu".to_owned(), "desktop".to_owned()], ..order(9) };
    let leases = bed.0.lease(&wish).await.expect("units can be leased");
    assert_eq!(names(&leases), [("unit-7".to_owned(), 1)]);
}

/// A lease that is not kept alive runs out; the unit goes to another, and the loss is counted apart from faults.
pub async fn a_silent_lease_is_given_to_another<G: Ground>(ground: G) {
    let bed = bed(&ground).await;
    bed.enqueue(&units(1)).await;
    let silent = bed.one().await;
    ground.pass(ground.lease_for() / 2).await;
    assert_eq!(bed.lease(1).await, []);
    ground.pass(ground.lease_for()).await;
    let next = bed.one().await;
    assert_eq!((next.attempt, next.n_lost, next.n_faults), (2, 1, 0));
    assert_eq!(bed.beat(&silent).await, Hold::Lost);
    assert_eq!(bed.release(&silent, &release(AttemptEnd::PutDown, Duration::ZERO)).await, Hold::Lost);
    assert_eq!(bed.beat(&next).await, Hold::Still);
}

/// A lease lives as long as it is kept alive.
pub async fn beats_keep_a_lease<G: Ground>(ground: G) {
    let bed = bed(&ground).await;
    bed.enqueue(&units(1)).await;
    let lease = bed.one().await;
    for _ in 0..4 {
        ground.pass(ground.lease_for() / 2).await;
        assert_eq!(bed.beat(&lease).await, Hold::Still);
        assert_eq!(bed.lease(1).await, []);
    }
    assert_eq!(bed.commit(&lease, "here").await, Committed::Won);
    assert_eq!(bed.beat(&lease).await, Hold::Lost);
}

/// The first outcome wins, also one whose lease has run out; the other is told which one counts.
pub async fn the_first_outcome_wins_even_when_late<G: Ground>(ground: G) {
    let bed = bed(&ground).await;
    bed.enqueue(&units(2)).await;
    let slow = bed.lease(2).await;
    ground.pass(ground.lease_for() * 2).await;
    let fast = bed.lease(2).await;
    assert_eq!(bed.commit(&slow[0], "slow").await, Committed::Won);
    assert_eq!(bed.commit(&fast[1], "fast").await, Committed::Won);
    for (late, attempt, place) in [(&fast[0], 1, "slow"), (&slow[1], 2, "fast")] {
        let Committed::Already(counts) = bed.commit(late, "too late").await else {
            panic!("a second outcome of {} won", late.unit);
        };
        assert_eq!((counts.attempt, &*counts.outcome.place), (attempt, place));
    }
    let ends: Vec<_> = bed.attempts().await.into_iter().map(|a| (a.attempt, a.end, a.place)).collect();
    let place = |place: &str| Some(place.to_owned());
    assert_eq!(
        ends,
        [
            (1, AttemptEnd::Won, place("slow")),
            (2, AttemptEnd::Late, place("too late")),
            (1, AttemptEnd::Late, place("too late")),
            (2, AttemptEnd::Won, place("fast")),
        ]
    );
    assert_eq!(bed.progress().await, "2/2 done, 0 leased, 0 waiting, 0 held");
}

/// Handing in twice counts once, the first stays, and a unit with an outcome is never leased again.
pub async fn an_outcome_counts_once<G: Ground>(ground: G) {
    let bed = bed(&ground).await;
    bed.enqueue(&units(1)).await;
    let lease = bed.one().await;
    assert_eq!(bed.commit(&lease, "first").await, Committed::Won);
    assert_eq!(bed.commit(&lease, "second").await, Committed::Won);
    assert_eq!(bed.release(&lease, &release(AttemptEnd::PutDown, Duration::ZERO)).await, Hold::Lost);
    ground.pass(ground.lease_for() * 2).await;
    assert_eq!(bed.lease(1).await, []);
    let outcomes = bed.outcomes(0).await;
    assert_eq!(outcomes.len(), 1);
    assert_eq!(outcomes[0].outcome, outcome("first"));
    assert_eq!(bed.attempts().await.len(), 1);
}

/// A unit that is put back rests for the delay, and no longer.
pub async fn a_released_unit_rests<G: Ground>(ground: G) {
    let bed = bed(&ground).await;
    bed.enqueue(&units(2)).await;
    let leases = bed.lease(2).await;
    let delay = ground.lease_for() / 2;
    assert_eq!(bed.release(&leases[0], &release(fault(), delay)).await, Hold::Still);
    assert_eq!(bed.release(&leases[1], &release(AttemptEnd::PutDown, Duration::ZERO)).await, Hold::Still);
    assert_eq!(names(&bed.lease(9).await), [("unit-1".to_owned(), 2)]);
    ground.pass(delay * 2).await;
    let again = bed.lease(9).await.into_iter().find(|lease| lease.unit == "unit-0").expect("it has rested");
    assert_eq!((again.attempt, again.n_faults, again.n_lost), (2, 1, 0));
}

/// Every attempt is kept, with how it ended and where its record lies.
pub async fn every_attempt_is_kept<G: Ground>(ground: G) {
    let bed = bed(&ground).await;
    bed.enqueue(&units(1)).await;
    let broken = bed.one().await;
    bed.release(&broken, &release(fault(), Duration::ZERO)).await;
    let put_down = bed.one().await;
    bed.release(&put_down, &Release { place: None, ..release(AttemptEnd::PutDown, Duration::ZERO) }).await;
    bed.lease(1).await;
    ground.pass(ground.lease_for() * 2).await;
    let last = bed.one().await;
    assert_eq!((last.attempt, last.n_faults, last.n_lost), (4, 1, 1));
    bed.commit(&last, "end").await;
    let attempts: Vec<_> = bed.attempts().await.into_iter().map(|a| (a.attempt, a.end, a.place)).collect();
    assert_eq!(
        attempts,
        [
            (1, fault(), Some("somewhere".to_owned())),
            (2, AttemptEnd::PutDown, None),
            (3, AttemptEnd::Lost, None),
            (4, AttemptEnd::Won, Some("end".to_owned())),
        ]
    );
}

/// When all leases run out at once, everything is handed out again and each unit still has one outcome.
pub async fn a_jump_of_the_clock_loses_nothing<G: Ground>(ground: G) {
    let bed = bed(&ground).await;
    bed.enqueue(&units(20)).await;
    let before = bed.lease(20).await;
    ground.pass(ground.lease_for() * 3).await;
    let after = bed.lease(20).await;
    assert_eq!(after.len(), 20);
    for lease in before.iter().step_by(2).chain(&after).chain(&before) {
        bed.commit(lease, &format!("{} {}", lease.unit, lease.attempt)).await;
    }
    let outcomes = bed.outcomes(0).await;
    assert_eq!(outcomes.len(), 20);
    assert_eq!(outcomes.iter().filter(|recorded| recorded.attempt == 1).count(), 10);
    assert_eq!(bed.attempts().await.len(), 40);
}

/// Outcomes keep their order and their numbers, and can be read from any of them on, also by a later process.
pub async fn outcomes_can_be_replayed_from_anywhere<G: Ground>(ground: G) {
    let before = bed(&ground).await;
    before.enqueue(&units(5)).await;
    for lease in before.lease(5).await.iter().rev() {
        before.commit(lease, &lease.unit).await;
    }
    let all = before.outcomes(0).await;
    drop(before);
    let bed = bed(&ground).await;
    assert_eq!(bed.outcomes(0).await, all);
    let order: Vec<_> = all.iter().map(|recorded| recorded.outcome.place.as_str()).collect();
    assert_eq!(order, ["unit-4", "unit-3", "unit-2", "unit-1", "unit-0"]);
    assert_eq!(bed.outcomes(all[2].seq).await, all[2..]);
    assert_eq!(bed.outcomes(all[4].seq + 1).await, []);
    let page = bed.0.outcomes(RUN, all[1].seq, 2).await.expect("outcomes can be read");
    assert_eq!(page, all[1..3]);
}

/// Units of the same name in two runs have nothing to do with each other.
pub async fn runs_are_kept_apart<G: Ground>(ground: G) {
    let bed = bed(&ground).await;
    let other = Unit { run: "run-b".to_owned(), ..unit(0) };
    assert_eq!(bed.enqueue(&[unit(0), other]).await, 2);
    let leases: BTreeMap<String, Lease> =
        bed.lease(9).await.into_iter().map(|lease| (lease.run.clone(), lease)).collect();
    assert_eq!(leases.len(), 2);
    bed.commit(&leases["run-b"], "of b").await;
    assert_eq!(bed.outcomes(0).await, []);
    assert_eq!(bed.0.outcomes("run-b", 0, 9).await.expect("outcomes can be read").len(), 1);
    assert_eq!(bed.progress().await, "0/1 done, 1 leased, 0 waiting, 0 held");
    assert_eq!(bed.0.outcomes("run-c", 0, 9).await.expect("a run that is not there has none"), []);
}

/// A paused run hands out nothing until it goes on; a cancelled one ends its leases, yet takes what was done.
pub async fn a_run_can_be_paused_and_cancelled<G: Ground>(ground: G) {
    let bed = bed(&ground).await;
    bed.enqueue(&units(3)).await;
    let lease = bed.one().await;
    bed.direct(RunDirection::Pause).await;
    assert_eq!(bed.lease(9).await, []);
    assert_eq!(bed.beat(&lease).await, Hold::Still);
    bed.release(&lease, &release(AttemptEnd::PutDown, Duration::ZERO)).await;
    assert_eq!(bed.progress().await, "0/3 done, 0 leased, 0 waiting, 3 held");
    bed.direct(RunDirection::Go).await;
    let leases = bed.lease(2).await;
    assert_eq!(leases.len(), 2);
    bed.direct(RunDirection::Cancel).await;
    assert_eq!(bed.beat(&leases[0]).await, Hold::Lost);
    assert_eq!(bed.commit(&leases[0], "done before").await, Committed::Won);
    bed.release(&leases[1], &release(AttemptEnd::PutDown, Duration::ZERO)).await;
    assert_eq!(bed.lease(9).await, []);
    assert_eq!(bed.progress().await, "1/3 done, 0 leased, 0 waiting, 2 held");
}

/// Attempts that are on record, of which the engine may have lost the memory, are never numbered again.
pub async fn attempts_on_record_are_not_numbered_again<G: Ground>(ground: G) {
    let bed = bed(&ground).await;
    bed.enqueue(&[Unit { n_before: 2, ..unit(0) }, unit(1)]).await;
    bed.enqueue(&[Unit { n_before: 1, ..unit(0) }, Unit { n_before: 4, ..unit(1) }]).await;
    assert_eq!(names(&bed.lease(9).await), [("unit-0".to_owned(), 3), ("unit-1".to_owned(), 5)]);
}

/// Many workers at once: each unit is leased to one of them and ends in one outcome.
pub async fn many_workers_share_the_work<G: Ground>(ground: G) {
    const N_UNITS: usize = 300;
    let engine = Arc::new(ground.open().await);
    engine.enqueue(&units(N_UNITS)).await.expect("units can be added");
    let workers: Vec<_> = (0..8).map(|i| tokio::spawn(work(Arc::clone(&engine), 1 + i % 4))).collect();
    let mut played = Vec::new();
    for worker in workers {
        played.extend(worker.await.expect("no worker breaks"));
    }
    played.sort();
    let mut wanted: Vec<_> = units(N_UNITS).into_iter().map(|unit| (unit.id, 1)).collect();
    wanted.sort();
    assert_eq!(played, wanted);
    assert_eq!(TestedEngine(Arc::into_inner(engine).expect("all workers are done")).outcomes(0).await.len(), N_UNITS);
}

async fn work<E: Engine>(engine: Arc<E>, batch: usize) -> Vec<(String, u32)> {
    let mut played = Vec::new();
    loop {
        let leases = engine.lease(&order(batch)).await.expect("units can be leased");
        if leases.is_empty() {
            return played;
        }
        played.extend(names(&leases));
        let results: Vec<_> = leases.into_iter().map(|lease| (lease, outcome("somewhere"))).collect();
        let committed = engine.commit(&results).await.expect("outcomes can be handed in");
        assert!(committed.iter().all(|committed| *committed == Committed::Won));
        tokio::task::yield_now().await;
    }
}
