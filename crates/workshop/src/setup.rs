//! Where everything is that a front works with.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::worlds::{Sandbox, SourcePaths, WorldSettings};

/// Where runs are kept unless somebody says otherwise.
const RUNS: &str = "runs";

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
            photos: path("QUINTAIN_PHOTOS"),
            labels: path("QUINTAIN_LABELS"),
            clips: path("QUINTAIN_CLIPS"),
            meshes: path("QUINTAIN_MESHES"),
        };
        let is_on = |value: OsString| !["", "n", "no", "f", "false", "off", "0"].iter().any(|off| value == **off);
        let sandbox = if variable("QUINTAIN_NO_SANDBOX").is_some_and(is_on) { Sandbox::Off } else { Sandbox::On };
        Self {
            suites: path("QUINTAIN_SUITES"),
            worlds: WorldSettings { sources, sandbox },
            models: path("QUINTAIN_MODELS"),
            runs: path("QUINTAIN_RUNS").unwrap_or_else(|| PathBuf::from(RUNS)),
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
            "QUINTAIN_PHOTOS" => Some("pictures".into()),
            "QUINTAIN_RUNS" => Some("kept".into()),
            "QUINTAIN_NO_SANDBOX" => Some("1".into()),
            _ => None,
        });
        assert_eq!(said.worlds.sources.photos, Some(PathBuf::from("pictures")));
        assert_eq!((said.runs, said.worlds.sandbox), (PathBuf::from("kept"), Sandbox::Off));
        let off = Setup::from_variables(|name| (name == "QUINTAIN_NO_SANDBOX").then(|| "false".into()));
        assert_eq!(off.worlds.sandbox, Sandbox::On);
    }
}
