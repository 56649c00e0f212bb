//! The one who asks for shares, one request at a time for the whole worker.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Client;
use tokio::time::{sleep, timeout, timeout_at};

use super::ShareDesk;
use crate::ask::{Grant, ShareRequest, StewardAnswer, StewardRequest};

/// How long an answer may take. One that comes later is ignored: what it grants is void.
const WITHIN: Duration = Duration::from_secs(3);
/// How long to wait when nobody answers.
const AGAIN: Duration = Duration::from_millis(200);

pub(super) struct ShareAsker {
    pub(super) client: Client,
    pub(super) subject: String,
    pub(super) desk: Arc<ShareDesk>,
}

impl ShareAsker {
    /// Asks and tells until the desk is closed and that was told.
    pub(super) async fn work(self) {
        loop {
            let Some(request) = self.desk.request(Instant::now()) else {
                // Being woken and having waited long enough are the same here.
                drop(timeout_at(self.desk.due().into(), self.desk.wake.notified()).await);
                continue;
            };
            let sent = Instant::now();
            match ask(&self.client, &self.subject, &request).await {
                Some(grant) if !request.over => self.desk.receive(&request, &grant, sent),
                Some(_) => return,
                None if request.over => return,
                None => sleep(AGAIN).await,
            }
        }
    }
}

/// Asks once; nothing where nobody answers in time.
async fn ask(client: &Client, subject: &str, request: &ShareRequest) -> Option<Grant> {
    let body = serde_json::to_vec(&StewardRequest::Grant(request.clone())).ok()?;
    let answer = timeout(WITHIN, client.request(subject.to_owned(), body.into())).await.ok()?.ok()?;
    match serde_json::from_slice(&answer.payload).ok()? {
        StewardAnswer::Granted(grant) => Some(grant),
        _ => None,
    }
}
