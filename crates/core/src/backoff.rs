//! Waiting longer after every failure.

use std::time::Duration;

/// More doublings than any wait needs to reach its bound, and few enough to count.
const MOST_DOUBLINGS: u32 = 20;

/// Waits between tries, each twice as long as the one before, up to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    /// The wait after the first failure.
    pub first: Duration,
    /// The longest wait, after however many failures.
    pub longest: Duration,
}

impl Backoff {
    /// How long to wait after so many failures in a row.
    pub fn after(self, n_failed: u32) -> Duration {
        let doublings = n_failed.saturating_sub(1).min(MOST_DOUBLINGS);
        self.first.saturating_mul(1 << doublings).min(self.longest)
    }

    /// The waits of somebody who has not failed yet.
    pub fn begin(self) -> BackoffWaits {
        BackoffWaits { backoff: self, n_failed: 0 }
    }
}

/// Waits as they are waited.
#[derive(Clone, Debug)]
pub struct BackoffWaits {
    backoff: Backoff,
    n_failed: u32,
}

impl BackoffWaits {
    /// How long to wait before the next try, after one more failure.
    pub fn next_wait(&mut self) -> Duration {
        self.n_failed = self.n_failed.saturating_add(1);
        self.backoff.after(self.n_failed)
    }

    /// Something succeeded: the next wait is the first again.
    pub fn reset(&mut self) {
        self.n_failed = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKOFF: Backoff = Backoff { first: Duration::from_millis(100), longest: Duration::from_secs(5) };

    #[test]
    fn waits_double_up_to_a_point() {
        let mut waits = BACKOFF.begin();
        let waited: Vec<u128> = (0..8).map(|_| waits.next_wait().as_millis()).collect();
        assert_eq!(waited, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
        waits.reset();
        assert_eq!(waits.next_wait(), BACKOFF.first);
    }

    #[test]
    fn no_count_of_failures_is_too_many() {
        for n_failed in [7, 31, 32, 33, 64, u32::MAX] {
            assert_eq!(BACKOFF.after(n_failed), BACKOFF.longest, "{n_failed}");
        }
        assert_eq!(BACKOFF.after(0), BACKOFF.first);
        assert_eq!(Backoff { first: Duration::MAX, longest: Duration::MAX }.after(9), Duration::MAX);
    }
}
