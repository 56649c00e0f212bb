//! The only place that names concrete worlds, checks and agents.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, bail};
use quintain_agents::meter::Who;
use quintain_agents::providers::Connections;
use quintain_agents::{AgentSpec, Occasion};
use quintain_browser::{Browser, CIRCUIT_VERIFIER, CircuitVerifier, Sandbox};
use quintain_checks::circuit::{CircuitLogic, CircuitReading};
use quintain_checks::workflow::WorkflowGraph;
use quintain_checks::{Palette, Panel};
use quintain_core::judge::NothingToDerive;
use quintain_core::world::WorldKind;
use quintain_core::{Derive, Task, Trajectory, TrialId, suggest};
use quintain_fleet::limits::Shares;
use quintain_puzzles::sources::clips::ClipFolder;
use quintain_puzzles::sources::labels::LabelFile;
use quintain_puzzles::sources::meshes::MeshFolder;
use quintain_puzzles::sources::photos::Folder;
use quintain_puzzles::{PuzzleGoal, Puzzles, Sources};
use quintain_runner::Cast;
use quintain_runner::ledger::Ledger;
use quintain_store::{RunDir, RunHeader, Suites};

use crate::args::Common;
use crate::outside::Outdoors;
use crate::{files, guest, models, player, workshop};

/// The kinds of world, by name.
pub(crate) type Worlds = BTreeMap<String, Arc<dyn WorldKind>>;

/// Every kind of world there is.
pub(crate) fn worlds(common: &Common) -> anyhow::Result<Worlds> {
    let sources = sources(common)?;
    let puzzles = Puzzles::from_sources(sources.clone());
    let physics = Puzzles::new(quintain_physics::KIND, quintain_physics::ALL, sources);
    let sandbox = if common.no_sandbox { Sandbox::Off } else { Sandbox::On };
    let kinds: [Arc<dyn WorldKind>; 3] = [Arc::new(puzzles), Arc::new(physics), Arc::new(Browser::new(sandbox))];
    Ok(kinds.into_iter().map(|kind| (kind.kind().to_owned(), kind)).collect())
}

/// What puzzles are made of: what the user names, and generated things where he names nothing.
fn sources(common: &Common) -> anyhow::Result<Sources> {
    let mut sources = Sources::default();
    if let Some(path) = &common.photos {
        let folder = Folder::open(path).with_context(|| format!("cannot use the photographs in {}", path.display()))?;
        sources.photos = Arc::new(folder);
    }
    if let Some(path) = &common.clips {
        let folder = ClipFolder::open(path).with_context(|| format!("cannot use the clips in {}", path.display()))?;
        sources.clips = Arc::new(folder);
    }
    if let Some(path) = &common.labels {
        let file = LabelFile::open(path).with_context(|| format!("cannot use the labels in {}", path.display()))?;
        sources.labels = Arc::new(file);
    }
    if let Some(path) = &common.meshes {
        let folder = MeshFolder::open(path).with_context(|| format!("cannot use the meshes in {}", path.display()))?;
        sources.meshes = Arc::new(folder);
    }
    Ok(sources)
}

/// Every kind of check there is.
pub(crate) fn palette() -> Palette {
    Palette::standard()
        .with(Arc::new(PuzzleGoal::default().with(quintain_physics::ALL)))
        .with(Arc::new(WorkflowGraph))
        .with(Arc::new(CircuitLogic))
        .with(Arc::new(CircuitReading))
}

/// What runs the verifiers of a task.
pub(crate) fn verifiers(task: &Task) -> Result<Box<dyn Derive + Send + Sync>, String> {
    match task.spec.derive.as_slice() {
        [] => Ok(Box::new(NothingToDerive)),
        [only] if only.kind == CIRCUIT_VERIFIER => Ok(Box::new(CircuitVerifier::new(only))),
        [only] => Err(format!("there is no verifier of kind `{}`; `{CIRCUIT_VERIFIER}` is what there is", only.kind)),
        many => Err(format!("a task has at most one verifier, not {}", many.len())),
    }
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
        let hint = suggest::hint(kind, worlds.keys().map(String::as_str));
        format!("task `{}` names an unknown kind of world: `{kind}`\nhint: {hint}", task.id)
    })
}

/// Worlds and judges: all that judging again needs.
pub(crate) fn without_agents(common: &Common) -> anyhow::Result<Cast> {
    let palette = palette();
    let mut cast = Cast::judged_by(move |task| match Panel::new(task, &palette) {
        Ok(panel) => Ok(Box::new(panel)),
        Err(problems) => Err(problems.join("; ")),
    });
    cast.verifiers = Arc::new(verifiers);
    for world in worlds(common)?.into_values() {
        cast = cast.with_world(world);
    }
    Ok(cast)
}

/// Everyone a run needs: worlds, judges and the agents of its header. A person joins by [`player::join`]. Models can be
/// planned with, but not be asked.
pub(crate) fn cast(header: &RunHeader, common: &Common) -> anyhow::Result<Cast> {
    with_models(header, None, None, common)
}

/// Everyone a run needs that is about to be played: its models too, their calls being written in its books.
pub(crate) fn cast_to_play(run: &RunDir, common: &Common) -> anyhow::Result<Cast> {
    cast_sharing(run, None, common)
}

/// The same on a fleet, where calls wait for shares of what all hosts together may use.
pub(crate) fn cast_with_shares(run: &RunDir, shares: &Shares, common: &Common) -> anyhow::Result<Cast> {
    cast_sharing(run, Some(shares), common)
}

fn cast_sharing(run: &RunDir, shares: Option<&Shares>, common: &Common) -> anyhow::Result<Cast> {
    let models = models::connect(run, shares)?;
    let outdoors = models.as_deref().map(|models| Outdoors::of(run, models)).transpose()?.flatten();
    with_models(run.header(), models.as_ref(), outdoors.as_ref(), common)
}

fn with_models(
    header: &RunHeader,
    models: Option<&Arc<Connections>>,
    outdoors: Option<&Outdoors>,
    common: &Common,
) -> anyhow::Result<Cast> {
    let mut cast = guest::join(without_agents(common)?, header);
    workshop::check_absence(header)?;
    for agent in header.agents.iter().filter(|agent| ![player::PLAYER, guest::SPEC].contains(&agent.spec.as_str())) {
        let spec: AgentSpec = agent.spec.parse()?;
        if let (AgentSpec::Outside { argv }, Some(outdoors)) = (&spec, outdoors) {
            cast = outdoors.join(cast, &agent.label, argv);
            continue;
        }
        let recordings = Recordings::of(&spec, common)?;
        let models = models.cloned();
        cast = cast.with_agent(agent.label.clone(), move |context| {
            let who = Who { trial: Some(context.trial.clone()), attempt: context.attempt };
            quintain_agents::cast(
                &spec,
                &Occasion {
                    task: context.task,
                    instance: context.instance,
                    world: context.world,
                    recording: &|_run| recordings.trajectory(context.trial),
                    models: models.as_deref().map(|models| (models, &who)),
                },
            )
        });
    }
    Ok(cast)
}

/// What was recorded in the run that a replaying agent repeats.
struct Recordings(Option<Recorded>);

struct Recorded {
    run: RunDir,
    ledger: Ledger,
    agent: String,
}

impl Recordings {
    fn of(spec: &AgentSpec, common: &Common) -> anyhow::Result<Self> {
        let AgentSpec::Replay { run: text } = spec else { return Ok(Self(None)) };
        let (run, agent) = match text.rsplit_once('@') {
            Some((run, agent)) if !files::run_path(text, common).exists() => (run, Some(agent)),
            _ => (text.as_str(), None),
        };
        let run = files::open_run(run, common)?;
        let agent = recorded_agent(text, agent, run.header())?;
        let ledger = Ledger::of(&run)?;
        Ok(Self(Some(Recorded { run, ledger, agent })))
    }

    /// The recorded steps of the same instance and repeat.
    fn trajectory(&self, trial: &TrialId) -> Result<Trajectory, String> {
        let Recorded { run, ledger, agent } = self.0.as_ref().ok_or("only a replay has recordings")?;
        let meant = TrialId { agent: agent.clone(), ..trial.clone() };
        let entry =
            ledger.entry(&meant).ok_or_else(|| format!("run `{}` has no recording of `{meant}`", run.header().name))?;
        let record = run.trajectory(&entry.place).map_err(|error| error.to_string())?;
        Ok(Trajectory { steps: record.steps() })
    }
}

/// Whose words are said again: the only agent of the run, or the one that is named.
fn recorded_agent(text: &str, named: Option<&str>, header: &RunHeader) -> anyhow::Result<String> {
    let labels: Vec<&str> = header.agents.iter().map(|agent| agent.label.as_str()).collect();
    match (named, labels.as_slice()) {
        (None, [only]) => Ok((*only).to_owned()),
        (None, _) => {
            let ways: Vec<String> = labels.iter().map(|label| format!("`replay:{text}@{label}`")).collect();
            bail!(
                "run `{text}` was played by {} agents\nhint: say whose part is replayed: {}",
                labels.len(),
                ways.join(", ")
            )
        }
        (Some(named), _) if labels.contains(&named) => Ok(named.to_owned()),
        (Some(named), _) => {
            bail!("no agent `{named}` played in run `{}`\nhint: {}", header.name, suggest::hint(named, labels))
        }
    }
}
