//! The only place that prints: data to standard output, words to standard error.
//!
//! A reader who has seen enough and closes the pipe (`| head`) is no error: what it did not want is not printed.

use std::io::{self, ErrorKind, Write};

use anyhow::Context;
use quintain_core::words::printable;
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
        if self.json {
            plain(&versioned(serde_json::to_string_pretty(value)?))
        } else {
            plain(&printable(text().trim_end()))
        }
    }

    /// An error with its causes: as one object of JSON where data is wanted so.
    pub(crate) fn error(self, cause: &anyhow::Error) {
        if self.json {
            let told = serde_json::json!({ "error": ToldError::of(cause) });
            to_stderr(&versioned(serde_json::to_string_pretty(&told).unwrap_or_default()));
        } else {
            error(cause);
        }
    }

    /// Words for a person.
    pub(crate) fn say(self, words: impl AsRef<str>) {
        if !self.quiet {
            to_stderr(&printable(words.as_ref()));
        }
    }
}

/// The version of what `--json` prints: docs/cli.md says when it changes.
const VERSION: u32 = 1;

/// An object with the version as its first field; lists stay lists. It is put into the text, since values that are objects
/// only once they are written can be of any type.
fn versioned(json: String) -> String {
    let has_own = json.contains("\n  \"v\": "); // Two spaces: the object's own fields.
    match json.strip_prefix("{\n") {
        Some(fields) if !has_own => format!("{{\n  \"v\": {VERSION},\n{fields}"),
        _ => json,
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

/// An error taken apart: what happened, why, and what helps.
#[derive(Serialize)]
struct ToldError {
    message: String,
    causes: Vec<String>,
    hint: Option<String>,
}

impl ToldError {
    fn of(error: &anyhow::Error) -> Self {
        let whole: Vec<String> = error.chain().map(ToString::to_string).filter(|words| !words.is_empty()).collect();
        let is_hint = |line: &&str| line.trim_start().starts_with(HINT);
        let without = |words: &String| words.lines().filter(|line| !is_hint(line)).collect::<Vec<_>>().join("\n");
        let hints: Vec<&str> = whole.iter().flat_map(|words| words.lines()).filter(is_hint).collect();
        let hint = hints.iter().map(|line| line.trim_start().trim_start_matches(HINT)).collect::<Vec<_>>().join("\n");
        let mut said = whole.iter().map(without);
        let message = said.next().unwrap_or_default();
        let causes = said.filter(|cause| !message.contains(cause.as_str())).collect();
        Self { message, causes, hint: (!hint.is_empty()).then_some(hint) }
    }
}

const HINT: &str = "hint: ";

/// An error with its causes. A cause may bring a hint on a line of its own.
fn error(error: &anyhow::Error) {
    let mut causes = error.chain().map(ToString::to_string);
    let first = causes.next().unwrap_or_default();
    to_stderr(&printable(&format!("error: {first}")));
    let mut said = first;
    for cause in causes.filter(|cause| !cause.is_empty()) {
        if !said.contains(&cause) {
            to_stderr(&printable(&format!("  because: {cause}")));
        }
        said.push_str(&cause);
    }
}

/// There is nowhere to complain when nobody listens to complaints.
fn to_stderr(text: &str) {
    let _unheard = writeln!(io::stderr().lock(), "{text}");
}
