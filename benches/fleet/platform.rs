//! A whole fleet in this process: somebody who hands in a run, a steward, a worker, an archive in a directory.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use quintain_core::{Task, TrialId};
use quintain_fleet::FleetLink;
use quintain_fleet::hosts::Hosts;
use quintain_fleet::jetstream::{EngineOptions, NatsEngine, ProcessRole};
use quintain_fleet::limits::{Keeper, KeeperOptions};
use quintain_fleet::steward::{Steward, StewardOptions};
use quintain_fleet::worker::{ArchiveAccess, WorkerOptions, work};
use quintain_runner::engine::steered::{RunTerms, SteeredEngine};
use quintain_runner::engine::{Engine, Unit};
use quintain_runner::{Cast, Grid, RunOptions, plan};
use quintain_store::archive::Archive;
use quintain_store::{PlannedTrial, RunHeader, Selection};
use quintain_testkit::{Counter, Counting, TargetJudge, mute_task};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::runtime;

pub(crate) const RUN: &str = "bench";

/// A fleet with one worker.
pub(crate) struct Fleet<'a> {
    pub(crate) link: FleetLink,
    pub(crate) folder: &'a Path,
    pub(crate) slots: usize,
    /// How many trials travel together.
    pub(crate) chunk: u32,
    /// Called when an agent is asked for its only turn.
    pub(crate) think: Think,
}

/// What an agent does before it says its only word.
pub(crate) type Think = Arc<dyn Fn(&TrialId) + Send + Sync>;

/// Plays so many no-op trials that travel in chunks, and returns how long it took from the moment they were handed in.
pub(crate) fn play(urls: &str, round: u32, n_trials: u32, chunk: u32) -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let link = FleetLink { fleet: format!("fleet{round}-{chunk}"), ..FleetLink::to(urls, "bench") };
    let fleet = Fleet { link, folder: folder.path(), slots: 4, chunk, think: Arc::new(|_| {}) };
    let mut took = Duration::ZERO;
    fleet.open(n_trials, |submitter| {
        let began = Instant::now();
        submitter.hand_in(0..n_trials);
        submitter.wait_until_done(n_trials);
        took = began.elapsed();
    });
    took
}

/// One who hands in a run.
pub(crate) struct Submitter {
    pub(crate) runtime: Runtime,
    pub(crate) engine: NatsEngine,
    pub(crate) plan: Vec<PlannedTrial>,
}

impl Submitter {
    pub(crate) fn hand_in(&self, trials: std::ops::Range<u32>) {
        let unit = |planned: &PlannedTrial| Unit {
            run: RUN.to_owned(),
            id: planned.trial.to_string(),
            class: "counter".to_owned(),
            n_before: 0,
        };
        let units: Vec<Unit> = self.plan[trials.start as usize..trials.end as usize].iter().map(unit).collect();
        self.runtime.block_on(self.engine.enqueue(&units)).unwrap();
    }

    pub(crate) fn n_done(&self) -> u64 {
        self.runtime.block_on(self.engine.progress(RUN)).unwrap().n_done
    }

    pub(crate) fn wait_until_done(&self, n_trials: u32) {
        while self.n_done() < u64::from(n_trials) {
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Fleet<'_> {
    /// Opens a fleet with a run that is archived and not yet handed in, and closes it when the work is done.
    pub(crate) fn open(&self, n_trials: u32, work: impl FnOnce(&Submitter)) {
        self.stage(&self.submitter(n_trials, true), work);
    }

    /// Opens the fleet again, with a new steward and a new worker, for a run that was handed in before.
    pub(crate) fn go_on(&self, n_trials: u32, work: impl FnOnce(&Submitter)) {
        self.stage(&self.submitter(n_trials, false), work);
    }

    /// Waits until a steward has written down all outcomes.
    pub(crate) fn wait_until_archived(&self, n_trials: u32) {
        let (end, ended) = watch::channel(false);
        thread::scope(|scope| {
            scope.spawn(|| self.serve(ended));
            let runtime = runtime();
            let archive = self.archive();
            let n_rows = || runtime.block_on(async { archive.run(RUN).unwrap().outcomes().await.unwrap().len() });
            while n_rows() < n_trials as usize {
                thread::sleep(Duration::from_secs(2));
            }
            end.send(true).unwrap();
        });
    }

    fn stage(&self, submitter: &Submitter, work: impl FnOnce(&Submitter)) {
        let stop = AtomicBool::new(false);
        let (end, ended) = watch::channel(false);
        thread::scope(|scope| {
            scope.spawn(|| self.serve(ended));
            let worker = scope.spawn(|| self.work(&stop));
            work(submitter);
            stop.store(true, Ordering::SeqCst);
            worker.join().unwrap();
            end.send(true).unwrap();
        });
    }

    fn submitter(&self, n_trials: u32, is_new: bool) -> Submitter {
        let runtime = runtime();
        let plan = planned(n_trials);
        let engine = runtime.block_on(async {
            let (_, engine) = self.connect("submitter", ProcessRole::Steward).await;
            if !is_new {
                return engine;
            }
            let header = RunHeader::new(RUN, "2026-01-01T00:00:00Z");
            self.archive().create_run(&header, &plan, &tasks()).await.unwrap();
            engine.set_terms(RUN, &RunTerms { chunk: self.chunk, ..RunTerms::default() }).await.unwrap();
            engine
        });
        Submitter { runtime, engine, plan }
    }

    pub(crate) fn archive(&self) -> Archive {
        Archive::open(&self.folder.join("archive").display().to_string()).unwrap()
    }

    async fn connect(&self, name: &str, role: ProcessRole) -> (async_nats::Client, NatsEngine) {
        let link = FleetLink { name: name.to_owned(), ..self.link.clone() };
        let client = link.connect().await.unwrap();
        let options = EngineOptions { role, ..EngineOptions::default() };
        let engine = NatsEngine::open(client.clone(), link.names(), options).await.unwrap();
        (client, engine)
    }

    fn serve(&self, ended: watch::Receiver<bool>) {
        runtime().block_on(async {
            let (client, engine) = self.connect("steward", ProcessRole::Steward).await;
            let names = self.link.names();
            let keeper = Keeper::open(client.clone(), names.clone(), KeeperOptions::default()).await.unwrap();
            let options = StewardOptions::default();
            let steward =
                Steward::new(Arc::new(engine), client, names, self.archive(), Arc::new(keeper), options).await;
            steward.unwrap().serve(ended).await.unwrap();
        });
    }

    fn work(&self, stop: &AtomicBool) {
        let runtime = runtime();
        let (client, engine) = runtime.block_on(self.connect("w", ProcessRole::Worker { name: "w".to_owned() }));
        let hosts = runtime.block_on(Hosts::open(client, self.link.names()));
        let options = WorkerOptions {
            slots: self.slots,
            run: RunOptions { n_workers: self.slots, ..RunOptions::default() },
            ..WorkerOptions::new("w", vec!["counter".to_owned()], self.folder.join("scratch"))
        };
        let casting = |_run: &quintain_store::RunDir, _shares| Ok(cast(&self.think));
        work(&options, Arc::new(engine), hosts, ArchiveAccess::Direct(self.archive()), &casting, stop, &|_| {})
            .unwrap();
    }
}

fn tasks() -> Vec<Task> {
    vec![mute_task("noop")]
}

fn cast(think: &Think) -> Cast {
    let think = Arc::clone(think);
    let cast = Cast::judged_by(|_| Ok(Box::new(TargetJudge::default()))).with_world(Arc::new(Counter::default()));
    cast.with_agent("noop", move |context| {
        let (think, trial) = (Arc::clone(&think), context.trial.clone());
        Ok(Box::new(Counting::to(context.instance).heard_by(move |_step_idx| think(&trial))))
    })
}

fn planned(n_trials: u32) -> Vec<PlannedTrial> {
    let selections = [Selection { task: tasks().remove(0), preset: None, seed: None, stretch: None }];
    let seeds: Vec<u64> = (0..u64::from(n_trials)).collect();
    let agents = ["noop".to_owned()];
    let grid = Grid { selections: &selections, seeds: &seeds, agents: &agents, repeats: 1, after: &[] };
    let nothing: Think = Arc::new(|_| {});
    plan(&grid, &cast(&nothing)).unwrap()
}
