//! What happens here, told to whoever listens: many events in a message, turns only now and then.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use quintain_core::lock::LockAlways as _;
use quintain_core::{Event, TrialId};

/// A trial's turns are told at most this often.
const TURNS_EVERY: Duration = Duration::from_secs(1);

/// A message has at most about so many bytes.
const MAX_BYTES: usize = 256 << 10;

/// What happened and was not told yet.
#[derive(Debug, Default)]
pub(super) struct WorkerNews {
    by_run: Mutex<BTreeMap<String, PendingNews>>,
}

#[derive(Debug, Default)]
struct PendingNews {
    events: Vec<Event>,
    /// When something was last told of a trial that is under way.
    last: HashMap<TrialId, Instant>,
}

impl WorkerNews {
    /// Adds something that happened, unless it is a turn of a trial that was heard of a moment ago.
    pub(super) fn add(&self, run: &str, event: Event) {
        let mut by_run = self.by_run.lock().always();
        let told = match by_run.get_mut(run) {
            Some(told) => told,
            None => by_run.entry(run.to_owned()).or_default(),
        };
        if told.is_worth_telling(&event, Instant::now()) {
            told.events.push(event);
        }
    }

    /// A trial is over, and nothing is to be told of it: another attempt's outcome came first.
    pub(super) fn over(&self, run: &str, trial: &TrialId) {
        if let Some(told) = self.by_run.lock().always().get_mut(run) {
            told.last.remove(trial);
        }
    }

    /// What there is to tell, by run: each text is a JSON array of events.
    pub(super) fn take(&self) -> Vec<(String, Vec<u8>)> {
        let mut messages = Vec::new();
        let taken: Vec<(String, Vec<Event>)> = {
            let mut by_run = self.by_run.lock().always();
            let taken = by_run.iter_mut().map(|(run, told)| (run.clone(), std::mem::take(&mut told.events))).collect();
            by_run.retain(|_, told| !told.last.is_empty());
            taken
        };
        for (run, events) in taken {
            messages.extend(arrays(&events).into_iter().map(|array| (run.clone(), array)));
        }
        messages
    }
}

impl PendingNews {
    fn is_worth_telling(&mut self, event: &Event, now: Instant) -> bool {
        match event {
            Event::TrialBegan { trial, .. } => {
                self.last.insert(trial.clone(), now);
                true
            }
            Event::TurnTaken { trial, .. } => match self.last.get_mut(trial) {
                Some(last) if now.duration_since(*last) < TURNS_EVERY => false,
                Some(last) => {
                    *last = now;
                    true
                }
                None => false,
            },
            Event::TrialEnded { trial, .. }
            | Event::TrialInterrupted { trial }
            | Event::AttemptFaulted { trial, .. } => {
                self.last.remove(trial);
                true
            }
            Event::RunBegan { .. } | Event::RunDenied { .. } | Event::RunEnded { .. } => true,
        }
    }
}

/// Events as JSON arrays, none of them much larger than a message may be.
fn arrays(events: &[Event]) -> Vec<Vec<u8>> {
    let (mut arrays, mut array) = (Vec::new(), Vec::new());
    for event in events {
        array.push(if array.is_empty() { b'[' } else { b',' });
        serde_json::to_writer(&mut array, event).expect("an event is text and numbers");
        if array.len() >= MAX_BYTES {
            array.push(b']');
            arrays.push(std::mem::take(&mut array));
        }
    }
    if !array.is_empty() {
        array.push(b']');
        arrays.push(array);
    }
    arrays
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial() -> TrialId {
        "test/dial~guest~0".parse().unwrap()
    }

    fn turn(step_idx: u32) -> Event {
        Event::TurnTaken { trial: trial(), step_idx, action: None }
    }

    #[test]
    fn turns_are_thinned_and_everything_else_is_told() {
        let (mut told, start) = (PendingNews::default(), Instant::now());
        let at = |ms| start + Duration::from_millis(ms);
        let began = Event::TrialBegan { trial: trial(), attempt: 1, recovered_turns: 0 };
        assert!(told.is_worth_telling(&began, at(0)));
        let turns = [100, 900, 1100, 1500, 2200].map(|ms| told.is_worth_telling(&turn(0), at(ms)));
        assert_eq!(turns, [false, false, true, false, true]);
        assert!(told.is_worth_telling(&Event::TrialInterrupted { trial: trial() }, at(2300)));
        assert!(told.last.is_empty(), "nothing is remembered of a trial that is over");
    }

    #[test]
    fn events_come_back_from_arrays_of_bounded_size() {
        let events: Vec<Event> = (0..10_000).map(turn).collect();
        let arrays = arrays(&events);
        assert!(arrays.len() > 1 && arrays.iter().all(|array| array.len() < MAX_BYTES + 1000));
        let read: Vec<Event> =
            arrays.iter().flat_map(|array| serde_json::from_slice::<Vec<Event>>(array).unwrap()).collect();
        assert_eq!(read, events);
    }

    #[test]
    fn what_was_taken_is_not_told_again() {
        let news = WorkerNews::default();
        news.add("a", Event::RunEnded { n_done: 1, n_left: 0 });
        news.add("b", Event::RunEnded { n_done: 2, n_left: 0 });
        let runs: Vec<String> = news.take().into_iter().map(|(run, _)| run).collect();
        assert_eq!(runs, ["a", "b"]);
        assert!(news.take().is_empty());
    }
}
