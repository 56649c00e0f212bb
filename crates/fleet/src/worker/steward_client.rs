//! Asking the steward.

use std::time::Duration;

use async_nats::Client;

use super::ArchiveTrouble;
use crate::ask::{Namesake, StewardAnswer, StewardRequest};
use crate::bond::ArchiveBond;
use crate::names::FleetNames;

/// How long the steward may take to say what a worker has to know.
const JOIN_WITHIN: Duration = Duration::from_secs(3);

/// Someone who may ask the steward.
#[derive(Clone, Debug)]
pub(super) struct StewardClient {
    client: Client,
    subject: String,
}

impl StewardClient {
    pub(super) fn of(client: Client, names: &FleetNames, worker: &str) -> Self {
        Self { client, subject: names.ask(worker) }
    }

    /// Asks for addresses. There are as many as were asked for.
    pub(super) async fn addresses<const N: usize>(&self, ask: &StewardRequest) -> Result<[String; N], ArchiveTrouble> {
        match self.ask(ask).await? {
            StewardAnswer::Addresses { urls } => urls
                .try_into()
                .map_err(|urls: Vec<_>| ArchiveTrouble::Steward(format!("it named {} addresses", urls.len()))),
            StewardAnswer::Refused { why } => Err(ArchiveTrouble::Refused(why)),
            other => Err(ArchiveTrouble::Steward(format!("it answered something else: {other:?}"))),
        }
    }

    /// Asks for what a worker has to know before it begins.
    pub(super) async fn join(&self) -> Result<(Option<ArchiveBond>, Option<Namesake>), ArchiveTrouble> {
        // A steward of an older program says nothing to it.
        let answer = tokio::time::timeout(JOIN_WITHIN, self.ask(&StewardRequest::Join {})).await;
        match answer.map_err(steward)?? {
            StewardAnswer::Joined { archive, namesake } => Ok((archive, namesake)),
            other => Err(ArchiveTrouble::Steward(format!("it answered something else: {other:?}"))),
        }
    }

    async fn ask(&self, ask: &StewardRequest) -> Result<StewardAnswer, ArchiveTrouble> {
        let body = serde_json::to_vec(ask).map_err(steward)?;
        let reply = self.client.request(self.subject.clone(), body.into()).await.map_err(steward)?;
        serde_json::from_slice(&reply.payload).map_err(steward)
    }
}

fn steward(error: impl std::fmt::Display) -> ArchiveTrouble {
    ArchiveTrouble::Steward(error.to_string())
}
