//! Asking the steward.

use async_nats::Client;

use super::Trouble;
use crate::ask::{Answer, Ask};
use crate::names::Names;

/// Someone who may ask the steward.
#[derive(Clone, Debug)]
pub(super) struct Asking {
    client: Client,
    subject: String,
}

impl Asking {
    pub(super) fn of(client: Client, names: &Names, worker: &str) -> Self {
        Self { client, subject: names.ask(worker) }
    }

    /// Asks for addresses. There are as many as were asked for.
    pub(super) async fn addresses<const N: usize>(&self, ask: &Ask) -> Result<[String; N], Trouble> {
        match self.ask(ask).await? {
            Answer::Addresses { urls } => {
                urls.try_into().map_err(|urls: Vec<_>| Trouble::Steward(format!("it named {} addresses", urls.len())))
            }
            Answer::Refused { why } => Err(Trouble::Refused(why)),
            other => Err(Trouble::Steward(format!("it answered something else: {other:?}"))),
        }
    }

    async fn ask(&self, ask: &Ask) -> Result<Answer, Trouble> {
        let body = serde_json::to_vec(ask).map_err(steward)?;
        let reply = self.client.request(self.subject.clone(), body.into()).await.map_err(steward)?;
        serde_json::from_slice(&reply.payload).map_err(steward)
    }
}

fn steward(error: impl std::fmt::Display) -> Trouble {
    Trouble::Steward(error.to_string())
}
