//! Where guests' seats wait for their trials, and where guests are told how those ended.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use quintain_bridge::{GuestControl, GuestEnd, TrialSeat};
use quintain_core::lock::LockAlways as _;
use quintain_core::trial::TrialResult;
use quintain_core::{Agent, AgentError, Event, TrialId};

use crate::cast::AgentContext;

/// Where guests' seats wait for their trials. It is cheap to copy: all copies are the same seats.
#[derive(Clone)]
pub struct GuestSeats(Arc<SeatedGuests>);

struct SeatedGuests {
    label: String,
    idle: Duration,
    seats: Mutex<HashMap<TrialId, TrialSeat>>,
    ushers: Mutex<HashMap<TrialId, GuestControl>>,
}

impl GuestSeats {
    /// For guests who play under this name and may stay silent for at most so long.
    pub fn new(label: impl Into<String>, idle: Duration) -> Self {
        Self(Arc::new(SeatedGuests { label: label.into(), idle, seats: Mutex::default(), ushers: Mutex::default() }))
    }

    /// The name that guests have in trials.
    pub fn label(&self) -> &str {
        &self.0.label
    }

    /// How long a guest may stay silent.
    pub fn idle(&self) -> Duration {
        self.0.idle
    }

    /// The guest as an agent of the cast.
    pub fn agent(&self, context: &AgentContext<'_>) -> Result<Box<dyn Agent + Send>, AgentError> {
        match self.0.seats.lock().always().remove(context.trial) {
            Some(seat) => Ok(Box::new(seat)),
            None => Err(AgentError::harness(format!("nobody came for trial `{}`", context.trial))),
        }
    }

    pub(super) fn expect(&self, trial: TrialId, seat: TrialSeat, control: GuestControl) {
        self.0.ushers.lock().always().insert(trial.clone(), control);
        self.0.seats.lock().always().insert(trial, seat);
    }

    /// Whether nobody plays.
    pub(super) fn is_empty(&self) -> bool {
        self.0.ushers.lock().always().is_empty()
    }

    /// Tells a guest what became of the trial.
    pub(super) fn on(&self, event: Event) {
        match event {
            Event::TrialEnded { trial, verdict, spent, .. } => {
                self.over(&trial, GuestEnd::Judged(TrialResult { verdict: *verdict, spent }));
            }
            Event::TrialInterrupted { trial } => self.over(&trial, GuestEnd::PutDown),
            _ => {}
        }
    }

    fn over(&self, trial: &TrialId, over: GuestEnd) {
        let control = self.0.ushers.lock().always().remove(trial);
        if let Some(control) = control {
            control.over(over);
        }
    }

    /// Calls all trials off.
    pub(super) fn call_off(&self) {
        let ushers = self.0.ushers.lock().always();
        for trial in in_order(&ushers) {
            ushers[trial].call_off();
        }
    }

    /// Tells those who still wait that nothing will come.
    pub(super) fn empty(&self) {
        self.0.seats.lock().always().clear();
        self.0.ushers.lock().always().clear();
    }
}

fn in_order(ushers: &HashMap<TrialId, GuestControl>) -> Vec<&TrialId> {
    let mut trials: Vec<&TrialId> = ushers.keys().collect();
    trials.sort_unstable();
    trials
}
