//! Trying again: with pauses that grow, for as long as it takes.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);

/// Pauses between tries, each twice as long as the one before, up to a point.
#[derive(Debug)]
pub(super) struct Patience {
    next: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { next: FIRST }
    }
}

impl Patience {
    /// How long to wait before the next try.
    pub(super) fn pause(&mut self) -> Duration {
        let pause = self.next;
        self.next = (pause * 2).min(LONGEST);
        pause
    }
}

/// Does something until it succeeds, and reports every failure.
pub(super) async fn until_done<T, E, F>(mut work: impl FnMut() -> F, mut failed: impl FnMut(&E)) -> T
where
    F: Future<Output = Result<T, E>>,
{
    let mut patience = Patience::default();
    loop {
        match work().await {
            Ok(done) => return done,
            Err(error) => failed(&error),
        }
        tokio::time::sleep(patience.pause()).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_a_point() {
        let mut patience = Patience::default();
        let pauses: Vec<u128> = (0..8).map(|_| patience.pause().as_millis()).collect();
        assert_eq!(pauses, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
    }

    #[test]
    fn it_is_tried_until_it_succeeds() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (mut n_tries, mut failures) = (0, Vec::new());
        let work = || {
            n_tries += 1;
            std::future::ready(if n_tries < 3 { Err(n_tries) } else { Ok("done") })
        };
        let done = runtime.block_on(until_done(work, |error| failures.push(*error)));
        assert_eq!((done, failures), ("done", vec![1, 2]));
    }
}
