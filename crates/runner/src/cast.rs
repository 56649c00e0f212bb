//! Who takes part in a run. The runner names no world, agent or check itself: they are handed in.

use std::collections::BTreeMap;
use std::sync::Arc;

use quintain_core::judge::NothingToDerive;
use quintain_core::{Agent, AgentError, Instance, Judge, Notices, Reference, Task, TrialId, VerifierRunner, WorldKind};

use crate::engine::Lease;

/// Makes an agent for one attempt.
pub type AgentMaker = Arc<dyn Fn(&AgentContext<'_>) -> Result<Box<dyn Agent + Send>, AgentError> + Send + Sync>;

/// Makes the judge of a task, or says why its checks make no sense.
pub type JudgeMaker = Arc<dyn Fn(&Task) -> Result<Box<dyn Judge + Send + Sync>, String> + Send + Sync>;

/// Makes what runs the verifiers of a task, or says why they cannot run here.
pub type DeriveMaker = Arc<dyn Fn(&Task) -> Result<Box<dyn VerifierRunner + Send + Sync>, String> + Send + Sync>;

/// Fetches what the judge of a trial compares with, or says why it is not there.
pub type ReferenceMaker = Arc<dyn Fn(&ReferenceContext<'_>) -> Result<Reference, String> + Send + Sync>;

/// Who takes part in a run.
#[derive(Clone)]
pub struct Cast {
    /// The kinds of world, by the word for them in `task.toml`.
    pub worlds: BTreeMap<String, Arc<dyn WorldKind>>,
    /// The agents, by their name in the trials' names.
    pub agents: BTreeMap<String, AgentMaker>,
    /// Who judges.
    pub judges: JudgeMaker,
    /// Who verifies.
    pub verifiers: DeriveMaker,
    /// Who fetches references: asked only after the agent has stopped.
    pub references: ReferenceMaker,
    /// What they say beside events.
    pub notices: Notices,
}

/// For which trial a reference is fetched.
#[derive(Clone, Copy)]
pub struct ReferenceContext<'a> {
    /// The lease under which it is played.
    pub lease: &'a Lease,
    /// The trial.
    pub trial: &'a TrialId,
    /// The task.
    pub task: &'a Task,
    /// The instance.
    pub instance: &'a Instance,
}

/// What an agent's maker may want to know. Ordinary agents look at nothing but the trial's name.
#[derive(Clone, Copy)]
pub struct AgentContext<'a> {
    /// The trial.
    pub trial: &'a TrialId,
    /// Which attempt, from 1.
    pub attempt: u32,
    /// The task.
    pub task: &'a Task,
    /// The instance; an oracle solves it.
    pub instance: &'a Instance,
    /// The kind of world; it makes oracles.
    pub world: &'a dyn WorldKind,
}

impl Cast {
    /// A cast without worlds and agents yet, whose tasks need no verifiers.
    pub fn judged_by(
        judges: impl Fn(&Task) -> Result<Box<dyn Judge + Send + Sync>, String> + Send + Sync + 'static,
    ) -> Self {
        Self {
            worlds: BTreeMap::new(),
            agents: BTreeMap::new(),
            judges: Arc::new(judges),
            verifiers: Arc::new(no_verifiers),
            references: Arc::new(|context| Ok(context.instance.reference(context.task))),
            notices: Notices::default(),
        }
    }

    /// Adds a kind of world.
    #[must_use]
    pub fn with_world(mut self, world: Arc<dyn WorldKind>) -> Self {
        self.worlds.insert(world.kind().to_owned(), world);
        self
    }

    /// Adds an agent.
    #[must_use]
    pub fn with_agent(
        mut self,
        label: impl Into<String>,
        make: impl Fn(&AgentContext<'_>) -> Result<Box<dyn Agent + Send>, AgentError> + Send + Sync + 'static,
    ) -> Self {
        self.agents.insert(label.into(), Arc::new(make));
        self
    }
}

fn no_verifiers(task: &Task) -> Result<Box<dyn VerifierRunner + Send + Sync>, String> {
    match task.spec.derive.first() {
        None => Ok(Box::new(NothingToDerive)),
        Some(verifier) => Err(format!("there is no verifier of kind `{}` here", verifier.kind)),
    }
}
