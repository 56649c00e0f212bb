//! Which steward leads: the one whose name is under a key of the bucket `ctl`, for as long as it keeps writing it.
//!
//! The key vanishes by itself when it is not written again in time. Every write names the revision that it replaces, so
//! a steward that was paused, or cut off, and comes back later cannot overwrite its successor. Long before its key can
//! have vanished it stops acting by itself.

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use async_nats::jetstream::kv::{Entry, Operation, Store};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, HeaderMap, header};
use quintain_runner::engine::EngineError;

use crate::names::FleetNames;
use crate::server_failure::failed;

/// The key under which the leader's name stands.
const KEY: &str = "leader";

/// The steward that leads a fleet, by its name; nothing if none does.
pub async fn leader(client: &Client, names: &FleetNames) -> Result<Option<String>, EngineError> {
    let context = jetstream::new(client.clone());
    let store = context.get_key_value(names.bucket("ctl")).await.map_err(failed("see who leads"))?;
    let found = store.get(KEY).await.map_err(failed("see who leads"))?;
    let shown = |card: &str| card.rsplit_once(' ').map_or(card, |(name, _)| name).to_owned();
    Ok(found.map(|card| shown(&String::from_utf8_lossy(&card))))
}

/// The seat of the leading steward, as one candidate sees it.
#[derive(Clone)]
pub(super) struct LeaderSeat {
    context: Context,
    bucket: String,
    /// The candidate's name, and behind a space what no other process has.
    card: String,
    /// How long the key lives when it is not written again.
    lives: Duration,
}

/// The time for which a steward may act as the leader.
#[derive(Clone, Debug)]
pub(super) struct Tenure {
    lives: Duration,
    last: Arc<Mutex<LastWrite>>,
}

/// The last time the key was written: its revision, and when the writing began by either clock.
#[derive(Clone, Copy, Debug)]
struct LastWrite {
    revision: u64,
    began: Instant,
    began_wall: SystemTime,
}

impl LastWrite {
    /// The beginning of a write whose revision is not known yet.
    fn now() -> Self {
        Self { revision: 0, began: Instant::now(), began_wall: SystemTime::now() }
    }
}

impl Tenure {
    fn new(lives: Duration, last: LastWrite) -> Self {
        Self { lives, last: Arc::new(Mutex::new(last)) }
    }

    /// Whether the steward may act: two thirds of the key's life are not over, neither by the clock that stands still
    /// while a machine sleeps nor by the one that somebody may set.
    pub(super) fn holds(&self) -> bool {
        let last = self.last();
        let may_act_for = self.lives * 2 / 3;
        let by_wall = last.began_wall.elapsed().unwrap_or(Duration::ZERO);
        last.began.elapsed() < may_act_for && by_wall < may_act_for
    }

    fn last(&self) -> LastWrite {
        *self.last.lock().expect("nobody panics while holding it")
    }

    fn prolong(&self, last: LastWrite) {
        *self.last.lock().expect("nobody panics while holding it") = last;
    }
}

impl LeaderSeat {
    /// The seat of a fleet. The bucket must exist when it is first used.
    pub(super) fn new(client: Client, names: &FleetNames, name: &str, lives: Duration) -> Self {
        let inbox = client.new_inbox();
        let card = format!("{name} {}", inbox.rsplit('.').next().unwrap_or_default());
        Self { context: jetstream::new(client), bucket: names.bucket("ctl"), card, lives }
    }

    /// Takes the seat if nobody has it.
    pub(super) async fn take(&self) -> Result<Option<Tenure>, EngineError> {
        let replaces = match self.entry().await? {
            None => 0,
            Some(entry) if entry.operation != Operation::Put => entry.revision,
            // The reply to an earlier write of ours was lost.
            Some(entry) if entry.value == self.card.as_bytes() => entry.revision,
            Some(_) => return Ok(None),
        };
        let last = LastWrite::now();
        let written = self.write(replaces).await?;
        Ok(written.map(|revision| Tenure::new(self.lives, LastWrite { revision, ..last })))
    }

    /// Prolongs the tenure. Says whether the seat is still ours.
    pub(super) async fn renew(&self, tenure: &Tenure) -> Result<bool, EngineError> {
        let last = LastWrite::now();
        let Some(revision) = self.write(tenure.last().revision).await? else { return Ok(false) };
        tenure.prolong(LastWrite { revision, ..last });
        Ok(true)
    }

    /// Gives the seat up, so that the next one need not wait.
    pub(super) async fn leave(&self, tenure: &Tenure) -> Result<(), EngineError> {
        let left = self.store().await?.delete_expect_revision(KEY, Some(tenure.last().revision)).await;
        left.map_err(failed("give up the lead"))
    }

    /// Prolongs the tenure for as long as that can be done, then returns.
    pub(super) async fn keep(&self, tenure: &Tenure) {
        while tenure.holds() {
            match self.renew(tenure).await {
                Ok(true) => tokio::time::sleep(self.lives / 6).await,
                Ok(false) => return,
                Err(_) => tokio::time::sleep(self.lives / 20).await,
            }
        }
    }

    /// Writes the key in place of that revision. Returns the new one, or nothing if the key is somebody else's.
    async fn write(&self, replaces: u64) -> Result<Option<u64>, EngineError> {
        let mut headers = HeaderMap::new();
        headers.insert(header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, replaces.to_string());
        headers.insert(header::NATS_MESSAGE_TTL, format!("{}s", self.lives.as_secs().max(1)));
        let subject = format!("$KV.{}.{KEY}", self.bucket);
        let sent = self.context.publish_with_headers(subject, headers, self.card.clone().into()).await;
        let acknowledged = tokio::time::timeout(self.lives / 3, async { sent?.await }).await;
        if let Ok(Ok(acknowledged)) = acknowledged {
            return Ok(Some(acknowledged.sequence));
        }
        // Neither silence nor a refusal proves that somebody else was first.
        let entry = self.entry().await?;
        let ours = entry.filter(|entry| entry.operation == Operation::Put && entry.value == self.card.as_bytes());
        Ok(ours.map(|entry| entry.revision))
    }

    async fn entry(&self) -> Result<Option<Entry>, EngineError> {
        let store = self.store().await?;
        let looked = tokio::time::timeout(self.lives / 3, store.entry(KEY)).await;
        looked.map_err(failed("see who leads"))?.map_err(failed("see who leads"))
    }

    async fn store(&self) -> Result<Store, EngineError> {
        let found = tokio::time::timeout(self.lives / 3, self.context.get_key_value(&self.bucket)).await;
        found.map_err(failed("see who leads"))?.map_err(failed("see who leads"))
    }
}
