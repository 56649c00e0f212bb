//! The plan: every instance, every agent, every repeat.

use quintain_core::task::{TaskProblems, unsupported};
use quintain_core::{Instance, InstanceId, Pick, StartChoice, Stretch, Task, TaskId, TrialId, WorldError};
use quintain_store::{PlannedTrial, Selection};

use crate::cast::Cast;
use crate::parallel::map_parallel;

/// What a run is to cover.
#[derive(Clone, Debug)]
pub struct Grid<'a> {
    /// The tasks, with the preset and seed where only those were asked for.
    pub selections: &'a [Selection],
    /// The seeds of tasks for which none was asked; none at all means the canonical instance.
    pub seeds: &'a [u64],
    /// The agents' names.
    pub agents: &'a [String],
    /// How often each agent plays each instance.
    pub repeats: u32,
    /// Where instances begin, of tasks for which no stretch was asked; none at all means at their start.
    pub after: &'a [StartChoice],
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// A task takes place in a world that nobody knows.
    #[error("task `{task}` takes place in a world of unknown kind `{kind}`")]
    UnknownWorld {
        /// The task.
        task: TaskId,
        /// The kind.
        kind: String,
    },
    /// A task asks for what its world cannot do.
    #[error("task `{task}` cannot be played: {problems}")]
    Unsupported {
        /// The task.
        task: TaskId,
        /// Everything that the world cannot do.
        problems: TaskProblems,
    },
    /// An instance cannot be made.
    #[error("`{instance}` cannot be made")]
    Instance {
        /// Which.
        instance: InstanceId,
        /// Why.
        source: WorldError,
    },
    /// A task has no such milestones.
    #[error("{0}\nhint: `quintain show TASK` lists a task's milestones; `--after all` takes every start that there is")]
    NoSuchStretch(String),
    /// An agent is listed twice, so that its trials would be the same ones.
    #[error("agent `{0}` is listed twice\nhint: to let it play each instance again, give --repeats")]
    SameAgent(String),
    /// The plan would be empty.
    #[error("there is nothing to run: at least one task, one agent and one repeat are needed")]
    Empty,
}

/// The trials of a grid: the repeats and agents of an instance follow each other. Each trial is listed once.
pub fn plan(grid: &Grid<'_>, cast: &Cast) -> Result<Vec<PlannedTrial>, PlanError> {
    if let Some(twice) = grid.agent_listed_twice() {
        return Err(PlanError::SameAgent(twice.clone()));
    }
    let mut picks: Vec<(&Task, Pick)> = Vec::new();
    for selection in grid.selections {
        picks.extend(grid.picks(selection)?.into_iter().map(|pick| (&selection.task, pick)));
    }
    let mut trials: Vec<PlannedTrial> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for template in map_parallel(&picks, |(task, pick)| template(task, pick, cast)) {
        let template = template?;
        if seen.insert(template.trial.instance.clone()) {
            trials.extend(grid.trials(&template));
        }
    }
    if trials.is_empty() { Err(PlanError::Empty) } else { Ok(trials) }
}

impl Grid<'_> {
    fn agent_listed_twice(&self) -> Option<&String> {
        let before = |agent_idx: usize| &self.agents[..agent_idx];
        self.agents.iter().enumerate().find(|(idx, agent)| before(*idx).contains(agent)).map(|(_, agent)| agent)
    }

    /// The instances of a selection, each with every start.
    fn picks(&self, selection: &Selection) -> Result<Vec<Pick>, PlanError> {
        let picks = self.seeded(selection);
        if selection.stretch.is_some() || self.after.is_empty() {
            return Ok(picks);
        }
        let starts = self.starts(&selection.task)?;
        Ok(picks.into_iter().flat_map(|pick| starts.iter().map(move |start| pick.clone().over(*start))).collect())
    }

    /// Where the instances of a task begin.
    fn starts(&self, task: &Task) -> Result<Vec<Stretch>, PlanError> {
        let mut starts = Vec::new();
        for choice in self.after {
            match choice {
                StartChoice::All => starts.extend(task.starts()),
                StartChoice::Of(stretch) => {
                    task.covers(*stretch).map_err(PlanError::NoSuchStretch)?;
                    starts.push(*stretch);
                }
            }
        }
        Ok(starts)
    }

    /// The instances of a selection; where no seed is named anywhere, the canonical ones.
    fn seeded(&self, selection: &Selection) -> Vec<Pick> {
        if self.seeds.is_empty() && selection.seed.is_none() {
            let canonical = |pick| Pick { seed: None, ..pick };
            return selection.picks(&[0]).into_iter().map(canonical).collect();
        }
        selection.picks(self.seeds)
    }

    fn trials(&self, template: &PlannedTrial) -> impl Iterator<Item = PlannedTrial> {
        let named = |agent: &String, repeat| {
            let mut planned = template.clone();
            planned.trial.agent.clone_from(agent);
            planned.trial.repeat = repeat;
            planned
        };
        self.agents.iter().flat_map(move |agent| (0..self.repeats).map(move |repeat| named(agent, repeat)))
    }
}

/// A planned trial in which only the agent and the repeat are missing.
pub(crate) fn template(task: &Task, pick: &Pick, cast: &Cast) -> Result<PlannedTrial, PlanError> {
    let kind = &task.spec.world.kind;
    let world =
        cast.worlds.get(kind).ok_or_else(|| PlanError::UnknownWorld { task: task.id.clone(), kind: kind.clone() })?;
    let unfit = |problems| PlanError::Unsupported { task: task.id.clone(), problems };
    unsupported(task, world.as_ref()).map_err(unfit)?;
    let id = InstanceId { task: task.id.clone(), pick: pick.clone() };
    let made = world.instantiate(task, pick);
    let instance: Instance = made.map_err(|source| PlanError::Instance { instance: id.clone(), source })?;
    Ok(PlannedTrial {
        trial: TrialId { instance: id, agent: String::new(), repeat: 0 },
        task: task.digest,
        world: world.digest(task),
        instance: instance.digest(),
        identity: Some(world.goal(&instance).identity(task, &instance)),
    })
}
