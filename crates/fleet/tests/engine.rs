//! What the engine on NATS promises beyond the suite that all engines pass: parcels, tickets, and the steward's view.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use async_nats::Client;
use futures_util::StreamExt;
use quintain_core::{Boundary, Ending};
use quintain_fleet::ask::{MessageSource, StewardAnswer, StewardRequest};
use quintain_fleet::hosts::HeldUnit;
use quintain_fleet::jetstream::{EngineOptions, NatsEngine, ProcessRole};
use quintain_fleet::{FleetLink, FleetNames, Host, Hosts};
use quintain_runner::engine::conformance::outcome;
use quintain_runner::engine::steered::{Parcel, Priority, RunTerms, SteeredEngine};
use quintain_runner::engine::{AttemptEnd, Committed, Engine, Hold, Lease, LeaseOrder, Release, Unit};
use quintain_testkit::PATIENCE;
use quintain_testkit::servers::Nats;

/// Short enough to wait for its end, long enough for a busy machine to beat within it.
const LEASE_FOR: Duration = Duration::from_secs(3);
const RUN: &str = "run";

struct Fleet {
    names: FleetNames,
}

impl Fleet {
    fn new() -> Self {
        static N_FLEETS: AtomicU32 = AtomicU32::new(0);
        Self { names: FleetNames::of(format!("fleet{}", N_FLEETS.fetch_add(1, Ordering::Relaxed))) }
    }

    async fn client(&self) -> Client {
        static SERVER: OnceLock<Nats> = OnceLock::new();
        let urls = SERVER.get_or_init(|| Nats::start(1)).urls();
        FleetLink::to(urls, "tests").connect().await.expect("the server is there")
    }

    async fn open_as(&self, role: ProcessRole) -> NatsEngine {
        let options = EngineOptions { lease_for: LEASE_FOR, replicas: 1, role };
        NatsEngine::open(self.client().await, self.names.clone(), options).await.expect("the engine opens")
    }

    async fn open(&self) -> NatsEngine {
        self.open_as(ProcessRole::Steward).await
    }

    /// An engine with a run of so many units that travel in parcels of such a size.
    async fn with_run(&self, n_units: usize, chunk: u32) -> NatsEngine {
        let engine = self.open().await;
        engine.set_terms(RUN, &RunTerms { priority: Priority::Normal, chunk }).await.expect("terms can be set");
        assert_eq!(engine.enqueue(&units(n_units)).await.expect("units can be added"), n_units as u64);
        engine
    }
}

fn units(n: usize) -> Vec<Unit> {
    let unit = |i| Unit { run: RUN.to_owned(), id: format!("u{i}"), class: "puzzles".to_owned(), n_before: 0 };
    (0..n).map(unit).collect()
}

async fn lease(engine: &NatsEngine, max: usize) -> Vec<Lease> {
    let order = LeaseOrder { classes: vec!["puzzles".to_owned()], max, wait: Duration::ZERO };
    engine.lease(&order).await.expect("units can be leased")
}

/// Leases as soon as there is something.
async fn lease_soon(engine: &NatsEngine, max: usize) -> Vec<Lease> {
    let order = LeaseOrder { classes: vec!["puzzles".to_owned()], max, wait: LEASE_FOR * 4 };
    engine.lease(&order).await.expect("units can be leased")
}

async fn commit(engine: &NatsEngine, leases: &[Lease]) -> Vec<Committed> {
    let results: Vec<_> = leases.iter().map(|lease| (lease.clone(), outcome(&lease.unit))).collect();
    engine.commit(&results).await.expect("outcomes can be handed in")
}

fn put_down(delay: Duration) -> Release {
    Release { delay, end: AttemptEnd::PutDown, place: None }
}

/// `unit attempt` and, where there are any, how many attempts were lost.
fn told(leases: &[Lease]) -> String {
    let told = leases.iter().map(|lease| match lease.n_lost {
        0 => format!("{} {}", lease.unit, lease.attempt),
        n_lost => format!("{} {} after {n_lost} lost", lease.unit, lease.attempt),
    });
    told.collect::<Vec<_>>().join(", ")
}

/// Waits until just this is on offer: what is settled is taken off a moment later.
async fn on_offer_soon(engine: &NatsEngine, wanted: &str) {
    let started = Instant::now();
    loop {
        let offers = engine.on_offer(RUN).await.expect("offers can be listed");
        let told = offers.iter().map(|range| format!("{range:?}")).collect::<Vec<_>>().join(", ");
        if told == wanted {
            return;
        }
        assert!(started.elapsed() < PATIENCE, "on offer is {told}, and not {wanted}");
    }
}

async fn attempts(engine: &NatsEngine) -> String {
    let attempts = engine.attempts(RUN).await.expect("attempts can be read");
    let told = attempts.iter().map(|attempt| format!("{} {} {:?}", attempt.unit, attempt.attempt, attempt.end));
    told.collect::<Vec<_>>().join(", ")
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_parcel_whose_holder_dies_only_the_rest_comes_again() {
    let fleet = Fleet::new();
    let doomed = fleet.with_run(6, 4).await;
    let leases = lease(&doomed, 6).await;
    assert_eq!(told(&leases), "u0 1, u1 1, u2 1, u3 1, u4 1, u5 1");
    commit(&doomed, &leases[..3]).await;
    commit(&doomed, &leases[4..]).await;
    // That the second parcel is done goes to the server without waiting: whoever dies first takes it along.
    on_offer_soon(&doomed, "0..4").await;
    drop(doomed);
    let engine = fleet.open().await;
    let rest = lease_soon(&engine, 9).await;
    assert_eq!(told(&rest), "u3 2 after 1 lost");
    commit(&engine, &rest).await;
    on_offer_soon(&engine, "").await;
    assert_eq!(engine.outcomes(RUN, 0, 99).await.expect("outcomes can be read").len(), 6);
    assert!(attempts(&engine).await.contains("u3 1 Lost, u3 2 Won"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_came_beyond_the_order_is_handed_out_next_or_put_back() {
    let fleet = Fleet::new();
    let first = fleet.with_run(5, 5).await;
    let one = lease(&first, 1).await;
    let two = lease(&first, 2).await;
    assert_eq!((told(&one), told(&two)), ("u0 1".to_owned(), "u1 1, u2 1".to_owned()));
    let other = fleet.open().await;
    assert_eq!(told(&lease(&other, 9).await), "");
    first.put_back_unopened().await.expect("units can be put back");
    commit(&first, &one).await;
    commit(&first, &two).await;
    let rest = lease_soon(&other, 9).await;
    assert_eq!(told(&rest), "u3 2, u4 2");
}

#[tokio::test(flavor = "multi_thread")]
async fn beats_keep_what_was_not_handed_out_yet() {
    let fleet = Fleet::new();
    let engine = fleet.with_run(2, 2).await;
    lease(&engine, 1).await;
    for _ in 0..4 {
        tokio::time::sleep(LEASE_FOR / 2).await;
        assert_eq!(engine.beat(&[]).await.expect("leases can be kept"), []);
    }
    let kept = lease(&engine, 1).await;
    assert_eq!(told(&kept), "u1 1");
    assert_eq!(engine.beat(&kept).await.expect("leases can be kept"), [Hold::Still]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_unit_put_back_from_a_parcel_comes_again_when_the_others_are_done() {
    let fleet = Fleet::new();
    let engine = fleet.with_run(3, 3).await;
    let leases = lease(&engine, 3).await;
    let held = engine.release(&leases[1], &put_down(LEASE_FOR / 3)).await.expect("a unit can be put back");
    assert_eq!(held, Hold::Still);
    assert_eq!(engine.beat(&leases).await.expect("leases can be kept"), [Hold::Still, Hold::Lost, Hold::Still]);
    commit(&engine, &leases[..1]).await;
    commit(&engine, &leases[2..]).await;
    let again = lease_soon(&engine, 9).await;
    assert_eq!(told(&again), "u1 2");
    commit(&engine, &again).await;
    assert_eq!(attempts(&engine).await, "u0 1 Won, u1 1 PutDown, u1 2 Won, u2 1 Won");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_outcome_that_is_ours_has_won() {
    let fleet = Fleet::new();
    let engine = fleet.with_run(1, 1).await;
    let leases = lease(&engine, 1).await;
    assert_eq!(commit(&engine, &leases).await, [Committed::Won]);
    // The same lease in another process: the server refuses, and what is there turns out to be ours.
    assert_eq!(commit(&fleet.open().await, &leases).await, [Committed::Won]);
    assert_eq!(attempts(&engine).await, "u0 1 Won");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_attempts_of_the_same_number_are_both_kept() {
    let fleet = Fleet::new();
    let engine = fleet.with_run(1, 1).await;
    let leases = lease(&engine, 1).await;
    let twin = Lease { handle: rename_nonce(&leases[0].handle), ..leases[0].clone() };
    assert_eq!(commit(&engine, &leases).await, [Committed::Won]);
    for _ in 0..2 {
        let late = engine.commit(&[(twin.clone(), outcome("elsewhere"))]).await.expect("it can be handed in");
        assert!(matches!(&late[..], [Committed::Already(_)]), "{late:?}");
    }
    assert_eq!(attempts(&engine).await, "u0 1 Won, u0 2 Late");
}

/// The handle of a lease that the server gave out twice with the same number.
fn rename_nonce(handle: &str) -> String {
    let mut parts: Vec<&str> = handle.split(' ').collect();
    parts[2] = "another";
    parts.join(" ")
}

#[tokio::test(flavor = "multi_thread")]
async fn offering_again_what_is_on_offer_changes_nothing() {
    let fleet = Fleet::new();
    let engine = fleet.with_run(4, 2).await;
    assert_eq!(engine.on_offer(RUN).await.expect("offers can be listed"), [0..2, 2..4]);
    let units = engine.registered(RUN, 0, 9).await.expect("the plan can be read");
    let parcel = |range: std::ops::Range<usize>| Parcel { run: RUN.to_owned(), units: units[range].to_vec() };
    assert_eq!(engine.offer(&[parcel(0..2), parcel(2..4)]).await.expect("parcels can be offered"), 0);
    let leases = lease(&engine, 2).await;
    assert_eq!(engine.offer(&[parcel(0..2)]).await.expect("parcels can be offered"), 0, "it is leased");
    commit(&engine, &leases).await;
    on_offer_soon(&engine, "2..4").await;
    assert_eq!(engine.offer(&[parcel(2..4)]).await.expect("parcels can be offered"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn outcomes_without_the_ticket_are_ignored() {
    let fleet = Fleet::new();
    let engine = fleet.with_run(2, 1).await;
    let forged = serde_json::json!({
        "unit": "u0", "attempt": 1, "nonce": "mine", "outcome": serde_json::to_value(outcome("forged")).expect("json"),
    });
    let client = fleet.client().await;
    let ticket = "0123456789abcdef";
    let subject = fleet.names.outcome(RUN, 0, ticket);
    client.request(subject, forged.to_string().into()).await.expect("the server takes it");
    let history =
        serde_json::json!({"unit": "u0", "attempts": [{"attempt": 7, "end": {"end": "lost"}, "place": null}]});
    let subject = fleet.names.attempts(RUN, 0, ticket);
    client.request(subject, history.to_string().into()).await.expect("the server takes it");
    assert_eq!(engine.outcomes(RUN, 0, 9).await.expect("outcomes can be read"), []);
    assert_eq!(engine.settled(0, 9).await.expect("outcomes can be read"), []);
    assert_eq!(engine.progress(RUN).await.expect("progress can be read").n_done, 0);
    assert_eq!(engine.n_attempts(RUN).await.expect("attempts can be read").len(), 0);
    let leases = lease(&engine, 2).await;
    assert_eq!(commit(&engine, &leases).await, [Committed::Won, Committed::Won]);
    assert_eq!(engine.progress(RUN).await.expect("progress can be read").n_done, 2);
    let mut claim = engine.claim(&leases[0]);
    assert!(engine.last(&claim, MessageSource::Outcome).await.expect("it is ours").is_some());
    ticket.clone_into(&mut claim.ticket);
    let refused = engine.last(&claim, MessageSource::Outcome).await.expect_err("the ticket is wrong");
    assert!(refused.to_string().contains("was never given to the one who asks"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_steward_sees_runs_units_offers_holders_and_outcomes() {
    let fleet = Fleet::new();
    let engine = fleet.with_run(3, 1).await;
    engine.set_terms(RUN, &RunTerms { priority: Priority::High, chunk: 2 }).await.expect("terms can be set");
    let runs = engine.runs().await.expect("runs can be listed");
    assert_eq!((runs.len(), runs[0].n_units, runs[0].terms.priority, runs[0].terms.chunk), (1, 3, Priority::High, 2));
    let page = engine.registered(RUN, 1, 1).await.expect("the plan can be read");
    assert_eq!((page.len(), page[0].idx, page[0].id.as_str()), (1, 1, "u1"));
    let leases = lease(&engine, 2).await;
    let hosts = Hosts::open(fleet.client().await, fleet.names.clone()).await;
    let elsewhere = HeldUnit { run: RUN.to_owned(), idx: 2, attempt: 4 };
    let host = Host { name: "far".to_owned(), held: vec![elsewhere], ..Host::default() };
    hosts.put(&host).await.expect("a host can be listed");
    let held = engine.held(RUN).await.expect("holders can be asked");
    assert_eq!(held.into_iter().collect::<Vec<_>>(), [(0, 1), (1, 1), (2, 4)]);
    assert_eq!(engine.progress(RUN).await.expect("progress can be read").n_leased, 3);
    let broken = AttemptEnd::Faulted { ending: Ending::Fault(Boundary::Provider), why: "it hung up".to_owned() };
    let release = Release { delay: Duration::ZERO, end: broken, place: None };
    engine.release(&leases[1], &release).await.expect("a unit can be put back");
    assert_eq!(engine.n_attempts(RUN).await.expect("attempts can be read").into_iter().collect::<Vec<_>>(), [(1, 1)]);
    commit(&engine, &leases[..1]).await;
    let settled = engine.settled(0, 9).await.expect("outcomes can be read");
    assert_eq!((settled.len(), settled[0].run.as_str(), settled[0].idx), (1, RUN, 0));
    assert_eq!(engine.settled(settled[0].recorded.seq + 1, 9).await.expect("outcomes can be read"), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_register_the_same_run_do_not_disturb_each_other() {
    let fleet = Fleet::new();
    let engines = [fleet.open().await, fleet.open().await];
    let all = units(9_000);
    let added = tokio::join!(engines[0].enqueue(&all), engines[1].enqueue(&all));
    let added = added.0.expect("units can be added") + added.1.expect("units can be added");
    assert_eq!(added, 9_000);
    for engine in engines {
        let registered = engine.registered(RUN, 0, 10_000).await.expect("the plan can be read");
        assert!(registered.iter().zip(&all).all(|(registered, unit)| registered.id == unit.id));
        assert_eq!(registered.len(), 9_000);
        let page = engine.registered(RUN, 4_090, 10).await.expect("the plan can be read");
        assert_eq!(page.iter().map(|unit| unit.idx).collect::<Vec<_>>(), (4_090..4_100).collect::<Vec<_>>());
    }
}

/// Answers what workers ask, as a steward does.
fn answer(steward: Arc<NatsEngine>, client: Client, names: &FleetNames) -> tokio::task::JoinHandle<()> {
    let subject = names.ask("*").replace("=2a", "*");
    tokio::spawn(async move {
        let mut asked = client.subscribe(subject).await.expect("one can listen");
        while let Some(message) = asked.next().await {
            let answer = match serde_json::from_slice(&message.payload).expect("a question") {
                StewardRequest::Last { of, kind } => {
                    steward.last(&of, kind).await.map(|message| StewardAnswer::Message { message })
                }
                StewardRequest::Half { of } => {
                    steward.halves(&of).await.map(|messages| StewardAnswer::Messages { messages })
                }
                other => panic!("nobody asks {other:?}"),
            };
            let answer = answer.unwrap_or_else(|error| StewardAnswer::Refused { why: error.to_string() });
            let body = serde_json::to_vec(&answer).expect("json");
            client.publish(message.reply.expect("somebody asks"), body.into()).await.expect("one can answer");
        }
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_asks_the_steward_for_what_it_may_not_read() {
    let fleet = Fleet::new();
    let steward = Arc::new(fleet.with_run(1, 1).await);
    let worker = |name: &str| fleet.open_as(ProcessRole::Worker { name: name.to_owned() });
    let (slow, fast) = (worker("slow").await, worker("fast").await);
    let first = lease(&slow, 1).await;
    slow.keep(&first[0], b"line 1\n".to_vec()).await.expect("lines can be kept");
    slow.keep(&first[0], b"line 2\n".to_vec()).await.expect("lines can be kept");
    // Without a steward a unit that was given out before is kept, until somebody can tell what became of it.
    let order = LeaseOrder { classes: vec!["puzzles".to_owned()], max: 1, wait: LEASE_FOR * 2 };
    let alone = fast.lease(&order).await.expect_err("nobody answers").to_string();
    assert!(alone.contains("no steward is there"), "{alone}");
    let answering = answer(Arc::clone(&steward), fleet.client().await, &fleet.names);
    let second = loop {
        match fast.lease(&order).await {
            Ok(leases) if !leases.is_empty() => break leases,
            _ => assert!(!answering.is_finished()),
        }
    };
    assert_eq!(told(&second), "u0 2 after 1 lost");
    let half = fast.half(&second[0]).await.expect("lines can be read");
    assert_eq!(half, [b"line 1\n", b"line 2\n"]);
    assert_eq!(commit(&fast, &second).await, [Committed::Won]);
    let late = slow.commit(&[(first[0].clone(), outcome("late"))]).await.expect("outcomes can be handed in");
    assert!(matches!(&late[..], [Committed::Already(counts)] if counts.attempt == 2), "{late:?}");
    assert_eq!(attempts(&steward).await, "u0 1 Late, u0 2 Won");
    answering.abort();
}
