//! Recorded trials in formats that other tools read. Conversion is pure; [`export`] writes the files.

mod atif;
pub(crate) mod messages;
mod prose;
pub(crate) mod sharegpt;
mod tools;
mod write;

use std::fmt;
use std::str::FromStr;

use quintain_core::{Digest, Verdict, suggest};

pub use atif::{ATIF_VERSION, atif};
pub use messages::messages;
pub use prose::ProsePiece;
pub use sharegpt::sharegpt;
pub use write::{ExportOptions, ExportResult, export};

/// A format to export to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// The Agent Trajectory Interchange Format, one file a trial.
    Atif,
    /// Conversations with `<image>` marks, one array of all trials, as training tools take them.
    ShareGpt,
    /// Chat messages with image parts, one line a trial.
    Messages,
}

/// Which trials to export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// Those that were solved.
    Success,
    /// Those that were not, faults left out: a fault is not a failure.
    Failure,
    /// All that came to a verdict.
    #[default]
    All,
}

/// How pictures are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportPictures {
    /// As files beside the export, named by relative path.
    #[default]
    Beside,
    /// Within the text, as data URLs. Only [`ExportFormat::Messages`] has room for them.
    Inline,
}

/// Where a picture is found, as the export names it: a relative path or a data URL.
pub type PictureLink<'a> = dyn Fn(Digest) -> String + 'a;

impl Filter {
    /// Whether a trial with this verdict is wanted.
    pub fn takes(self, verdict: &Verdict) -> bool {
        match self {
            Self::Success => verdict.solved,
            Self::Failure => !verdict.solved && !verdict.ending.is_fault(),
            Self::All => true,
        }
    }
}

/// A word that names no format or filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} `{word}`\nhint: {hint}")]
pub struct UnknownWord {
    what: &'static str,
    word: String,
    hint: String,
}

fn among<T: Copy>(what: &'static str, word: &str, known: &[(&str, T)]) -> Result<T, UnknownWord> {
    known.iter().find(|(name, _)| *name == word).map(|(_, value)| *value).ok_or_else(|| UnknownWord {
        what,
        word: word.to_owned(),
        hint: suggest::hint(word, known.iter().map(|(name, _)| *name)),
    })
}

impl FromStr for ExportFormat {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        among(
            "export format",
            word,
            &[("atif", Self::Atif), ("sharegpt", Self::ShareGpt), ("messages", Self::Messages)],
        )
    }
}

impl FromStr for Filter {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        among("filter", word, &[("success", Self::Success), ("failure", Self::Failure), ("all", Self::All)])
    }
}

impl fmt::Display for ExportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Atif => "atif",
            Self::ShareGpt => "sharegpt",
            Self::Messages => "messages",
        })
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::All => "all",
        })
    }
}
