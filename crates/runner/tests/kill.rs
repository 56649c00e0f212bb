//! A run that is killed thirty times loses nothing and counts nothing twice.
//!
//! The test starts itself again as a child that plays, kills the child without warning, and starts another one.
#![expect(clippy::unwrap_used, reason = "a test that panics fails, which is what it should do")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use quintain_core::variables;
use quintain_core::{Task, TrialEvent, TrialId};
use quintain_runner::engine::{AttemptEnd, EndedAttempt, RecordedOutcome};
use quintain_runner::{Cast, Engine, Grid, Job, RunOptions, SqliteEngine, plan, run_here};
use quintain_store::{AttemptSummary, RunDir, RunHeader, Selection};
use quintain_testkit::{Counter, Counting, TargetJudge, counter_task};
use rusqlite::{Connection, OpenFlags};

const N_TRIALS: u64 = 5_000;
const N_KILLS: u64 = 30;
const N_WORKERS: usize = 8;
/// What is left to play after the last kill, in shares: so much that no child comes to the end before its kill does,
/// however late a busy machine lets us see how far it is.
const N_SHARES_LEFT: u64 = 12;
const CHILD: &str = variables::KILL_TEST_RUN;

#[test]
fn a_run_killed_thirty_times_loses_nothing_and_counts_nothing_twice() {
    if let Some(folder) = std::env::var_os(CHILD) {
        return play(Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    let ordeal = Ordeal::new(folder.path());
    let mut pids = Vec::new();
    let mut n_in_the_middle = 0;
    for kill in 1..=N_KILLS {
        pids.push(ordeal.kill_in_time(N_KILLS - kill));
        n_in_the_middle += u64::from(ordeal.was_in_the_middle());
        ordeal.tear_last_lines();
    }
    assert!(n_in_the_middle >= 20, "only {n_in_the_middle} kills came while trials were being recorded");
    pids.push(ordeal.let_finish());
    let found = Found::in_run(&ordeal, &pids);
    found.nothing_is_lost_or_counted_twice();
    found.every_attempt_is_on_disk();
    found.no_recorded_step_was_repeated();
    println!("{N_KILLS} kills, {n_in_the_middle} of them in the middle of trials; {}", found.summary());
}

fn tasks() -> Vec<Task> {
    // So many steps that most kills come in the middle of some trial, and not between two, however busy the machine is.
    vec![counter_task("count", 10, 20)]
}

fn cast(asked: PathBuf) -> Cast {
    let log = Arc::new(Mutex::new(OpenOptions::new().append(true).create(true).open(asked).unwrap()));
    let cast = Cast::judged_by(|_| Ok(Box::new(TargetJudge::default()))).with_world(Arc::new(Counter::default()));
    cast.with_agent("counting", move |context| {
        let (log, trial) = (Arc::clone(&log), context.trial.clone());
        Ok(Box::new(Counting::to(context.instance).heard_by(move |step_idx| {
            let line = format!("{} {step_idx} {trial}\n", std::process::id());
            log.lock().unwrap().write_all(line.as_bytes()).unwrap();
        })))
    })
}

/// What the child does: goes on with the run until it is over, or until it is killed.
fn play(folder: &Path) {
    let run = RunDir::open(&folder.join("run")).unwrap();
    let options = RunOptions { n_workers: N_WORKERS, ..RunOptions::default() };
    let summary = run_here(&Job {
        run: &run,
        tasks: &tasks(),
        cast: &cast(folder.join("asked")),
        options: &options,
        stop: &AtomicBool::new(false),
        emit: &|_| {},
    });
    assert_eq!(summary.unwrap().n_left, 0);
}

struct Ordeal {
    folder: PathBuf,
}

impl Ordeal {
    fn new(folder: &Path) -> Self {
        let selections = [Selection { task: tasks().remove(0), preset: None, seed: None, stretch: None }];
        let seeds: Vec<u64> = (0..N_TRIALS).collect();
        let agents = ["counting".to_owned()];
        let grid = Grid { selections: &selections, seeds: &seeds, agents: &agents, repeats: 1, after: &[] };
        let plan = plan(&grid, &cast(folder.join("asked"))).unwrap();
        let header = RunHeader::new("ordeal", "2026-01-01T00:00:00Z");
        RunDir::create(&folder.join("run"), &header, &plan).unwrap();
        Self { folder: folder.to_owned() }
    }

    fn run(&self) -> RunDir {
        RunDir::open(&self.folder.join("run")).unwrap()
    }

    fn start(&self) -> Child {
        let name = "a_run_killed_thirty_times_loses_nothing_and_counts_nothing_twice";
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args([name, "--exact", "--nocapture"]).env(CHILD, &self.folder).stdout(Stdio::null());
        command.spawn().unwrap()
    }

    /// Lets a child play until it has brought in its share of what is left, then kills it.
    fn kill_in_time(&self, n_kills_left: u64) -> u32 {
        let n_done = || self.count("SELECT n_done FROM run").unwrap_or(0);
        let before = n_done();
        let wanted = before + (N_TRIALS - before) / (n_kills_left + 1 + N_SHARES_LEFT);
        let mut child = self.start();
        let deadline = Instant::now() + Duration::from_mins(2);
        while n_done() < wanted {
            assert!(child.try_wait().unwrap().is_none(), "the child ended before {wanted} trials were done");
            assert!(Instant::now() < deadline, "the child does not get on");
            thread::park_timeout(Duration::from_millis(1));
        }
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success(), "the child ended by itself");
        child.id()
    }

    fn let_finish(&self) -> u32 {
        let mut child = self.start();
        assert!(child.wait().unwrap().success());
        child.id()
    }

    /// A number from the engine's file, read without touching it. Nothing while there is no such table yet.
    fn count(&self, query: &str) -> Option<u64> {
        let path = self.run().engine_path();
        let file = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
        file.busy_timeout(Duration::from_secs(10)).ok()?;
        file.query_row(query, [], |row| row.get::<_, i64>(0)).ok().map(|n| n as u64)
    }

    /// Whether the last child held leases and had recorded turns of trials that it did not finish.
    fn was_in_the_middle(&self) -> bool {
        let attempts = self.run().attempts().unwrap();
        let session = sessions(&self.run()).pop().unwrap();
        let half =
            |attempt: &&AttemptSummary| session == self::session(attempt) && !attempt.finished && attempt.n_turns > 0;
        let n_leased = self.count("SELECT COUNT(*) FROM unit WHERE state = 1").unwrap();
        attempts.iter().filter(half).count() > 0 && n_leased > 0
    }

    /// Leaves half a line at the end of each segment, as a crash in the middle of a write would.
    fn tear_last_lines(&self) {
        for entry in fs::read_dir(self.folder.join("run/segments")).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read(&path).unwrap();
            if text.is_empty() || text.ends_with(b"\n") {
                let mut file = OpenOptions::new().append(true).open(&path).unwrap();
                file.write_all(b"{\"v\":1,\"trial\":\"test/count#1~coun").unwrap();
            }
        }
    }
}

/// The processes that wrote to a run, by the numbers of their segments.
fn sessions(run: &RunDir) -> Vec<u32> {
    run.segments().unwrap().iter().map(|name| session_of(name)).collect::<BTreeSet<_>>().into_iter().collect()
}

fn session(attempt: &AttemptSummary) -> u32 {
    session_of(&attempt.place.segment)
}

fn session_of(segment: &str) -> u32 {
    segment.split_once('-').unwrap().0.parse().unwrap()
}

/// Everything that is found when all is over.
struct Found<'a> {
    run: RunDir,
    pids: &'a [u32],
    outcomes: Vec<RecordedOutcome>,
    attempts: Vec<EndedAttempt>,
    on_disk: Vec<AttemptSummary>,
    /// Who was asked, in order, by trial and turn.
    asked: BTreeMap<(TrialId, u32), Vec<u32>>,
}

impl<'a> Found<'a> {
    fn in_run(ordeal: &Ordeal, pids: &'a [u32]) -> Self {
        let run = ordeal.run();
        let engine = SqliteEngine::open(&run.engine_path()).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut asked: BTreeMap<_, Vec<u32>> = BTreeMap::new();
        for line in fs::read_to_string(ordeal.folder.join("asked")).unwrap().lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let key = (words[2].parse().unwrap(), words[1].parse().unwrap());
            asked.entry(key).or_default().push(words[0].parse().unwrap());
        }
        Self {
            outcomes: runtime.block_on(engine.outcomes("ordeal", 0, usize::MAX)).unwrap(),
            attempts: runtime.block_on(engine.attempts("ordeal")).unwrap(),
            on_disk: run.attempts().unwrap(),
            run,
            pids,
            asked,
        }
    }

    fn nothing_is_lost_or_counted_twice(&self) {
        let planned: BTreeSet<String> =
            self.run.plan().unwrap().iter().map(|planned| planned.trial.to_string()).collect();
        let done: BTreeSet<String> = self.outcomes.iter().map(|recorded| recorded.unit.clone()).collect();
        assert_eq!(planned.len() as u64, N_TRIALS);
        assert_eq!(self.outcomes.len() as u64, N_TRIALS, "each trial has one outcome");
        assert_eq!(done, planned);
        assert!(self.outcomes.iter().all(|recorded| recorded.outcome.verdict.solved));
    }

    /// The engine and the record know the same attempts, besides leases that were lost before anything was played.
    fn every_attempt_is_on_disk(&self) {
        let on_disk: BTreeSet<(String, u32)> =
            self.on_disk.iter().map(|attempt| (attempt.trial.to_string(), attempt.attempt)).collect();
        assert_eq!(on_disk.len(), self.on_disk.len(), "no attempt was numbered twice");
        let known: BTreeSet<(String, u32)> = self.attempts.iter().map(|a| (a.unit.clone(), a.attempt)).collect();
        assert!(on_disk.is_subset(&known));
        for attempt in &self.attempts {
            let begun = on_disk.contains(&(attempt.unit.clone(), attempt.attempt));
            match &attempt.place {
                Some(place) => {
                    let record = self.run.read(&place.parse().unwrap()).unwrap();
                    assert_eq!((record.trial.to_string(), record.attempt), (attempt.unit.clone(), attempt.attempt));
                }
                None => assert!(begun || matches!(attempt.end, AttemptEnd::Lost | AttemptEnd::Late), "{attempt:?}"),
            }
        }
    }

    /// Each turn of each trial was recorded once, by the last who was asked about it. Only turns in flight at a kill
    /// were asked about again.
    fn no_recorded_step_was_repeated(&self) {
        let mut recorded_by: BTreeMap<(TrialId, u32), u32> = BTreeMap::new();
        let sessions = sessions(&self.run);
        assert_eq!(sessions.len(), self.pids.len(), "every child played");
        for attempt in &self.on_disk {
            let pid = self.pids[sessions.binary_search(&session(attempt)).unwrap()];
            for event in self.run.read(&attempt.place).unwrap().events {
                let TrialEvent::Turn { step_idx, .. } = event else { continue };
                let before = recorded_by.insert((attempt.trial.clone(), step_idx), pid);
                assert_eq!(before, None, "turn {step_idx} of {} was recorded twice", attempt.trial);
            }
        }
        for (turn, pid) in &recorded_by {
            let asked = &self.asked[turn];
            assert_eq!(asked.last(), Some(pid), "{turn:?} was asked about after it was recorded");
            assert_eq!(asked.iter().collect::<BTreeSet<_>>().len(), asked.len(), "{turn:?} was asked about twice");
        }
        let n_in_flight = self.asked.values().map(Vec::len).sum::<usize>() - recorded_by.len();
        assert!(n_in_flight <= N_KILLS as usize * N_WORKERS, "{n_in_flight} turns were in flight");
        self.trajectories_are_whole(&recorded_by);
    }

    fn summary(&self) -> String {
        let n_lost = self.attempts.iter().filter(|attempt| attempt.end == AttemptEnd::Lost).count();
        let n_continued = self.on_disk.iter().filter(|attempt| attempt.continues.is_some()).count();
        let (n_outcomes, n_on_disk) = (self.outcomes.len(), self.on_disk.len());
        format!("{n_outcomes} outcomes, {n_on_disk} attempts on disk, {n_continued} continued, {n_lost} leases lost")
    }

    fn trajectories_are_whole(&self, recorded: &BTreeMap<(TrialId, u32), u32>) {
        let n_continued = self.on_disk.iter().filter(|attempt| attempt.continues.is_some()).count();
        assert!(n_continued >= 20, "only {n_continued} attempts went on from earlier ones");
        let mut n_turns = 0;
        for outcome in &self.outcomes {
            let whole = self.run.trajectory(&outcome.outcome.place.parse().unwrap()).unwrap();
            assert_eq!(whole.n_turns(), outcome.outcome.spent.steps as usize, "{}", outcome.unit);
            n_turns += whole.n_turns();
        }
        assert_eq!(n_turns, recorded.len(), "every recorded turn is part of a trajectory that counts");
    }
}
