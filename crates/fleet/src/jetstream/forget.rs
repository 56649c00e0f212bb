//! Taking a run off the server.

use quintain_core::lock::LockAlways as _;
use quintain_runner::engine::{Engine, EngineError, RunDirection};

use super::NatsEngine;
use super::server::MessagePut;
use crate::hosts::key;
use crate::names::token;
use crate::server_failure::failed;

impl NatsEngine {
    /// Takes a run off the server: what is on offer, what came of it, its plan, and last what is known of it. Whoever dies
    /// on the way may do it again. Nobody plays it meanwhile, for it is cancelled first.
    pub async fn forget(&self, run: &str) -> Result<(), EngineError> {
        self.direct(run, RunDirection::Cancel).await?;
        // Else a steward would take it for lost and bring it back from the archive, to be played on.
        if let MessagePut::Unsure(why) = self.server.put(self.forgotten_subject(run), None, b"true".to_vec()).await {
            return Err(failed("note that a run is forgotten")(why));
        }
        let (fleet, token) = (self.names.fleet(), token(run));
        for (stream, word) in [("half", "half"), ("attempts", "att"), ("out", "out")] {
            self.server.purge(&self.names.stream(stream), &format!("{fleet}.{word}.{token}.*.*")).await?;
        }
        self.server.purge(&self.names.stream("plan"), &self.names.plan(run)).await?;
        let bucket = self.names.bucket("runs");
        self.server.purge(&format!("KV_{bucket}"), &format!("$KV.{bucket}.{}", key(run))).await?;
        self.entries.lock().always().remove(run);
        self.registers.lock().await.remove(run);
        self.tallies.lock().await.remove(run);
        Ok(())
    }

    /// Lets go of what was kept of a run's attempts that were not over, once all of its units are settled.
    pub async fn drop_halves(&self, run: &str) -> Result<(), EngineError> {
        let filter = format!("{}.half.{}.*.*", self.names.fleet(), token(run));
        self.server.purge(&self.names.stream("half"), &filter).await
    }

    /// Whether a run that is not on the server was taken off it on purpose.
    pub async fn is_forgotten(&self, run: &str) -> Result<bool, EngineError> {
        let stream = format!("KV_{}", self.names.bucket("ctl"));
        Ok(self.server.last(&stream, &self.forgotten_subject(run)).await?.is_some())
    }

    fn forgotten_subject(&self, run: &str) -> String {
        format!("$KV.{}.forgotten.{}", self.names.bucket("ctl"), key(run))
    }
}
