//! A trial behind an address: whoever comes first waits for its first turn, everybody after finds it where it is.

use std::sync::{Arc, Mutex as Lock, PoisonError};

use quintain_core::{Part, Reply, TrialId};
use serde_json::{Value, json};
use tokio::sync::{Mutex, MutexGuard, OnceCell};

use super::reception::NotBegun;
use super::seat::Guest;
use super::session::{At, Session};

/// A trial behind an address.
pub struct Lodger {
    trial: TrialId,
    guest: Lock<Option<Guest>>,
    session: OnceCell<Mutex<Session>>,
}

impl Lodger {
    /// A trial and the guest who plays it.
    pub fn new(trial: TrialId, guest: Guest) -> Arc<Self> {
        Arc::new(Self { trial, guest: Lock::new(Some(guest)), session: OnceCell::new() })
    }

    /// The trial as it is played. Waits for its first turn.
    pub async fn session(&self) -> Result<MutexGuard<'_, Session>, NotBegun> {
        let session = self.session.get_or_try_init(|| async {
            let guest = self.guest.lock().unwrap_or_else(PoisonError::into_inner).take();
            let guest = guest.ok_or_else(|| NotBegun::Broke("its guest has left".to_owned()))?;
            Session::seated(self.trial.clone(), guest).await.map(Mutex::new)
        });
        Ok(session.await?.lock().await)
    }

    /// Says something and waits for what comes of it, even when the one who said it does not.
    pub async fn reply(self: &Arc<Self>, reply: Reply) -> Result<At, NotBegun> {
        let lodger = Arc::clone(self);
        let replied = tokio::spawn(async move { Ok(lodger.session().await?.reply(reply).await.clone()) });
        replied.await.unwrap_or_else(|_panicked| Err(NotBegun::Closed))
    }
}

/// The words that end a trial: an answer where there is one, or that it cannot be done.
pub fn ending(answer: Option<&Value>, give_up: Option<&str>) -> Reply {
    let (name, arguments) = match (answer, give_up) {
        (_, Some(reason)) => ("give_up", json!({ "reason": reason })),
        (Some(answer), None) => ("answer", answer.clone()),
        (None, None) => ("done", json!({})),
    };
    Reply::text(json!({ "name": name, "arguments": arguments }).to_string())
}

/// What a trial that is not over says of the last reply.
pub(crate) fn feedback(at: &At) -> Option<&str> {
    match at {
        At::Turn(shown) => Some(shown.observation.texts.get(&Part::Feedback).map_or("", String::as_str)),
        At::Over(_) => None,
    }
}
