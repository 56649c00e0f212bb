//! A run, from its plan to one outcome for each trial. `carry_out` is the whole story; going on with a run is the same story.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use quintain_core::ending::Exhausted;
use quintain_core::event::RecordError;
use quintain_core::{Event, Task, TaskId, TrialId, WorldError};
use quintain_store::{RunDir, StoreError};
use tokio::runtime::Runtime;

use crate::cast::Cast;
use crate::committer::{Committer, DESK, FinishQueue};
use crate::engine::{Engine, EngineError, RunProgress, SqliteEngine, Unit};
use crate::lease_pool::{LeasePool, keep_alive};
use crate::panics::caught;
use crate::parallel::n_cores;
use crate::prepared_plan::PreparedPlan;
use crate::trial_player::TrialPlayer;
use crate::worker::WorkerThread;

/// How a run is carried out. None of it changes what a trial comes to.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// How many trials are played at once.
    pub n_workers: usize,
    /// How many attempts a trial has when faults strike.
    pub max_attempts: u32,
    /// How long a trial rests after its first fault; twice as long after each further one.
    pub rest: Duration,
    /// The longest that one call of a world or an agent may take.
    pub call_limit: Duration,
    /// How often leases are kept alive.
    pub beat_every: Duration,
    /// How many lost leases end a trial: something about it kills its holders.
    pub max_lost: u32,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            n_workers: n_cores(),
            max_attempts: 3,
            rest: Duration::from_secs(1),
            call_limit: Duration::from_mins(5),
            beat_every: Duration::from_secs(15),
            max_lost: 50,
        }
    }
}

/// A run to carry out, or to go on with.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The run on disk.
    pub run: &'a RunDir,
    /// The tasks it needs.
    pub tasks: &'a [Task],
    /// Who takes part.
    pub cast: &'a Cast,
    /// How.
    pub options: &'a RunOptions,
    /// Set from outside to end the run early: trials are put down between two turns, to be continued later. The run
    /// sets it itself when an agent interrupts its trial, and when something breaks that no trial is to blame for.
    pub stop: &'a AtomicBool,
    /// Told everything that happens, from many threads.
    pub emit: &'a (dyn Fn(Event) + Sync),
}

/// What became of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunSummary {
    /// Trials that have an outcome.
    pub n_done: u64,
    /// Trials that have none.
    pub n_left: u64,
    /// Attempts that ended in a fault and were tried again.
    pub n_faulted: u64,
    /// Half-done trials that went on from their recorded turns.
    pub n_continued: u64,
    /// The turns that they did not have to take again.
    pub n_turns_recovered: u64,
    /// Half-done trials that had to begin anew.
    pub n_started_over: u64,
    /// The recorded turns that were lost with them.
    pub n_turns_lost: u64,
    /// What of the run's budget is spent, where trials were left because of it: steps or time.
    pub exhausted: Option<Exhausted>,
}

/// Why a run could not go on. What has been recorded stays, and the run can be resumed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A task of the plan was not handed in.
    #[error("the run needs task `{0}`, which is not there")]
    NoTask(TaskId),
    /// A task is not what it was.
    #[error("task `{0}` has changed since the run was planned\nhint: plan a new run, or bring the task back as it was")]
    TaskChanged(TaskId),
    /// A world is not what it was.
    #[error(
        "the world of task `{0}` has changed since the run was planned\nhint: go on with the same version, or plan anew"
    )]
    WorldChanged(TaskId),
    /// Nobody knows the world of a task.
    #[error("task `{task}` takes place in a world of unknown kind `{kind}`")]
    NoWorld {
        /// The task.
        task: TaskId,
        /// The kind.
        kind: String,
    },
    /// An agent of the plan was not handed in.
    #[error("the run needs agent `{0}`, which is not there")]
    NoAgent(String),
    /// There is an outcome of a trial that the plan does not have.
    #[error("trial `{0}` has an outcome and is not in the plan")]
    NotPlanned(Box<TrialId>),
    /// A task makes other instances than it did, so that what was recorded is about something else.
    #[error("the instance of `{trial}` cannot be made again as it was")]
    InstanceChanged {
        /// Which trial.
        trial: Box<TrialId>,
        /// Why not.
        source: WorldError,
    },
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The run's files cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The record cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The runner itself broke, or whoever is told what happens.
    #[error("the run broke off: {0}")]
    Panicked(String),
    /// The operating system gave no threads.
    #[error("the runtime could not be started: {0}")]
    Runtime(std::io::Error),
}

/// Carries out a run, or goes on with it, with the engine in its own directory. The engine is not touched before
/// everything that the run needs was found to be there.
pub fn run_here(job: &Job<'_>) -> Result<RunSummary, RunError> {
    let program = PreparedPlan::new(job.run.plan()?, job.tasks, job.cast)?;
    let engine = open_engine(job.run)?;
    carry_out(job, &engine, program)
}

/// The engine in the run's own directory. It is no part of the record: a damaged one is moved aside and made anew.
fn open_engine(run: &RunDir) -> Result<SqliteEngine, EngineError> {
    SqliteEngine::open_mended(&run.engine_path(), |why, aside| {
        run.note_engine(why, format!("it was moved to {} and made anew from the record", aside.display()));
    })
}

/// Carries out a run: whatever has no outcome yet is handed out to workers until everything has one, or until the run is
/// told to stop.
pub fn run<E: Engine>(job: &Job<'_>, engine: &E) -> Result<RunSummary, RunError> {
    carry_out(job, engine, PreparedPlan::new(job.run.plan()?, job.tasks, job.cast)?)
}

fn carry_out<E: Engine>(job: &Job<'_>, engine: &E, program: PreparedPlan) -> Result<RunSummary, RunError> {
    let runtime = runtime()?;
    let name = job.run.header().name.clone();
    let site = TrialPlayer::with(*job, program)?;
    let classes = enqueue(job, engine, &runtime, &site)?;
    let before = runtime.block_on(engine.progress(&name))?;
    (job.emit)(Event::RunBegan { run: name.clone(), n_trials: before.n_units, n_done: before.n_done });
    let desk = FinishQueue::new(DESK);
    let pool = LeasePool::new(&runtime, engine, &name, classes, job);
    let hall = RunThreads { runtime: &runtime, engine, site: &site, desk: &desk, pool: &pool };
    let played = site.tally.allowance.during(job.run, job.options.beat_every, job.stop, || work(job, &hall));
    let after = runtime.block_on(engine.progress(&name))?;
    let (n_done, n_left) = (after.n_done, after.n_units - after.n_done);
    (job.emit)(Event::RunEnded { n_done, n_left });
    played??;
    Ok(site.tally.summary(n_done, n_left))
}

/// What the engine's calls run on.
pub(crate) fn runtime() -> Result<Runtime, RunError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build();
    runtime.map_err(RunError::Runtime)
}

/// Everything the threads of a run share.
pub(crate) struct RunThreads<'a, E> {
    pub(crate) runtime: &'a Runtime,
    pub(crate) engine: &'a E,
    pub(crate) site: &'a TrialPlayer<'a>,
    pub(crate) desk: &'a FinishQueue,
    pub(crate) pool: &'a LeasePool<'a, E>,
}

/// Adds to the engine what it does not know yet, and returns the classes of work.
fn enqueue<E: Engine>(
    job: &Job<'_>,
    engine: &E,
    runtime: &Runtime,
    site: &TrialPlayer<'_>,
) -> Result<Vec<String>, RunError> {
    let run = &job.run.header().name;
    let known: RunProgress = runtime.block_on(engine.progress(run))?;
    let n_attempts = site.past.n_attempts();
    let planned = site.program.units();
    let n_trials = planned.len() as u64;
    let mut classes = std::collections::BTreeSet::new();
    let mut units = Vec::new();
    for (id, class) in planned {
        let n_before = n_attempts.get(&id).copied().unwrap_or(0);
        classes.insert(class.clone());
        if n_before > 0 || known.n_units < n_trials {
            units.push(Unit { run: run.clone(), id, class, n_before });
        }
    }
    for chunk in units.chunks(10_000) {
        runtime.block_on(engine.enqueue(chunk))?;
    }
    Ok(classes.into_iter().collect())
}

/// Lets the workers work, hands in what they bring, and keeps their leases alive meanwhile. Whatever breaks, everyone
/// comes to an end.
fn work<E: Engine>(job: &Job<'_>, hall: &RunThreads<'_, E>) -> Result<(), RunError> {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let committer =
            scope.spawn(|| or_stop(job, || Committer { job, hall }.serve()).inspect_err(|_| hall.desk.close()));
        let keep = || {
            keep_alive(hall.pool, job.options.beat_every, &over);
            Ok(())
        };
        let keeper = scope.spawn(move || or_stop(job, keep));
        let workers: Vec<_> = (0..job.options.n_workers.max(1))
            .map(|_| scope.spawn(|| or_stop(job, || WorkerThread { job, hall }.work())))
            .collect();
        let mut result = Ok(());
        for worker in workers {
            result = result.and(worker.join().expect(CAUGHT));
        }
        hall.desk.close();
        result = result.and(committer.join().expect(CAUGHT));
        over.store(true, Ordering::SeqCst);
        keeper.thread().unpark();
        result = result.and(keeper.join().expect(CAUGHT));
        result.and(hall.pool.put_down_rest())
    })
}

pub(crate) const CAUGHT: &str = "the thread catches its panics";

/// Does a thread's part. A panic is an error like others, and any error tells the whole run to stop.
pub(crate) fn or_stop(job: &Job<'_>, part: impl FnOnce() -> Result<(), RunError>) -> Result<(), RunError> {
    let done = caught(part).map_err(RunError::Panicked).flatten();
    done.inspect_err(|_| job.stop.store(true, Ordering::SeqCst))
}
