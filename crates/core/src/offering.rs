//! Everything that is known of a kind of world, in one value that its crate gives.
//!
//! A world is registered by its [`Offering`] and by nothing else: what `doctor` looks for, what a worker must have, what
//! a fleet routes by, what a run's fingerprint tells and how a task of that kind is judged all follow from it. This crate
//! looks at no machine itself; what does is handed in by the world's crate.

mod class;
mod code;
mod need;
mod outside;
mod registry;
mod source;

use std::sync::Arc;

use crate::check::CheckKind;
use crate::digest::Digest;
use crate::instance::Instance;
use crate::manual::ManualChapter;
use crate::task::Task;
use crate::verifier::VerifierKind;
use crate::world::{WorldError, WorldKind};

pub use class::{HostClass, class_in_words};
pub use code::CodeDigests;
pub use need::{NeedProbe, NeedScope, WorldNeed};
pub use outside::{OutsideFile, OutsidePage};
pub use registry::{Offerings, UnfitWorld, UnknownWorld};
pub use source::{BrokenSource, BrokenSources, WorldSource};

/// Opens and closes a world as a trial would, or says why that cannot be done.
pub type WorldRehearsal = Arc<dyn Fn() -> Result<(), String> + Send + Sync>;

/// Serves the start of an instance at an address, for whoever brings a browser.
pub type OpenOutside = Arc<dyn Fn(&Instance) -> Result<Arc<dyn OutsidePage>, WorldError> + Send + Sync>;

/// Everything that is known of a kind of world.
#[derive(Clone)]
pub struct Offering {
    /// The world. Whether its trials are costly says how many travel together and how often a certificate repeats them.
    pub world: Arc<dyn WorldKind>,
    /// The checks that it brings besides the general ones.
    pub checks: Vec<Arc<dyn CheckKind>>,
    /// The verifiers that it brings.
    pub verifiers: Vec<Arc<dyn VerifierKind>>,
    /// What has to be on a machine to play it.
    pub needs: Vec<WorldNeed>,
    /// What its instances are made of.
    pub sources: Vec<WorldSource>,
    /// What can change a result and so has to be the same on every host that plays one run. One that is called like a need
    /// is about the tasks that have that need.
    pub facts: Vec<HostFact>,
    /// What a task can name as its app, with the strategies of its solver.
    pub apps: Vec<AppOffered>,
    /// The hash of the code that all its tasks rest on, where its crate tells it: certificates are keyed by it.
    pub code: Option<Digest>,
    /// The memory that a trial takes; nothing where cores are scarcer.
    pub trial_bytes: Option<u64>,
    /// How to find out whether what was found works, where finding it does not prove that.
    pub rehearse: Option<WorldRehearsal>,
    /// The name of the one document that its evidence holds, for a document that was made elsewhere.
    pub document: fn(&Task) -> String,
    /// How it is served outside, where it can be.
    pub outside: Option<OpenOutside>,
    /// What its tasks can say besides what all can, for the reference page.
    pub manual: Vec<ManualChapter>,
}

/// Something that has to be the same on every host, as a line of a fingerprint.
#[derive(Clone)]
pub struct HostFact {
    /// What it is called in the fingerprint.
    pub name: &'static str,
    /// What it is here; nothing where it is not found.
    pub value: Arc<dyn Fn() -> Option<String> + Send + Sync>,
}

/// What a task of a kind of world can name as its app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AppOffered {
    /// Its name in `task.toml`.
    pub name: &'static str,
    /// The strategies of its solver, the usual one first; none where it has but one way.
    pub strategies: &'static [&'static str],
    /// The hash of the code that its tasks rest on besides, where its crate tells it.
    pub code: Option<Digest>,
}

impl Offering {
    /// A world that needs nothing and brings nothing but itself: the start of most offerings.
    pub fn of(world: Arc<dyn WorldKind>) -> Self {
        Self {
            world,
            checks: Vec::new(),
            verifiers: Vec::new(),
            needs: Vec::new(),
            sources: Vec::new(),
            facts: Vec::new(),
            apps: Vec::new(),
            code: None,
            trial_bytes: None,
            rehearse: None,
            document: |task| task.spec.world.app.clone(),
            outside: None,
            manual: Vec::new(),
        }
    }

    /// The word for it in `task.toml`.
    pub fn kind(&self) -> &str {
        self.world.kind()
    }

    /// What a task of this kind needs.
    pub fn needs_of<'a>(&'a self, task: &'a Task) -> impl Iterator<Item = &'a WorldNeed> {
        self.needs.iter().filter(|need| need.is_of(task))
    }

    /// What has to be the same on every host that plays a task. Whoever plays none that need a program may be without it.
    pub fn facts_of<'a>(&'a self, task: &'a Task) -> impl Iterator<Item = &'a HostFact> {
        self.facts.iter().filter(move |fact| {
            let mut namesakes = self.needs.iter().filter(|need| need.name == fact.name).peekable();
            namesakes.peek().is_none() || namesakes.any(|need| need.is_of(task))
        })
    }

    /// The strategies of the solver of a task.
    pub fn strategies_of(&self, task: &Task) -> &'static [&'static str] {
        let app = self.apps.iter().find(|app| app.name == task.spec.world.app);
        app.map_or(&[], |app| app.strategies)
    }
}
