//! The slots of a worker: as many trials are under way at once, whatever runs they belong to.

use std::sync::{Condvar, Mutex};
use std::time::Duration;

use quintain_core::lock::LockAlways as _;

/// The slots of a worker.
#[derive(Debug)]
pub(super) struct Slots {
    n_all: usize,
    n_free: Mutex<usize>,
    freed: Condvar,
}

/// One slot, as long as it is needed.
#[derive(Debug)]
pub(super) struct WorkerSlot<'a>(&'a Slots);

impl Slots {
    pub(super) fn new(n_all: usize) -> Self {
        Self { n_all, n_free: Mutex::new(n_all), freed: Condvar::new() }
    }

    /// How many there are.
    pub(super) fn n_all(&self) -> usize {
        self.n_all
    }

    /// How many nobody uses.
    pub(super) fn n_free(&self) -> usize {
        *self.n_free.lock().always()
    }

    /// Waits for a slot.
    pub(super) fn take(&self) -> WorkerSlot<'_> {
        let free = self.n_free.lock().always();
        let mut free = self.freed.wait_while(free, |free| *free == 0).always();
        *free -= 1;
        WorkerSlot(self)
    }
}

impl Drop for WorkerSlot<'_> {
    fn drop(&mut self) {
        *self.0.n_free.lock().always() += 1;
        self.0.freed.notify_one();
    }
}

/// Leases are taken ahead for about this long, so that cheap trials do not cost a trip each.
const AHEAD: Duration = Duration::from_millis(100);

/// The most that is taken ahead.
const MAX_AHEAD: usize = 1024;

/// How many leases to take now. `mean` is how long a trial of the slowest run at hand takes, if that is known: dear
/// trials are never taken ahead, because someone else may have a free slot for them.
pub(super) fn n_to_lease(slots: &Slots, n_waiting: usize, mean: Option<Duration>) -> usize {
    let share = mean.map_or(0, |mean| AHEAD.as_micros() / mean.as_micros().max(1));
    let ahead = usize::try_from(share).unwrap_or(MAX_AHEAD).saturating_mul(slots.n_all).min(MAX_AHEAD);
    let free = slots.n_free();
    let is_low = n_waiting < free || n_waiting < ahead.div_ceil(2);
    if is_low { (free + ahead).saturating_sub(n_waiting) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_free_again_when_it_is_dropped() {
        let slots = Slots::new(2);
        let (one, two) = (slots.take(), slots.take());
        assert_eq!(slots.n_free(), 0);
        drop(one);
        assert_eq!(slots.n_free(), 1);
        drop(two);
        assert_eq!(slots.n_free(), 2);
    }

    #[test]
    fn only_cheap_trials_are_taken_ahead() {
        let slots = Slots::new(4);
        let _busy = slots.take();
        let ms = |ms| Some(Duration::from_millis(ms));
        let cases = [
            (0, None, 3), // nothing is known: one for each free slot
            (3, None, 0), // they are on their way to the slots
            (0, ms(5000), 3),
            (1, ms(5000), 2),
            (0, ms(10), 43), // ten for each slot, and the free ones
            (20, ms(10), 0), // half of them are still there
            (19, ms(10), 24),
            (0, Some(Duration::from_micros(1)), 1027),
        ];
        for (n_waiting, mean, expected) in cases {
            assert_eq!(n_to_lease(&slots, n_waiting, mean), expected, "{n_waiting} waiting, {mean:?}");
        }
    }
}
