//! Stewards and workers: this very test, started again.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use quintain_core::Task;
use quintain_core::variables;
use quintain_fleet::hosts::Hosts;
use quintain_fleet::jetstream::{EngineOptions, NatsEngine, ProcessRole};
use quintain_fleet::limits::{Keeper, KeeperOptions, Shares};
use quintain_fleet::steward::{OverseerOptions, Steward, StewardOptions};
use quintain_fleet::worker::{ArchiveAccess, WorkerOptions, work};
use quintain_fleet::{FleetLink, FleetNames};
use quintain_runner::{Cast, RunOptions};
use quintain_store::archive::Archive;
use quintain_testkit::{Counter, Counting, TargetJudge, counter_task};
use serde::{Deserialize, Serialize};
use tokio::runtime::Runtime;

use crate::ordeal::RUN;

const PART: &str = variables::KILL_PART;

/// How long a lease lasts here.
pub(crate) const LEASE_FOR: Duration = Duration::from_secs(4);

/// How many trials a worker plays at once.
pub(crate) const SLOTS: usize = 4;

/// What an actor is to do.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) is_steward: bool,
    pub(crate) name: String,
    pub(crate) servers: String,
    pub(crate) fleet: String,
    pub(crate) replicas: usize,
    pub(crate) store: String,
    pub(crate) folder: PathBuf,
    pub(crate) rationed: bool,
}

/// An actor that plays its part. It is killed when this is dropped.
pub(crate) struct Actor {
    name: String,
    child: Child,
}

impl Actor {
    /// Starts this test again with a part to play.
    pub(crate) fn start(mut command: Command, part: &Part, environment: &[(&'static str, String)]) -> Self {
        let test = thread::current().name().unwrap().to_owned();
        let log = OpenOptions::new().append(true).create(true).open(part.folder.join(format!("{}.log", part.name)));
        let log = log.unwrap();
        command.args([&test, "--exact", "--nocapture"]);
        command.env(PART, serde_json::to_string(part).unwrap()).envs(environment.iter().cloned());
        command.stdout(Stdio::from(log.try_clone().unwrap())).stderr(Stdio::from(log));
        Self { name: part.name.clone(), child: command.spawn().unwrap() }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Ends it as `kill -9` does, and returns its name.
    pub(crate) fn kill(self) -> String {
        self.name.clone()
    }
}

impl Drop for Actor {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Plays the part that this process was started for, if any.
pub(crate) fn is_actor() -> bool {
    let Ok(part) = std::env::var(PART) else { return false };
    let part: Part = serde_json::from_str(&part).unwrap();
    if part.is_steward {
        serve(&part);
    } else {
        play(&part);
    }
    true
}

pub(crate) fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

impl Part {
    fn link(&self) -> FleetLink {
        FleetLink { fleet: self.fleet.clone(), ..FleetLink::to(&self.servers, &self.name) }
    }

    pub(crate) fn names(&self) -> FleetNames {
        self.link().names()
    }

    /// Connects as one who may do everything, or as a worker.
    pub(crate) async fn connect(&self, role: ProcessRole) -> (async_nats::Client, NatsEngine) {
        let client = self.link().connect().await.unwrap();
        let options = EngineOptions { lease_for: LEASE_FOR, replicas: self.replicas, role };
        let engine = NatsEngine::open(client.clone(), self.names(), options).await.unwrap();
        (client, engine)
    }
}

fn serve(part: &Part) {
    let runtime = runtime();
    runtime.block_on(async {
        let (client, engine) = part.connect(ProcessRole::Steward).await;
        let keeper = Keeper::open(client.clone(), part.names(), KeeperOptions::default()).await.unwrap();
        let options = StewardOptions {
            name: part.name.clone(),
            lives: Duration::from_secs(3),
            compact_every: Duration::from_secs(1),
            sweep_every: Duration::from_secs(3),
            overseer: OverseerOptions { audit_every_ms: 3_000, ..OverseerOptions::default() },
            tell: Arc::new(|words| println!("{words}")),
            ..StewardOptions::default()
        };
        let archive = Archive::open(&part.store).unwrap();
        let steward = Steward::new(Arc::new(engine), client, part.names(), archive, Arc::new(keeper), options).await;
        let (_stop, stopped) = tokio::sync::watch::channel(false);
        steward.unwrap().serve(stopped).await.unwrap();
    });
}

fn play(part: &Part) {
    let runtime = runtime();
    let (client, engine) = runtime.block_on(part.connect(ProcessRole::Worker { name: part.name.clone() }));
    let hosts = runtime.block_on(Hosts::open(client, part.names()));
    let scratch = part.folder.join("scratch").join(&part.name);
    let options = WorkerOptions {
        slots: SLOTS,
        lease_for: LEASE_FOR,
        run: RunOptions { n_workers: SLOTS, ..RunOptions::default() },
        log: Arc::new(|line| println!("{line}")),
        ..WorkerOptions::new(&part.name, vec!["counter".to_owned()], scratch)
    };
    let access = ArchiveAccess::Direct(Archive::open(&part.store).unwrap());
    let casting = |_run: &quintain_store::RunDir, shares: Shares| {
        Ok(cast(&part.folder.join(format!("{}.played", part.name)), part.rationed.then_some(shares)))
    };
    work(&options, Arc::new(engine), hosts, access, &casting, &AtomicBool::new(false), &|_| {}).unwrap();
}

pub(crate) fn tasks() -> Vec<Task> {
    vec![counter_task("count", 1, 4)]
}

/// Those who take part. Each attempt is written down by whoever plays it, before its first turn and beside all records.
pub(crate) fn cast(played: &Path, shares: Option<Shares>) -> Cast {
    let file = OpenOptions::new().append(true).create(true).open(played).unwrap();
    let (file, shares) = (Arc::new(Mutex::new(file)), shares.map(Arc::new));
    let cast = Cast::judged_by(|_| Ok(Box::new(TargetJudge::default()))).with_world(Arc::new(Counter::default()));
    cast.with_agent("counting", move |context| {
        let line = format!("{} {}\n", context.attempt, context.trial);
        file.lock().unwrap().write_all(line.as_bytes()).unwrap();
        let shares = shares.clone();
        Ok(Box::new(Counting::to(context.instance).heard_by(move |_step_idx| {
            while shares.as_ref().is_some_and(|shares| shares.step(RUN, Duration::from_secs(1)).is_err()) {}
            thread::sleep(Duration::from_millis(4)); // Thinking.
        })))
    })
}
