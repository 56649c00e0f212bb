//! One line of a segment: whose event it is, then the event.

use quintain_core::event::EVENT_VERSION;
use quintain_core::{TrialEvent, TrialId};
use serde::Deserialize;

use super::place::LineRange;
use crate::line_sum::{self, LineSum, SumRule};

/// What stands between the rest of a head and the name of its event. Within a text its marks would be escaped.
const EVENT_KEY: &[u8] = br#","event":""#;

/// The part of a line that says whose event it is. The event's own fields stand beside these.
#[derive(Debug, Deserialize)]
pub(super) struct LineHead {
    v: u32,
    pub(super) trial: String,
    pub(super) attempt: u32,
    pub(super) event: String,
    /// On the first line of an attempt that goes on where an earlier one was cut off.
    #[serde(default)]
    pub(super) continues: Option<LineRange>,
}

/// A line that could not be read.
#[derive(Debug)]
pub(super) enum UnreadableLine {
    Newer(u32),
    Garbage(String),
}

impl LineHead {
    /// Reads the head and passes over the event.
    pub(super) fn read(line: &[u8], sums: SumRule) -> Result<Self, UnreadableLine> {
        let sum = line_sum::check(line);
        let alone = if sum == LineSum::Right { Self::alone(line) } else { None };
        let head = alone.map_or_else(|| serde_json::from_slice(line), Ok);
        let head: Self = head.map_err(|error| version_first(line, &error))?;
        match sum.complaint(sums) {
            Some(why) => Err(UnreadableLine::Garbage(why.to_owned())),
            None if head.v > EVENT_VERSION => Err(UnreadableLine::Newer(head.v)),
            None => Ok(head),
        }
    }

    /// The head that a line begins with. Of a line that is as it was written the rest, most of it, need not be looked at.
    fn alone(line: &[u8]) -> Option<Self> {
        let name_from = line.windows(EVENT_KEY.len()).position(|part| part == EVENT_KEY)? + EVENT_KEY.len();
        let name_len = line[name_from..].iter().position(|byte| *byte == b'"')?;
        serde_json::from_slice(&[&line[..=name_from + name_len], b"}"].concat()).ok()
    }

    pub(super) fn trial_id(&self) -> Result<TrialId, UnreadableLine> {
        self.trial
            .parse()
            .map_err(|error: quintain_core::trial::NotATrialId| UnreadableLine::Garbage(error.to_string()))
    }
}

/// A newer version may have changed the head itself: then that is what to say.
fn version_first(line: &[u8], error: &serde_json::Error) -> UnreadableLine {
    #[derive(Deserialize)]
    struct LineVersion {
        v: u32,
    }
    match serde_json::from_slice(line) {
        Ok(LineVersion { v }) if v > EVENT_VERSION => UnreadableLine::Newer(v),
        _ => garbage(error),
    }
}

/// The event of a line whose head has been read.
pub(super) fn event(line: &[u8]) -> Result<TrialEvent, UnreadableLine> {
    serde_json::from_slice(line).map_err(|error| garbage(&error))
}

/// serde tells "at line 1 column 7"; the line is known better here.
fn garbage(error: &serde_json::Error) -> UnreadableLine {
    let text = error.to_string();
    let why = text.rsplit_once(" at line ").map_or(text.as_str(), |(why, _)| why);
    UnreadableLine::Garbage(format!("column {}: {why}", error.column()))
}

/// The bytes that every line of an attempt begins with; the event follows with its `{` turned into a comma.
pub(super) fn prefix(trial: &TrialId, attempt: u32) -> Vec<u8> {
    let trial = serde_json::Value::from(trial.to_string());
    format!(r#"{{"v":{EVENT_VERSION},"trial":{trial},"attempt":{attempt}"#).into_bytes()
}

/// Puts a whole line into the buffer, which is empty.
pub(super) fn write(
    buffer: &mut Vec<u8>,
    prefix: &[u8],
    continues: Option<&LineRange>,
    event: &TrialEvent,
) -> Result<(), serde_json::Error> {
    buffer.extend_from_slice(prefix);
    if let Some(place) = continues {
        buffer.extend_from_slice(format!(r#","continues":"{place}""#).as_bytes());
    }
    let brace_idx = buffer.len();
    serde_json::to_writer(&mut *buffer, event)?;
    buffer[brace_idx] = b',';
    line_sum::seal(buffer, 0);
    buffer.push(b'\n');
    Ok(())
}
