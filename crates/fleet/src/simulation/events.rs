//! What happens when: a queue of moments to come, and the clock that stands at the present one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use quintain_runner::engine::{RunDirection, WallClock};

/// A worker's number.
pub(super) type WorkerIdx = u32;

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SimulatedEvent {
    /// A run is handed in.
    Submit { run: u32 },
    /// A run is told to pause, to go, or that it is cancelled: 1, 0, 2.
    Direct { run: u32, to: u8 },
    /// The leading steward looks and offers.
    Round { term: u32 },
    /// A worker asks for work.
    Pull { worker: WorkerIdx, epoch: u32 },
    /// A worker keeps its leases alive.
    Beat { worker: WorkerIdx, epoch: u32 },
    /// A trial is over.
    Over { worker: WorkerIdx, stamp: u64 },
    /// A trial wants to call the limited model.
    Call { worker: WorkerIdx, stamp: u64 },
    /// A worker crashes.
    Crash { worker: WorkerIdx, epoch: u32 },
    /// A worker is started again.
    Start { worker: WorkerIdx, epoch: u32 },
    /// A worker stands still.
    Freeze { worker: WorkerIdx, epoch: u32 },
    /// It goes on.
    Thaw { worker: WorkerIdx, epoch: u32 },
    /// A part of all hosts fails.
    MassFailure,
    /// The leading steward dies.
    StewardDies,
    /// Another one leads.
    TakeOver,
    /// The server goes away.
    OutageBegins,
    /// It is back.
    OutageEnds,
    /// Things are measured.
    Sample,
}

/// What a direction is in an event.
pub(super) fn direction(to: u8) -> RunDirection {
    match to {
        0 => RunDirection::Go,
        1 => RunDirection::Pause,
        _ => RunDirection::Cancel,
    }
}

/// A clock that stands still until it is moved.
#[derive(Debug, Default)]
pub(super) struct SimulatedClock(AtomicI64);

impl SimulatedClock {
    fn move_to(&self, ms: i64) {
        self.0.store(ms, Ordering::Relaxed);
    }
}

impl WallClock for SimulatedClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What is to come. Of things at the same moment the one that was foreseen first comes first.
#[derive(Debug, Default)]
pub(super) struct EventQueue {
    clock: Arc<SimulatedClock>,
    heap: BinaryHeap<Reverse<(i64, u64, SimulatedEvent)>>,
    n: u64,
}

impl EventQueue {
    pub(super) fn clock(&self) -> Arc<SimulatedClock> {
        Arc::clone(&self.clock)
    }

    pub(super) fn now(&self) -> i64 {
        self.clock.now_ms()
    }

    /// How many events there have been, those to come included.
    pub(super) fn n(&self) -> u64 {
        self.n
    }

    pub(super) fn at(&mut self, ms: i64, what: SimulatedEvent) {
        self.n += 1;
        self.heap.push(Reverse((ms.max(self.now()), self.n, what)));
    }

    pub(super) fn after(&mut self, ms: i64, what: SimulatedEvent) {
        self.at(self.now() + ms, what);
    }

    /// The next thing; the clock stands at its moment.
    pub(super) fn next(&mut self) -> Option<SimulatedEvent> {
        let Reverse((ms, _, what)) = self.heap.pop()?;
        self.clock.move_to(ms);
        Some(what)
    }
}
