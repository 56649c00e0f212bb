//! What all parts of a worker share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use quintain_core::lock::LockAlways as _;
use quintain_core::{Backoff, Event};
use quintain_runner::engine::{AttemptEnd, Engine, EngineError, Lease, Release};
use quintain_store::ClassUsed;
use tokio::runtime::Runtime;

use super::holdings::{TrackedLease, WorkerHoldings};
use super::news::WorkerNews;
use super::refusals::{RefusedPart, RunRefusals};
use super::retry::until_done;
use super::run_queue::{RunQueue, RunQueues};
use super::slots::Slots;
use super::source::ArchiveAccess;
use super::steward_client::StewardClient;
use super::{Casting, WorkSummary, WorkerOptions};
use crate::hosts::Hosts;
use crate::jetstream::NatsEngine;
use crate::limits::Shares;
use crate::traces::Tracer;

/// How often one who rests looks whether the worker is to end.
const LOOK: Duration = Duration::from_millis(200);

/// What all parts of a worker share.
pub(super) struct WorkerContext<'a> {
    pub(super) options: &'a WorkerOptions,
    pub(super) engine: Arc<NatsEngine>,
    pub(super) hosts: Hosts,
    pub(super) access: ArchiveAccess,
    pub(super) asking: StewardClient,
    pub(super) casting: Casting<'a>,
    pub(super) shares: Shares,
    pub(super) tell: &'a (dyn Fn(&Event) + Sync),
    pub(super) stop: &'a AtomicBool,
    pub(super) tracer: Option<Tracer>,
    pub(super) runtime: Runtime,
    /// Nobody else has this name, now or later.
    pub(super) session: String,
    pub(super) slots: Slots,
    pub(super) holdings: WorkerHoldings,
    pub(super) rooms: RunQueues,
    pub(super) news: WorkerNews,
    pub(super) tally: WorkerCounts,
    pub(super) draining: AtomicBool,
    /// Whether it is known that the archive is the fleet's.
    pub(super) bound: AtomicBool,
    pub(super) refusals: RunRefusals,
    pub(super) freed: Mutex<()>,
    pub(super) bell: Condvar,
}

/// What a worker counts.
#[derive(Debug, Default)]
pub(super) struct WorkerCounts {
    pub(super) won: AtomicU64,
    pub(super) late: AtomicU64,
    pub(super) faulted: AtomicU64,
    pub(super) put_down: AtomicU64,
    pub(super) refused: AtomicU64,
    packs: AtomicU64,
    bytes: AtomicU64,
}

impl WorkerContext<'_> {
    /// Waits for an answer, on a thread that may wait.
    pub(super) fn block_on<T>(&self, answer: impl Future<Output = T>) -> T {
        self.runtime.block_on(answer)
    }

    /// Notes something for whoever looks after this worker.
    pub(super) fn log(&self, line: &str) {
        (self.options.log)(line);
    }

    /// Whether nothing new is to be taken.
    pub(super) fn is_draining(&self) -> bool {
        self.stop.load(Ordering::SeqCst) || self.draining.load(Ordering::SeqCst)
    }

    /// Whether it is known that the archive is the fleet's.
    pub(super) fn is_bound(&self) -> bool {
        self.bound.load(Ordering::SeqCst)
    }

    /// The archive is the fleet's.
    pub(super) fn bind(&self) {
        self.bound.store(true, Ordering::SeqCst);
    }

    /// Tells of something that happened in a run.
    pub(super) fn emit(&self, run: &str, event: Event) {
        (self.tell)(&event);
        self.news.add(run, event);
    }

    /// Waits until a slot is free, but no longer than that.
    pub(super) fn wait(&self, within: Duration) {
        let waited = self.bell.wait_timeout(self.freed.lock().always(), within);
        drop(waited.always());
    }

    /// Waits that long, or until nothing new is to be taken.
    pub(super) fn rest(&self, long: Duration) {
        let until = Instant::now() + long;
        while !self.is_draining() && Instant::now() < until {
            self.wait(LOOK.min(until.saturating_duration_since(Instant::now())));
        }
    }

    /// A slot is free, or something else has changed.
    pub(super) fn ring(&self) {
        self.bell.notify_all();
    }

    /// Tells the engine of an attempt that ended without an outcome, however long it takes.
    pub(super) async fn release(&self, lease: &Lease, release: &Release) {
        let failed = |error: &EngineError| self.failed("put a trial back", error);
        until_done(|| self.engine.release(lease, release), failed).await;
    }

    /// Puts leases back that nobody began to play, and lets go of them. If that cannot be done for as long as a lease
    /// lasts, they are given to others without it.
    pub(super) fn put_back(&self, room: Option<&RunQueue>, all: &[Arc<TrackedLease>], delay: Duration) {
        let release = Release { delay, end: AttemptEnd::PutDown, place: None };
        let kept = all.iter().filter(|held| !held.is_lost());
        let all_released = join_all(kept.map(|held| self.release(&held.lease, &release)));
        let within = self.options.lease_for;
        if self.block_on(async { tokio::time::timeout(within, all_released).await }).is_err() {
            self.log("leases that nobody began to play could not be put back: they will run out");
        }
        for held in all {
            self.holdings.let_go(held);
        }
        if let Some(room) = room {
            room.gone(all.len());
        }
    }

    /// Notes that the engine did not do something. It is tried again.
    pub(super) fn failed(&self, doing: &str, error: &dyn std::fmt::Display) {
        self.options.metrics.engine_error();
        self.log(&format!("could not {doing} and will try again: {error}"));
    }

    /// Takes no more leases of a run for a while, and gives back what came of it and was not opened yet.
    pub(super) fn refuse(&self, run: &str, why: &str, rests: Backoff) {
        self.log(&format!("run `{run}` cannot be played here: {why}"));
        self.refusals.refuse(RefusedPart::whole(run), why, rests, Instant::now());
        self.put_back_unopened(run);
    }

    /// Takes no more leases of one class of a run for a while.
    pub(super) fn refuse_class(&self, run: &str, used: &ClassUsed, why: &str, rests: Backoff) {
        let why = format!("trials of class `{}`: {why}", used.class);
        self.log(&format!("of run `{run}` some cannot be played here: {why}"));
        self.refusals.refuse(RefusedPart::class(run, &used.class, &used.tasks), &why, rests, Instant::now());
    }

    /// Gives back what came of a run and was not opened yet. Where that fails it runs out.
    pub(super) fn put_back_unopened(&self, run: &str) {
        if let Err(error) = self.block_on(self.engine.put_back_unopened_of(run)) {
            self.log(&format!("what was not opened of run `{run}` will be given to others later: {error}"));
        }
    }

    /// Whether a lease is put back.
    pub(super) fn is_refused(&self, lease: &Lease) -> bool {
        self.refusals.has(&lease.run, &lease.unit, Instant::now())
    }

    /// How long a trial of the slowest run at hand takes; nothing if that is not known of one of them.
    pub(super) fn slowest(&self) -> Option<Duration> {
        let means: Option<Vec<Duration>> = self.rooms.all().iter().map(|room| room.mean()).collect();
        means?.into_iter().max()
    }

    /// How many leases wait for a slot.
    pub(super) fn n_waiting(&self) -> usize {
        self.rooms.all().iter().map(|room| room.n_waiting()).sum()
    }
}

impl WorkerCounts {
    /// A pack of so many bytes is in the archive.
    pub(super) fn packs(&self, n_bytes: u64) {
        self.packs.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(n_bytes, Ordering::Relaxed);
    }

    /// Counts one more.
    pub(super) fn count(count: &AtomicU64, n: usize) {
        count.fetch_add(n as u64, Ordering::Relaxed);
    }

    pub(super) fn summary(&self) -> WorkSummary {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        WorkSummary {
            n_won: read(&self.won),
            n_late: read(&self.late),
            n_faulted: read(&self.faulted),
            n_put_down: read(&self.put_down),
            n_refused: read(&self.refused),
            n_packs: read(&self.packs),
            n_bytes: read(&self.bytes),
        }
    }
}
