//! The only place that prints: data to standard output, words to standard error.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this is the one place that prints")]

use serde::Serialize;

/// Prints data and words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printer {
    json: bool,
    quiet: bool,
}

impl Printer {
    pub(crate) fn new(json: bool, quiet: bool) -> Self {
        Self { json, quiet }
    }

    /// Whether data is wanted as JSON.
    pub(crate) fn is_json(self) -> bool {
        self.json
    }

    /// Whether words are wanted.
    pub(crate) fn is_quiet(self) -> bool {
        self.quiet
    }

    /// Data: as JSON where asked for, else as the text made of it.
    pub(crate) fn data<T: Serialize>(self, value: &T, text: impl FnOnce() -> String) -> anyhow::Result<()> {
        if self.json {
            println!("{}", serde_json::to_string_pretty(value)?);
        } else {
            println!("{}", text().trim_end());
        }
        Ok(())
    }

    /// Text that is data whatever the form.
    pub(crate) fn plain(self, text: &str) {
        println!("{text}");
    }

    /// Words for a person.
    pub(crate) fn say(self, words: impl AsRef<str>) {
        if !self.quiet {
            eprintln!("{}", words.as_ref());
        }
    }

    /// An error with its causes. A cause may bring a hint on a line of its own.
    pub(crate) fn error(self, error: &anyhow::Error) {
        let mut causes = error.chain().map(ToString::to_string);
        let first = causes.next().unwrap_or_default();
        eprintln!("error: {first}");
        let mut said = first;
        for cause in causes.filter(|cause| !cause.is_empty()) {
            if !said.contains(&cause) {
                eprintln!("  because: {cause}");
            }
            said.push_str(&cause);
        }
    }
}
