//! From Python's arguments to the words of a command line, whose own reader decides what they mean.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;
use quintain_cli::Workshop;

use crate::error::raised;

/// Which seeds: `5` for 0 to 4, `range(10, 20)`, `[3, 7]`, or the words of the command line.
#[derive(FromPyObject)]
pub(crate) enum Seeds {
    Count(u64),
    Words(String),
    Each(Vec<u64>),
}

impl Seeds {
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Count(n) => n.to_string(),
            Self::Words(words) => words.clone(),
            // Alone it would mean a count.
            Self::Each(seeds) if seeds.len() == 1 => format!("{0}..{1}", seeds[0], seeds[0] + 1),
            Self::Each(seeds) => seeds.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
        }
    }
}

/// Options of a command, one after the other.
#[derive(Default)]
pub(crate) struct Words(pub(crate) Vec<OsString>);

impl Words {
    /// `--name value`, where there is a value.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: Option<impl Into<OsString>>) -> Self {
        if let Some(value) = value {
            self.0.extend([OsString::from(format!("--{}", name.replace('_', "-"))), value.into()]);
        }
        self
    }

    /// `--name a,b`, where there is a list.
    #[must_use]
    pub(crate) fn with_list(self, name: &str, values: Option<Vec<String>>) -> Self {
        self.with(name, values.map(|values| values.join(",")))
    }
}

/// The folders and files that puzzles and tasks are taken from, by the names of the command line's options.
pub(crate) type Sources = BTreeMap<String, Option<PathBuf>>;

/// The suites, worlds and judges that some sources give.
pub(crate) fn workshop(sources: Sources, words: Words) -> PyResult<Workshop> {
    let words = sources.into_iter().fold(words, |words, (name, path)| words.with(&name, path));
    Workshop::new(&words.0).map_err(raised)
}
