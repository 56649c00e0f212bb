//! A trial behind an address that somebody else began: its guest is whoever knows the address.

use std::sync::{Arc, Mutex};

use quintain_core::lock::LockAlways as _;
use quintain_core::{InstanceId, ObservationPart, Reply, TrialId};
use serde_json::{Value, json};

use super::offered_tasks::{NotBegun, TrialStarter};
use super::seat::Guest;
use super::session::SessionState;
use super::slot::GuestSlot;

/// A slot for a trial whose guest is there already.
pub fn guest_slot(trial: TrialId, guest: Guest) -> Arc<GuestSlot> {
    let instance = trial.instance.clone();
    Arc::new(GuestSlot::new(instance, Arc::new(GuestSupply(Mutex::new(Some((trial, guest)))))))
}

/// Has one guest to hand out.
struct GuestSupply(Mutex<Option<(TrialId, Guest)>>);

impl TrialStarter for GuestSupply {
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
pub(crate) fn feedback(at: &SessionState) -> Option<&str> {
    match at {
        SessionState::Turn(shown) => {
            Some(shown.observation.texts.get(&ObservationPart::Feedback).map_or("", String::as_str))
        }
        SessionState::Over(_) => None,
    }
}
