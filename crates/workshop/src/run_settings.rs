//! What `quintain run` means, whoever asks for it.

use std::path::PathBuf;

use quintain_core::StartChoice;
use quintain_core::limits::{Budget, LimitOverrides};
use quintain_core::settings::Settings;
use quintain_runner::RunOptions;
use quintain_store::KeptPictures;

use crate::private_seeds::PrivateSeeds;

/// A run as it is meant: what is played, how, and within which limits. Who plays is told beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSettings {
    /// What to play: `puzzles`, `puzzles/maze-2d@easy#7`, a folder.
    pub tasks: Vec<String>,
    /// The name of the run; made up from what is played and by whom where there is none.
    pub name: Option<String>,
    /// Which seeds; as befits the tasks where none are named.
    pub seeds: Option<SeedChoice>,
    /// After which milestones instances begin; none for the whole.
    pub after: Vec<StartChoice>,
    /// How often each instance is played.
    pub repeats: u32,
    /// What agents are shown and may do.
    pub settings: Settings,
    /// Limits that take the place of the tasks' own.
    pub limits: LimitOverrides,
    /// What the whole run may use up.
    pub budget: Budget,
    /// Where answers of models are kept.
    pub cache: Option<PathBuf>,
    /// Which pictures are kept.
    pub pictures: KeptPictures,
    /// Where it is played.
    pub workplace: Workplace,
    /// How the work is done.
    pub work: WorkSettings,
}

/// How the trials of a run are worked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkSettings {
    /// Trials at once; as many as there are cores where nothing is said.
    pub n_workers: Option<usize>,
    /// Attempts a trial has when faults strike.
    pub max_attempts: u32,
}

/// Which instances are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeedChoice {
    /// The canonical ones.
    Canonical,
    /// Those of these seeds.
    Each(Vec<u64>),
    /// Those of seeds that a key gives, for each task its own.
    Private(PrivateSeeds),
}

/// Where a run is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Workplace {
    /// On this machine: what it cannot play is left out.
    #[default]
    Here,
    /// By a fleet, whose hosts may have what this machine has not.
    Fleet,
}

impl RunSettings {
    /// These tasks, once each, with everything else as usual.
    pub fn of(tasks: Vec<String>) -> Self {
        Self {
            tasks,
            name: None,
            seeds: None,
            after: Vec::new(),
            repeats: 1,
            settings: Settings::default(),
            limits: LimitOverrides::default(),
            budget: Budget::default(),
            cache: None,
            pictures: KeptPictures::All,
            workplace: Workplace::Here,
            work: WorkSettings { n_workers: None, max_attempts: RunOptions::default().max_attempts },
        }
    }
}

impl RunSettings {
    /// The private seeds, where those are meant.
    pub fn private_seeds(&self) -> Option<&PrivateSeeds> {
        match &self.seeds {
            Some(SeedChoice::Private(private)) => Some(private),
            Some(SeedChoice::Canonical | SeedChoice::Each(_)) | None => None,
        }
    }
}

impl WorkSettings {
    /// As the runner wants to know it.
    pub fn options(self) -> RunOptions {
        let defaults = RunOptions::default();
        let n_workers = self.n_workers.unwrap_or(defaults.n_workers);
        RunOptions { n_workers, max_attempts: self.max_attempts, ..defaults }
    }
}
