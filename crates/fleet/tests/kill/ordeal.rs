//! A run on a fleet, and what is done to it.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use quintain_core::limits::Budget;
use quintain_core::variables;
use quintain_fleet::jetstream::{NatsEngine, ProcessRole};
use quintain_fleet::limits::Rules;
use quintain_fleet::steward;
use quintain_runner::engine::steered::{RunTerms, SteeredEngine};
use quintain_runner::engine::{Engine, RunProgress, Unit};
use quintain_runner::{Grid, plan};
use quintain_store::archive::Archive;
use quintain_store::{PlannedTrial, RunHeader, Selection};
use quintain_testkit::servers::{Nats, NatsOptions, Network};
use quintain_testkit::{PATIENCE, wait_for};
use tokio::runtime::Runtime;

use crate::actors::{self, Actor, Part};
use crate::found::Found;

pub(crate) const RUN: &str = "ordeal";

/// On what a run is played.
#[derive(Default)]
pub(crate) struct Setup {
    /// How many NATS nodes; one if nothing is said.
    pub(crate) n_nodes: usize,
    /// On which address they listen; loopback if nothing is said.
    pub(crate) host: String,
    /// The environment of an S3 server, instead of a directory.
    pub(crate) s3: Option<Vec<(&'static str, String)>>,
    /// Whether agents ask for a share before every turn.
    pub(crate) rationed: bool,
}

/// A run on a fleet.
pub(crate) struct Ordeal {
    pub(crate) folder: tempfile::TempDir,
    nats: Nats,
    part: Part,
    environment: Vec<(&'static str, String)>,
    pub(crate) plan: Vec<PlannedTrial>,
    runtime: Runtime,
    engine: NatsEngine,
    client: async_nats::Client,
    archive: Archive,
    began: Instant,
}

impl Ordeal {
    pub(crate) fn new(setup: Setup) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let n_nodes = setup.n_nodes.max(1);
        let host = if setup.host.is_empty() { "127.0.0.1".to_owned() } else { setup.host };
        let nats = Nats::with(&NatsOptions { n_nodes, host, ..NatsOptions::default() });
        let environment = setup.s3.unwrap_or_default();
        let store = if environment.is_empty() {
            let archive = folder.path().join("archive");
            std::fs::create_dir(&archive).unwrap();
            archive.display().to_string()
        } else {
            "s3://quintain/ordeal".to_owned()
        };
        let part = Part {
            is_steward: true,
            name: "submitter".to_owned(),
            servers: nats.urls(),
            fleet: "ordeal".to_owned(),
            replicas: n_nodes,
            store,
            folder: folder.path().to_owned(),
            rationed: setup.rationed,
        };
        let runtime = actors::runtime();
        let (client, engine) = runtime.block_on(part.connect(ProcessRole::Steward));
        let archive = Archive::open_with(&part.store, environment.clone()).unwrap();
        let plan = planned(&folder.path().join("planning"));
        let ordeal =
            Self { folder, nats, part, environment, plan, runtime, engine, client, archive, began: Instant::now() };
        ordeal.hand_in();
        ordeal
    }

    fn hand_in(&self) {
        let header = RunHeader::new(RUN, "2026-01-01T00:00:00Z");
        let unit = |planned: &PlannedTrial| Unit {
            run: RUN.to_owned(),
            id: planned.trial.to_string(),
            class: "counter".to_owned(),
            n_before: 0,
        };
        let units: Vec<Unit> = self.plan.iter().map(unit).collect();
        self.runtime.block_on(async {
            self.archive.create_run(&header, &self.plan, &actors::tasks()).await.unwrap();
            self.engine.set_terms(RUN, &RunTerms { chunk: 8, ..RunTerms::default() }).await.unwrap();
            self.engine.enqueue(&units).await.unwrap();
            if self.part.rationed {
                let rules = Rules::open(self.client.clone(), self.part.names()).await.unwrap();
                let budget = Budget { steps: Some(10 * self.plan.len() as u64), ..Budget::default() };
                rules.set_budget(RUN, &budget).await.unwrap();
            }
        });
    }

    pub(crate) fn start_steward(&self, name: &str) -> Actor {
        self.start(name, true, None)
    }

    pub(crate) fn start_worker(&self, name: &str) -> Actor {
        self.start(name, false, None)
    }

    /// Starts a worker at the other end of the first cable.
    pub(crate) fn start_worker_in(&self, network: &Network, name: &str) -> Actor {
        self.start(name, false, Some(network))
    }

    fn start(&self, name: &str, is_steward: bool, network: Option<&Network>) -> Actor {
        let part = Part { is_steward, name: name.to_owned(), ..self.part.clone() };
        let program = std::env::current_exe().unwrap();
        let command = network.map_or_else(|| Command::new(&program), |network| network.command(0, &program));
        Actor::start(command, &part, &self.environment)
    }

    /// Waits until such a part of the run is done.
    pub(crate) fn wait_until_done(&self, part: u64, of: u64) {
        let wanted = self.plan.len() as u64 * part / of;
        self.wait(&format!("{wanted} outcomes"), |progress| progress.n_done >= wanted);
    }

    /// Waits until everything is done, and until whoever still plays has heard of it.
    pub(crate) fn wait_until_over(&self) {
        let all = self.plan.len() as u64;
        self.wait("all outcomes", |progress| progress.n_done >= all);
        wait_for("the last ones who play", || {
            let on_offer = self.runtime.block_on(self.engine.on_offer(RUN));
            let held = self.runtime.block_on(self.engine.held(RUN));
            on_offer.is_ok_and(|on_offer| on_offer.is_empty()) && held.is_ok_and(|held| held.is_empty())
        });
        // Hosts tell what they hold from time to time: one may have begun an attempt and not have said so yet.
        wait_for("word of every attempt that was begun", || self.found().unknown().is_empty());
    }

    /// Waits as long as the run gets anywhere. A run that stands still for longer than anybody waits never ends.
    fn wait(&self, what: &str, enough: impl Fn(&RunProgress) -> bool) {
        let (mut last, mut moved) = (0, Instant::now());
        loop {
            let progress = self.runtime.block_on(self.engine.progress(RUN)).unwrap_or_default();
            if enough(&progress) {
                return;
            }
            if progress.n_done > last {
                (last, moved) = (progress.n_done, Instant::now());
            }
            assert!(moved.elapsed() < PATIENCE, "waiting for {what}, nothing moves at {progress:?}; {}", self.logs());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The last lines that the actors wrote.
    fn logs(&self) -> String {
        let entries = std::fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let logs = entries.filter(|path| path.extension().is_some_and(|ending| ending == "log"));
        let last = |path: PathBuf| {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            format!("\n{}: {:#?}", path.display(), text.lines().rev().take(5).collect::<Vec<_>>())
        };
        logs.map(last).collect::<Vec<_>>().concat()
    }

    /// Waits until the archive has all outcomes.
    pub(crate) fn wait_until_compacted(&self) {
        wait_for("all outcomes in the archive", || self.n_archived() >= self.plan.len());
    }

    fn n_archived(&self) -> usize {
        let rows = self.runtime.block_on(async { self.archive.run(RUN).ok()?.outcomes().await.ok() });
        rows.map_or(0, |rows| rows.len())
    }

    /// Waits until a worker has begun trials.
    pub(crate) fn wait_until_played_by(&self, worker: &str) {
        let file: PathBuf = self.folder.path().join(format!("{worker}.played"));
        wait_for("a trial of the worker", || std::fs::metadata(&file).is_ok_and(|file| file.len() > 0));
    }

    pub(crate) fn leading_steward(&self) -> String {
        let mut found = None;
        wait_for("a leading steward", || {
            let leader = self.runtime.block_on(steward::leader(&self.client, &self.part.names()));
            found = leader.ok().flatten();
            found.is_some()
        });
        found.unwrap()
    }

    pub(crate) fn kill_leader_for(&mut self, stream: &str, how_long: Duration) {
        let stream = self.part.names().stream(stream);
        let mut leader = None;
        wait_for("a leader", || {
            leader = self.nats.leader_of(&stream);
            leader.is_some()
        });
        let leader = leader.unwrap();
        self.nats.kill(leader);
        let_pass(how_long);
        self.nats.restart(leader);
    }

    pub(crate) fn kill_all_nodes_for(&mut self, how_long: Duration) {
        (0..self.nats.n_nodes()).for_each(|i| self.nats.kill(i));
        let_pass(how_long);
        (0..self.nats.n_nodes()).for_each(|i| self.nats.launch(i));
        (0..self.nats.n_nodes()).for_each(|i| self.nats.wait_until_ready(i));
    }

    fn found(&self) -> Found {
        self.runtime.block_on(Found::of(&self.engine, &self.archive, self.folder.path()))
    }

    pub(crate) fn nothing_is_lost_or_counted_twice(&self, what: &str) {
        let found = self.found();
        found.check(&self.plan);
        println!("{what}: {} in {:.0} s", found.summary(), self.began.elapsed().as_secs_f64());
    }
}

/// Lets time pass in which something is down.
pub(crate) fn let_pass(how_long: Duration) {
    std::thread::sleep(how_long);
}

pub(crate) fn is_full() -> bool {
    std::env::var_os(variables::FULL).is_some()
}

fn planned(played: &std::path::Path) -> Vec<PlannedTrial> {
    let n_trials = if is_full() { 20_000 } else { 2_000 };
    let selections = [Selection { task: actors::tasks().remove(0), preset: None, seed: None, stretch: None }];
    let seeds: Vec<u64> = (0..n_trials).collect();
    let agents = ["counting".to_owned()];
    let grid = Grid { selections: &selections, seeds: &seeds, agents: &agents, repeats: 1, after: &[] };
    plan(&grid, &actors::cast(played, None)).unwrap()
}
