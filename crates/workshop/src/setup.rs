//! Where everything is that a front works with.

use std::ffi::OsString;
use std::path::PathBuf;

use quintain_core::variables;

use crate::worlds::{BrowserSandbox, SourcePaths, WorldSettings};

/// Where runs are kept unless somebody says otherwise.
pub const RUNS: &str = "runs";

/// Where suites, models and runs are, and what worlds are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// A folder of suites, instead of the built-in ones.
    pub suites: Option<PathBuf>,
    /// What worlds want to know.
    pub worlds: WorldSettings,
    /// A file that says what is known of models, before what is built in.
    pub models: Option<PathBuf>,
    /// Where runs are kept.
    pub runs: PathBuf,
}

impl Default for Setup {
    fn default() -> Self {
        Self { suites: None, worlds: WorldSettings::default(), models: None, runs: PathBuf::from(RUNS) }
    }
}

impl Setup {
    /// What the environment says, by the variables that the command line reads too.
    pub fn from_environment() -> Self {
        Self::from_variables(|name| std::env::var_os(name))
    }

    fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let path = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let sources = SourcePaths {
            photos: path(variables::PHOTOS),
            labels: path(variables::LABELS),
            clips: path(variables::CLIPS),
            meshes: path(variables::MESHES),
        };
        let is_on = |value: OsString| !["", "n", "no", "f", "false", "off", "0"].iter().any(|off| value == **off);
        let sandbox =
            if variable(variables::NO_SANDBOX).is_some_and(is_on) { BrowserSandbox::Off } else { BrowserSandbox::On };
        Self {
            suites: path(variables::SUITES),
            worlds: WorldSettings { sources, sandbox },
            models: path(variables::MODELS),
            runs: path(variables::RUNS).unwrap_or_else(|| PathBuf::from(RUNS)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_where_things_are() {
        assert_eq!(Setup::from_variables(|_name| None), Setup::default());
        let said = Setup::from_variables(|name| match name {
            variables::PHOTOS => Some("pictures".into()),
            variables::RUNS => Some("kept".into()),
            variables::NO_SANDBOX => Some("1".into()),
            _ => None,
        });
        assert_eq!(said.worlds.sources.photos, Some(PathBuf::from("pictures")));
        assert_eq!((said.runs, said.worlds.sandbox), (PathBuf::from("kept"), BrowserSandbox::Off));
        let off = Setup::from_variables(|name| (name == variables::NO_SANDBOX).then(|| "false".into()));
        assert_eq!(off.worlds.sandbox, BrowserSandbox::On);
    }
}
