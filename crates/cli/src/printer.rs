//! The only place that prints: data to standard output, words to standard error.
//!
//! A reader who has seen enough and closes the pipe (`| head`) is no error: what it did not want is not printed.

use std::io::{self, ErrorKind, Write};

use anyhow::Context;
use serde::Serialize;

/// Prints data and words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printer {
    /// Whether data is wanted as JSON.
    pub(crate) json: bool,
    /// Whether no words are wanted.
    pub(crate) quiet: bool,
}

impl Printer {
    /// Data: as JSON where asked for, else as the text made of it.
    pub(crate) fn data<T: Serialize>(self, value: &T, text: impl FnOnce() -> String) -> anyhow::Result<()> {
        if self.json { plain(&serde_json::to_string_pretty(value)?) } else { plain(text().trim_end()) }
    }

    /// Words for a person.
    pub(crate) fn say(self, words: impl AsRef<str>) {
        if !self.quiet {
            to_stderr(words.as_ref());
        }
    }
}

/// Text that is data whatever the form.
pub(crate) fn plain(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}

/// One of many pieces of data, as a line of JSON.
pub(crate) fn json_line<T: Serialize>(value: &T) -> anyhow::Result<()> {
    plain(&serde_json::to_string(value)?)
}

/// An error with its causes. A cause may bring a hint on a line of its own.
pub(crate) fn error(error: &anyhow::Error) {
    let mut causes = error.chain().map(ToString::to_string);
    let first = causes.next().unwrap_or_default();
    to_stderr(&format!("error: {first}"));
    let mut said = first;
    for cause in causes.filter(|cause| !cause.is_empty()) {
        if !said.contains(&cause) {
            to_stderr(&format!("  because: {cause}"));
        }
        said.push_str(&cause);
    }
}

/// There is nowhere to complain when nobody listens to complaints.
fn to_stderr(text: &str) {
    let _unheard = writeln!(io::stderr().lock(), "{text}");
}
