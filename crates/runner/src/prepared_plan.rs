//! What a run needs to know of its tasks, prepared once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard};

use quintain_core::check::BrokenJudge;
use quintain_core::judge::{EndedTrial, Judgement};
use quintain_core::lock::LockAlways as _;
use quintain_core::{
    Digest, Instance, Judge, Reference, Task, TaskId, TrialId, VerifierCase, VerifierRunner, WorldError, WorldKind,
};
use quintain_store::PlannedTrial;
use serde_json::Value;

use crate::cast::Cast;
use crate::panics::{PanicGuard, caught};
use crate::run::RunError;

/// The trials of a run and everything they share. It grows where trials come as they please.
pub(crate) struct PreparedPlan {
    listed: RwLock<ListedTrial>,
}

#[derive(Default)]
struct ListedTrial {
    plan: Vec<Arc<PlannedTrial>>,
    parts: BTreeMap<TaskId, Arc<PreparedTask>>,
    plan_idx: HashMap<String, usize>,
}

/// A task, ready to be played.
pub(crate) struct PreparedTask {
    pub(crate) task: Task,
    pub(crate) world: Arc<dyn WorldKind>,
    pub(crate) world_digest: Digest,
    pub(crate) judge: PanicGuard<dyn Judge + Send + Sync>,
    pub(crate) verifier: PanicGuard<dyn VerifierRunner + Send + Sync>,
}

impl PreparedPlan {
    /// Prepares the tasks of a plan. They must be the very ones that were planned, in the very worlds, and the agents
    /// must be there.
    pub(crate) fn new(plan: Vec<PlannedTrial>, tasks: &[Task], cast: &Cast) -> Result<Self, RunError> {
        let program = Self { listed: RwLock::default() };
        program.extend(plan, tasks, cast)?;
        Ok(program)
    }

    /// Adds trials to the plan, and prepares the tasks that they need and others did not.
    pub(crate) fn extend(&self, more: Vec<PlannedTrial>, tasks: &[Task], cast: &Cast) -> Result<(), RunError> {
        let mut checked = BTreeSet::new();
        for planned in &more {
            if !cast.agents.contains_key(&planned.trial.agent) {
                return Err(RunError::NoAgent(planned.trial.agent.clone()));
            }
            let wanted = (&planned.trial.instance.task, planned.task, planned.world);
            if !checked.insert(wanted) || self.has(planned) {
                continue;
            }
            let part = PreparedTask::new(planned, tasks, cast)?;
            self.write().parts.insert(part.task.id.clone(), Arc::new(part));
        }
        let mut listed = self.write();
        for planned in more {
            let idx = listed.plan.len();
            listed.plan_idx.insert(planned.trial.to_string(), idx);
            listed.plan.push(Arc::new(planned));
        }
        Ok(())
    }

    /// Whether the very task of a planned trial is prepared already.
    fn has(&self, planned: &PlannedTrial) -> bool {
        let listed = self.read();
        let part = listed.parts.get(&planned.trial.instance.task);
        part.is_some_and(|part| part.task.digest == planned.task && part.world_digest == planned.world)
    }

    /// The units of work for an engine, in the order of the plan: the trial's name and the kind of world that it needs.
    pub(crate) fn units(&self) -> Vec<(String, String)> {
        let listed = self.read();
        let class = |planned: &PlannedTrial| listed.parts[&planned.trial.instance.task].task.spec.world.kind.clone();
        listed.plan.iter().map(|planned| (planned.trial.to_string(), class(planned))).collect()
    }

    /// The kind of world that a planned trial needs.
    pub(crate) fn class_of(&self, unit: &str) -> Option<String> {
        self.find(unit).map(|(_, part)| part.task.spec.world.kind.clone())
    }

    /// The planned trial of that name, and its task.
    pub(crate) fn find(&self, unit: &str) -> Option<(Arc<PlannedTrial>, Arc<PreparedTask>)> {
        let listed = self.read();
        let planned = Arc::clone(&listed.plan[*listed.plan_idx.get(unit)?]);
        let part = Arc::clone(listed.parts.get(&planned.trial.instance.task)?);
        Some((planned, part))
    }

    fn read(&self) -> RwLockReadGuard<'_, ListedTrial> {
        self.listed.read().always()
    }

    fn write(&self) -> RwLockWriteGuard<'_, ListedTrial> {
        self.listed.write().always()
    }
}

impl PreparedTask {
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
        let judge = caught(|| (cast.judges)(&task)).flatten().unwrap_or_else(|why| Box::new(UnfitJudge(why)));
        let verifier = caught(|| (cast.verifiers)(&task)).flatten().unwrap_or_else(|why| Box::new(UnfitJudge(why)));
        Self { task, world, world_digest, judge: PanicGuard(judge), verifier: PanicGuard(verifier) }
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
struct UnfitJudge(String);

impl Judge for UnfitJudge {
    fn judge(&self, _ended: EndedTrial<'_>, _reference: &Reference) -> Result<Judgement, BrokenJudge> {
        Err(BrokenJudge { check: "all".to_owned(), why: self.0.clone() })
    }
}

impl VerifierRunner for UnfitJudge {
    fn derive(&self, _case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        Err(self.0.clone())
    }
}
