//! What a run needs to know of its tasks, prepared once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use quintain_core::check::BrokenJudge;
use quintain_core::judge::{Ended, Judgement};
use quintain_core::{
    Derive, Digest, Evidence, Instance, Judge, Reference, Task, TaskId, TrialId, WorldError, WorldKind,
};
use quintain_store::PlannedTrial;
use serde_json::Value;

use crate::cast::Cast;
use crate::panics::{Guarded, caught};
use crate::run::RunError;

/// The trials of a run and everything they share.
pub(crate) struct Program {
    plan: Vec<PlannedTrial>,
    parts: BTreeMap<TaskId, Part>,
    plan_idx: HashMap<String, usize>,
}

/// A task, ready to be played.
pub(crate) struct Part {
    pub(crate) task: Task,
    pub(crate) world: Arc<dyn WorldKind>,
    pub(crate) world_digest: Digest,
    pub(crate) judge: Guarded<dyn Judge + Send + Sync>,
    pub(crate) verifier: Guarded<dyn Derive + Send + Sync>,
}

impl Program {
    /// Prepares the tasks of a plan. They must be the very ones that were planned, in the very worlds, and the agents
    /// must be there.
    pub(crate) fn new(plan: Vec<PlannedTrial>, tasks: &[Task], cast: &Cast) -> Result<Self, RunError> {
        let mut parts = BTreeMap::new();
        let mut checked = BTreeSet::new();
        for planned in &plan {
            if !cast.agents.contains_key(&planned.trial.agent) {
                return Err(RunError::NoAgent(planned.trial.agent.clone()));
            }
            let wanted = (&planned.trial.instance.task, planned.task, planned.world);
            if !checked.insert(wanted) {
                continue;
            }
            let part = Part::new(planned, tasks, cast)?;
            parts.insert(part.task.id.clone(), part);
        }
        let plan_idx = plan.iter().enumerate().map(|(idx, planned)| (planned.trial.to_string(), idx)).collect();
        Ok(Self { plan, parts, plan_idx })
    }

    /// The planned trials in the order of the plan, each with the kind of world that it needs.
    pub(crate) fn trials(&self) -> impl ExactSizeIterator<Item = (&PlannedTrial, &str)> {
        self.plan.iter().map(|planned| (planned, &*self.parts[&planned.trial.instance.task].task.spec.world.kind))
    }

    /// The planned trial of that name, and its task.
    pub(crate) fn find(&self, unit: &str) -> Option<(&PlannedTrial, &Part)> {
        let planned = &self.plan[*self.plan_idx.get(unit)?];
        Some((planned, self.parts.get(&planned.trial.instance.task)?))
    }
}

impl Part {
    fn new(planned: &PlannedTrial, tasks: &[Task], cast: &Cast) -> Result<Self, RunError> {
        let id = &planned.trial.instance.task;
        let task = tasks.iter().find(|task| task.id == *id).ok_or_else(|| RunError::NoTask(id.clone()))?;
        if task.digest != planned.task {
            return Err(RunError::TaskChanged(id.clone()));
        }
        let kind = &task.spec.world.kind;
        let world = cast.worlds.get(kind).ok_or_else(|| RunError::NoWorld { task: id.clone(), kind: kind.clone() })?;
        let world_digest = world.digest(task);
        if world_digest != planned.world {
            return Err(RunError::WorldChanged(id.clone()));
        }
        Ok(Self::prepared(task.clone(), Arc::clone(world), world_digest, cast))
    }

    /// A judge or verifier that cannot be made is a judge's fault of every trial, with the reason.
    pub(crate) fn prepared(task: Task, world: Arc<dyn WorldKind>, world_digest: Digest, cast: &Cast) -> Self {
        let judge = caught(|| (cast.judges)(&task)).flatten().unwrap_or_else(|why| Box::new(Unfit(why)));
        let verifier = caught(|| (cast.verifiers)(&task)).flatten().unwrap_or_else(|why| Box::new(Unfit(why)));
        Self { task, world, world_digest, judge: Guarded(judge), verifier: Guarded(verifier) }
    }

    /// The instance of a planned trial, which must be the very one that was planned.
    pub(crate) fn instance(&self, trial: &TrialId, wanted: Digest) -> Result<Instance, WorldError> {
        let instance = self.world.instantiate(&self.task, &trial.instance.pick)?;
        if instance.digest() != wanted {
            return Err(WorldError::setup(format!("`{}` is not the instance that was planned", trial.instance)));
        }
        Ok(instance)
    }
}

/// Stands in for a judge or verifier that could not be made.
struct Unfit(String);

impl Judge for Unfit {
    fn judge(&self, _ended: Ended<'_>, _reference: &Reference) -> Result<Judgement, BrokenJudge> {
        Err(BrokenJudge { check: "all".to_owned(), why: self.0.clone() })
    }
}

impl Derive for Unfit {
    fn derive(&self, _evidence: &Evidence, _reference: &Reference) -> Result<Vec<(String, Value)>, String> {
        Err(self.0.clone())
    }
}
