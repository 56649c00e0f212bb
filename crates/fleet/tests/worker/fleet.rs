//! A fleet without workers, and workers to let loose on it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use quintain_core::check::BrokenJudge;
use quintain_core::judge::{EndedTrial, Judgement};
use quintain_core::{Event, Judge, Reference};
use quintain_fleet::jetstream::{EngineOptions, NatsEngine, ProcessRole};
use quintain_fleet::limits::{Keeper, KeeperOptions};
use quintain_fleet::steward::{Steward, StewardOptions};
use quintain_fleet::worker::{ArchiveAccess, WorkSummary, WorkerOptions, work};
use quintain_fleet::{FleetLink, Hosts};
use quintain_runner::engine::steered::{RunTerms, SteeredEngine};
use quintain_runner::engine::{Engine, RecordedOutcome, Unit};
use quintain_runner::{Cast, Grid, plan};
use quintain_store::archive::Archive;
use quintain_store::{LineRange, RunDir, RunHeader, Selection};
use quintain_testkit::servers::Nats;
use quintain_testkit::{Counter, Counting, TargetJudge, counter_task, wait_for};
use tokio::runtime::Runtime;

/// A fleet without workers.
pub(crate) struct Fleet {
    pub(crate) nats: Nats,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) runtime: Runtime,
    pub(crate) engine: Arc<NatsEngine>,
    pub(crate) archive: Archive,
    pub(crate) lease_for: Duration,
}

/// Judges like another, once it is sure that it was given the reference of the task.
struct WithReference(TargetJudge);

impl Judge for WithReference {
    fn judge(&self, ended: EndedTrial<'_>, reference: &Reference) -> Result<Judgement, BrokenJudge> {
        if reference.files.is_empty() {
            return Err(BrokenJudge { check: "reference".to_owned(), why: "it has no files".to_owned() });
        }
        self.0.judge(ended, reference)
    }
}

/// A cast whose agent is told of every turn by `heard`.
pub(crate) fn cast(heard: impl Fn(u32) + Send + Sync + 'static) -> Cast {
    let heard = Arc::new(heard);
    let cast = Cast::judged_by(|_| Ok(Box::new(WithReference(TargetJudge::default()))));
    cast.with_world(Arc::new(Counter::default())).with_agent("counting", move |context| {
        let heard = Arc::clone(&heard);
        Ok(Box::new(Counting::to(context.instance).heard_by(move |step_idx| heard(step_idx))))
    })
}

impl Fleet {
    pub(crate) fn start(lease_for: Duration) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::make(folder.path().join("archive").to_str().unwrap()).unwrap();
        Self::over(archive, folder, lease_for)
    }

    pub(crate) fn over(archive: Archive, folder: tempfile::TempDir, lease_for: Duration) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let nats = Nats::start(1);
        let options = EngineOptions { lease_for, ..EngineOptions::default() };
        let engine = runtime.block_on(async {
            let link = FleetLink::to(nats.urls(), "test");
            NatsEngine::open(link.connect().await.unwrap(), link.names(), options).await.unwrap()
        });
        Self { nats, folder, runtime, engine: Arc::new(engine), archive, lease_for }
    }

    /// Hands in a run of so many trials in parcels of a size; each counts from nothing up to `least`.
    pub(crate) fn hand_in(&self, run: &str, n_trials: u32, chunk: u32, target: u32, quintain: &str) {
        let task = counter_task(&format!("count-{target}"), target, target);
        let selections = [Selection { task: task.clone(), preset: None, seed: None, stretch: None }];
        let agents = ["counting".to_owned()];
        let grid = Grid { selections: &selections, seeds: &[], agents: &agents, repeats: n_trials, after: &[] };
        let planned = plan(&grid, &cast(|_| {})).unwrap();
        let mut header = RunHeader::new(run, "now");
        header.fingerprint.insert("quintain".to_owned(), quintain.to_owned());
        let unit = |id| Unit { run: run.to_owned(), id, class: "counter".to_owned(), n_before: 0 };
        let units: Vec<Unit> = planned.iter().map(|planned| unit(planned.trial.to_string())).collect();
        self.runtime.block_on(async {
            self.archive.create_run(&header, &planned, &[task]).await.unwrap();
            self.engine.set_terms(run, &RunTerms { chunk, ..RunTerms::default() }).await.unwrap();
            assert_eq!(self.engine.enqueue(&units).await.unwrap(), u64::from(n_trials));
        });
    }

    pub(crate) fn n_done(&self, run: &str) -> u64 {
        self.runtime.block_on(self.engine.progress(run)).unwrap().n_done
    }

    pub(crate) fn wait_until_done(&self, run: &str, n: u64) {
        wait_for(&format!("{n} trials of {run}"), || self.n_done(run) >= n);
    }

    /// Asks a worker to drain that gives its trials no time, and waits until they are to be put down.
    pub(crate) fn drain(&self, worker: &Worker<'_>) {
        let hosts = connected(&self.runtime, &self.nats.urls(), "operator", self.lease_for).1;
        let listed = self.runtime.block_on(hosts.list()).unwrap();
        assert!(listed.iter().any(|host| host.name == worker.options.name && !host.draining), "{listed:?}");
        self.runtime.block_on(hosts.ask_to_drain(&worker.options.name)).unwrap();
        let are_put_down = || worker.log.lock().unwrap().contains("they are put down");
        wait_for("a worker to drain", are_put_down);
    }

    pub(crate) fn outcomes(&self, run: &str) -> Vec<RecordedOutcome> {
        self.runtime.block_on(self.engine.outcomes(run, 0, 100_000)).unwrap()
    }

    /// Every trial has one outcome, of full score, whose record is in the archive.
    pub(crate) fn check_records(&self, run: &str, n_trials: usize) -> RunDir {
        let outcomes = self.outcomes(run);
        let units: BTreeSet<&String> = outcomes.iter().map(|recorded| &recorded.unit).collect();
        assert_eq!((outcomes.len(), units.len()), (n_trials, n_trials));
        let to = self.folder.path().join(format!("pulled-{run}"));
        self.runtime.block_on(self.archive.run(run).unwrap().pull(&to, &mut |_| {})).unwrap();
        let pulled = RunDir::open(&to).unwrap();
        for recorded in &outcomes {
            let place: LineRange = recorded.outcome.place.parse().unwrap();
            let record = pulled.trajectory(&place).unwrap();
            assert_eq!(record.trial.to_string(), recorded.unit);
            assert_eq!(record.verdict(), Some(&recorded.outcome.verdict));
            assert!(recorded.outcome.verdict.solved, "{:?}", recorded.outcome.verdict);
        }
        pulled
    }

    /// Lets a worker work while `meanwhile` is done, then stops it. It may do everything, because there is no steward
    /// that it could ask.
    pub(crate) fn with_worker(&self, worker: &Worker<'_>, meanwhile: impl FnOnce()) -> WorkSummary {
        let connected = connected(&self.runtime, &self.nats.urls(), &worker.options.name, self.lease_for);
        Self::with_connected(worker, connected, ArchiveAccess::Direct(self.archive.clone()), meanwhile)
    }

    pub(crate) fn with_connected(
        worker: &Worker<'_>,
        connected: (Arc<NatsEngine>, Hosts),
        access: ArchiveAccess,
        meanwhile: impl FnOnce(),
    ) -> WorkSummary {
        Self::with_rooms(worker, connected, access, &|_run| {}, meanwhile)
    }

    /// The same, where `opened` is told of the directory of every room.
    pub(crate) fn with_rooms(
        worker: &Worker<'_>,
        (engine, hosts): (Arc<NatsEngine>, Hosts),
        access: ArchiveAccess,
        opened: &(dyn Fn(&RunDir) + Sync),
        meanwhile: impl FnOnce(),
    ) -> WorkSummary {
        let stop = AtomicBool::new(false);
        let casting = |run: &RunDir, _| {
            opened(run);
            Ok(worker.cast.clone())
        };
        thread::scope(|scope| {
            let working = scope.spawn(|| work(&worker.options, engine, hosts, access, &casting, &stop, worker.tell));
            meanwhile();
            stop.store(true, Ordering::SeqCst);
            working.join().unwrap().unwrap()
        })
    }
}

pub(crate) fn connected(runtime: &Runtime, urls: &str, name: &str, lease_for: Duration) -> (Arc<NatsEngine>, Hosts) {
    connected_as(ProcessRole::Steward, runtime, urls, name, lease_for)
}

pub(crate) fn connected_as(
    role: ProcessRole,
    runtime: &Runtime,
    urls: &str,
    name: &str,
    lease_for: Duration,
) -> (Arc<NatsEngine>, Hosts) {
    runtime.block_on(async {
        let link = FleetLink::to(urls, name);
        let client = link.connect().await.unwrap();
        let options = EngineOptions { lease_for, role, ..EngineOptions::default() };
        let engine = NatsEngine::open(client.clone(), link.names(), options).await.unwrap();
        (Arc::new(engine), Hosts::open(client, link.names()).await)
    })
}

pub(crate) struct Worker<'a> {
    pub(crate) options: WorkerOptions,
    pub(crate) log: Arc<Mutex<String>>,
    pub(crate) cast: Cast,
    pub(crate) tell: &'a (dyn Fn(&Event) + Sync),
}

pub(crate) fn options(name: &str, scratch: PathBuf, lease_for: Duration) -> WorkerOptions {
    let mut options = WorkerOptions::new(name, vec!["counter".to_owned()], scratch);
    options.slots = 4;
    options.lease_for = lease_for;
    options.fingerprint.insert("quintain".to_owned(), "1".to_owned());
    options
}

pub(crate) fn worker<'a>(fleet: &Fleet, name: &str, cast: Cast, tell: &'a (dyn Fn(&Event) + Sync)) -> Worker<'a> {
    let mut options = options(name, fleet.folder.path().join("scratch"), fleet.lease_for);
    let log = Arc::new(Mutex::new(String::new()));
    let lines = Arc::clone(&log);
    options.log = Arc::new(move |line| lines.lock().unwrap().push_str(line));
    Worker { options, log, cast, tell }
}

/// A steward, until it is dropped.
pub(crate) struct Served(tokio::task::JoinHandle<()>);

impl Served {
    pub(crate) fn by_steward(fleet: &Fleet) -> Self {
        let (engine, archive, link) =
            (Arc::clone(&fleet.engine), fleet.archive.clone(), FleetLink::to(fleet.nats.urls(), "steward"));
        Self(fleet.runtime.spawn(async move {
            let (client, names) = (link.connect().await.unwrap(), link.names());
            let keeper = Keeper::open(client.clone(), names.clone(), KeeperOptions::default()).await.unwrap();
            let options = StewardOptions::default();
            let steward = Steward::new(engine, client, names, archive, Arc::new(keeper), options).await.unwrap();
            let (_stop, stopped) = tokio::sync::watch::channel(false);
            steward.serve(stopped).await.unwrap();
        }))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.0.abort();
    }
}
