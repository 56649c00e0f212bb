//! The world: what an agent acts in.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::action::Action;
use crate::agent::Agent;
use crate::digest::Digest;
use crate::ending::Boundary;
use crate::event::{KeepError, Record};
use crate::evidence::Evidence;
use crate::files::{FileSet, FileSource};
use crate::instance::{Instance, InstanceGoal, Pick};
use crate::observation::{Observation, ObservationPart, Screen};
use crate::settings::Settings;
use crate::surface::Surface;
use crate::task::Task;
use crate::trajectory::Feedback;

/// One world, open at the start of one instance. Every call is blocking and ends within the time it is given.
pub trait World {
    /// What it offers.
    fn surface(&self) -> Surface;

    /// Shows the wanted parts as they are now.
    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, within: Duration) -> Result<Observation, WorldError>;

    /// Carries out an action.
    fn apply(&mut self, action: &Action, within: Duration) -> Result<Feedback, WorldError>;

    /// The world's documents as they are now, for milestones. Looking changes nothing.
    fn snapshot(&mut self, within: Duration) -> Result<Evidence, WorldError>;

    /// Keeps what it holds, its files in the record, so that a trial can go on after a crash. Asked after every turn. Nothing
    /// where the same actions lead to the same place again, or where there is too much of it.
    fn keep(&mut self, _record: &mut dyn Record) -> Result<Option<KeptWorld>, KeepError> {
        Ok(None)
    }

    /// Puts back what was kept, in a world that has just been opened. Whatever ran in it is gone, and whoever looks is told.
    fn put_back(&mut self, _document: &Value, _files: &FileSet) -> Result<(), WorldError> {
        Err(WorldError::world("this world keeps nothing that could be put back"))
    }

    /// Hands over the evidence, and the last screen. Called once, after the agent has stopped.
    fn collect(&mut self, within: Duration) -> Result<Collected, WorldError>;
}

/// What a world held after a turn. What its files hold is in the record, under these names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KeptWorld {
    /// Everything but the files.
    pub document: Value,
    /// The files by path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, Digest>,
}

/// What a world hands over at the end.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    /// The evidence, without the screen and the files, which are named by digest when they are in the record.
    pub evidence: Evidence,
    /// The last screen.
    pub screen: Option<Screen>,
    /// The files that the agent left, by path. They can be read for as long as these are held, world or no world.
    pub files: BTreeMap<String, Arc<dyn FileSource>>,
}

/// Why a world could not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorldError {
    /// The agent's own actions used something up or crashed it.
    #[error("the agent's actions exhausted the world: {0}")]
    Exhausted(String),
    /// The agent was caught cheating.
    #[error("the agent cheated: {0}")]
    Cheated(String),
    /// Something broke that is not the agent's doing.
    #[error("{boundary} fault: {why}")]
    Fault {
        /// Whose fault.
        boundary: Boundary,
        /// What happened.
        why: String,
    },
}

impl WorldError {
    /// A fault of the preparation.
    pub fn setup(why: impl Into<String>) -> Self {
        Self::Fault { boundary: Boundary::Setup, why: why.into() }
    }

    /// A fault of the world.
    pub fn world(why: impl Into<String>) -> Self {
        Self::Fault { boundary: Boundary::World, why: why.into() }
    }
}

/// What a world is given when it is opened, besides the instance.
#[derive(Clone, Copy, Debug)]
pub struct OpenContext<'a> {
    /// The files under `input/`.
    pub inputs: &'a FileSet,
    /// How the run lets agents play, for worlds that can be played in more ways than one.
    pub settings: &'a Settings,
}

impl<'a> OpenContext<'a> {
    /// What a task gives, in a run with these settings.
    pub fn of(task: &'a Task, settings: &'a Settings) -> Self {
        Self { inputs: &task.input, settings }
    }
}

/// What a kind of world can do of what not every world can.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorldSupport {
    /// It takes the files under `input/`.
    pub inputs: bool,
    /// Agents leave files in it: `result.kind = "files"`.
    pub file_results: bool,
    /// Time passes in it by itself: `clock = "wall"`.
    pub wall_clock: bool,
}

/// How an oracle should play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OracleStyle {
    /// The strategy by name; nothing means the usual one.
    pub strategy: Option<String>,
    /// At least so many actions, the end included.
    pub length: Option<u32>,
    /// The seed of its choices.
    pub seed: u64,
}

/// What a proof without playing came to, by name: how many pages were opened, how many wrong sheets were refused.
pub type DryFigures = std::collections::BTreeMap<String, f64>;

/// Files that might have been left in place of right ones, each with what was altered.
#[derive(Clone, Debug, Default)]
pub struct AlteredFiles {
    /// Those that must fail.
    pub wrong: Vec<(String, FileSet)>,
    /// Those that must pass.
    pub right: Vec<(String, FileSet)>,
}

/// Work in files, for whoever does it elsewhere.
#[derive(Clone, Debug, Default)]
pub struct HandedWork {
    /// The files that an agent finds, by their paths in the folder of its input.
    pub files: FileSet,
    /// What the oracle does.
    pub solution: Vec<Action>,
}

/// A kind of world: makes instances, opens them, knows how they are solved.
pub trait WorldKind: Send + Sync {
    /// The word for it in `task.toml`.
    fn kind(&self) -> &str;

    /// The hash of everything that makes this world behave as it does: code, app bundle, data source.
    fn digest(&self, task: &Task) -> Digest;

    /// Whether the same instance and the same actions always give the same documents and pixels.
    fn is_deterministic(&self) -> bool;

    /// Whether a trial takes seconds rather than milliseconds: certificates then repeat less.
    fn is_costly(&self) -> bool {
        false
    }

    /// An instance of a task, whole or a stretch of it: the same pick gives the same instance on every machine. Worlds
    /// say how each is made below, and nothing here.
    fn instantiate(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        if pick.stretch().is_whole() {
            return self.instantiate_whole(task, pick);
        }
        task.covers(pick.stretch()).map_err(WorldError::setup)?;
        self.instantiate_stretch(task, pick)
    }

    /// An instance that begins at its start and goes to its end.
    fn instantiate_whole(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError>;

    /// An instance that begins or ends after a milestone. Refused, unless a world knows how: none does so unawares.
    fn instantiate_stretch(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        let (id, stretch, kind) = (&task.id, pick.stretch(), self.kind());
        let why = format!("the world `{kind}` cannot begin or end after a milestone of `{id}`; leave out `{stretch}`");
        Err(WorldError::setup(why))
    }

    /// A world at the start of an instance.
    fn open(&self, instance: &Instance) -> Result<Box<dyn World + Send>, WorldError>;

    /// A world at the start of an instance, with what it is given to begin with. Worlds that take no files need not say
    /// more than [`Self::open`] does.
    fn open_with(&self, instance: &Instance, given: &OpenContext<'_>) -> Result<Box<dyn World + Send>, WorldError> {
        if given.inputs.is_empty() {
            return self.open(instance);
        }
        Err(WorldError::setup(format!("worlds of kind `{}` take no input files", self.kind())))
    }

    /// What it can do of what not every world can. A task that asks for more is refused before it is played.
    fn supports(&self, _task: &Task) -> WorldSupport {
        WorldSupport::default()
    }

    /// An agent that solves the instance through the agent's own interface.
    fn oracle(&self, instance: &Instance, style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError>;

    /// Why its oracle does what it does, in the oracle's own words, turn by turn; nothing where it does not say. Only
    /// demonstrations tell it: no agent ever reads it.
    fn reasons(&self, _instance: &Instance, _style: &OracleStyle) -> Vec<Option<String>> {
        Vec::new()
    }

    /// The right end state of an instance, where it is known without playing and has no answer in it.
    fn right_end(&self, _task: &Task, _instance: &Instance) -> Option<Evidence> {
        None
    }

    /// What is right at the end of an instance, to tell it from others of its task. Its start state tells all of it, unless
    /// a world knows what of that does not matter.
    fn goal(&self, instance: &Instance) -> InstanceGoal {
        InstanceGoal::of(instance.start.clone())
    }

    /// Strategies of its oracle that look right and are not. The certificate plays each, and none may solve an instance.
    fn wrong_ways(&self, _task: &Task) -> &'static [&'static str] {
        &[]
    }

    /// What was left at the end of an instance, altered: files that are nearly right and must fail, and others that are right
    /// in another way. Given is what a right solution left.
    fn altered_files(&self, _instance: &Instance, _left: &FileSet) -> AlteredFiles {
        AlteredFiles::default()
    }

    /// What an agent finds in an instance and what solves it, where that is all there is to it. Nothing for worlds that have to
    /// be opened.
    fn handed_out(&self, _task: &Task, _instance: &Instance) -> Result<Option<HandedWork>, WorldError> {
        Ok(None)
    }

    /// Proves an instance without opening it: that it can be solved, that its judge is strict, that nothing gives it away.
    /// What is right of another instance of its task (`by_heart`) must not be right here. Nothing where a world cannot; else
    /// figures of the proof, or everything that is wrong.
    fn prove_dry(
        &self,
        _task: &Task,
        _instance: &Instance,
        _by_heart: Option<&Instance>,
    ) -> Option<Result<DryFigures, Vec<String>>> {
        None
    }

    /// How many steps the shortest known solution takes, the end included; nothing where that is not known.
    fn shortest(&self, _instance: &Instance) -> Option<u32> {
        None
    }
}
