//! One line of a segment: whose event it is, then the event.

use std::borrow::Cow;

use quintain_core::event::EVENT_VERSION;
use quintain_core::{TrialEvent, TrialId};
use serde::Deserialize;

use super::place::Place;

/// The part of a line that says whose event it is. The event's own fields stand beside these.
#[derive(Debug, Deserialize)]
pub(super) struct Head<'a> {
    v: u32,
    #[serde(borrow)]
    pub(super) trial: Cow<'a, str>,
    pub(super) attempt: u32,
    #[serde(borrow)]
    pub(super) event: Cow<'a, str>,
    /// On the first line of an attempt that goes on where an earlier one was cut off.
    #[serde(default)]
    pub(super) continues: Option<Place>,
}

/// A line that could not be read.
#[derive(Debug)]
pub(super) enum Unreadable {
    Newer(u32),
    Garbage(String),
}

impl<'a> Head<'a> {
    /// Reads the head and passes over the event.
    pub(super) fn read(line: &'a [u8]) -> Result<Self, Unreadable> {
        let head: Self = serde_json::from_slice(line).map_err(|error| version_first(line, &error))?;
        if head.v > EVENT_VERSION { Err(Unreadable::Newer(head.v)) } else { Ok(head) }
    }

    pub(super) fn trial_id(&self) -> Result<TrialId, Unreadable> {
        self.trial.parse().map_err(|error: quintain_core::trial::NotATrialId| Unreadable::Garbage(error.to_string()))
    }
}

/// A newer version may have changed the head itself: then that is what to say.
fn version_first(line: &[u8], error: &serde_json::Error) -> Unreadable {
    #[derive(Deserialize)]
    struct Version {
        v: u32,
    }
    match serde_json::from_slice(line) {
        Ok(Version { v }) if v > EVENT_VERSION => Unreadable::Newer(v),
        _ => garbage(error),
    }
}

/// The event of a line whose head has been read.
pub(super) fn event(line: &[u8]) -> Result<TrialEvent, Unreadable> {
    serde_json::from_slice(line).map_err(|error| garbage(&error))
}

/// serde tells "at line 1 column 7"; the line is known better here.
fn garbage(error: &serde_json::Error) -> Unreadable {
    let text = error.to_string();
    let why = text.rsplit_once(" at line ").map_or(text.as_str(), |(why, _)| why);
    Unreadable::Garbage(format!("column {}: {why}", error.column()))
}

/// The bytes that every line of an attempt begins with; the event follows with its `{` turned into a comma.
pub(super) fn prefix(trial: &TrialId, attempt: u32) -> Vec<u8> {
    let trial = serde_json::Value::from(trial.to_string());
    format!(r#"{{"v":{EVENT_VERSION},"trial":{trial},"attempt":{attempt}"#).into_bytes()
}

/// Appends a whole line to the buffer.
pub(super) fn write(
    buffer: &mut Vec<u8>,
    prefix: &[u8],
    continues: Option<&Place>,
    event: &TrialEvent,
) -> Result<(), serde_json::Error> {
    buffer.extend_from_slice(prefix);
    if let Some(place) = continues {
        buffer.extend_from_slice(format!(r#","continues":"{place}""#).as_bytes());
    }
    let brace_idx = buffer.len();
    serde_json::to_writer(&mut *buffer, event)?;
    buffer[brace_idx] = b',';
    buffer.push(b'\n');
    Ok(())
}
