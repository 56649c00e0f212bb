//! Stewards on a real server: nothing is lost and nothing counts twice, whoever dies.
#![expect(clippy::unwrap_used, reason = "a test that panics fails, which is what it should do")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Client;
use quintain_core::{Digest, TrialId};
use quintain_fleet::ask::{ArchivePiece, MessageSource, ShareRequest, StewardAnswer, StewardRequest, UnitClaim};
use quintain_fleet::jetstream::{EngineOptions, NatsEngine};
use quintain_fleet::limits::{Keeper, KeeperOptions};
use quintain_fleet::steward::{Steward, StewardOptions, leader};
use quintain_fleet::{FleetLink, FleetNames};
use quintain_runner::engine::conformance;
use quintain_runner::engine::steered::{Priority, RunTerms, SteeredEngine};
use quintain_runner::engine::{AttemptEnd, Committed, Engine, Lease, LeaseOrder, Outcome, Release, RunDirection, Unit};
use quintain_store::archive::{Address, Archive, PackWriter, ShippedAttempt};
use quintain_store::{PlannedTrial, RunHeader};
use quintain_testkit::servers::{Nats, Weed};
use quintain_testkit::{PATIENCE, counter_task, wait_until};
use tokio::sync::watch;
use tokio::task::JoinHandle;

const RUN: &str = "tuesday";

/// A fleet without stewards and workers.
struct Ground {
    client: Client,
    names: FleetNames,
    engine: Arc<NatsEngine>,
    archive: Archive,
}

/// A steward that runs, until it is dropped: then it is as dead as a process that was killed.
struct Running {
    task: JoinHandle<()>,
    _stop: watch::Sender<bool>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Ground {
    async fn on(nats: &Nats, archive: &Archive) -> Self {
        let link = FleetLink::to(nats.urls(), "test");
        let client = link.connect().await.unwrap();
        let options = EngineOptions { lease_for: Duration::from_secs(5), ..EngineOptions::default() };
        let engine = Arc::new(NatsEngine::open(client.clone(), link.names(), options).await.unwrap());
        Self { client, names: link.names(), engine, archive: archive.clone() }
    }

    async fn steward(&self, name: &str) -> Running {
        let options = StewardOptions {
            name: name.to_owned(),
            lives: Duration::from_secs(2),
            compact_every: Duration::from_millis(500),
            sweep_every: Duration::from_millis(700),
            ..StewardOptions::default()
        };
        let keeper = Keeper::open(self.client.clone(), self.names.clone(), KeeperOptions::default()).await.unwrap();
        let (client, names) = (self.client.clone(), self.names.clone());
        let steward =
            Steward::new(Arc::clone(&self.engine), client, names, self.archive.clone(), Arc::new(keeper), options);
        let steward = steward.await.unwrap();
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(async move { steward.serve(stopped).await.unwrap() });
        Running { task, _stop: stop }
    }

    /// Puts a run into the archive and hands it in.
    async fn hand_in(&self, n_trials: u32, terms: RunTerms) {
        let plan: Vec<PlannedTrial> = (0..n_trials).map(planned).collect();
        let (header, tasks) = (RunHeader::new(RUN, "now"), [counter_task("counter", 1, 2)]);
        let run = self.archive.create_run(&header, &plan, &tasks).await.unwrap();
        run.put_terms(&serde_json::to_vec(&terms).unwrap()).await.unwrap();
        self.engine.set_terms(RUN, &terms).await.unwrap();
        run.put_key(&self.engine.key_of(RUN).await.unwrap().unwrap()).await.unwrap();
        let units: Vec<Unit> = (0..n_trials).map(unit).collect();
        self.engine.enqueue(&units).await.unwrap();
    }

    async fn lease(&self, max: usize) -> Vec<Lease> {
        let order = LeaseOrder { classes: vec!["counter".to_owned()], max, wait: Duration::from_millis(300) };
        self.engine.lease(&order).await.unwrap()
    }

    async fn commit(&self, leases: &[Lease]) -> usize {
        let results: Vec<_> = leases.iter().map(|lease| (lease.clone(), outcome(lease))).collect();
        let committed = self.engine.commit(&results).await.unwrap();
        committed.iter().filter(|committed| **committed == Committed::Won).count()
    }

    /// Plays until so many units were won.
    async fn play(&self, n_units: usize) {
        let (mut n_won, began) = (0, Instant::now());
        while n_won < n_units {
            let leases = self.lease(20.min(n_units - n_won)).await;
            n_won += self.commit(&leases).await;
            assert!(began.elapsed() < PATIENCE, "{n_won} of {n_units} were played");
        }
        self.engine.put_back_unopened().await.unwrap();
    }

    /// Ships a record of a unit, as a worker does before it hands the outcome in.
    async fn ship(&self, lease: &Lease) {
        let outcome = outcome(lease);
        let mut pack = PackWriter::new();
        pack.attempt(ShippedAttempt {
            idx: lease.key as u32,
            trial: trial(lease.key as u32),
            attempt: lease.attempt,
            ticket: self.engine.claim(lease).ticket,
            place: outcome.place.clone(),
            outcome: Some(outcome.finished()),
            end: None,
        });
        let (bytes, manifest) = pack.finish();
        let name = format!("lab-s-{:06}", lease.key);
        self.archive.run(RUN).unwrap().put_pack(&name, bytes, &manifest).await.unwrap();
    }

    /// The units in the archive's segments, and how many rows there are.
    async fn archived(&self) -> (usize, usize) {
        let run = self.archive.run(RUN).unwrap();
        let (mut units, mut n_rows) = (BTreeSet::new(), 0);
        for segment in run.outcome_segments().await.unwrap() {
            let rows = run.outcome_segment(segment).await.unwrap();
            n_rows += rows.len();
            units.extend(rows.iter().map(|row| row.idx));
        }
        (units.len(), n_rows)
    }

    async fn ask(&self, worker: &str, ask: &StewardRequest) -> StewardAnswer {
        let body = serde_json::to_vec(ask).unwrap();
        let reply = self.client.request(self.names.ask(worker), body.into()).await.unwrap();
        serde_json::from_slice(&reply.payload).unwrap()
    }
}

fn trial(idx: u32) -> TrialId {
    format!("test/counter#{idx}~counting~0").parse().unwrap()
}

fn planned(idx: u32) -> PlannedTrial {
    let digest = Digest::of(b"counter");
    PlannedTrial { trial: trial(idx), task: digest, world: digest, instance: digest, identity: None }
}

fn unit(idx: u32) -> Unit {
    Unit { run: RUN.to_owned(), id: trial(idx).to_string(), class: "counter".to_owned(), n_before: 0 }
}

fn outcome(lease: &Lease) -> Outcome {
    conformance::outcome(&format!("lab-s-0000:{}-{}", lease.key, lease.attempt))
}

fn directory() -> (tempfile::TempDir, Archive) {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(folder.path().to_str().unwrap()).unwrap();
    (folder, archive)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stewards_may_die_and_follow_each_other() {
    let (nats, (_folder, archive)) = (Nats::start(1), directory());
    let ground = Ground::on(&nats, &archive).await;
    let first = ground.steward("first").await;
    wait_until("one leads", async || leader(&ground.client, &ground.names).await.unwrap().is_some()).await;
    let second = ground.steward("second").await;
    ground.hand_in(1_200, RunTerms { chunk: 2, priority: Priority::Normal }).await;
    ground.play(700).await;
    assert_eq!(leader(&ground.client, &ground.names).await.unwrap().as_deref(), Some("first"));
    drop(first);
    ground.play(300).await;
    wait_until("the other leads", async || {
        leader(&ground.client, &ground.names).await.unwrap().as_deref() == Some("second")
    })
    .await;
    drop(second);
    let _third = ground.steward("third").await;
    ground.play(200).await;
    wait_until("all are in the archive", async || ground.archived().await == (1_200, 1_200)).await;
    let progress = ground.engine.progress(RUN).await.unwrap();
    assert_eq!((progress.n_done, progress.n_waiting), (1_200, 0));
    let attempts = ground.engine.attempts(RUN).await.unwrap();
    assert!(attempts.iter().all(|attempt| attempt.end != AttemptEnd::Late), "something was played twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_lost_everything_is_told_again() {
    let (nats, (_folder, archive)) = (Nats::start(1), directory());
    let ground = Ground::on(&nats, &archive).await;
    let steward = ground.steward("first").await;
    ground.hand_in(500, RunTerms { chunk: 4, priority: Priority::High }).await;
    ground.play(100).await;
    wait_until("some are in the archive", async || ground.archived().await.0 == 100).await;
    drop(steward);
    let leases = ground.lease(10).await;
    for lease in &leases {
        ground.ship(lease).await;
    }
    let forged = Lease { key: 499, handle: leases[0].handle.clone(), ..leases[0].clone() };
    ground.ship(&forged).await;
    drop(nats);

    let nats = Nats::start(1);
    let ground = Ground::on(&nats, &archive).await;
    let _steward = ground.steward("second").await;
    wait_until("the run is back", async || {
        let runs = ground.engine.runs().await.unwrap();
        runs.first().is_some_and(|run| run.n_units == 500)
    })
    .await;
    let terms = ground.engine.runs().await.unwrap()[0].terms;
    assert_eq!(terms, RunTerms { chunk: 4, priority: Priority::High });
    let n_back = 100 + leases.len();
    assert_eq!(ground.engine.progress(RUN).await.unwrap().n_done, n_back as u64, "outcomes come before units");
    ground.play(500 - n_back).await;
    wait_until("all are in the archive", async || ground.archived().await == (500, 500)).await;
    let attempts = ground.engine.attempts(RUN).await.unwrap();
    assert!(attempts.iter().all(|attempt| attempt.end == AttemptEnd::Won), "something was played twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_spoiled_in_the_archive_keeps_nobody_from_leading() {
    let (nats, (folder, archive)) = (Nats::start(1), directory());
    let ground = Ground::on(&nats, &archive).await;
    let steward = ground.steward("first").await;
    ground.hand_in(600, RunTerms { chunk: 1, ..RunTerms::default() }).await;
    ground.play(20).await;
    wait_until("some are in the archive", async || ground.archived().await.0 == 20).await;
    drop(steward);
    let run = folder.path().join("runs").join(RUN);
    for entry in std::fs::read_dir(run.join("outcomes")).unwrap() {
        std::fs::write(entry.unwrap().path(), b"not what was written").unwrap();
    }
    let other = folder.path().join("runs/spoiled");
    std::fs::create_dir_all(&other).unwrap();
    for (name, text) in [("run.json", "{"), ("terms.json", "{"), ("tasks.json", "[")] {
        std::fs::write(other.join(name), text).unwrap();
    }
    let _steward = ground.steward("second").await;
    ground.play(580).await;
    assert_eq!(ground.engine.progress(RUN).await.unwrap().n_done, 600);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_shipped_and_not_handed_in_is_handed_in() {
    let (nats, (_folder, archive)) = (Nats::start(1), directory());
    let ground = Ground::on(&nats, &archive).await;
    let _steward = ground.steward("one").await;
    ground.hand_in(3, RunTerms::default()).await;
    let lease = ground.lease(1).await.remove(0);
    ground.ship(&lease).await;
    wait_until("its outcome is there", async || ground.engine.progress(RUN).await.unwrap().n_done == 1).await;
    let recorded = ground.engine.outcomes(RUN, 0, 10).await.unwrap();
    assert_eq!((recorded[0].unit.as_str(), recorded[0].attempt), (lease.unit.as_str(), 1));
    assert_eq!(recorded[0].outcome, outcome(&lease));
    ground.play(2).await;
    wait_until("all are in the archive", async || ground.archived().await == (3, 3)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_paused_run_goes_on_when_told() {
    let (nats, (_folder, archive)) = (Nats::start(1), directory());
    let ground = Ground::on(&nats, &archive).await;
    let _steward = ground.steward("one").await;
    ground.hand_in(600, RunTerms::default()).await;
    ground.play(50).await;
    ground.engine.direct(RUN, RunDirection::Pause).await.unwrap();
    assert_eq!(ground.lease(10).await.len(), 0);
    ground.engine.direct(RUN, RunDirection::Go).await.unwrap();
    let faulty = ground.lease(1).await;
    let release = Release { delay: Duration::from_millis(100), end: AttemptEnd::PutDown, place: None };
    for lease in &faulty {
        ground.engine.release(lease, &release).await.unwrap();
    }
    ground.play(550).await;
    assert_eq!(ground.engine.progress(RUN).await.unwrap().n_done, 600);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_are_answered_about_what_they_were_given() {
    let (nats, weed) = (Nats::start(1), Weed::start());
    let archive = Archive::open_with(&format!("s3://{}/fleet", weed.bucket), weed.environment()).unwrap();
    let ground = Ground::on(&nats, &archive).await;
    let _steward = ground.steward("one").await;
    wait_until("one leads", async || leader(&ground.client, &ground.names).await.unwrap().is_some()).await;
    ground.hand_in(5, RunTerms::default()).await;
    let lease = ground.lease(1).await.remove(0);
    let of = ground.engine.claim(&lease);
    let forged = UnitClaim { ticket: "0123456789abcdef".to_owned(), ..of.clone() };
    let pieces = [ArchivePiece::Header, ArchivePiece::Tasks, ArchivePiece::Plan { slice: 0 }, ArchivePiece::Reference];

    for piece in pieces {
        let answer = ground.ask("lab", &StewardRequest::Read { of: forged.clone(), piece: piece.clone() }).await;
        assert!(matches!(answer, StewardAnswer::Refused { .. }), "{answer:?}");
        let answer = ground.ask("lab", &StewardRequest::Read { of: of.clone(), piece: piece.clone() }).await;
        let StewardAnswer::Addresses { urls } = answer else { panic!("{piece:?}: {answer:?}") };
        assert!(!Address::new().read(&urls[0]).await.unwrap().is_empty());
    }

    for (worker, pack, of, is_given) in [
        ("lab", "lab-s-000001", &of, true),
        ("lab", "other-s-000001", &of, false),
        ("lab", "lab-7-s-000001", &of, false),
        ("lab", "lab-s-000001", &forged, false),
    ] {
        let answer = ground.ask(worker, &StewardRequest::Write { of: of.clone(), pack: pack.to_owned() }).await;
        let n_urls = if let StewardAnswer::Addresses { urls } = &answer { urls.len() } else { 0 };
        assert_eq!(n_urls, if is_given { 2 } else { 0 }, "{worker} {pack}: {answer:?}");
    }

    let (large, other) = (Digest::of(b"large"), "not-a-hash");
    for (worker, file, of, is_given) in [
        ("lab", format!("lab-s-{large}"), &of, true),
        ("lab", format!("lab-s-{other}"), &of, false),
        ("lab", format!("other-s-{large}"), &of, false),
        ("lab", format!("lab-s-{large}"), &forged, false),
        ("lab", format!("../lab-s-{large}"), &of, false),
    ] {
        let answer = ground.ask(worker, &StewardRequest::WriteFile { of: of.clone(), file: file.clone() }).await;
        assert_eq!(matches!(answer, StewardAnswer::Addresses { .. }), is_given, "{worker} {file}: {answer:?}");
    }
    for piece in [ArchivePiece::Input { digest: large }, ArchivePiece::ReferenceFile { digest: large }] {
        let answer = ground.ask("lab", &StewardRequest::Read { of: forged.clone(), piece: piece.clone() }).await;
        assert!(matches!(answer, StewardAnswer::Refused { .. }), "{answer:?}");
        let answer = ground.ask("lab", &StewardRequest::Read { of: of.clone(), piece }).await;
        assert!(matches!(answer, StewardAnswer::Addresses { .. }), "{answer:?}");
    }

    let last = |of: &UnitClaim| StewardRequest::Last { of: of.clone(), kind: MessageSource::Outcome };
    assert_eq!(ground.ask("lab", &last(&of)).await, StewardAnswer::Message { message: None });
    ground.engine.keep(&lease, b"half a trial".to_vec()).await.unwrap();
    let halves = StewardAnswer::Messages { messages: vec!["half a trial".to_owned()] };
    assert_eq!(ground.ask("lab", &StewardRequest::Half { of: of.clone() }).await, halves);
    assert!(matches!(
        ground.ask("lab", &StewardRequest::Half { of: forged.clone() }).await,
        StewardAnswer::Refused { .. }
    ));
    ground.commit(&[lease]).await;
    assert!(matches!(ground.ask("lab", &last(&of)).await, StewardAnswer::Message { message: Some(_) }));
    assert!(matches!(ground.ask("lab", &last(&forged)).await, StewardAnswer::Refused { .. }));

    let granted = ground.ask("lab", &StewardRequest::Grant(ShareRequest::default())).await;
    assert!(matches!(granted, StewardAnswer::Granted(_)), "{granted:?}");
}
