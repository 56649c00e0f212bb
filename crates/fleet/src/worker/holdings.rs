//! The leases that this worker holds, from the moment it is given them until they are handed in or put back.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use quintain_core::lock::LockAlways as _;
use quintain_runner::engine::{Hold, Lease};

use crate::hosts;

/// A lease with what becomes of it.
#[derive(Debug)]
pub(super) struct TrackedLease {
    pub(super) lease: Lease,
    /// When it was given.
    pub(super) given: Instant,
    /// Someone else may have it: a trial that is under way is put down.
    pub(super) lost: AtomicBool,
    /// When it was last confirmed, by a clock that never jumps and one that goes on while the machine sleeps.
    confirmed: Mutex<(Instant, SystemTime)>,
    /// Where its trial is being recorded, while it is under way.
    pub(super) under_way: Mutex<Option<UnderWay>>,
}

/// Where a trial that is under way is being recorded.
#[derive(Clone, Debug)]
pub(super) struct UnderWay {
    /// The segment's file.
    pub(super) file: PathBuf,
    /// Everything before this was kept elsewhere, or belongs to others.
    pub(super) kept_to: u64,
    /// Since when.
    pub(super) began: Instant,
}

type LeaseName = (String, u64, u32);

/// The leases that this worker holds.
#[derive(Debug, Default)]
pub(super) struct WorkerHoldings {
    all: Mutex<HashMap<LeaseName, Arc<TrackedLease>>>,
    /// Units that were played to an end and not handed in yet, and in which attempt.
    finished: Mutex<HashMap<(String, u64), u32>>,
}

impl TrackedLease {
    fn new(lease: Lease) -> Self {
        let given = Instant::now();
        let confirmed = Mutex::new((given, SystemTime::now()));
        Self { lease, given, lost: AtomicBool::new(false), confirmed, under_way: Mutex::default() }
    }

    pub(super) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::SeqCst)
    }

    fn unconfirmed_for(&self) -> Duration {
        let (steady, wall) = *self.confirmed.lock().always();
        steady.elapsed().max(wall.elapsed().unwrap_or_default())
    }

    fn name(&self) -> LeaseName {
        (self.lease.run.clone(), self.lease.key, self.lease.attempt)
    }
}

impl WorkerHoldings {
    /// Adds a lease that was just given.
    pub(super) fn add(&self, lease: Lease) -> Arc<TrackedLease> {
        let held = Arc::new(TrackedLease::new(lease));
        self.all.lock().always().insert(held.name(), Arc::clone(&held));
        held
    }

    /// Lets go of a lease that was handed in or put back.
    pub(super) fn let_go(&self, held: &TrackedLease) {
        self.all.lock().always().remove(&held.name());
        let (unit, mut finished) = ((held.lease.run.clone(), held.lease.key), self.finished.lock().always());
        if finished.get(&unit) == Some(&held.lease.attempt) {
            finished.remove(&unit);
        }
    }

    /// A lease was played to an end, and what came of it is on its way.
    pub(super) fn finish(&self, held: &TrackedLease) {
        self.finished.lock().always().insert((held.lease.run.clone(), held.lease.key), held.lease.attempt);
    }

    /// Whether what came of a lease's unit is on its way. A server that has lost its memory gives it out once more.
    pub(super) fn is_finished(&self, lease: &Lease) -> bool {
        let finished = self.finished.lock().always();
        !finished.is_empty() && finished.contains_key(&(lease.run.clone(), lease.key))
    }

    /// All of them, in order.
    pub(super) fn all(&self) -> Vec<Arc<TrackedLease>> {
        let mut all: Vec<Arc<TrackedLease>> = self.all.lock().always().values().cloned().collect();
        all.sort_by_cached_key(|held| held.name());
        all
    }

    /// What others are told of them.
    pub(super) fn listed(&self) -> Vec<hosts::HeldUnit> {
        let listed = |held: Arc<TrackedLease>| {
            let Lease { run, key, attempt, .. } = &held.lease;
            hosts::HeldUnit { run: run.clone(), idx: u32::try_from(*key).unwrap_or(u32::MAX), attempt: *attempt }
        };
        self.all().into_iter().map(listed).collect()
    }
}

/// Notes what a beat that was sent at a moment brought, and returns how many leases were lost by it.
pub(super) fn note_beat(held: &[Arc<TrackedLease>], holds: &[Hold], sent: (Instant, SystemTime)) -> usize {
    let mut n_lost = 0;
    for (held, hold) in held.iter().zip(holds) {
        match hold {
            Hold::Still => *held.confirmed.lock().always() = sent,
            Hold::Lost => n_lost += usize::from(!held.lost.swap(true, Ordering::SeqCst)),
        }
    }
    n_lost
}

/// Notes that a beat was not heard. What was not confirmed for as long as a lease lasts may be someone else's by now.
/// Returns how many leases were lost by it.
pub(super) fn note_silence(held: &[Arc<TrackedLease>], lease_for: Duration) -> usize {
    let overdue = held.iter().filter(|held| held.unconfirmed_for() >= lease_for);
    overdue.filter(|held| !held.lost.swap(true, Ordering::SeqCst)).count()
}

/// A lease for tests.
#[cfg(test)]
pub(super) fn lease(key: u64) -> Lease {
    let (run, unit) = ("run".to_owned(), format!("unit {key}"));
    Lease { run, unit, key, attempt: 1, n_faults: 0, n_lost: 0, deadline_ms: 0, handle: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_confirmed_in_time_is_lost() {
        let holdings = WorkerHoldings::default();
        let held = [holdings.add(lease(1)), holdings.add(lease(2))];
        let now = (Instant::now(), SystemTime::now());
        assert_eq!(note_beat(&held, &[Hold::Still, Hold::Lost], now), 1);
        assert_eq!((held[0].is_lost(), held[1].is_lost()), (false, true));
        assert_eq!(note_silence(&held, Duration::from_mins(1)), 0);
        *held[0].confirmed.lock().always() = (Instant::now(), SystemTime::now() - Duration::from_secs(61));
        assert_eq!(note_silence(&held, Duration::from_mins(1)), 1, "the machine slept");
        assert!(held[0].is_lost());
    }

    #[test]
    fn what_is_let_go_is_not_listed() {
        let holdings = WorkerHoldings::default();
        let (two, one) = (holdings.add(lease(2)), holdings.add(lease(1)));
        assert_eq!(holdings.listed().iter().map(|held| held.idx).collect::<Vec<_>>(), [1, 2]);
        holdings.finish(&one);
        let again = Lease { attempt: 2, ..lease(1) };
        assert!(holdings.is_finished(&again) && !holdings.is_finished(&lease(2)));
        let again = holdings.add(again);
        holdings.let_go(&again);
        let again = &again.lease;
        assert!(holdings.is_finished(again), "another lease of it changes nothing");
        holdings.let_go(&one);
        holdings.let_go(&two);
        assert!(!holdings.is_finished(again));
        assert_eq!(holdings.listed(), []);
    }
}
