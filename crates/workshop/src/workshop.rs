//! The workshop: suites and worlds, each opened when it is first needed and never again.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use quintain_core::lock::LockAlways as _;
use quintain_core::offering::{BrokenSources, Offerings};
use quintain_store::{Damage, DamageLog, RunDir, Suites};

use crate::program_parts::ProgramParts;
use crate::setup::Setup;
use crate::worlds::{self, OfferWorlds, OfferedWorlds, WorldSettings};

/// Suites, worlds, judges and runs, as a setup gives them. A front opens one for a command.
pub struct Workshop {
    setup: Setup,
    parts: ProgramParts,
    suites: OpenedOnce<Suites>,
    offerings: OpenedOnce<Arc<Offerings>>,
    /// What was found broken in the runs that were opened, by their names.
    damage: Mutex<BTreeMap<String, Arc<DamageLog>>>,
}

impl Workshop {
    /// With the worlds that are built in.
    pub fn new(setup: Setup) -> Self {
        Self::of(setup, ProgramParts::default())
    }

    /// With other worlds.
    pub fn with_worlds(setup: Setup, offer: OfferWorlds) -> Self {
        Self::of(setup, ProgramParts::of(offer))
    }

    /// With what a program has in it.
    pub fn of(setup: Setup, parts: ProgramParts) -> Self {
        Self { setup, parts, suites: OpenedOnce::default(), offerings: OpenedOnce::default(), damage: Mutex::default() }
    }

    /// Remembers a run that was opened, to tell later what was found broken in it.
    pub(crate) fn watch(&self, name: &str, run: &RunDir) {
        self.damage.lock().always().insert(name.to_owned(), Arc::clone(run.damage()));
    }

    /// What was found broken in runs so far, by the runs' names.
    pub fn damage(&self) -> BTreeMap<String, Vec<Damage>> {
        let watched = self.damage.lock().always();
        let found = watched.iter().map(|(name, damage)| (name.clone(), damage.list()));
        found.filter(|(_, damage)| !damage.is_empty()).collect()
    }

    /// Where everything is.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// What the program has in it.
    pub(crate) fn parts(&self) -> &ProgramParts {
        &self.parts
    }

    /// The folder of the runs.
    pub fn runs(&self) -> &Path {
        &self.setup.runs
    }

    /// The suites that are meant: a folder of the user's, or the built-in ones.
    pub fn suites(&self) -> anyhow::Result<&Suites> {
        self.suites.get(|| match &self.setup.suites {
            None => Ok(self.parts.suites()),
            Some(path) => Ok(Suites::from_dir(path)?),
        })
    }

    /// Every kind of world there is. Their sources are opened with them.
    pub fn offerings(&self) -> anyhow::Result<&Arc<Offerings>> {
        self.offerings.get(|| Ok(Arc::new(worlds::whole(self.offered())?)))
    }

    /// The same with whatever is broken, for whoever looks after this machine. They are opened anew.
    pub fn offered(&self) -> OfferedWorlds {
        (self.parts.worlds())(&self.setup.worlds)
    }

    /// What is known of worlds whatever they are made of: nothing of the user's is opened.
    pub fn unfurnished(&self) -> Result<Offerings, BrokenSources> {
        worlds::whole((self.parts.worlds())(&WorldSettings::default()))
    }
}

/// Something that is opened when it is first needed, by whoever comes first. What could not be opened is tried again.
struct OpenedOnce<T> {
    opened: OnceLock<T>,
    opening: Mutex<()>,
}

impl<T> Default for OpenedOnce<T> {
    fn default() -> Self {
        Self { opened: OnceLock::new(), opening: Mutex::new(()) }
    }
}

impl<T> OpenedOnce<T> {
    fn get(&self, open: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<&T> {
        let _held = self.opening.lock().always();
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let opened = open()?;
        Ok(self.opened.get_or_init(|| opened))
    }
}
