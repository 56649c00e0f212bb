//! Trying again what the server may not have heard: with pauses that grow, for longer than an election takes.

use std::time::{Duration, Instant};

use quintain_core::{Backoff, BackoffWaits};
use quintain_runner::engine::EngineError;

/// How long something is tried: longer than it takes to find another leader.
const PATIENCE: Duration = Duration::from_secs(25);

/// How long to wait between two tries.
const BETWEEN_TRIES: Backoff = Backoff { first: Duration::from_millis(40), longest: Duration::from_millis(1280) };

/// The tries of one thing.
pub(super) struct ServerTries {
    began: Instant,
    waits: BackoffWaits,
}

impl ServerTries {
    pub(super) fn begin() -> Self {
        Self { began: Instant::now(), waits: BETWEEN_TRIES.begin() }
    }

    /// Waits for the next try after one that failed; once that has gone on for too long, its trouble is what came of it.
    pub(super) async fn again(&mut self, trouble: EngineError) -> Result<(), EngineError> {
        if self.began.elapsed() > PATIENCE {
            return Err(trouble);
        }
        tokio::time::sleep(self.waits.next_wait()).await;
        Ok(())
    }
}
