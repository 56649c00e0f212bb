//! The world: what an agent acts in.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::action::Action;
use crate::agent::Agent;
use crate::digest::Digest;
use crate::ending::Boundary;
use crate::evidence::Evidence;
use crate::instance::{Instance, Pick};
use crate::observation::{Observation, Part, Screen};
use crate::surface::Surface;
use crate::task::Task;
use crate::trajectory::Feedback;

/// One world, open at the start of one instance. Every call is blocking and ends within the time it is given.
pub trait World {
    /// What it offers.
    fn surface(&self) -> Surface;

    /// Shows the wanted parts as they are now.
    fn observe(&mut self, wanted: &BTreeSet<Part>, within: Duration) -> Result<Observation, WorldError>;

    /// Carries out an action.
    fn apply(&mut self, action: &Action, within: Duration) -> Result<Feedback, WorldError>;

    /// The world's documents as they are now, for milestones. Looking changes nothing.
    fn snapshot(&mut self, within: Duration) -> Result<Evidence, WorldError>;

    /// Hands over the evidence, and the last screen. Called once, after the agent has stopped.
    fn collect(&mut self, within: Duration) -> Result<Collected, WorldError>;
}

/// What a world hands over at the end.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    /// The evidence; large things are named by digest.
    pub evidence: Evidence,
    /// The last screen.
    pub screen: Option<Screen>,
    /// The files named in the evidence.
    pub blobs: Vec<Vec<u8>>,
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

    /// An instance of a task: the same pick gives the same instance on every machine.
    fn instantiate(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError>;

    /// A world at the start of an instance.
    fn open(&self, instance: &Instance) -> Result<Box<dyn World + Send>, WorldError>;

    /// An agent that solves the instance through the agent's own interface.
    fn oracle(&self, instance: &Instance, style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError>;

    /// How many steps the shortest known solution takes, the end included; nothing where that is not known.
    fn shortest(&self, _instance: &Instance) -> Option<u32> {
        None
    }
}
