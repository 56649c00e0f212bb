//! Trying again: with pauses that grow, for as long as it takes.

use std::time::{Duration, Instant};

use quintain_core::Backoff;

use super::ArchiveTrouble;

/// How long a worker waits before it asks the server or the archive again.
pub(super) const WORKER_BACKOFF: Backoff =
    Backoff { first: Duration::from_millis(100), longest: Duration::from_secs(5) };

/// Does something until it succeeds, and reports every failure.
pub(super) async fn until_done<T, E, F>(mut work: impl FnMut() -> F, mut failed: impl FnMut(&E)) -> T
where
    F: Future<Output = Result<T, E>>,
{
    let mut waits = WORKER_BACKOFF.begin();
    loop {
        match work().await {
            Ok(done) => return done,
            Err(error) => failed(&error),
        }
        tokio::time::sleep(waits.next_wait()).await;
    }
}

/// Reads from the archive until it succeeds, or until its trouble has lasted for as long as it is worth waiting for.
pub(super) async fn while_worth_waiting<T, F>(
    mut read: impl FnMut() -> F,
    worth: impl Fn(&ArchiveTrouble) -> Duration,
) -> Result<T, ArchiveTrouble>
where
    F: Future<Output = Result<T, ArchiveTrouble>>,
{
    let (began, mut waits) = (Instant::now(), WORKER_BACKOFF.begin());
    loop {
        match read().await {
            Err(trouble) if began.elapsed() < worth(&trouble) => tokio::time::sleep(waits.next_wait()).await,
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
