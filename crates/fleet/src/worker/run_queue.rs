//! A room: where a run is played here. Leases wait in it for a slot.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use quintain_core::lock::LockAlways as _;

use super::holdings::TrackedLease;

/// A room that nobody uses is given up after this long.
const QUIET: Duration = Duration::from_secs(20);

/// A run, as it is played here.
#[derive(Debug)]
pub(super) struct RunQueue {
    /// The run.
    pub(super) run: String,
    /// Tells the rooms of a session apart.
    pub(super) number: usize,
    /// Its trials are to be put down.
    pub(super) stop: AtomicBool,
    waiting: Mutex<QueuedLeases>,
    bell: Condvar,
    n_here: AtomicUsize,
    retired: AtomicBool,
    mean_micros: AtomicU64,
    used: Mutex<Instant>,
}

#[derive(Debug, Default)]
struct QueuedLeases {
    leases: VecDeque<Arc<TrackedLease>>,
    closed: bool,
}

impl RunQueue {
    fn new(run: &str, number: usize) -> Self {
        Self {
            run: run.to_owned(),
            number,
            stop: AtomicBool::new(false),
            waiting: Mutex::default(),
            bell: Condvar::new(),
            n_here: AtomicUsize::new(0),
            retired: AtomicBool::new(false),
            mean_micros: AtomicU64::new(u64::MAX),
            used: Mutex::new(Instant::now()),
        }
    }

    fn push(&self, held: Arc<TrackedLease>) {
        self.n_here.fetch_add(1, Ordering::SeqCst);
        self.waiting.lock().always().leases.push_back(held);
        self.bell.notify_one();
    }

    /// Waits until there is a lease. Nothing comes any more if this returns false.
    pub(super) fn wait(&self) -> bool {
        let idle = |waiting: &mut QueuedLeases| waiting.leases.is_empty() && !waiting.closed;
        let waiting = self.bell.wait_while(self.waiting.lock().always(), idle).always();
        !waiting.leases.is_empty()
    }

    /// The next lease, unless another slot was quicker.
    pub(super) fn pop(&self) -> Option<Arc<TrackedLease>> {
        self.waiting.lock().always().leases.pop_front()
    }

    /// Takes away what has waited at least so long.
    pub(super) fn take_waiting(&self, at_least: Duration) -> Vec<Arc<TrackedLease>> {
        let mut waiting = self.waiting.lock().always();
        let (taken, left) =
            waiting.leases.drain(..).partition(|held: &Arc<TrackedLease>| held.given.elapsed() >= at_least);
        waiting.leases = left;
        taken.into()
    }

    /// The lease that will be played next.
    pub(super) fn peek(&self) -> Option<Arc<TrackedLease>> {
        self.waiting.lock().always().leases.front().cloned()
    }

    /// How many leases wait.
    pub(super) fn n_waiting(&self) -> usize {
        self.waiting.lock().always().leases.len()
    }

    /// A lease has left the room.
    pub(super) fn gone(&self, n: usize) {
        self.n_here.fetch_sub(n, Ordering::SeqCst);
        *self.used.lock().always() = Instant::now();
    }

    /// Learns how long trials take.
    pub(super) fn took(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX - 1);
        let before = self.mean_micros.load(Ordering::Relaxed);
        let mean = if before == u64::MAX { micros } else { before - before / 8 + micros / 8 };
        self.mean_micros.store(mean, Ordering::Relaxed);
    }

    /// How long its trials take; nothing before the first has ended.
    pub(super) fn mean(&self) -> Option<Duration> {
        let micros = self.mean_micros.load(Ordering::Relaxed);
        (micros != u64::MAX).then(|| Duration::from_micros(micros))
    }

    /// No more leases come here: another room is opened for the run where there are any.
    pub(super) fn retire(&self) {
        self.retired.store(true, Ordering::SeqCst);
    }

    fn may_close(&self) -> bool {
        let unused = self.n_here.load(Ordering::SeqCst) == 0;
        unused && (self.retired.load(Ordering::SeqCst) || self.used.lock().always().elapsed() >= QUIET)
    }

    fn close(&self) {
        self.waiting.lock().always().closed = true;
        self.bell.notify_all();
    }
}

/// All rooms.
#[derive(Debug, Default)]
pub(super) struct RunQueues {
    inner: Mutex<QueueShared>,
    left: Condvar,
}

#[derive(Debug, Default)]
struct QueueShared {
    /// Where new leases of a run go.
    by_run: HashMap<String, Arc<RunQueue>>,
    all: Vec<Arc<RunQueue>>,
    n_opened: usize,
}

impl RunQueues {
    /// Brings a lease to the room of its run. Returns the room if it was opened for it.
    pub(super) fn bring(&self, held: Arc<TrackedLease>) -> Option<Arc<RunQueue>> {
        let mut inner = self.inner.lock().always();
        let run = held.lease.run.clone();
        let open = inner.by_run.get(&run).filter(|room| !room.retired.load(Ordering::SeqCst));
        if let Some(room) = open {
            room.push(held);
            return None;
        }
        let room = Arc::new(RunQueue::new(&run, inner.n_opened));
        room.push(held);
        inner.n_opened += 1;
        inner.by_run.insert(run, Arc::clone(&room));
        inner.all.push(Arc::clone(&room));
        Some(room)
    }

    /// Closes a room if it may be: nothing is in it, and nothing is expected.
    pub(super) fn close_if_done(&self, room: &Arc<RunQueue>) {
        let mut inner = self.inner.lock().always();
        if room.may_close() {
            inner.take_off(room);
            room.close();
        }
    }

    /// Closes a room for good: whatever is brought from now on goes to another.
    pub(super) fn close(&self, room: &Arc<RunQueue>) {
        room.retire();
        self.inner.lock().always().take_off(room);
        room.close();
    }

    /// A room was left for good.
    pub(super) fn leave(&self, room: &Arc<RunQueue>) {
        let mut inner = self.inner.lock().always();
        inner.take_off(room);
        inner.all.retain(|other| !Arc::ptr_eq(other, room));
        self.left.notify_all();
    }

    /// All that are not left yet.
    pub(super) fn all(&self) -> Vec<Arc<RunQueue>> {
        self.inner.lock().always().all.clone()
    }

    /// Waits until all rooms are left, but no longer than that.
    pub(super) fn wait_until_left(&self, within: Duration) -> bool {
        let inner = self.inner.lock().always();
        let (inner, _) = self.left.wait_timeout_while(inner, within, |inner| !inner.all.is_empty()).always();
        inner.all.is_empty()
    }
}

impl QueueShared {
    fn take_off(&mut self, room: &Arc<RunQueue>) {
        if self.by_run.get(&room.run).is_some_and(|other| Arc::ptr_eq(other, room)) {
            self.by_run.remove(&room.run);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::holdings::{WorkerHoldings, lease};
    use super::*;

    fn held(key: u64) -> Arc<TrackedLease> {
        WorkerHoldings::default().add(lease(key))
    }

    #[test]
    fn leases_of_a_run_go_to_one_room_until_it_is_retired() {
        let rooms = RunQueues::default();
        let first = rooms.bring(held(1)).expect("the first lease opens a room");
        assert!(rooms.bring(held(2)).is_none());
        assert_eq!(first.n_waiting(), 2);
        first.retire();
        let second = rooms.bring(held(3)).expect("a retired room takes nothing");
        assert_eq!((first.n_waiting(), second.n_waiting(), rooms.all().len()), (2, 1, 2));
        assert_ne!(first.number, second.number);
    }

    #[test]
    fn a_room_is_closed_once_it_is_retired_and_everything_has_left_it() {
        let rooms = RunQueues::default();
        let room = rooms.bring(held(1)).expect("a room is opened");
        assert!(room.wait() && room.pop().is_some() && room.pop().is_none());
        rooms.close_if_done(&room);
        room.retire();
        rooms.close_if_done(&room);
        assert!(!room.waiting.lock().always().closed, "its lease is still being played");
        room.gone(1);
        rooms.close_if_done(&room);
        assert!(!room.wait(), "it is closed");
        rooms.leave(&room);
        assert!(rooms.wait_until_left(Duration::ZERO));
    }

    #[test]
    fn what_has_waited_too_long_is_taken_away() {
        let rooms = RunQueues::default();
        let room = rooms.bring(held(1)).expect("a room is opened");
        assert_eq!(room.take_waiting(Duration::from_mins(1)).len(), 0);
        assert_eq!(room.take_waiting(Duration::ZERO).len(), 1);
        assert_eq!(room.n_waiting(), 0);
    }

    #[test]
    fn it_is_learned_how_long_trials_take() {
        let room = RunQueue::new("run", 0);
        assert_eq!(room.mean(), None);
        room.took(Duration::from_millis(80));
        assert_eq!(room.mean(), Some(Duration::from_millis(80)));
        room.took(Duration::from_millis(160));
        assert_eq!(room.mean(), Some(Duration::from_millis(90)));
    }
}
