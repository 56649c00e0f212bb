//! From Python's arguments to what is meant.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{bail, ensure};
use pyo3::prelude::*;
use quintain_core::settings::Settings;
use quintain_core::suggest;
use quintain_workshop::{PrivateSeeds, ProgramParts, SeedChoice, Setup, Workshop, words};

use crate::error::raised;

/// Which seeds: `5` for 0 to 4, `range(10, 20)`, `[3, 7]`, or the words of the command line.
#[derive(FromPyObject)]
pub(crate) enum UserSeeds {
    Count(u64),
    Words(String),
    Each(Vec<u64>),
}

impl UserSeeds {
    fn chosen(self) -> anyhow::Result<SeedChoice> {
        Ok(match self {
            Self::Words(text) if text == "canonical" => SeedChoice::Canonical,
            each => SeedChoice::Each(each.numbers()?),
        })
    }

    fn numbers(self) -> anyhow::Result<Vec<u64>> {
        let seeds = match self {
            Self::Words(text) => words::seeds(&text)?,
            Self::Count(n) => (0..n).collect(),
            Self::Each(seeds) => seeds,
        };
        ensure!(!seeds.is_empty(), "no seeds are named; give a count, a range or a list");
        Ok(seeds)
    }
}

/// Which instances are meant. Beside a key the same words name numbers of private seeds.
pub(crate) fn chosen_seeds(seeds: Option<UserSeeds>, private: Option<&Path>) -> anyhow::Result<Option<SeedChoice>> {
    let Some(key) = private else { return seeds.map(UserSeeds::chosen).transpose() };
    let numbers = seeds.map(UserSeeds::numbers).transpose()?;
    Ok(Some(SeedChoice::Private(PrivateSeeds::of(key, numbers)?)))
}

/// The folders and files that puzzles and tasks are taken from, by the names of the command line's options.
pub(crate) type SourceFolders = BTreeMap<String, Option<PathBuf>>;

/// What this module has in it. Functions of a module are given nothing but their arguments, so it is kept here.
static PARTS: OnceLock<ProgramParts> = OnceLock::new();

/// Says what this module has in it. Where a process makes it a second time, that is the same.
pub(crate) fn made_of(parts: ProgramParts) {
    PARTS.get_or_init(|| parts);
}

/// What this module has in it.
pub(crate) fn parts() -> &'static ProgramParts {
    PARTS.get_or_init(ProgramParts::default)
}

/// The suites, worlds and judges that some sources give; where they name nothing, the environment does.
pub(crate) fn workshop(sources: SourceFolders, runs: Option<PathBuf>) -> PyResult<Workshop> {
    setup(sources, runs).map(|setup| parts().workshop(setup)).map_err(raised)
}

fn setup(sources: SourceFolders, runs: Option<PathBuf>) -> anyhow::Result<Setup> {
    let mut setup = Setup::from_environment();
    setup.runs = runs.unwrap_or(setup.runs);
    for (name, path) in sources {
        let Some(path) = path else { continue };
        let of_worlds = &mut setup.worlds.sources;
        let place = match name.as_str() {
            "suites" => &mut setup.suites,
            "models" => &mut setup.models,
            "photos" => &mut of_worlds.photos,
            "labels" => &mut of_worlds.labels,
            "clips" => &mut of_worlds.clips,
            "meshes" => &mut of_worlds.meshes,
            other => {
                let hint = suggest::hint(other, ["suites", "models", "photos", "labels", "clips", "meshes"]);
                bail!("there is no source `{other}`; {hint}");
            }
        };
        *place = Some(path);
    }
    Ok(setup)
}

/// What agents are shown: what is named, or what is usual.
pub(crate) fn shown(show: Option<Vec<String>>) -> anyhow::Result<Settings> {
    let mut settings = Settings::default();
    if let Some(names) = show {
        settings.show = names.iter().map(|name| words::part(name)).collect::<Result<BTreeSet<_>, _>>()?;
    }
    Ok(settings)
}

/// A number that must not be nothing.
pub(crate) fn at_least_one(what: &str, n: u32) -> anyhow::Result<u32> {
    ensure!(n > 0, "{what} must be 1 or more");
    Ok(n)
}
