//! What is kept beside the record of a run: how long it ran, what models think of its trials, what it may use up.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use quintain_core::limits::Budget;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::dir::RunDir;
use super::header::RunHeader;
use crate::damage::Damage;
use crate::error::{BadLine, StoreError};
use crate::file::{open_lines, read_if_there};
use crate::line_sum;

/// The version of the lines here.
const VERSION: u32 = 1;
const SESSIONS: &str = "sessions.jsonl";
const OPINIONS: &str = "opinions.jsonl";

/// How long a process has been at a run: the last line of a session counts.
#[derive(Serialize, Deserialize)]
struct SessionLine {
    v: u32,
    session: String,
    ms: u64,
}

impl RunDir {
    /// Sets what the run may use up, for this session and those that follow.
    pub fn set_budget(&mut self, budget: Budget) -> Result<(), StoreError> {
        self.set_header(RunHeader { budget, ..self.header().clone() })
    }

    /// Notes how long a session has lasted so far.
    pub fn note_session(&self, session: &str, lasted: Duration) -> Result<(), StoreError> {
        let ms = u64::try_from(lasted.as_millis()).unwrap_or(u64::MAX);
        append(&self.path().join(SESSIONS), &SessionLine { v: VERSION, session: session.to_owned(), ms })
    }

    /// How long all sessions have lasted together.
    pub fn lasted(&self) -> Result<Duration, StoreError> {
        let mut sessions: BTreeMap<String, u64> = BTreeMap::new();
        for SessionLine { session, ms, .. } in self.lines_beside(SESSIONS)? {
            sessions.insert(session, ms);
        }
        Ok(sessions.into_values().map(Duration::from_millis).sum())
    }

    /// Adds what a model thinks of a trial.
    pub fn add_opinion(&self, opinion: &Value) -> Result<(), StoreError> {
        append(&self.path().join(OPINIONS), opinion)
    }

    /// What models think of trials, in the order they were asked.
    pub fn opinions(&self) -> Result<Vec<Value>, StoreError> {
        self.lines_beside(OPINIONS)
    }

    /// The lines of a file that can be read. One that is not as it was written is noted.
    pub(super) fn lines_beside<T: DeserializeOwned>(&self, name: &str) -> Result<Vec<T>, StoreError> {
        let bytes = read_if_there(&self.path().join(name))?.unwrap_or_default();
        let mut lines = Vec::new();
        for (line_idx, text) in bytes.split(|byte| *byte == b'\n').enumerate() {
            match line_sum::complaint(text, self.header().sums).filter(|_| !is_cut_off(text)) {
                Some(why) => self.note_line_beside(name, line_idx as u64 + 1, why),
                None => lines.extend(serde_json::from_slice(text).ok()),
            }
        }
        Ok(lines)
    }

    /// Notes a line that is not as it was written.
    pub(super) fn note_line_beside(&self, name: &str, line: u64, why: &str) {
        let bad = BadLine { file: name.to_owned(), line, why: why.to_owned() };
        self.damage().note(Damage::of_line(bad, "the line is passed over"));
    }
}

/// Whether a line is the beginning of one, which is what a killed process leaves of what it was writing.
fn is_cut_off(line: &[u8]) -> bool {
    let read: Result<serde::de::IgnoredAny, _> = serde_json::from_slice(line);
    read.is_err_and(|error| error.is_eof()) && !line.ends_with(b"}")
}

/// Adds a line in one write. Half a line that a killed process left at the end is closed first.
fn append(path: &Path, line: &impl Serialize) -> Result<(), StoreError> {
    let mut text = serde_json::to_vec(line).map_err(StoreError::malformed(path))?;
    line_sum::seal(&mut text, 0);
    text.push(b'\n');
    let written = open_lines(path).and_then(|mut file| file.write_all(&text));
    written.map_err(StoreError::io("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::RunHeader;

    fn run(folder: &tempfile::TempDir) -> RunDir {
        RunDir::create(&folder.path().join("run"), &RunHeader::new("test", "now"), &[]).unwrap()
    }

    #[test]
    fn sessions_add_up_and_half_a_line_harms_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let run = run(&folder);
        assert_eq!(run.lasted().unwrap(), Duration::ZERO);
        run.note_session("a", Duration::from_secs(10)).unwrap();
        run.note_session("a", Duration::from_secs(25)).unwrap();
        let mut file = std::fs::OpenOptions::new().append(true).open(run.path().join(SESSIONS)).unwrap();
        file.write_all(br#"{"v":1,"session":"b","ms""#).unwrap();
        run.note_session("c", Duration::from_secs(5)).unwrap();
        assert_eq!(run.lasted().unwrap(), Duration::from_secs(30));
    }

    #[test]
    fn a_budget_that_is_set_later_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut run = run(&folder);
        let budget = Budget { cost_usd: Some(5.0), steps: Some(100), ..Budget::default() };
        run.set_budget(budget).unwrap();
        assert_eq!(run.header().budget, budget);
        assert_eq!(RunDir::open(run.path()).unwrap().header().budget, budget);
    }
}
