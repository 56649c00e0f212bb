//! A server that loses everything: what was decided about runs is in the archive, and no run's trouble is another's.
#![expect(clippy::unwrap_used, reason = "a test that panics fails, which is what it should do")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Client;
use quintain_core::check::Finding;
use quintain_core::ending::Exhausted;
use quintain_core::limits::Budget;
use quintain_core::{Digest, TrialId};
use quintain_fleet::jetstream::{EngineOptions, NatsEngine, is_cut};
use quintain_fleet::limits::{Keeper, KeeperOptions, Rule, Rules, Shares, rule};
use quintain_fleet::steward::{Grants, RunTroubles, Steward, StewardOptions};
use quintain_fleet::{FleetLink, FleetNames};
use quintain_runner::engine::conformance;
use quintain_runner::engine::steered::{RunTerms, SteeredEngine};
use quintain_runner::engine::{Committed, Engine, Lease, LeaseOrder, Outcome, RunDirection, Unit};
use quintain_store::archive::{Archive, PackWriter, ShippedAttempt};
use quintain_store::{PlannedTrial, RunHeader};
use quintain_testkit::servers::Nats;
use quintain_testkit::{PATIENCE, counter_task, wait_until};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Steps that a run may take, and those that it took.
const STEPS: u64 = 100;
const TAKEN: u64 = 10;

/// A server, an archive, and a steward that leads until this is dropped.
struct Ground {
    _nats: Nats,
    client: Client,
    names: FleetNames,
    engine: Arc<NatsEngine>,
    archive: Archive,
    keeper: Arc<Keeper>,
    steward: JoinHandle<()>,
    _stop: watch::Sender<bool>,
}

impl Drop for Ground {
    fn drop(&mut self) {
        self.steward.abort();
    }
}

impl Ground {
    async fn on(archive: &Archive) -> Self {
        let nats = Nats::start(1);
        let link = FleetLink::to(nats.urls(), "test");
        let (client, names) = (link.connect().await.unwrap(), link.names());
        let options = EngineOptions { lease_for: PATIENCE, ..EngineOptions::default() };
        let engine = Arc::new(NatsEngine::open(client.clone(), names.clone(), options).await.unwrap());
        let keeper = Keeper::open(client.clone(), names.clone(), KeeperOptions::default()).await.unwrap();
        let keeper = Arc::new(keeper);
        let options = StewardOptions {
            lives: Duration::from_secs(2),
            compact_every: Duration::from_millis(300),
            sweep_every: Duration::from_millis(500),
            ..StewardOptions::default()
        };
        let grants: Arc<dyn Grants> = Arc::clone(&keeper) as _;
        let steward =
            Steward::new(Arc::clone(&engine), client.clone(), names.clone(), archive.clone(), grants, options);
        let steward = steward.await.unwrap();
        let (stop, stopped) = watch::channel(false);
        let steward = tokio::spawn(async move { steward.serve(stopped).await.unwrap() });
        Self { _nats: nats, client, names, engine, archive: archive.clone(), keeper, steward, _stop: stop }
    }

    async fn hand_in(&self, run: &str, n_trials: u32, budget: Budget) {
        let plan: Vec<PlannedTrial> = (0..n_trials).map(planned).collect();
        let header = RunHeader { budget, ..RunHeader::new(run, "now") };
        let archived = self.archive.create_run(&header, &plan, &[counter_task("counter", 1, 2)]).await.unwrap();
        archived.put_terms(&serde_json::to_vec(&RunTerms::default()).unwrap()).await.unwrap();
        self.engine.set_terms(run, &RunTerms::default()).await.unwrap();
        archived.put_key(&self.engine.key_of(run).await.unwrap().unwrap()).await.unwrap();
        let rules = Rules::open(self.client.clone(), self.names.clone()).await.unwrap();
        rules.set_budget(run, &budget).await.unwrap();
        let unit = |idx| Unit { run: run.to_owned(), id: trial(idx).to_string(), class: "counter".into(), n_before: 0 };
        self.engine.enqueue(&(0..n_trials).map(unit).collect::<Vec<_>>()).await.unwrap();
    }

    /// So many leases, of whatever is on offer.
    async fn lease(&self, n: usize) -> Vec<Lease> {
        let (mut leases, began) = (Vec::new(), Instant::now());
        while leases.len() < n {
            assert!(began.elapsed() < PATIENCE, "{} of {n} leases came", leases.len());
            leases.extend(self.some(n - leases.len()).await);
        }
        leases
    }

    async fn some(&self, max: usize) -> Vec<Lease> {
        let order = LeaseOrder { classes: vec!["counter".to_owned()], max, wait: Duration::from_millis(200) };
        self.engine.lease(&order).await.unwrap()
    }

    async fn commit(&self, results: Vec<(Lease, Outcome)>) {
        let committed = self.engine.commit(&results).await.unwrap();
        assert!(committed.iter().all(|committed| *committed == Committed::Won));
    }

    async fn play(&self, n: usize) {
        let leases = self.lease(n).await.into_iter();
        self.commit(leases.map(|lease| (lease.clone(), outcome(&lease))).collect()).await;
    }

    /// Ships the record of an outcome, as a worker does before it hands it in.
    async fn ship(&self, lease: &Lease, outcome: &Outcome) {
        let mut pack = PackWriter::new();
        pack.attempt(ShippedAttempt {
            idx: lease.key as u32,
            trial: trial(lease.key as u32),
            attempt: lease.attempt,
            ticket: self.engine.claim(lease).ticket,
            place: outcome.place.clone(),
            outcome: Some(outcome.clone().finished()),
            end: None,
        });
        let (bytes, manifest) = pack.finish();
        let name = format!("lab-s-{:06}", lease.key);
        self.archive.run(&lease.run).unwrap().put_pack(&name, bytes, &manifest).await.unwrap();
    }

    /// Takes steps of a run's budget, as a worker does.
    async fn take_steps(&self, run: &'static str) {
        let shares = Shares::new(self.client.clone(), &self.names, "lab", "lab-1");
        let steps = move || {
            (0..TAKEN).for_each(|_| shares.step(run, PATIENCE).unwrap());
            shares
        };
        let shares = tokio::task::spawn_blocking(steps).await.unwrap();
        shares.close(PATIENCE).await;
    }

    async fn n_done(&self, run: &str) -> u64 {
        self.engine.progress(run).await.unwrap().n_done
    }

    async fn directions(&self) -> Vec<(String, RunDirection)> {
        let mut runs: Vec<_> =
            self.engine.runs().await.unwrap().into_iter().map(|run| (run.run, run.direction)).collect();
        runs.sort_by(|one, other| one.0.cmp(&other.0));
        runs
    }

    async fn n_cut(&self) -> u64 {
        let troubles = RunTroubles::of(&self.client, &self.names).await.unwrap();
        troubles.n_cut.get("oversized").copied().unwrap_or(0)
    }

    /// What the archive says of how a run stands.
    async fn kept(&self, run: &str) -> String {
        let kept = self.archive.run(run).unwrap().standing().await.unwrap();
        kept.map(|kept| String::from_utf8(kept.to_vec()).unwrap()).unwrap_or_default()
    }

    async fn n_archived(&self, run: &str) -> usize {
        self.archive.run(run).unwrap().outcomes().await.unwrap().len()
    }
}

fn trial(idx: u32) -> TrialId {
    format!("test/counter#{idx}~counting~0").parse().unwrap()
}

fn planned(idx: u32) -> PlannedTrial {
    let digest = Digest::of(b"counter");
    PlannedTrial { trial: trial(idx), task: digest, world: digest, instance: digest, identity: None }
}

fn outcome(lease: &Lease) -> Outcome {
    conformance::outcome(&format!("lab-s-0000:{}-{}", lease.key, lease.attempt))
}

/// An outcome of two megabytes: no message of the server can hold it.
fn huge(lease: &Lease) -> Outcome {
    let mut huge = outcome(lease);
    huge.verdict.findings = (0..20_000).map(|n| Finding::of("many", false, format!("{n:0100}"))).collect();
    huge
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_decided_about_runs_survives_their_server_and_no_run_keeps_another_from_being_played() {
    use RunDirection::{Cancel, Go, Pause};
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(folder.path().to_str().unwrap()).unwrap();
    let ground = Ground::on(&archive).await;

    ground.hand_in("oversized", 2, Budget::default()).await;
    let [first, second] = <[Lease; 2]>::try_from(ground.lease(2).await).unwrap();
    ground.commit(vec![(first.clone(), huge(&first))]).await;
    ground.ship(&second, &huge(&second)).await;
    let told = ground.engine.outcomes("oversized", 0, 1).await.unwrap().remove(0).outcome;
    assert!(is_cut(&told) && told.verdict.findings.len() > 100, "as much as there is room for is told");
    wait_until("the first is told", async || ground.n_cut().await > 0).await;

    ground.hand_in("cancelled", 8, Budget::default()).await;
    ground.play(3).await;
    ground.engine.put_back_unopened().await.unwrap();
    ground.engine.direct("cancelled", RunDirection::Cancel).await.unwrap();
    ground.hand_in("paused", 8, Budget::default()).await;
    ground.play(3).await;
    ground.engine.put_back_unopened().await.unwrap();
    ground.engine.direct("paused", RunDirection::Pause).await.unwrap();
    ground.hand_in("budgeted", 4, Budget { steps: Some(STEPS), ..Budget::default() }).await;
    ground.play(4).await;
    ground.take_steps("budgeted").await;
    ground.hand_in("fifth", 300, Budget::default()).await;
    ground.play(20).await;

    wait_until("the archive knows how they stand", async || {
        ground.kept("cancelled").await.contains("cancel")
            && ground.kept("paused").await.contains("pause")
            && ground.kept("budgeted").await.contains(&format!("settled\\\":{TAKEN}.0"))
    })
    .await;
    for (run, n) in [("cancelled", 3), ("paused", 3), ("budgeted", 4), ("fifth", 20)] {
        wait_until("outcomes are in the archive", async || ground.n_archived(run).await == n).await;
    }
    drop(ground);

    let ground = Ground::on(&archive).await;
    let began = Instant::now();
    while ground.n_done("fifth").await < 300 {
        assert!(began.elapsed() < PATIENCE, "{} were played", ground.n_done("fifth").await);
        let leases = ground.some(50).await;
        assert!(leases.iter().all(|lease| lease.run == "fifth"), "{leases:?}");
        ground.commit(leases.into_iter().map(|lease| (lease.clone(), outcome(&lease))).collect()).await;
    }
    wait_until("all runs are back", async || ground.directions().await.len() == 5).await;
    let expected = [("budgeted", Go), ("cancelled", Cancel), ("fifth", Go), ("oversized", Go), ("paused", Pause)];
    assert_eq!(ground.directions().await, expected.map(|(run, direction)| (run.to_owned(), direction)));
    for (run, n) in [("cancelled", 3), ("paused", 3), ("budgeted", 4), ("oversized", 2)] {
        wait_until(&format!("what came of `{run}` is back"), async || ground.n_done(run).await == n).await;
    }
    wait_until("both are told", async || ground.n_cut().await == 2).await;
    let steps = rule::budget("budgeted", Exhausted::Steps);
    wait_until("the budget is known", async || ground.keeper.standing(&steps).is_some()).await;
    let standing = ground.keeper.standing(&steps).unwrap();
    assert_eq!((standing.rule, standing.used), (Rule::Budget { amount: STEPS as f64 }, Some(TAKEN as f64)));
    assert!(ground.kept("cancelled").await.contains("cancel") && ground.kept("paused").await.contains("pause"));
}
