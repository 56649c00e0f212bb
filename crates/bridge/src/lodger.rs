//! A trial behind an address that somebody else began: its guest is whoever knows the address.

use std::sync::{Arc, Mutex};

use quintain_core::lock::LockAlways as _;
use quintain_core::{InstanceId, Part, Reply, TrialId};
use serde_json::{Value, json};

use super::reception::{NotBegun, Reception};
use super::seat::Guest;
use super::session::At;
use super::slot::Slot;

/// A slot for a trial whose guest is there already.
pub fn lodger(trial: TrialId, guest: Guest) -> Arc<Slot> {
    let instance = trial.instance.clone();
    Arc::new(Slot::new(instance, Arc::new(Waiting(Mutex::new(Some((trial, guest)))))))
}

/// Has one guest to hand out.
struct Waiting(Mutex<Option<(TrialId, Guest)>>);

impl Reception for Waiting {
    fn begin(&self, _instance: &InstanceId) -> Result<(TrialId, Guest), NotBegun> {
        self.0.lock().always().take().ok_or(NotBegun::Closed)
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
