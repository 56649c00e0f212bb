//! Workers on a real server and a directory as the archive.
#![expect(clippy::unwrap_used, reason = "a test that panics fails, which is what it should do")]

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use quintain_core::check::BrokenJudge;
use quintain_core::judge::{Ended, Judgement};
use quintain_core::{Event, Judge, Reference};
use quintain_fleet::jetstream::{EngineOptions, NatsEngine, Role};
use quintain_fleet::limits::{Keeper, KeeperOptions};
use quintain_fleet::steward::{Steward, StewardOptions};
use quintain_fleet::worker::{Access, WorkSummary, WorkerOptions, work};
use quintain_fleet::{Hosts, Link};
use quintain_runner::engine::floor::{Floor, Terms};
use quintain_runner::engine::{Engine, Recorded, Unit};
use quintain_runner::{Cast, Grid, plan};
use quintain_store::archive::Archive;
use quintain_store::{Place, RunDir, RunHeader, Selection};
use quintain_testkit::servers::{Nats, Weed};
use quintain_testkit::{Counter, Counting, TargetJudge, counter_task};
use tokio::runtime::Runtime;

/// A fleet without workers.
struct Fleet {
    nats: Nats,
    folder: tempfile::TempDir,
    runtime: Runtime,
    engine: Arc<NatsEngine>,
    archive: Archive,
    lease_for: Duration,
}

/// Judges like another, once it is sure that it was given the reference of the task.
struct WithReference(TargetJudge);

impl Judge for WithReference {
    fn judge(&self, ended: Ended<'_>, reference: &Reference) -> Result<Judgement, BrokenJudge> {
        if reference.files.is_empty() {
            return Err(BrokenJudge { check: "reference".to_owned(), why: "it has no files".to_owned() });
        }
        self.0.judge(ended, reference)
    }
}

/// A cast whose agent is told of every turn by `heard`.
fn cast(heard: impl Fn(u32) + Send + Sync + 'static) -> Cast {
    let heard = Arc::new(heard);
    let cast = Cast::judged_by(|_| Ok(Box::new(WithReference(TargetJudge::default()))));
    cast.with_world(Arc::new(Counter::default())).with_agent("counting", move |context| {
        let heard = Arc::clone(&heard);
        Ok(Box::new(Counting::to(context.instance).heard_by(move |step_idx| heard(step_idx))))
    })
}

impl Fleet {
    fn start(lease_for: Duration) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::open(folder.path().join("archive").to_str().unwrap()).unwrap();
        Self::over(archive, folder, lease_for)
    }

    fn over(archive: Archive, folder: tempfile::TempDir, lease_for: Duration) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let nats = Nats::start(1);
        let options = EngineOptions { lease_for, ..EngineOptions::default() };
        let engine = runtime.block_on(async {
            let link = Link::to(nats.urls(), "test");
            NatsEngine::open(link.connect().await.unwrap(), link.names(), options).await.unwrap()
        });
        Self { nats, folder, runtime, engine: Arc::new(engine), archive, lease_for }
    }

    /// Hands in a run of so many trials in parcels of a size; each counts from nothing up to `least`.
    fn hand_in(&self, run: &str, n_trials: u32, chunk: u32, target: u32, quintain: &str) {
        let task = counter_task(&format!("count-{target}"), target, target);
        let selections = [Selection { task: task.clone(), preset: None, seed: None }];
        let agents = ["counting".to_owned()];
        let grid = Grid { selections: &selections, seeds: &[], agents: &agents, repeats: n_trials };
        let planned = plan(&grid, &cast(|_| {})).unwrap();
        let mut header = RunHeader::new(run, "now");
        header.fingerprint.insert("quintain".to_owned(), quintain.to_owned());
        let unit = |id| Unit { run: run.to_owned(), id, class: "counter".to_owned(), n_before: 0 };
        let units: Vec<Unit> = planned.iter().map(|planned| unit(planned.trial.to_string())).collect();
        self.runtime.block_on(async {
            self.archive.create_run(&header, &planned, &[task]).await.unwrap();
            self.engine.set_terms(run, &Terms { chunk, ..Terms::default() }).await.unwrap();
            assert_eq!(self.engine.enqueue(&units).await.unwrap(), u64::from(n_trials));
        });
    }

    fn n_done(&self, run: &str) -> u64 {
        self.runtime.block_on(self.engine.progress(run)).unwrap().n_done
    }

    fn wait_until_done(&self, run: &str, n: u64) {
        let began = Instant::now();
        while self.n_done(run) < n {
            assert!(began.elapsed() < Duration::from_mins(1), "{run}: {} of {n} are done", self.n_done(run));
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn outcomes(&self, run: &str) -> Vec<Recorded> {
        self.runtime.block_on(self.engine.outcomes(run, 0, 100_000)).unwrap()
    }

    /// Every trial has one outcome, of full score, whose record is in the archive.
    fn check_records(&self, run: &str, n_trials: usize) -> RunDir {
        let outcomes = self.outcomes(run);
        let units: BTreeSet<&String> = outcomes.iter().map(|recorded| &recorded.unit).collect();
        assert_eq!((outcomes.len(), units.len()), (n_trials, n_trials));
        let to = self.folder.path().join(format!("pulled-{run}"));
        self.runtime.block_on(self.archive.run(run).unwrap().pull(&to, &mut |_| {})).unwrap();
        let pulled = RunDir::open(&to).unwrap();
        for recorded in &outcomes {
            let place: Place = recorded.outcome.place.parse().unwrap();
            let record = pulled.trajectory(&place).unwrap();
            assert_eq!(record.trial.to_string(), recorded.unit);
            assert_eq!(record.verdict(), Some(&recorded.outcome.verdict));
            assert!(recorded.outcome.verdict.solved, "{:?}", recorded.outcome.verdict);
        }
        pulled
    }

    /// Lets a worker work while `meanwhile` is done, then stops it. It may do everything, because there is no steward
    /// that it could ask.
    fn with_worker(&self, worker: &Worker<'_>, meanwhile: impl FnOnce()) -> WorkSummary {
        let connected = connected(&self.runtime, &self.nats.urls(), &worker.options.name, self.lease_for);
        Self::with_connected(worker, connected, Access::Direct(self.archive.clone()), meanwhile)
    }

    fn with_connected(
        worker: &Worker<'_>,
        (engine, hosts): (Arc<NatsEngine>, Hosts),
        access: Access,
        meanwhile: impl FnOnce(),
    ) -> WorkSummary {
        let stop = AtomicBool::new(false);
        let casting = |_: &RunDir, _| Ok(worker.cast.clone());
        thread::scope(|scope| {
            let working = scope.spawn(|| work(&worker.options, engine, hosts, access, &casting, &stop, worker.tell));
            meanwhile();
            stop.store(true, Ordering::SeqCst);
            working.join().unwrap().unwrap()
        })
    }
}

fn connected(runtime: &Runtime, urls: &str, name: &str, lease_for: Duration) -> (Arc<NatsEngine>, Hosts) {
    connected_as(Role::Steward, runtime, urls, name, lease_for)
}

fn connected_as(
    role: Role,
    runtime: &Runtime,
    urls: &str,
    name: &str,
    lease_for: Duration,
) -> (Arc<NatsEngine>, Hosts) {
    runtime.block_on(async {
        let link = Link::to(urls, name);
        let client = link.connect().await.unwrap();
        let options = EngineOptions { lease_for, role, ..EngineOptions::default() };
        let engine = NatsEngine::open(client.clone(), link.names(), options).await.unwrap();
        (Arc::new(engine), Hosts::open(client, link.names(), false).await.unwrap())
    })
}

struct Worker<'a> {
    options: WorkerOptions,
    cast: Cast,
    tell: &'a (dyn Fn(&Event) + Sync),
}

fn options(name: &str, scratch: PathBuf, lease_for: Duration) -> WorkerOptions {
    let mut options = WorkerOptions::new(name, vec!["counter".to_owned()], scratch);
    options.slots = 4;
    options.lease_for = lease_for;
    options.fingerprint.insert("quintain".to_owned(), "1".to_owned());
    options.log = Arc::new(|line| println!("{line}"));
    options
}

fn worker<'a>(fleet: &Fleet, name: &str, cast: Cast, tell: &'a (dyn Fn(&Event) + Sync)) -> Worker<'a> {
    Worker { options: options(name, fleet.folder.path().join("scratch"), fleet.lease_for), cast, tell }
}

#[test]
fn two_thousand_trials_are_played_shipped_and_handed_in_once() {
    let fleet = Fleet::start(Duration::from_mins(1));
    fleet.hand_in("many", 2000, 16, 0, "1");
    std::fs::create_dir_all(fleet.folder.path().join("scratch/one-5p5/0000")).unwrap();
    let n_ended = AtomicUsize::new(0);
    let tell = |event: &Event| {
        n_ended.fetch_add(usize::from(matches!(event, Event::TrialEnded { .. })), Ordering::SeqCst);
    };
    let began = Instant::now();
    let summary = fleet.with_worker(&worker(&fleet, "one", cast(|_| {}), &tell), || {
        fleet.wait_until_done("many", 2000);
        println!("2000 trials in {:?}", began.elapsed());
    });
    println!("{summary:?}");
    assert_eq!((summary.n_won, summary.n_late, summary.n_refused), (2000, 0, 0));
    assert!(summary.n_packs < 400, "cheap trials share packs: {}", summary.n_packs);
    assert_eq!(n_ended.into_inner(), 2000);
    fleet.check_records("many", 2000);
    let left = std::fs::read_dir(fleet.folder.path().join("scratch")).unwrap().count();
    assert_eq!(left, 0, "nothing is left on disk, of earlier sessions neither");
    let hosts = fleet.runtime.block_on(connected(&fleet.runtime, &fleet.nats.urls(), "x", fleet.lease_for).1.list());
    assert_eq!(hosts.unwrap(), [], "the worker took itself off the list");
}

#[test]
fn two_runs_share_the_slots_and_one_that_does_not_fit_is_left_to_others() {
    let fleet = Fleet::start(Duration::from_mins(1));
    fleet.hand_in("left", 300, 8, 1, "1");
    fleet.hand_in("right", 300, 1, 2, "1");
    fleet.hand_in("other", 3, 1, 3, "2");
    let under_way = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let seen = Arc::clone(&under_way);
    let tell = move |event: &Event| {
        if let Event::TrialBegan { .. } = event {
            let n = under_way.0.fetch_add(1, Ordering::SeqCst) + 1;
            under_way.1.fetch_max(n, Ordering::SeqCst);
        }
    };
    let ends = Arc::clone(&seen);
    let slow = cast(move |step_idx| {
        // The first turn of a trial: by then it is under way; by its end it will have been.
        if step_idx == 0 {
            thread::sleep(Duration::from_millis(2));
            ends.0.fetch_sub(1, Ordering::SeqCst);
        }
    });
    let log = Arc::new(Mutex::new(String::new()));
    let mut worker = worker(&fleet, "one", slow, &tell);
    let lines = Arc::clone(&log);
    worker.options.log = Arc::new(move |line| lines.lock().unwrap().push_str(line));
    let summary = fleet.with_worker(&worker, || {
        fleet.wait_until_done("left", 300);
        fleet.wait_until_done("right", 300);
    });
    assert_eq!(summary.n_won, 600);
    assert!(seen.1.load(Ordering::SeqCst) <= 4, "{} trials were under way", seen.1.load(Ordering::SeqCst));
    assert!(summary.n_refused > 0 && fleet.n_done("other") == 0);
    let log = log.lock().unwrap();
    assert!(
        log.contains("run `other` cannot be played here: it was planned with quintain 2, and this host has 1"),
        "{log}"
    );
    fleet.check_records("left", 300);
    fleet.check_records("right", 300);
}

/// Lets trials pass a turn only when it is open.
#[derive(Default)]
struct Gate {
    is_open: Mutex<bool>,
    bell: std::sync::Condvar,
    n_waiting: AtomicUsize,
}

impl Gate {
    fn pass(&self) {
        self.n_waiting.fetch_add(1, Ordering::SeqCst);
        let is_open = self.is_open.lock().unwrap();
        let (_open, waited) =
            self.bell.wait_timeout_while(is_open, Duration::from_mins(1), |is_open| !*is_open).unwrap();
        assert!(!waited.timed_out(), "the gate was never opened");
        self.n_waiting.fetch_sub(1, Ordering::SeqCst);
    }

    fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.bell.notify_all();
    }

    fn wait_for(&self, n: usize) {
        let began = Instant::now();
        while self.n_waiting.load(Ordering::SeqCst) < n {
            assert!(began.elapsed() < Duration::from_mins(1), "nobody comes to the gate");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn a_drained_worker_puts_trials_down_and_another_goes_on_where_they_were() {
    let fleet = Fleet::start(Duration::from_mins(1));
    fleet.hand_in("drained", 12, 3, 5, "1");
    let gate = Arc::new(Gate::default());
    let at = Arc::clone(&gate);
    let mut first = worker(
        &fleet,
        "first",
        cast(move |step_idx| {
            if step_idx == 3 {
                at.pass();
            }
        }),
        &|_| {},
    );
    first.options.grace = Duration::ZERO;
    let (hosts, name) = (connected(&fleet.runtime, &fleet.nats.urls(), "operator", fleet.lease_for).1, "first");
    let wish = |drain| fleet.runtime.block_on(hosts.ask_to_drain(name, drain)).unwrap();
    let summary = fleet.with_worker(&first, || {
        gate.wait_for(4);
        let listed = fleet.runtime.block_on(hosts.list()).unwrap();
        assert_eq!(listed.iter().map(|host| host.name.as_str()).collect::<Vec<_>>(), ["first"]);
        wish(true);
        thread::sleep(Duration::from_millis(300)); // The wish is heard while the trials wait.
        gate.open();
    });
    println!("{summary:?}");
    assert_eq!(summary.n_won + summary.n_put_down, 4, "only what was under way was finished or put down");
    assert!(summary.n_put_down > 0);
    let recovered = AtomicUsize::new(0);
    let tell = |event: &Event| {
        if let Event::TrialBegan { recovered_turns, .. } = event {
            recovered.fetch_add(*recovered_turns as usize, Ordering::SeqCst);
        }
    };
    let second = worker(&fleet, "second", cast(|_| {}), &tell);
    let began = Instant::now();
    fleet.with_worker(&second, || fleet.wait_until_done("drained", 12));
    assert!(began.elapsed() < Duration::from_secs(20), "what was put back was there at once");
    let expected = usize::try_from(summary.n_put_down).unwrap() * 4;
    assert_eq!(recovered.into_inner(), expected, "the turns that were taken are not taken again");
    fleet.check_records("drained", 12);
    wish(false);
}

#[test]
fn what_was_finished_while_the_server_was_away_is_handed_in_when_it_is_back() {
    let mut fleet = Fleet::start(Duration::from_mins(1));
    fleet.hand_in("cut", 4, 1, 5, "1");
    let gate = Arc::new(Gate::default());
    let at = Arc::clone(&gate);
    let worker = worker(
        &fleet,
        "one",
        cast(move |step_idx| {
            if step_idx == 2 {
                at.pass();
            }
        }),
        &|_| {},
    );
    let stop = AtomicBool::new(false);
    let (engine, hosts) = connected(&fleet.runtime, &fleet.nats.urls(), "one", fleet.lease_for);
    let access = Access::Direct(fleet.archive.clone());
    let casting = |_: &RunDir, _| Ok(worker.cast.clone());
    let summary = thread::scope(|scope| {
        let working = scope.spawn(|| work(&worker.options, engine, hosts, access, &casting, &stop, &|_| {}));
        gate.wait_for(4);
        fleet.nats.kill(0);
        gate.open();
        let packs = fleet.folder.path().join("archive/runs/cut/packs");
        let began = Instant::now();
        while std::fs::read_dir(&packs).map_or(0, Iterator::count) < 2 {
            assert!(began.elapsed() < Duration::from_secs(30), "the records are shipped without the server");
            thread::sleep(Duration::from_millis(10));
        }
        fleet.nats.restart(0);
        fleet.wait_until_done("cut", 4);
        stop.store(true, Ordering::SeqCst);
        working.join().unwrap().unwrap()
    });
    // A server that was killed may have forgotten what it gave out, and give it out once more: that comes too late.
    assert_eq!(summary.n_won, 4);
    let outcomes = fleet.outcomes("cut");
    assert!(outcomes.iter().all(|recorded| recorded.attempt == 1), "{outcomes:?}");
    fleet.check_records("cut", 4);
}

/// A steward, until it is dropped.
struct Served(tokio::task::JoinHandle<()>);

impl Served {
    fn by_steward(fleet: &Fleet) -> Self {
        let (engine, archive, link) =
            (Arc::clone(&fleet.engine), fleet.archive.clone(), Link::to(fleet.nats.urls(), "steward"));
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

#[test]
fn a_worker_without_a_store_reads_and_ships_through_addresses_that_it_is_given() {
    let weed = Weed::start();
    let archive = Archive::open_with(&format!("s3://{}/fleet", weed.bucket), weed.environment()).unwrap();
    let fleet = Fleet::over(archive, tempfile::tempdir().unwrap(), Duration::from_mins(1));
    let _steward = Served::by_steward(&fleet);
    fleet.hand_in("signed", 60, 4, 5, "1");
    let (gate, urls) = (Arc::new(Gate::default()), fleet.nats.urls());
    let at = Arc::clone(&gate);
    let mut first = worker(
        &fleet,
        "first",
        cast(move |step_idx| {
            if step_idx == 3 {
                at.pass();
            }
        }),
        &|_| {},
    );
    first.options.grace = Duration::ZERO;
    let as_worker =
        |name: &str| connected_as(Role::Worker { name: name.to_owned() }, &fleet.runtime, &urls, name, fleet.lease_for);
    let summary = Fleet::with_connected(&first, as_worker("first"), Access::Signed, || {
        gate.wait_for(4);
        // It is opened once the worker was told to stop.
        thread::spawn(move || (thread::sleep(Duration::from_millis(300)), gate.open()));
    });
    assert_eq!((summary.n_won, summary.n_put_down), (0, 4));
    let recovered = AtomicUsize::new(0);
    let tell = |event: &Event| {
        if let Event::TrialBegan { recovered_turns, .. } = event {
            recovered.fetch_add(*recovered_turns as usize, Ordering::SeqCst);
        }
    };
    let second = worker(&fleet, "second", cast(|_| {}), &tell);
    let summary = Fleet::with_connected(&second, as_worker("second"), Access::Signed, || {
        fleet.wait_until_done("signed", 60);
    });
    println!("{summary:?}");
    assert_eq!((summary.n_won, recovered.into_inner()), (60, 16));
    fleet.check_records("signed", 60);
}

const CHILD: &str = "QUINTAIN_WORKER_TEST";

/// A worker in a process of its own that can be killed.
struct Process(Child);

impl Process {
    fn start(fleet: &Fleet, name: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["a_worker_that_is_killed_loses_nothing", "--exact", "--nocapture"]);
        let settings = [fleet.nats.urls(), name.to_owned(), fleet.folder.path().to_str().unwrap().to_owned()];
        Self(command.env(CHILD, settings.join(" ")).stdout(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// What the process does: works until it is killed. Its trials take a while now and then.
fn be_a_worker(settings: &str) {
    let [urls, name, folder] = settings.split(' ').collect::<Vec<_>>().try_into().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let lease_for = Duration::from_secs(2);
    let (engine, hosts) = connected(&runtime, urls, name, lease_for);
    let folder = PathBuf::from(folder);
    let access = Access::Direct(Archive::open(folder.join("archive").to_str().unwrap()).unwrap());
    let options = options(name, folder.join("scratch"), lease_for);
    let n_turns = AtomicUsize::new(0);
    let cast = cast(move |_| {
        if n_turns.fetch_add(1, Ordering::SeqCst) % 50 == 49 {
            thread::sleep(Duration::from_millis(300));
        }
    });
    let casting = |_: &RunDir, _| Ok(cast.clone());
    work(&options, engine, hosts, access, &casting, &AtomicBool::new(false), &|_| {}).unwrap();
}

#[test]
fn a_worker_that_is_killed_loses_nothing() {
    if let Ok(settings) = std::env::var(CHILD) {
        return be_a_worker(&settings);
    }
    let fleet = Fleet::start(Duration::from_secs(2));
    fleet.hand_in("killed", 1000, 8, 3, "1");
    for (n_kill, wanted) in [100, 250, 400, 600].into_iter().enumerate() {
        let process = Process::start(&fleet, &format!("worker-{}", n_kill % 2));
        fleet.wait_until_done("killed", wanted);
        drop(process);
    }
    let _last = [Process::start(&fleet, "worker-0"), Process::start(&fleet, "worker-1")];
    fleet.wait_until_done("killed", 1000);
    fleet.check_records("killed", 1000);
    let attempts = fleet.runtime.block_on(fleet.engine.attempts("killed")).unwrap();
    let numbers: BTreeSet<(&String, u32)> = attempts.iter().map(|attempt| (&attempt.unit, attempt.attempt)).collect();
    assert_eq!(numbers.len(), attempts.len(), "every attempt is listed once");
    println!("{} attempts at 1000 trials", attempts.len());
}
