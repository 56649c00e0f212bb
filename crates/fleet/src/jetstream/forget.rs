//! Taking a run off the server.

use quintain_runner::engine::{Direction, Engine, EngineError};

use super::{NatsEngine, locked};
use crate::hosts::key;
use crate::names::token;

impl NatsEngine {
    /// Takes a run off the server: what is on offer, what came of it, its plan, and last what is known of it. Whoever dies
    /// on the way may do it again. Nobody plays it meanwhile, for it is cancelled first.
    pub async fn forget(&self, run: &str) -> Result<(), EngineError> {
        self.direct(run, Direction::Cancel).await?;
        let (fleet, token) = (self.names.fleet(), token(run));
        for (stream, word) in [("half", "half"), ("attempts", "att"), ("out", "out")] {
            self.server.purge(&self.names.stream(stream), &format!("{fleet}.{word}.{token}.*.*")).await?;
        }
        self.server.purge(&self.names.stream("plan"), &self.names.plan(run)).await?;
        let bucket = self.names.bucket("runs");
        self.server.purge(&format!("KV_{bucket}"), &format!("$KV.{bucket}.{}", key(run))).await?;
        locked(&self.entries).remove(run);
        self.registers.lock().await.remove(run);
        self.tallies.lock().await.remove(run);
        Ok(())
    }
}
