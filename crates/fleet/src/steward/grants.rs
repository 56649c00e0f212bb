//! Who shares out what the fleet may use, for as long as this steward leads.

use futures_util::future::BoxFuture;
use quintain_runner::engine::EngineError;
use tokio::sync::watch;

use crate::ask::{Grant, ShareRequest};

/// Shares out what the fleet may use.
pub trait Grants: Send + Sync {
    /// Takes over, and keeps what has to be kept until told to stop or until another one has taken over. Runs for as long
    /// as the steward leads.
    fn lead(&self, stop: watch::Receiver<bool>) -> BoxFuture<'_, Result<(), EngineError>>;

    /// What a worker is granted. While nobody leads here it is told to ask again.
    fn grant(&self, worker: &str, request: &ShareRequest) -> Grant;

    /// The runs that have nothing left of their budget.
    fn spent_runs(&self) -> Vec<String>;
}
