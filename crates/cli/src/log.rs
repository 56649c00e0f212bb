//! A run as it goes, in a file: every event as a line of JSON.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use quintain_core::event::Event;

/// Appends events to a file. A log that cannot be written does not stop a run: [`Log::finish`] tells.
pub(crate) struct Log {
    path: PathBuf,
    file: File,
    failed: Option<std::io::Error>,
}

impl Log {
    /// Opens the file at its end.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.with_context(|| format!("cannot write the log {}", path.display()))?;
        Ok(Self { path: path.to_owned(), file, failed: None })
    }

    /// Writes one event as a whole line, until a line could not be written.
    pub(crate) fn on(&mut self, event: &Event) {
        if self.failed.is_none() {
            let mut line = serde_json::to_vec(event).expect("an event is plain data");
            line.push(b'\n');
            self.failed = self.file.write_all(&line).err();
        }
    }

    /// Whether everything was written.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let result = self.failed.map_or(Ok(()), Err);
        result.with_context(|| format!("the log {} is not complete", self.path.display()))
    }
}
