//! The leases that this process holds: those that wait for a worker, and those being played.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use quintain_core::lock::LockAlways as _;
use tokio::runtime::Runtime;

use crate::engine::{AttemptEnd, Engine, EngineError, Hold, Lease, LeaseOrder, Release};
use crate::run::{Job, RunError};

/// How long to wait for work before looking whether the run is over.
const WAIT: Duration = Duration::from_millis(50);

/// Leases are taken in batches that last about this long, so that cheap trials do not cost a trip each.
const BATCH_LASTS: Duration = Duration::from_millis(50);

/// The most leases that a worker's share of a batch may have.
const MAX_SHARE: u64 = 32;

/// The leases that this process holds.
pub(crate) struct LeasePool<'a, E> {
    runtime: &'a Runtime,
    engine: &'a E,
    run: &'a str,
    classes: Vec<String>,
    n_workers: usize,
    stop: &'a AtomicBool,
    waiting: Mutex<VecDeque<HeldLease>>,
    filling: Mutex<()>,
    held: Mutex<HashMap<(u64, u32), HeldLease>>,
    trial_micros: AtomicU64,
}

/// A lease, and whether it has been lost.
#[derive(Clone)]
pub(crate) struct HeldLease {
    pub(crate) lease: Lease,
    pub(crate) lost: Arc<AtomicBool>,
}

impl<'a, E: Engine> LeasePool<'a, E> {
    pub(crate) fn new(runtime: &'a Runtime, engine: &'a E, run: &'a str, classes: Vec<String>, job: &Job<'a>) -> Self {
        Self {
            runtime,
            engine,
            run,
            classes,
            n_workers: job.options.n_workers.max(1),
            stop: job.stop,
            waiting: Mutex::default(),
            filling: Mutex::default(),
            held: Mutex::default(),
            trial_micros: AtomicU64::new(u64::MAX),
        }
    }

    /// The next lease to play; nothing when the run is over or told to stop. Whoever finds the pool low fills it while
    /// the others go on; whoever finds it empty waits for that.
    pub(crate) fn next(&self) -> Result<Option<HeldLease>, EngineError> {
        while !self.stop.load(Ordering::SeqCst) {
            let (next, n_left) = self.pop();
            if next.is_some() {
                if n_left < self.batch() / 2
                    && let Ok(_filling) = self.filling.try_lock()
                {
                    self.fill(Duration::ZERO)?;
                }
                return Ok(next);
            }
            let _filling = self.filling.lock().always();
            let still_empty = self.waiting.lock().always().is_empty();
            if still_empty && self.fill(WAIT)? == 0 && self.is_over()? {
                return Ok(None);
            }
        }
        Ok(None)
    }

    fn pop(&self) -> (Option<HeldLease>, usize) {
        let mut waiting = self.waiting.lock().always();
        (waiting.pop_front(), waiting.len())
    }

    /// Leases another batch, and returns how many there were.
    fn fill(&self, wait: Duration) -> Result<usize, EngineError> {
        let order = LeaseOrder { classes: self.classes.clone(), max: self.batch(), wait };
        let leases = self.runtime.block_on(self.engine.lease(&order))?;
        let held: Vec<HeldLease> = leases.into_iter().map(|lease| HeldLease { lease, lost: Arc::default() }).collect();
        self.held.lock().always().extend(held.iter().map(|held| (held.lease.name(), held.clone())));
        let n_leased = held.len();
        self.waiting.lock().always().extend(held);
        Ok(n_leased)
    }

    fn is_over(&self) -> Result<bool, EngineError> {
        Ok(self.runtime.block_on(self.engine.progress(self.run))?.n_open() == 0)
    }

    /// How many leases to take: as many as the workers will be done with in a moment.
    fn batch(&self) -> usize {
        let micros = self.trial_micros.load(Ordering::Relaxed);
        let share = (BATCH_LASTS.as_micros() as u64 / micros.max(1)).clamp(1, MAX_SHARE);
        share as usize * self.n_workers
    }

    /// Learns how long trials take.
    pub(crate) fn took(&self, time: Duration) {
        let micros = time.as_micros() as u64;
        let before = self.trial_micros.load(Ordering::Relaxed);
        let mean = if before == u64::MAX { micros } else { (before * 7 + micros) / 8 };
        self.trial_micros.store(mean, Ordering::Relaxed);
    }

    /// Lets go of a lease that was handed in or put back.
    pub(crate) fn done_with(&self, lease: &Lease) {
        self.held.lock().always().remove(&lease.name());
    }

    /// Puts back what no worker took, and what was left over by one that broke.
    pub(crate) fn put_down_rest(&self) -> Result<(), RunError> {
        self.waiting.lock().always().clear();
        let mut rest: Vec<Lease> = self.held.lock().always().drain().map(|(_, held)| held.lease).collect();
        rest.sort_by_key(Lease::name);
        for lease in rest {
            let release = Release { delay: Duration::ZERO, end: AttemptEnd::PutDown, place: None };
            self.runtime.block_on(self.engine.release(&lease, &release))?;
        }
        Ok(())
    }

    /// Keeps all leases alive, and marks those that were lost. A beat that fails is made up for by the next.
    fn beat(&self) {
        let held: Vec<HeldLease> = self.held.lock().always().values().cloned().collect();
        let leases: Vec<Lease> = held.iter().map(|held| held.lease.clone()).collect();
        let Ok(holds) = self.runtime.block_on(self.engine.beat(&leases)) else {
            return;
        };
        for (held, hold) in held.iter().zip(holds) {
            if hold == Hold::Lost {
                held.lost.store(true, Ordering::SeqCst);
                self.done_with(&held.lease);
            }
        }
    }
}

impl Lease {
    /// Tells leases of this engine apart.
    fn name(&self) -> (u64, u32) {
        (self.key, self.attempt)
    }
}

/// Keeps leases alive until the work is over.
pub(crate) fn keep_alive<E: Engine>(pool: &LeasePool<'_, E>, every: Duration, over: &AtomicBool) {
    let mut last = Instant::now();
    while !over.load(Ordering::SeqCst) {
        thread::park_timeout(every.saturating_sub(last.elapsed()));
        if last.elapsed() >= every && !over.load(Ordering::SeqCst) {
            pool.beat();
            last = Instant::now();
        }
    }
}
