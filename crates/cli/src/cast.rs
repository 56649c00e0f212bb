//! The only place that names concrete worlds, checks and agents.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context;
use quintain_agents::{AgentSpec, Occasion};
use quintain_checks::{Palette, Panel};
use quintain_core::world::WorldKind;
use quintain_core::{Trajectory, TrialId};
use quintain_puzzles::photos::Folder;
use quintain_puzzles::{PuzzleGoal, Puzzles};
use quintain_runner::Cast;
use quintain_runner::ledger::{Entry, Ledger};
use quintain_store::{RunDir, RunHeader, Suites};

use crate::args::Common;
use crate::files;

/// The kinds of world, by name.
pub(crate) type Worlds = BTreeMap<String, Arc<dyn WorldKind>>;

/// Every kind of world there is.
pub(crate) fn worlds(common: &Common) -> anyhow::Result<Worlds> {
    let puzzles = match &common.photos {
        None => Puzzles::default(),
        Some(path) => {
            let folder =
                Folder::open(path).with_context(|| format!("cannot use the photographs in {}", path.display()))?;
            Puzzles::with_photos(Arc::new(folder))
        }
    };
    let kinds: [Arc<dyn WorldKind>; 1] = [Arc::new(puzzles)];
    Ok(kinds.into_iter().map(|kind| (kind.kind().to_owned(), kind)).collect())
}

/// Every kind of check there is.
pub(crate) fn palette() -> Palette {
    Palette::standard().with(Arc::new(PuzzleGoal))
}

/// The suites that are meant: a folder of the user's, or the built-in ones.
pub(crate) fn suites(common: &Common) -> anyhow::Result<Suites> {
    Ok(match &common.suites {
        None => Suites::embedded(),
        Some(path) => Suites::from_dir(path)?,
    })
}

/// The world a task takes place in.
pub(crate) fn world_of<'a>(worlds: &'a Worlds, task: &quintain_core::Task) -> anyhow::Result<&'a Arc<dyn WorldKind>> {
    let kind = &task.spec.world.kind;
    worlds.get(kind).with_context(|| {
        let hint = quintain_core::suggest::hint(kind, worlds.keys().map(String::as_str));
        format!("task `{}` names an unknown kind of world: `{kind}`\nhint: {hint}", task.id)
    })
}

/// Everyone a run needs: worlds, judges and the agents of its header.
pub(crate) fn cast(header: &RunHeader, common: &Common) -> anyhow::Result<Cast> {
    let palette = palette();
    let mut cast = Cast::judged_by(move |task| match Panel::new(task, &palette) {
        Ok(panel) => Ok(Box::new(panel)),
        Err(problems) => Err(problems.join("; ")),
    });
    for world in worlds(common)?.into_values() {
        cast = cast.with_world(world);
    }
    for agent in &header.agents {
        let spec: AgentSpec = agent.spec.parse()?;
        let recordings = Recordings::of(&spec, common)?;
        cast = cast.with_agent(agent.label.clone(), move |context| {
            quintain_agents::cast(
                &spec,
                &Occasion {
                    task: context.task,
                    instance: context.instance,
                    world: context.world,
                    recording: &|_run| recordings.trajectory(context.trial),
                },
            )
        });
    }
    Ok(cast)
}

/// What was recorded in the run that a replaying agent repeats.
struct Recordings(Option<(RunDir, Ledger)>);

impl Recordings {
    fn of(spec: &AgentSpec, common: &Common) -> anyhow::Result<Self> {
        let AgentSpec::Replay { run } = spec else { return Ok(Self(None)) };
        let run = files::open_run(run, common)?;
        let ledger = Ledger::of(&run)?;
        Ok(Self(Some((run, ledger))))
    }

    /// The recorded steps of the same instance and repeat, whoever played it.
    fn trajectory(&self, trial: &TrialId) -> Result<Trajectory, String> {
        let (run, ledger) = self.0.as_ref().ok_or("only a replay has recordings")?;
        let same = |entry: &&Entry| entry.trial.instance == trial.instance && entry.trial.repeat == trial.repeat;
        let entry = ledger
            .entries
            .iter()
            .find(same)
            .ok_or_else(|| format!("run `{}` has no recording of `{}`", run.header().name, trial.instance))?;
        let record = run.trajectory(&entry.place).map_err(|error| error.to_string())?;
        Ok(Trajectory { steps: record.steps() })
    }
}
