//! All kinds of worlds that a program offers.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{HostClass, Offering};
use crate::check::CheckKind;
use crate::suggest;
use crate::task::{DeriveSpec, Task, TaskId, TaskProblems, unsupported};
use crate::verifier::{VerifierChain, VerifierHook, VerifierKind};
use crate::world::WorldKind;

/// All kinds of worlds that a program offers, in the order of their registration.
#[derive(Clone, Default)]
pub struct Offerings(Vec<Offering>);

/// A task names a kind of world that there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("task `{task}` names an unknown kind of world: `{kind}`\nhint: {hint}")]
pub struct UnknownWorld {
    task: String,
    kind: String,
    hint: String,
}

/// A task has no world to be played in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnfitWorld {
    /// There is none of its kind.
    #[error(transparent)]
    Unknown(#[from] UnknownWorld),
    /// It cannot do what the task asks for.
    #[error("task `{task}` cannot be played: {problems}")]
    Unsupported {
        /// The task.
        task: TaskId,
        /// Everything that the world cannot do.
        problems: TaskProblems,
    },
}

impl Offerings {
    /// These. Of two of the same kind the later counts.
    pub fn new(all: impl IntoIterator<Item = Offering>) -> Self {
        let mut offerings = Self::default();
        for offering in all {
            offerings.0.retain(|known| known.kind() != offering.kind());
            offerings.0.push(offering);
        }
        offerings
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Offering> {
        self.0.iter()
    }

    /// The words for the kinds in `task.toml`.
    pub fn kinds(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(Offering::kind)
    }

    /// What is known of the kind of world that a task takes place in.
    pub fn of(&self, task: &Task) -> Result<&Offering, UnknownWorld> {
        let kind = &task.spec.world.kind;
        let found = self.0.iter().find(|offering| offering.kind() == kind);
        found.ok_or_else(|| UnknownWorld {
            task: task.id.to_string(),
            kind: kind.clone(),
            hint: suggest::hint(kind, self.kinds()),
        })
    }

    /// The world that a task takes place in.
    pub fn world_of(&self, task: &Task) -> Result<&Arc<dyn WorldKind>, UnknownWorld> {
        self.of(task).map(|offering| &offering.world)
    }

    /// The world that a task is played in, if it can do what the task asks for.
    pub fn world_for(&self, task: &Task) -> Result<&Arc<dyn WorldKind>, UnfitWorld> {
        let world = self.world_of(task)?;
        let unfit = |problems| UnfitWorld::Unsupported { task: task.id.clone(), problems };
        unsupported(task, world.as_ref()).map_err(unfit)?;
        Ok(world)
    }

    /// The checks that a task can declare besides the general ones. Where two worlds have a check of one name, a task
    /// means that of its own.
    pub fn checks_for(&self, task: &Task) -> Vec<Arc<dyn CheckKind>> {
        let own = |offering: &&Offering| offering.kind() == task.spec.world.kind;
        let others = self.0.iter().filter(|offering| !own(offering));
        others.chain(self.0.iter().filter(own)).flat_map(|offering| offering.checks.clone()).collect()
    }

    /// What runs the verifiers of a task, or why they cannot run.
    pub fn verifiers(&self, task: &Task) -> Result<VerifierHook, String> {
        let specs = &task.spec.derive;
        for (idx, spec) in specs.iter().enumerate() {
            if specs[..idx].iter().any(|earlier| earlier.name == spec.name) {
                return Err(format!("two verifiers are called `{}`: rename one", spec.name));
            }
        }
        let made = specs.iter().map(|spec| self.verifier(spec)).collect::<Result<Vec<_>, _>>()?;
        Ok(Box::new(VerifierChain::of(made)))
    }

    fn verifier(&self, spec: &DeriveSpec) -> Result<VerifierHook, String> {
        let kinds: BTreeMap<&str, &Arc<dyn VerifierKind>> =
            self.0.iter().flat_map(|offering| &offering.verifiers).map(|kind| (kind.kind(), kind)).collect();
        let Some(kind) = kinds.get(spec.kind.as_str()) else {
            let hint = suggest::hint(&spec.kind, kinds.keys().copied());
            return Err(format!("there is no verifier of kind `{}`; {hint}", spec.kind));
        };
        kind.make(spec).map_err(|why| format!("verifier `{}`: {why}", spec.name))
    }

    /// What a host must be able to do to play a task. Of a world that is not known, it must know that.
    pub fn class_of(&self, task: &Task) -> String {
        self.of(task).map_or_else(|_unknown| task.spec.world.kind.clone(), |offering| offering.class_of(task))
    }

    /// All classes, the scarcest first: those whose trials are costly, then those that need most.
    pub fn classes(&self) -> Vec<HostClass<'_>> {
        let mut classes: Vec<HostClass<'_>> = self.0.iter().flat_map(Offering::classes).collect();
        classes.sort_by_key(|class| (Reverse(class.offering.world.is_costly()), Reverse(class.needs.len())));
        classes
    }
}
