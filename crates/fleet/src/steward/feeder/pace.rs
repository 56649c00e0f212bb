//! How fast units of a class are played.

/// The shortest time over which a rate is measured.
const WINDOW_MS: i64 = 250;

/// How long a rate is remembered, roughly, after things have slowed down.
const MEMORY_MS: f64 = 5_000.0;

/// A rate that rises at once and falls slowly, because a queue that is too short idles workers.
#[derive(Debug, Default)]
pub(super) struct FeedPace {
    per_ms: f64,
    n_counted: u64,
    since_ms: Option<i64>,
}

impl FeedPace {
    /// One more was played.
    pub(super) fn count(&mut self) {
        self.n_counted += 1;
    }

    /// It is now this late.
    pub(super) fn pass(&mut self, now_ms: i64) {
        let Some(since_ms) = self.since_ms.filter(|since_ms| *since_ms <= now_ms) else {
            // What came before the first look, or before a jump of the clock, came in an unknown time.
            (self.since_ms, self.n_counted) = (Some(now_ms), 0);
            return;
        };
        let passed_ms = now_ms - since_ms;
        if passed_ms < WINDOW_MS {
            return;
        }
        let measured = self.n_counted as f64 / passed_ms as f64;
        self.per_ms = measured.max(self.per_ms * (-(passed_ms as f64) / MEMORY_MS).exp());
        (self.since_ms, self.n_counted) = (Some(now_ms), 0);
    }

    /// How many are played in so many milliseconds.
    pub(super) fn within(&self, ms: u64) -> u64 {
        (self.per_ms * ms as f64).ceil() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_rises_at_once_and_falls_slowly() {
        let mut pace = FeedPace::default();
        let mut told = Vec::new();
        for (n, now_ms) in [(900, 0), (500, 500), (0, 1_000), (0, 6_000), (5, 100), (10, 1_100)] {
            (0..n).for_each(|_| pace.count());
            pace.pass(now_ms);
            told.push((now_ms, pace.within(1_000)));
        }
        assert_eq!(told, [(0, 0), (500, 1_000), (1_000, 905), (6_000, 333), (100, 333), (1_100, 273)]);
    }
}
