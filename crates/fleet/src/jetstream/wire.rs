//! What the messages of the engine hold. Each is one JSON value.

use quintain_runner::engine::steered::{Priority, RunTerms};
use quintain_runner::engine::{AttemptEnd, Outcome, RunDirection};
use serde::{Deserialize, Serialize};

use crate::names::new_secret;

/// What is known of a run. Workers cannot read it, because of the key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RunEntry {
    pub(super) run: String,
    #[serde(with = "heading")]
    pub(super) direction: RunDirection,
    pub(super) priority: Priority,
    pub(super) chunk: u32,
    /// From it the tickets of the units are made. In hexadecimal digits.
    pub(super) key: String,
    pub(super) n_units: u32,
    pub(super) created_ms: i64,
}

impl RunEntry {
    /// A run that begins now, with a key that nobody can guess.
    pub(super) fn new(run: &str, now_ms: i64) -> Self {
        Self {
            run: run.to_owned(),
            direction: RunDirection::Go,
            priority: Priority::Normal,
            chunk: RunTerms::default().chunk,
            key: new_secret(),
            n_units: 0,
            created_ms: now_ms,
        }
    }

    pub(super) fn terms(&self) -> RunTerms {
        RunTerms { priority: self.priority, chunk: self.chunk.max(1) }
    }

    /// The ticket of a unit: whoever knows it was given the unit.
    pub(super) fn ticket(&self, idx: u32) -> String {
        quintain_store::archive::ticket(&self.key, idx)
    }
}

/// Units that were registered together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PlanSlice {
    /// By which the one who wrote it knows it again.
    pub(super) nonce: String,
    /// The place of the first unit in the plan.
    pub(super) first: u32,
    /// Name, class, and how many attempts were on record.
    pub(super) units: Vec<(String, String, u32)>,
    /// Units that were there before, of which more attempts are on record than was known.
    pub(super) raised: Vec<(u32, u32)>,
}

/// A parcel of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ParcelWork {
    pub(super) run: String,
    pub(super) class: String,
    pub(super) units: Vec<WorkUnit>,
}

/// A unit in a parcel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WorkUnit {
    pub(super) idx: u32,
    pub(super) id: String,
    pub(super) n_before: u32,
    pub(super) ticket: String,
}

/// An outcome as it was handed in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct HandedIn {
    pub(super) unit: String,
    pub(super) attempt: u32,
    /// By which the lease knows its own.
    pub(super) nonce: String,
    pub(super) outcome: Outcome,
}

/// Told to everyone when the direction of a run changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectionNotice {
    /// The run.
    pub run: String,
    /// What should become of its units.
    #[serde(with = "heading")]
    pub direction: RunDirection,
}

/// What became of a unit's attempts that brought no outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct History {
    pub(super) unit: String,
    pub(super) attempts: Vec<PastAttempt>,
}

/// An attempt that brought no outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PastAttempt {
    pub(super) attempt: u32,
    pub(super) end: AttemptEnd,
    pub(super) place: Option<String>,
}

impl PastAttempt {
    pub(super) fn lost(attempt: u32) -> Self {
        Self { attempt, end: AttemptEnd::Lost, place: None }
    }
}

impl History {
    /// Adds what is known now of an attempt. What its holder says counts more than that it fell silent. Where a server
    /// has forgotten that it gave a number out, two attempts have the same; the later note takes the next free one.
    pub(super) fn note(&mut self, mut past: PastAttempt) {
        if self.attempts.contains(&past) {
            return;
        }
        match self.attempts.iter_mut().find(|known| known.attempt == past.attempt) {
            Some(known) if known.end == AttemptEnd::Lost => *known = past,
            Some(_) if past.end == AttemptEnd::Lost => {}
            Some(_) => {
                past.attempt = self.highest() + 1;
                self.attempts.push(past);
            }
            None => self.attempts.push(past),
        }
        self.attempts.sort_by_key(|past| past.attempt);
    }

    /// The numbers between two that were given out and of which nothing is known.
    pub(super) fn unaccounted(&self, after: u32, before: u32) -> Vec<u32> {
        (after + 1..before).filter(|n| !self.attempts.iter().any(|past| past.attempt == *n)).collect()
    }

    pub(super) fn n_faults(&self) -> u32 {
        self.attempts.iter().filter(|past| matches!(past.end, AttemptEnd::Faulted { .. })).count() as u32
    }

    pub(super) fn n_lost(&self) -> u32 {
        self.attempts.iter().filter(|past| past.end == AttemptEnd::Lost).count() as u32
    }

    pub(super) fn highest(&self) -> u32 {
        self.attempts.iter().map(|past| past.attempt).max().unwrap_or(0)
    }
}

/// A direction as a word.
pub(crate) mod heading {
    use quintain_runner::engine::RunDirection;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(crate) fn serialize<S: Serializer>(direction: &RunDirection, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(match direction {
            RunDirection::Go => "go",
            RunDirection::Pause => "pause",
            RunDirection::Cancel => "cancel",
        })
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<RunDirection, D::Error> {
        match String::deserialize(from)?.as_str() {
            "go" => Ok(RunDirection::Go),
            "pause" => Ok(RunDirection::Pause),
            "cancel" => Ok(RunDirection::Cancel),
            other => Err(serde::de::Error::custom(format!("no direction is called `{other}`"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(notes: &[(u32, AttemptEnd, Option<&str>)]) -> String {
        let mut history = History::default();
        for (attempt, end, place) in notes {
            history.note(PastAttempt { attempt: *attempt, end: end.clone(), place: place.map(str::to_owned) });
        }
        let told = history.attempts.iter().map(|past| {
            let place = past.place.as_deref().unwrap_or("-");
            format!("{} {:?} {place}", past.attempt, past.end)
        });
        told.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_note_by_the_holder_replaces_that_it_fell_silent() {
        use AttemptEnd::{Late, Lost, PutDown};
        assert_eq!(told(&[(1, Lost, None), (1, Late, Some("a"))]), "1 Late a");
        assert_eq!(told(&[(1, Late, Some("a")), (1, Lost, None)]), "1 Late a");
        assert_eq!(told(&[(2, PutDown, None), (1, Lost, None), (2, PutDown, None)]), "1 Lost -, 2 PutDown -");
    }

    #[test]
    fn a_number_that_was_given_twice_is_kept_twice() {
        use AttemptEnd::{Late, PutDown};
        assert_eq!(told(&[(1, PutDown, Some("a")), (1, Late, Some("b"))]), "1 PutDown a, 2 Late b");
    }

    #[test]
    fn tickets_differ_by_unit_and_by_run() {
        let (a, b) = (RunEntry::new("a", 0), RunEntry::new("a", 0));
        assert_eq!(a.ticket(7), a.ticket(7));
        assert_eq!(a.ticket(7).len(), 16);
        assert_ne!(a.ticket(7), a.ticket(8));
        assert_ne!(a.ticket(7), b.ticket(7));
    }
}
