//! No-op trials through the whole runner against the bare lease-commit cycle of SQLite, side by side.
//!
//! A no-op trial records all that a real one does: its beginning, one turn, its end, its evidence and its verdict. The bare
//! cycle is the least that any engine on SQLite must do: one transaction that leases, one that commits the outcome, with
//! the same settings of the database and an outcome of the same size. The two take turns, so that both see the same
//! machine. `cargo bench -p quintain-runner --bench engine -- [trials] [workers]`

#![expect(clippy::print_stdout, reason = "a measurement prints what it measured")]

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use quintain_runner::{Cast, Grid, Job, RunOptions, plan, rescore, run_here};
use quintain_store::{RunDir, RunHeader, Selection};
use quintain_testkit::{Counter, Counting, TargetJudge, mute_task};
use rusqlite::{Connection, TransactionBehavior, params};

const N_TRIALS: u64 = 20_000;

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|arg| arg.parse::<u64>().ok());
    let n_trials = numbers.next().unwrap_or(N_TRIALS);
    let n_workers = numbers.next().unwrap_or(2) as usize;
    let mut runner = Vec::new();
    let mut bare = Vec::new();
    println!("{n_trials} no-op trials a round, {n_workers} workers");
    for round in 0..3 {
        runner.push(measure("the whole runner", n_trials, &mut || through_the_runner(n_trials, n_workers)));
        if round < 2 {
            let one = measure("the bare cycle, 1 thread", n_trials, &mut || bare_cycles(n_trials, 1));
            let two = measure("the bare cycle, 2 threads", n_trials, &mut || bare_cycles(n_trials, 2));
            bare.push(one.max(two));
        }
    }
    let (runner, bare) = (mean(&runner), mean(&bare));
    println!("trials/s: runner {runner:.0}, bare cycle at its best {bare:.0}, ratio {:.2}", runner / bare);
}

/// Trials a second of one round. The round returns what it took, preparations left out.
fn measure(what: &str, n_trials: u64, round: &mut dyn FnMut() -> (Duration, Duration)) -> f64 {
    let (wall, cpu) = round();
    let rate = n_trials as f64 / wall.as_secs_f64();
    println!("  {what:<26} {rate:>8.0} trials/s  {:>6.1} us of CPU a trial", cpu.as_secs_f64() * 1e6 / n_trials as f64);
    rate
}

fn mean(rates: &[f64]) -> f64 {
    rates.iter().sum::<f64>() / rates.len() as f64
}

/// What the work took by the wall clock and of the processors.
fn timed<T>(work: impl FnOnce() -> T) -> (Duration, Duration) {
    let (wall, cpu) = (Instant::now(), cpu_time());
    work();
    (wall.elapsed(), cpu_time().saturating_sub(cpu))
}

/// Processor time of this process: user and system, from the kernel's own ticks of a hundredth of a second.
fn cpu_time() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    let ticks: u64 = fields.iter().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

fn through_the_runner(n_trials: u64, n_workers: usize) -> (Duration, Duration) {
    let folder = tempfile::tempdir().expect("there is room for a run");
    let tasks = [mute_task("noop")];
    let cast = Cast::judged_by(|_| Ok(Box::new(TargetJudge::default())))
        .with_world(Arc::new(Counter::default()))
        .with_agent("noop", |context| Ok(Box::new(Counting::to(context.instance))));
    let selections = [Selection { task: tasks[0].clone(), preset: None, seed: None, stretch: None }];
    let seeds: Vec<u64> = (0..n_trials).collect();
    let agents = ["noop".to_owned()];
    let grid = Grid { selections: &selections, seeds: &seeds, agents: &agents, repeats: 1, after: &[] };
    let plan = plan(&grid, &cast).expect("the grid is sound");
    let header = RunHeader::new("bench", "2026-01-01T00:00:00Z");
    let run = RunDir::create(&folder.path().join("run"), &header, &plan).expect("a run can be made");
    let options = RunOptions { n_workers, ..RunOptions::default() };
    let stop = AtomicBool::new(false);
    let job = Job { run: &run, tasks: &tasks, cast: &cast, options: &options, stop: &stop, emit: &|_| {} };
    let took = timed(|| {
        let summary = run_here(&job).expect("the run ends");
        assert_eq!(summary.n_done, n_trials);
    });
    let began = Instant::now();
    let rescored = rescore(&run, &tasks, &cast).expect("the run can be judged again");
    assert!(rescored.iter().all(|rescored| !rescored.changed()));
    println!("  {:<26} {:>8.0} trials/s", "(judging it again)", rescored.len() as f64 / began.elapsed().as_secs_f64());
    took
}

const BARE: &str = "
CREATE TABLE unit (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, state INTEGER NOT NULL DEFAULT 0,
    attempt INTEGER NOT NULL DEFAULT 0, deadline INTEGER NOT NULL DEFAULT 0);
CREATE INDEX waiting ON unit (key) WHERE state = 0;
CREATE TABLE outcome (unit INTEGER PRIMARY KEY, attempt INTEGER NOT NULL, body TEXT NOT NULL);
";

fn bare_cycles(n_trials: u64, n_threads: usize) -> (Duration, Duration) {
    let folder = tempfile::tempdir().expect("there is room for a file");
    let connection = bare_engine(&folder.path().join("bare.sqlite"), n_trials).expect("a database can be made");
    let connection = Mutex::new(connection);
    timed(|| {
        thread::scope(|scope| {
            for _ in 0..n_threads {
                scope.spawn(
                    || while bare_cycle(&mut connection.lock().expect("nobody panics")).expect("SQLite works") {},
                );
            }
        });
    })
}

fn bare_engine(path: &Path, n_trials: u64) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.execute_batch(BARE)?;
    let tx = connection.transaction()?;
    for i in 0..n_trials {
        tx.prepare_cached("INSERT INTO unit (id) VALUES (?1)")?.execute([format!("test/noop#{i}~noop~0")])?;
    }
    tx.commit()?;
    Ok(connection)
}

/// One lease and one commit; whether there was anything to lease.
fn bare_cycle(connection: &mut Connection) -> rusqlite::Result<bool> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let leased: Option<i64> = tx
        .prepare_cached(
            "UPDATE unit SET state = 1, attempt = attempt + 1, deadline = 1
             WHERE key = (SELECT key FROM unit WHERE state = 0 ORDER BY key LIMIT 1) RETURNING key",
        )?
        .query_row([], |row| row.get(0))
        .map(Some)
        .or_else(|error| if error == rusqlite::Error::QueryReturnedNoRows { Ok(None) } else { Err(error) })?;
    tx.commit()?;
    let Some(key) = leased else {
        return Ok(false);
    };
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let body = "x".repeat(600);
    tx.prepare_cached("INSERT OR IGNORE INTO outcome (unit, attempt, body) VALUES (?1, 1, ?2)")?
        .execute(params![key, body])?;
    tx.prepare_cached("UPDATE unit SET state = 2 WHERE key = ?1")?.execute([key])?;
    tx.commit()?;
    Ok(true)
}
