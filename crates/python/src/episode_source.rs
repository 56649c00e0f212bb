//! What an environment always has in common with itself: task, preset, what is shown, who judges.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use quintain_core::surface::ActionGroup;
use quintain_core::trial::{Episode, EpisodeTerms, Judges, TrialEnd};
use quintain_core::world::OracleStyle;
use quintain_core::{
    Digest, Instance, Judge, Limits, ObservationPart, OpenContext, Pick, Settings, Task, TrialId, Verdict,
    VerifierRunner, WorldKind, suggest,
};
use quintain_runner::WithScratch;
use quintain_runner::demos::SeedSpace;
use quintain_workshop::{PlaySurface, Workshop};
use serde_json::Value;

/// Seeds of environments start here unless they are named: those to train with, which no agent is tested with.
pub(crate) fn training_seeds_from() -> u64 {
    *SeedSpace::Train.seeds().start()
}

/// The longest that one call of a world may take.
const CALL_LIMIT: Duration = Duration::from_mins(5);

/// What the user asks for.
pub(crate) struct EpisodeWish {
    pub(crate) task: String,
    pub(crate) preset: Option<String>,
    pub(crate) parameters: BTreeMap<String, Value>,
    pub(crate) surface: EpisodeSurface,
    pub(crate) max_steps: Option<u32>,
}

/// What an environment gives back.
pub(crate) enum EpisodeSurface {
    /// The screen, and beside it the parts that are named.
    Screen(Option<Vec<String>>),
    /// Pages as text, which are gone through by calls.
    Text,
}

/// A task with a preset, as a source of episodes: one for each seed.
pub(crate) struct EpisodeSource {
    kind: Arc<dyn WorldKind>,
    task: Arc<Task>,
    /// Which instances, but for their seeds.
    pick: Pick,
    settings: Arc<Settings>,
    limits: Limits,
    world: Digest,
    judge: Box<dyn Judge + Send + Sync>,
    derive: Box<dyn VerifierRunner + Send + Sync>,
}

impl EpisodeSource {
    pub(crate) fn new(workshop: &Workshop, wish: EpisodeWish) -> anyhow::Result<Self> {
        let selections = workshop.suites()?.select(&wish.task)?;
        let [selection] = selections.as_slice() else {
            bail!("`{}` names {} tasks; `quintain.tasks()` lists them", wish.task, selections.len());
        };
        if let Some(seed) = selection.seed {
            bail!("`{}` names a seed; give seed={seed} instead", wish.task);
        }
        let preset = preset_of(&selection.task, wish.preset.or(selection.preset.clone()))?;
        let task = with_parameters(selection.task.clone(), preset.as_deref(), wish.parameters)?;
        let cast = workshop.judging()?;
        let kind = cast.worlds.get(&task.spec.world.kind).context("the world of the task is not here")?;
        let stretch = selection.stretch.unwrap_or_default();
        let pick = Pick { preset, ..Pick::default() }.over(stretch);
        let limits = task.limits(&pick);
        Ok(Self {
            world: kind.digest(&task),
            kind: Arc::clone(kind),
            settings: Arc::new(settings(&task, wish.surface)?),
            limits: Limits { steps: wish.max_steps.unwrap_or(limits.steps), ..limits },
            judge: (cast.judges)(&task).map_err(|why| anyhow!(why))?,
            derive: (cast.verifiers)(&task).map_err(|why| anyhow!(why))?,
            task: Arc::new(task),
            pick,
        })
    }

    pub(crate) fn task(&self) -> &Task {
        &self.task
    }

    /// An episode, at its start.
    pub(crate) fn sit(&self, seed: u64) -> anyhow::Result<Episode> {
        self.sit_in(self.instance(seed)?)
    }

    /// What a solver says, from the start of an episode to the end that it makes itself.
    pub(crate) fn solve(&self, seed: u64, style: &OracleStyle) -> anyhow::Result<Vec<String>> {
        let instance = self.instance(seed)?;
        let mut oracle = self.kind.oracle(&instance, style)?;
        let mut episode = self.sit_in(instance)?;
        oracle.begin(&episode.briefing())?;
        let mut said = Vec::new();
        loop {
            let reply = episode.ask(oracle.as_mut()).map_err(unfinished)?;
            let over = episode.reply(&reply);
            said.push(reply.raw);
            match over {
                Some(over) if over.ending.by_the_agent() => return Ok(said),
                Some(over) => return Err(unfinished(over)),
                None => {}
            }
        }
    }

    /// What an episode came to.
    pub(crate) fn judge(&self, episode: Episode, over: TrialEnd) -> anyhow::Result<Verdict> {
        let derive = &WithScratch(self.derive.as_ref());
        Ok(episode.conclude(over, Judges { derive, judge: self.judge.as_ref() })?)
    }

    fn instance(&self, seed: u64) -> anyhow::Result<Instance> {
        let pick = Pick { seed: Some(seed), ..self.pick.clone() };
        Ok(self.kind.instantiate(&self.task, &pick)?)
    }

    fn sit_in(&self, instance: Instance) -> anyhow::Result<Episode> {
        let world = self.kind.open_with(&instance, &OpenContext::of(&self.task, &self.settings))?;
        let terms = EpisodeTerms {
            id: TrialId { instance: instance.id.clone(), agent: "python".to_owned(), repeat: 0 },
            task: Arc::clone(&self.task),
            instance: Arc::new(instance),
            world: self.world,
            settings: Arc::clone(&self.settings),
            limits: self.limits.clone(),
            call_limit: CALL_LIMIT,
        };
        Ok(Episode::new(terms, world))
    }
}

/// Why what a solver said is no solution.
fn unfinished(over: TrialEnd) -> anyhow::Error {
    let why = over.fault.map_or_else(String::new, |why| format!(": {why}"));
    anyhow!("the solver did not finish: {}{why}", over.ending)
}

/// The preset that is named, or the first.
fn preset_of(task: &Task, named: Option<String>) -> anyhow::Result<Option<String>> {
    let presets = &task.spec.presets;
    match named {
        Some(name) if !presets.contains_key(&name) => {
            bail!("`{}` has no preset `{name}`; {}", task.id, suggest::hint(&name, presets.keys().map(String::as_str)))
        }
        Some(name) => Ok(Some(name)),
        None => Ok(presets.keys().next().cloned()),
    }
}

/// The task with other values of its open parameters.
fn with_parameters(mut task: Task, preset: Option<&str>, values: BTreeMap<String, Value>) -> anyhow::Result<Task> {
    for (name, value) in values {
        let known: Vec<String> = task.spec.parameters.keys().cloned().collect();
        let Some(parameter) = task.spec.parameters.get_mut(&name) else {
            bail!(
                "`{}` has no parameter `{name}`; {}",
                task.id,
                suggest::hint(&name, known.iter().map(String::as_str))
            );
        };
        parameter.value = value.clone();
        parameter.generator = None;
        if let Some(preset) = preset.and_then(|preset| task.spec.presets.get_mut(preset)) {
            preset.parameters.insert(name, value);
        }
    }
    Ok(task)
}

fn settings(task: &Task, surface: EpisodeSurface) -> anyhow::Result<Settings> {
    match surface {
        EpisodeSurface::Screen(observe) => settings_of_screen(task, observe),
        EpisodeSurface::Text => {
            let world = &task.spec.world;
            let is_offered = world.observe.contains(&ObservationPart::Text) && world.act.contains(&ActionGroup::Call);
            ensure!(is_offered, "`{}` cannot be read as text; tasks of the suite `chains` can", task.id);
            Ok(PlaySurface::Text.over(&Settings { show: [].into(), ..Settings::default() }))
        }
    }
}

/// What is shown: the screen, and what else is named. Feedback and what remains are told beside it in any case.
fn settings_of_screen(task: &Task, observe: Option<Vec<String>>) -> anyhow::Result<Settings> {
    let names = observe.unwrap_or_else(|| vec![ObservationPart::Screen.to_string()]);
    let mut settings = Settings { show: [].into(), ..Settings::default() };
    for name in names {
        let allowed = &task.spec.world.observe;
        let part = allowed.iter().find(|part| part.to_string() == name).with_context(|| {
            let known: Vec<String> = allowed.iter().map(ToString::to_string).collect();
            format!("`{}` does not show `{name}`; {}", task.id, suggest::hint(&name, known.iter().map(String::as_str)))
        })?;
        settings.show.insert(*part);
    }
    ensure!(
        settings.show.contains(&ObservationPart::Screen),
        "observe must name `screen`: it is what an environment gives back"
    );
    Ok(settings)
}
