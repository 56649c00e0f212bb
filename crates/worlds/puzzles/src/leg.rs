//! Instances that begin or end after a milestone (ADR 0020).
//!
//! The usual solution of the whole instance is played in a world of its own. A milestone is reached where its checks
//! first hold; an instance that begins after it begins there, and its oracle goes on from there. So every such start lies
//! on a solution, and needs no file in the task's folder.

use std::time::Duration;

use quintain_core::action::{Action, Call};
use quintain_core::check::{BrokenJudge, Case, Check, CheckKind};
use quintain_core::evidence::Evidence;
use quintain_core::instance::Stretch;
use quintain_core::reference::Reference;
use quintain_core::task::{CheckSpec, MilestoneSpec, Task};
use quintain_core::world::{World, WorldError};
use serde::{Deserialize, Serialize};

use crate::entry::PuzzleEntry;
use crate::goal::PuzzleGoal;

/// No call of a puzzle waits for anything.
const AT_ONCE: Duration = Duration::ZERO;

/// The part of the usual solution that belongs to an instance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Leg {
    /// The calls that were made before it begins.
    pub(crate) given: Vec<Call>,
    /// How many calls further its end is reached.
    pub(crate) n_left: usize,
}

impl Leg {
    /// Plays the given calls in a world that is open at the start of the whole instance.
    pub(crate) fn lead(&self, world: &mut dyn World) -> Result<(), WorldError> {
        self.given.iter().try_for_each(|call| world.apply(&Action::Call(call.clone()), AT_ONCE).map(drop))
    }

    /// Its own calls among those of the usual solution.
    pub(crate) fn own<'a>(&self, calls: &'a [Call]) -> &'a [Call] {
        let left = calls.get(self.given.len()..).unwrap_or_default();
        &left[..self.n_left.min(left.len())]
    }
}

/// The milestones of a task along the usual solution of one instance.
pub(crate) struct Trail<'a> {
    pub(crate) entry: &'static PuzzleEntry,
    pub(crate) task: &'a Task,
    pub(crate) reference: &'a Reference,
    pub(crate) calls: &'a [Call],
}

impl Trail<'_> {
    /// The leg of a stretch, by way of a world that is open at the start of the whole instance.
    pub(crate) fn leg(&self, stretch: Stretch, world: &mut dyn World) -> Result<Leg, WorldError> {
        let reached = self.reached(world)?;
        let after = |n_milestones: usize| n_milestones.checked_sub(1).map_or(0, |idx| reached[idx]);
        let from = after(stretch.n_given());
        let to = stretch.until.map_or(self.calls.len(), |until| after(until.get() as usize));
        Ok(Leg { given: self.calls[..from].to_vec(), n_left: to - from })
    }

    /// After how many calls each milestone is first reached: each later than the one before.
    fn reached(&self, world: &mut dyn World) -> Result<Vec<usize>, WorldError> {
        let states = self.states(world)?;
        let mut reached: Vec<usize> = Vec::new();
        for milestone in &self.task.spec.milestones {
            let before = reached.last().copied().unwrap_or(0);
            let first = self.first_reached(milestone, &states)?.filter(|n_calls| *n_calls > before);
            reached.push(first.ok_or_else(|| self.out_of_order(milestone))?);
        }
        Ok(reached)
    }

    fn first_reached(&self, milestone: &MilestoneSpec, states: &[Evidence]) -> Result<Option<usize>, WorldError> {
        let checks = self.checks(milestone)?;
        for (n_calls, state) in states.iter().enumerate() {
            if self.hold(&checks, state).map_err(|broken| WorldError::setup(broken.to_string()))? {
                return Ok(Some(n_calls));
            }
        }
        Ok(None)
    }

    /// The documents at the start and after each call of the solution.
    fn states(&self, world: &mut dyn World) -> Result<Vec<Evidence>, WorldError> {
        let mut states = vec![world.snapshot(AT_ONCE)?];
        for call in self.calls {
            world.apply(&Action::Call(call.clone()), AT_ONCE)?;
            states.push(world.snapshot(AT_ONCE)?);
        }
        Ok(states)
    }

    /// The checks of a milestone. A puzzle can tell where they hold only if they are its own.
    fn checks(&self, milestone: &MilestoneSpec) -> Result<Vec<Box<dyn Check>>, WorldError> {
        let kind = PuzzleGoal::of(self.entry);
        let wrong = |why: String| {
            let (name, id) = (&milestone.name, &self.task.id);
            WorldError::setup(format!("milestone `{name}` of task `{id}`: {why}"))
        };
        let check = |spec: &CheckSpec| {
            if spec.kind != kind.kind() {
                let (own, other) = (kind.kind(), &spec.kind);
                return Err(wrong(format!(
                    "`{other}` judges it, but a puzzle begins after milestones of `{own}` alone"
                )));
            }
            kind.make(spec).map_err(wrong)
        };
        milestone.checks.iter().filter(|spec| spec.counts()).map(check).collect()
    }

    fn hold(&self, checks: &[Box<dyn Check>], evidence: &Evidence) -> Result<bool, BrokenJudge> {
        for check in checks {
            if !check.judge(Case { evidence, reference: self.reference })?.score.is_full() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn out_of_order(&self, milestone: &MilestoneSpec) -> WorldError {
        let (name, id) = (&milestone.name, &self.task.id);
        WorldError::setup(format!(
            "the usual solution does not reach milestone `{name}` of task `{id}` after the one before it, so that nothing \
             can begin or end there"
        ))
    }
}

#[cfg(test)]
mod tests;
