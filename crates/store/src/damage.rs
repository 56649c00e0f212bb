//! What is broken in a run: each thing with its place and its cure. Whoever reads a run goes on without it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;

use quintain_core::lock::LockAlways as _;
use serde::Serialize;

use crate::error::{BadLine, StoreError};

/// One broken thing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Damage {
    /// The file, from the run's directory.
    pub file: String,
    /// The line, from 1, where it is one line of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// What is wrong with it.
    pub why: String,
    /// What is done without it, or what brings it back.
    pub cure: String,
}

impl Damage {
    /// A file that is broken as a whole.
    pub fn of_file(file: impl Into<String>, why: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { file: file.into(), line: None, why: why.into(), cure: cure.into() }
    }

    /// A segment that is gone, or ends before attempts that it held.
    pub(crate) fn of_segment(name: &str, why: impl Into<String>) -> Self {
        let cure = "trials that it held keep their verdicts where the engine knows them";
        Self::of_file(segment_file(name), why, cure)
    }

    /// A line that cannot be read.
    pub fn of_line(BadLine { file, line, why }: BadLine, cure: impl Into<String>) -> Self {
        Self { file, line: Some(line), why, cure: cure.into() }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, why, cure } = self;
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        write!(f, "{file}{line}: {}; {cure}", why.lines().next().unwrap_or_default())
    }
}

/// The file of a segment, from the run's directory.
pub(crate) fn segment_file(name: &str) -> String {
    format!("segments/{name}.jsonl")
}

/// What was found to be broken in a run so far, by whoever read of it.
#[derive(Debug, Default)]
pub struct DamageLog {
    found: Mutex<BTreeMap<FoundThing, String>>,
}

/// What is wrong where, by which a broken thing is known again: its file, its line and why.
type FoundThing = (String, Option<u64>, String);

impl DamageLog {
    /// Notes a broken thing. It is listed once, however often it is met, with the cure that was told last.
    pub fn note(&self, Damage { file, line, why, cure }: Damage) {
        self.found.lock().always().insert((file, line, why), cure);
    }

    /// Notes lines that cannot be read.
    pub(crate) fn note_lines(&self, bad: Vec<BadLine>, cure: &str) {
        for bad in bad {
            self.note(Damage::of_line(bad, cure));
        }
    }

    /// Everything so far, by file and line.
    pub fn list(&self) -> Vec<Damage> {
        let found = self.found.lock().always().clone();
        found.into_iter().map(|((file, line, why), cure)| Damage { file, line, why, cure }).collect()
    }

    /// Notes what an error tells of the run's files. An error that is no damage of single things comes back.
    pub fn note_error(&self, error: StoreError, cure: &str) -> Result<(), StoreError> {
        match error {
            StoreError::BadLines(bad) => self.note_lines(bad, cure),
            // One thing is broken, however many attempts were lost with it.
            StoreError::SegmentGone { segment } => self.note(Damage::of_segment(&segment, "it is not there")),
            StoreError::SegmentCut { segment, n_bytes } => {
                let why = format!("it ends at byte {n_bytes}, before attempts that it held");
                self.note(Damage::of_segment(&segment, why));
            }
            StoreError::NoSuchPlace { place, why } | StoreError::BrokenChain { place, why } => {
                let (segment, bytes) = place.split_once(':').unwrap_or((&place, ""));
                let why = format!("bytes {bytes}: {why}");
                self.note(Damage::of_file(segment_file(segment), why, cure));
            }
            other => return Err(other),
        }
        Ok(())
    }
}
