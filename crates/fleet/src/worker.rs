//! The worker: plays trials of any runs, as many at once as it has slots.
//!
//! [`work`] is the whole life of a worker process. It takes leases, opens a room for each run that it is given units of,
//! plays them there on scratch space, ships the records to the archive in packs, and only then hands in what came of
//! them. It keeps its leases alive meanwhile. Nothing that fails on the network ends it: calls are tried again, trials
//! under way play on, and what was finished is handed in once it can be. When it is told to stop or wished to drain, it
//! takes nothing new and ends when all that it holds is handed in or put back.

mod context;
mod crew;
mod fit;
mod hand_in_queue;
mod handover;
mod holdings;
mod joining;
mod large_files;
mod leasing;
mod news;
mod prepare;
mod pulse;
mod references;
mod refusals;
mod retry;
mod run_queue;
mod shipper;
mod slots;
mod source;
mod steward_client;
mod trace;
mod unfinished;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use quintain_core::Event;
use quintain_runner::engine::{EngineError, SystemClock, WallClock as _};
use quintain_runner::{Cast, RunOptions, n_cores};
use quintain_store::{ArchiveError, RunDir, StoreError};

use crate::bond::NotBound;
use crate::hosts::Hosts;
use crate::jetstream::NatsEngine;
use crate::limits::Shares;
use crate::metrics::Metrics;
use crate::traces::Tracer;

pub use source::ArchiveAccess;

use context::WorkerContext;
use slots::Slots;
use steward_client::StewardClient;

/// How long the steward is waited for when the last is told of what was used of the fleet's limits.
const CLOSE_WITHIN: Duration = Duration::from_secs(5);

/// How a worker works.
#[derive(Clone)]
pub struct WorkerOptions {
    /// Its name, which no other worker has: letters, digits, `-` and `_`.
    pub name: String,
    /// What it can do, the scarcest first.
    pub classes: Vec<String>,
    /// How many trials it plays at once.
    pub slots: usize,
    /// What it runs on. Runs that were planned on something else that matters are not played.
    pub fingerprint: BTreeMap<String, String>,
    /// Where it keeps records until they are shipped.
    pub scratch: PathBuf,
    /// How long a lease lasts without a beat, as the engine was told.
    pub lease_for: Duration,
    /// How long trials under way may go on once it is to end.
    pub grace: Duration,
    /// How trials are played.
    pub run: RunOptions,
    /// What it counts.
    pub metrics: Arc<Metrics>,
    /// Told what whoever looks after the worker may want to know, a line each.
    pub log: Arc<dyn Fn(&str) + Send + Sync>,
}

impl WorkerOptions {
    /// A worker of that name that can do these things, with everything else as usual.
    pub fn new(name: impl Into<String>, classes: Vec<String>, scratch: impl Into<PathBuf>) -> Self {
        Self {
            name: name.into(),
            classes,
            slots: n_cores(),
            fingerprint: BTreeMap::new(),
            scratch: scratch.into(),
            lease_for: Duration::from_mins(1),
            grace: Duration::from_mins(10),
            run: RunOptions::default(),
            metrics: Arc::default(),
            log: Arc::new(|_line| {}),
        }
    }
}

/// Makes those who take part in a run, from its directory and the worker's shares of limits, or says why it cannot.
pub type Casting<'a> = &'a (dyn Fn(&RunDir, Shares) -> Result<Cast, String> + Sync);

/// What a worker did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkSummary {
    /// Outcomes that count.
    pub n_won: u64,
    /// Outcomes that came after another one.
    pub n_late: u64,
    /// Attempts that ended in a fault and were put back.
    pub n_faulted: u64,
    /// Trials that were put down, to be gone on with.
    pub n_put_down: u64,
    /// Units that were put back because their run cannot be played here.
    pub n_refused: u64,
    /// Packs that were shipped.
    pub n_packs: u64,
    /// The bytes of those packs.
    pub n_bytes: u64,
}

/// Why a worker could not begin.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// Its name would not do.
    #[error("`{0}` is no name for a worker\nhint: use letters, digits, `-` and `_`")]
    BadName(String),
    /// Another worker has its name, and lives.
    #[error(
        "a worker named `{0}` is at work in this fleet already\nhint: give this one a name of its own (--name); two of one \
         name could not be told apart, and a key belongs to one name"
    )]
    NameTaken(String),
    /// Its archive is not the fleet's.
    #[error(transparent)]
    Archive(#[from] NotBound),
    /// It cannot play anything.
    #[error("a worker needs at least one slot and something that it can do")]
    Idle,
    /// The operating system gave no threads.
    #[error("the runtime could not be started: {0}")]
    Runtime(std::io::Error),
    /// There is no place for its records.
    #[error("nothing can be kept on this disk: {0}\nhint: --scratch names another folder")]
    Scratch(std::io::Error),
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// What keeps a worker from reading or writing the archive for now.
#[derive(Debug, thiserror::Error)]
enum ArchiveTrouble {
    #[error(transparent)]
    Archive(#[from] StoreError),
    #[error("the steward could not be asked: {0}")]
    Steward(String),
    #[error("the steward refuses: {0}")]
    Refused(String),
    #[error("{0}")]
    Other(String),
}

impl ArchiveTrouble {
    /// How long it is worth to try again. A steward that has just begun may refuse what it does not know yet. What is not
    /// in the archive will not come: a run is all there before anybody is given a trial of it.
    fn worth_waiting(&self) -> Duration {
        match self {
            Self::Archive(StoreError::Archive(ArchiveError::Missing { .. } | ArchiveError::Unreadable { .. })) => {
                Duration::ZERO
            }
            Self::Archive(_) | Self::Steward(_) => Duration::from_mins(5),
            Self::Refused(_) => Duration::from_secs(20),
            Self::Other(_) => Duration::ZERO,
        }
    }

    fn into_store_error(self, what: &str) -> StoreError {
        match self {
            Self::Archive(error) => error,
            other => ArchiveError::Unreadable { what: what.to_owned(), why: other.to_string() }.into(),
        }
    }
}

/// Works until told to stop or wished to drain, and until all that was begun is handed in or put back.
pub fn work(
    options: &WorkerOptions,
    engine: Arc<NatsEngine>,
    hosts: Hosts,
    access: ArchiveAccess,
    casting: Casting<'_>,
    stop: &AtomicBool,
    tell: &(dyn Fn(&Event) + Sync),
) -> Result<WorkSummary, WorkError> {
    check(options)?;
    let now_ms = SystemClock.now_ms();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(WorkError::Runtime)?;
    let session = format!("{}-{now_ms:x}p{:x}", options.name, std::process::id());
    let here = WorkerContext {
        asking: StewardClient::of(hosts.client(), hosts.names(), &options.name),
        shares: Shares::new(hosts.client(), hosts.names(), &options.name, &session),
        options,
        engine,
        hosts,
        access,
        casting,
        tell,
        stop,
        tracer: Tracer::from_environment(&options.name, runtime.handle()),
        runtime,
        session,
        slots: Slots::new(options.slots),
        holdings: holdings::WorkerHoldings::default(),
        rooms: run_queue::RunQueues::default(),
        news: news::WorkerNews::default(),
        tally: context::WorkerCounts::default(),
        draining: AtomicBool::new(false),
        bound: AtomicBool::new(false),
        refusals: refusals::RunRefusals::default(),
        freed: Mutex::default(),
        bell: Condvar::new(),
    };
    joining::join(&here)?;
    let own = prepare::claim_scratch(&here).map_err(WorkError::Scratch)?;
    live(&here, now_ms);
    trace::flush(&here);
    here.block_on(here.shares.close(CLOSE_WITHIN));
    prepare::leave_scratch(&here, own);
    Ok(here.tally.summary())
}

fn check(options: &WorkerOptions) -> Result<(), WorkError> {
    let harmless = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if options.name.is_empty() || options.name.len() > 100 || !options.name.chars().all(harmless) {
        return Err(WorkError::BadName(options.name.clone()));
    }
    if options.slots == 0 || options.classes.is_empty() { Err(WorkError::Idle) } else { Ok(()) }
}

/// Everyone at work, until the last lease is handed in.
fn live<'env>(context: &'env WorkerContext<'env>, since_ms: i64) {
    let over = AtomicBool::new(false);
    thread::scope(|around| {
        let pulse = around.spawn(|| pulse::keep_alive(context, since_ms, &over));
        let teller = around.spawn(|| pulse::tell(context, &over));
        context.options.metrics.ready();
        thread::scope(|scope| {
            leasing::lease(context, scope);
            leasing::drain(context);
        });
        over.store(true, Ordering::SeqCst);
        pulse.thread().unpark();
        teller.thread().unpark();
    });
}
