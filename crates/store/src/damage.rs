//! What is broken in a run: each thing with its place and its cure. Whoever reads a run goes on without it.

use std::collections::BTreeSet;
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

/// What was found to be broken in a run so far, by whoever read of it.
#[derive(Debug, Default)]
pub struct DamageLog {
    found: Mutex<BTreeSet<Damage>>,
}

impl DamageLog {
    /// Notes a broken thing. It is listed once, however often it is met.
    pub fn note(&self, damage: Damage) {
        self.found.lock().always().insert(damage);
    }

    /// Notes lines that cannot be read.
    pub(crate) fn note_lines(&self, bad: Vec<BadLine>, cure: &str) {
        for bad in bad {
            self.note(Damage::of_line(bad, cure));
        }
    }

    /// Everything so far, by file and line.
    pub fn list(&self) -> Vec<Damage> {
        self.found.lock().always().iter().cloned().collect()
    }

    /// Notes what an error tells of the run's files. An error that is no damage of single things comes back.
    pub fn note_error(&self, error: StoreError, cure: &str) -> Result<(), StoreError> {
        match error {
            StoreError::BadLines(bad) => self.note_lines(bad, cure),
            StoreError::NoSuchPlace { place, why } | StoreError::BrokenChain { place, why } => {
                let (segment, bytes) = place.split_once(':').unwrap_or((&place, ""));
                let why = format!("bytes {bytes}: {why}");
                self.note(Damage::of_file(format!("segments/{segment}.jsonl"), why, cure));
            }
            other => return Err(other),
        }
        Ok(())
    }
}
