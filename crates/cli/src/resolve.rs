//! From what was typed to what is meant.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::bail;
use quintain_core::limits::{Budget, LimitOverrides};
use quintain_core::settings::Settings;
use quintain_workshop::worlds::{BrowserSandbox, SourcePaths, WorldSettings};
use quintain_workshop::{
    ExamEdition, PrivateSeeds, ProgramAccess, RunSettings, SeedChoice, Setup, WorkSettings, Workplace, WrongWord,
    read_seed_key, words,
};

use crate::args::{AgentAccess, Common, HowArgs, RunArgs, WorkingArgs};
use crate::budget;
use crate::fleet::play;

/// Where everything is.
pub(crate) fn setup(common: &Common) -> Setup {
    let sources = SourcePaths {
        photos: common.photos.clone(),
        labels: common.labels.clone(),
        clips: common.clips.clone(),
        meshes: common.meshes.clone(),
    };
    let sandbox = if common.no_sandbox { BrowserSandbox::Off } else { BrowserSandbox::On };
    Setup {
        suites: common.suites.clone(),
        worlds: WorldSettings { sources, sandbox },
        models: common.models.clone(),
        runs: common.runs.clone(),
    }
}

/// A run.
pub(crate) fn run(args: &RunArgs) -> anyhow::Result<RunSettings> {
    let edition = args.edition.as_deref().map(ExamEdition::read).transpose()?;
    Ok(RunSettings {
        tasks: edition.as_ref().map_or(&args.tasks, |edition| &edition.tasks).clone(),
        name: args.name.clone(),
        seeds: match &edition {
            Some(edition) => Some(SeedChoice::Private(of_edition(edition, args.private.as_deref())?)),
            None => seeds(args)?,
        },
        after: args.after.clone(),
        repeats: args.repeats,
        settings: settings(&args.how)?,
        limits: limits(&args.how),
        budget: budget::budget(&args.budget, Budget::default()),
        cache: args.cache.clone(),
        pictures: args.pictures.kept(),
        workplace: if play::is_meant(&args.on_fleet) { Workplace::Fleet } else { Workplace::Here },
        work: work(&args.working),
    })
}

/// What agents' own programs may see. Files are named from here, wherever they are looked for later.
pub(crate) fn program_access(args: &RunArgs) -> anyhow::Result<ProgramAccess> {
    if args.agent_access == AgentAccess::Host {
        return Ok(ProgramAccess::Host);
    }
    let whole = |path: &PathBuf| {
        path.canonicalize().map_err(|error| {
            WrongWord(format!(
                "--agent-files `{}`: {error}\nhint: it names a file or folder of this host",
                path.display()
            ))
        })
    };
    let files = args.agent_files.iter().map(whole).collect::<Result<_, _>>()?;
    Ok(ProgramAccess::Sandbox { files })
}

/// How the work is done.
pub(crate) fn work(args: &WorkingArgs) -> WorkSettings {
    WorkSettings { n_workers: args.workers, max_attempts: args.attempts }
}

/// The seeds of an edition of an exam.
fn of_edition(edition: &ExamEdition, key: Option<&Path>) -> anyhow::Result<PrivateSeeds> {
    edition.seeds(key.map(read_seed_key).transpose()?)
}

/// Which instances are meant. Beside a key the same words name numbers of private seeds.
fn seeds(args: &RunArgs) -> anyhow::Result<Option<SeedChoice>> {
    Ok(match (&args.private, args.seeds.as_deref()) {
        (Some(_), Some("canonical")) => {
            bail!(WrongWord(
                "the canonical instances are everybody's\nhint: leave out --private, or name how many --seeds"
                    .to_owned()
            ))
        }
        (Some(file), named) => Some(SeedChoice::Private(private_seeds(file, named)?)),
        (None, Some("canonical")) => Some(SeedChoice::Canonical),
        (None, Some(named)) => Some(SeedChoice::Each(words::seeds(named)?)),
        (None, None) => None,
    })
}

/// Private seeds of a key: those with the numbers that are named, or the first few.
pub(crate) fn private_seeds(key: &Path, named: Option<&str>) -> anyhow::Result<PrivateSeeds> {
    PrivateSeeds::of(key, named.map(words::seeds).transpose()?)
}

/// How agents are let to play.
pub(crate) fn settings(how: &HowArgs) -> anyhow::Result<Settings> {
    let effort = how.effort.as_deref().map(words::effort).transpose()?;
    let mut settings = Settings { history: how.history, effort, resolution: how.resolution, ..Settings::default() };
    if let Some(names) = &how.groups {
        settings.groups = Some(names.iter().map(|name| words::group(name)).collect::<Result<BTreeSet<_>, _>>()?);
    }
    if let Some(names) = &how.show {
        settings.show = names.iter().map(|name| words::part(name)).collect::<Result<BTreeSet<_>, _>>()?;
    }
    Ok(match how.surface.as_deref().map(words::surface).transpose()? {
        Some(surface) => surface.over(&settings),
        None => settings,
    })
}

/// The limits that replace a task's own.
pub(crate) fn limits(how: &HowArgs) -> LimitOverrides {
    LimitOverrides { steps: how.steps, minutes: how.minutes, tokens: how.tokens, cost_usd: how.cost }
}
