//! Who takes part in a run: worlds and judges as they are offered, and agents as a header names them.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use quintain_agents::{AgentOccasion, AgentSpec};
use quintain_checks::{Palette, Panel};
use quintain_core::verifier::VerifierHook;
use quintain_core::{Offerings, Pick, Task, Trajectory, TrialId};
use quintain_fleet::limits::Shares;
use quintain_models::meter::CallOwner;
use quintain_models::providers::Connections;
use quintain_runner::Cast;
use quintain_runner::ledger::Ledger;
use quintain_store::{RunDir, RunHeader};

use crate::isolation::program_access;
use crate::outside_services::OutsideServices;
use crate::workshop::Workshop;
use crate::wrong_word::WrongWord;
use crate::{PLAYER, guest, handed_agent, models};

/// Every kind of check there is.
pub fn palette(offerings: &Offerings) -> Palette {
    let checks = offerings.iter().flat_map(|offering| &offering.checks);
    checks.fold(Palette::standard(), |palette, check| palette.with(Arc::clone(check)))
}

/// Who judges a task, or everything about its checks that makes no sense.
fn panel(task: &Task, offerings: &Offerings) -> Result<Panel, Vec<String>> {
    let palette = offerings.checks_for(task).into_iter().fold(Palette::standard(), Palette::with);
    Panel::new(task, &palette)
}

/// Why no instance of a task can be made, as far as the first one of each preset tells.
fn unmakeable(task: &Task, offerings: &Offerings) -> BTreeSet<String> {
    let picks = if task.has_canonical() { vec![Pick::default()] } else { task.picks(&[0]) };
    let Ok(world) = offerings.world_for(task) else { return BTreeSet::new() };
    picks.iter().filter_map(|pick| world.instantiate(task, pick).err()).map(|error| error.to_string()).collect()
}

impl Workshop {
    /// Who judges a task, and what runs its verifiers; or everything that is wrong with the task.
    pub fn judges(&self, task: &Task) -> anyhow::Result<(Panel, VerifierHook)> {
        let offerings = self.offerings()?;
        let (panel, verifiers) = match (panel(task, offerings), offerings.verifiers(task)) {
            (Ok(panel), Ok(verifiers)) => return Ok((panel, verifiers)),
            (panel, verifiers) => (panel.err(), verifiers.err()),
        };
        let problems = panel.unwrap_or_default().into_iter().chain(verifiers).chain(unmakeable(task, offerings));
        let lines: Vec<String> = problems.map(|problem| format!("{}: {problem}", task.id)).collect();
        Err(anyhow!(lines.join("\n")))
    }

    /// Worlds and judges: all that judging again needs.
    pub fn judging(&self) -> anyhow::Result<Cast> {
        let offerings = self.offerings()?;
        let (judging, verifying) = (Arc::clone(offerings), Arc::clone(offerings));
        let mut cast =
            Cast::judged_by(move |task| Ok(Box::new(panel(task, &judging).map_err(|problems| problems.join("; "))?)));
        for offering in offerings.iter() {
            cast = cast.with_world(Arc::clone(&offering.world));
        }
        cast.verifiers = Arc::new(move |task| verifying.verifiers(task));
        Ok(cast)
    }

    /// Everyone a run needs: worlds, judges and the agents of its header. People join by themselves. Models can be planned
    /// with, but not be asked.
    pub fn cast(&self, header: &RunHeader) -> anyhow::Result<Cast> {
        self.with_models(header, None, None)
    }

    /// Everyone a run needs that is about to be played: its models too, their calls being written in its books.
    pub fn cast_to_play(&self, run: &RunDir) -> anyhow::Result<Cast> {
        self.cast_sharing(run, None)
    }

    /// The same on a fleet, where calls wait for shares of what all hosts together may use.
    pub fn cast_with_shares(&self, run: &RunDir, shares: &Shares) -> anyhow::Result<Cast> {
        self.cast_sharing(run, Some(shares))
    }

    fn cast_sharing(&self, run: &RunDir, shares: Option<&Shares>) -> anyhow::Result<Cast> {
        let models = models::connect(run, shares)?;
        let outdoors = models.as_deref().map(|models| OutsideServices::of(run, models)).transpose()?.flatten();
        self.with_models(run.header(), models.as_ref(), outdoors.as_ref())
    }

    fn with_models(
        &self,
        header: &RunHeader,
        models: Option<&Arc<Connections>>,
        outdoors: Option<&OutsideServices>,
    ) -> anyhow::Result<Cast> {
        let mut cast = guest::join(self.judging()?, header);
        if let Some(models) = models {
            cast.notices = models.notices().clone();
        }
        handed_agent::check_absence(header)?;
        for agent in header.agents.iter().filter(|agent| ![PLAYER, guest::SPEC].contains(&agent.spec.as_str())) {
            let spec: AgentSpec = agent.spec.parse()?;
            if let (AgentSpec::Outside { argv }, Some(outdoors)) = (&spec, outdoors) {
                cast = outdoors.join(cast, &agent.label, argv, program_access(agent));
                continue;
            }
            let recordings = ReplaySource::of(&spec, self)?;
            let (models, access) = (models.cloned(), program_access(agent));
            cast = cast.with_agent(agent.label.clone(), move |context| {
                let who = CallOwner { trial: Some(context.trial.clone()), attempt: context.attempt };
                quintain_agents::cast(
                    &spec,
                    &AgentOccasion {
                        task: context.task,
                        instance: context.instance,
                        world: context.world,
                        recording: &|_run| recordings.trajectory(context.trial),
                        access: &access,
                        models: models.as_deref().map(|models| (models, &who)),
                    },
                )
            });
        }
        Ok(cast)
    }
}

/// What was recorded in the run that a replaying agent repeats.
struct ReplaySource(Option<RecordedTrial>);

struct RecordedTrial {
    run: RunDir,
    ledger: Ledger,
    agent: String,
}

impl ReplaySource {
    fn of(spec: &AgentSpec, workshop: &Workshop) -> anyhow::Result<Self> {
        let AgentSpec::Replay { run: text } = spec else { return Ok(Self(None)) };
        let (run, agent) = workshop.open_part(text)?;
        let agent = agent.map_or_else(|| only_agent(text, run.header()), Ok)?;
        let ledger = Ledger::of(&run)?;
        Ok(Self(Some(RecordedTrial { run, ledger, agent })))
    }

    /// The recorded steps of the same instance and repeat.
    fn trajectory(&self, trial: &TrialId) -> Result<Trajectory, String> {
        let RecordedTrial { run, ledger, agent } = self.0.as_ref().ok_or("only a replay has recordings")?;
        let meant = TrialId { agent: agent.clone(), ..trial.clone() };
        let entry =
            ledger.entry(&meant).ok_or_else(|| format!("run `{}` has no recording of `{meant}`", run.header().name))?;
        let record = run.trajectory(&entry.place).map_err(|error| error.to_string())?;
        Ok(Trajectory { steps: record.steps() })
    }
}

/// Whose words are said again where none is named: those of the only agent of the run.
fn only_agent(text: &str, header: &RunHeader) -> anyhow::Result<String> {
    let labels: Vec<&str> = header.agents.iter().map(|agent| agent.label.as_str()).collect();
    if let [only] = labels.as_slice() {
        return Ok((*only).to_owned());
    }
    let ways: Vec<String> = labels.iter().map(|label| format!("`replay:{text}@{label}`")).collect();
    bail!(WrongWord(format!(
        "run `{text}` was played by {} agents\nhint: say whose part is replayed: {}",
        labels.len(),
        ways.join(", ")
    )))
}
