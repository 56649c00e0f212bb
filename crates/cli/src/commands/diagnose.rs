//! `quintain diagnose`: a run in which every agent plays the same instances under several settings.

use std::collections::BTreeMap;

use anyhow::bail;
use quintain_agents::AgentSpec;
use quintain_agents::spec::LoopKind;
use quintain_core::TaskId;
use quintain_store::{AgentUsed, DiagnosisPlan, Factor, Level, PlannedTrial, RunHeader, Selection};
use quintain_workshop::{Workshop, agent_used};

use crate::args::DiagnoseArgs;
use crate::commands::run;
use crate::diagnosis::levels::{SettingLevel, levels};
use crate::diagnosis::offers;
use crate::diagnosis::vary::{self, VariationWish, VariedSetting};
use crate::exit::Exit;
use crate::printer::Printer;
use crate::resolve;

pub(crate) fn diagnose(args: &DiagnoseArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let settings = resolve::run(&args.run)?;
    let selections = workshop.select(&settings, &|words| printer.say(words))?;
    let access = resolve::program_access(&args.run)?;
    let agents = args.run.agent.iter().map(|text| agent_used(text, &access)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut header = workshop.header(&settings, agents, &selections)?;
    if args.run.name.is_none() {
        header.name = workshop.free_name(&format!("diagnosis_{}", header.name), '_');
    }
    offers::check(&header, &selections)?;
    let mut planned = workshop.plan(&settings, &header, &selections, &workshop.cast(&header)?)?;
    let study = Study::of(&vary::read(&args.vary)?, &header, &selections, printer)?;
    planned = study.plan(&planned);
    header.agents.extend(study.agents.iter().cloned());
    header.diagnosis = Some(study.diagnosis);
    run::begin(&args.run, header, &planned, selections, workshop, printer)
}

/// What is varied for whom, and on which tasks.
struct Study {
    diagnosis: DiagnosisPlan,
    /// The agents under other settings than the run's.
    agents: Vec<AgentUsed>,
    /// By the name of an agent and a task, the names that it plays under besides.
    also: BTreeMap<(String, TaskId), Vec<String>>,
}

impl Study {
    fn of(
        wishes: &[VariationWish],
        header: &RunHeader,
        selections: &[Selection],
        printer: Printer,
    ) -> anyhow::Result<Self> {
        let mut study = Self { diagnosis: DiagnosisPlan::default(), agents: Vec::new(), also: BTreeMap::new() };
        for wish in wishes {
            let sets = offered(wish, levels(wish, &header.settings)?, header, selections, printer)?;
            if sets.len() < 2 {
                continue; // Only the run's own setting is left.
            }
            let mut is_varied = false;
            for agent in &header.agents {
                let spec: AgentSpec = agent.spec.parse()?;
                match excuse(wish.vary, &spec, selections) {
                    Some(why) if wish.is_named => bail!("{why}\nhint: leave `{}` out of --vary", wish.vary.name()),
                    Some(why) => printer.say(format!("not varied: {why}")),
                    None => {
                        is_varied = true;
                        hint_at_pictures(wish.vary, &spec, printer);
                        study.vary(wish.vary, agent, &sets, header, selections);
                    }
                }
            }
            if is_varied {
                study.diagnosis.factors.push(factor(wish.vary, &sets, header));
            }
        }
        if study.agents.is_empty() {
            bail!("there is nothing to vary\nhint: name what with --vary");
        }
        Ok(study)
    }

    /// Lets an agent play under every level but the run's own, on the tasks that offer both.
    fn vary(
        &mut self,
        vary: VariedSetting,
        agent: &AgentUsed,
        sets: &[SettingLevel],
        header: &RunHeader,
        selections: &[Selection],
    ) {
        for set in sets.iter().filter(|set| set.settings != header.settings) {
            let label = level(vary, set, header).label(&agent.label);
            self.agents.push(AgentUsed { label: label.clone(), ..agent.clone() });
            self.diagnosis.variations.insert(label.clone(), set.settings.clone());
            let tasks = selections.iter().map(|selection| &selection.task);
            for task in tasks.filter(|task| offers::both_sides(vary, task, &header.settings, &set.settings)) {
                let labels = self.also.entry((agent.label.clone(), task.id.clone())).or_default();
                if !labels.contains(&label) {
                    labels.push(label.clone());
                }
            }
        }
    }

    /// The plan with a trial under each level after every trial under the run's own settings.
    fn plan(&self, planned: &[PlannedTrial]) -> Vec<PlannedTrial> {
        let mut all = Vec::new();
        for own in planned {
            let key = (own.trial.agent.clone(), own.trial.instance.task.clone());
            all.push(own.clone());
            for label in self.also.get(&key).into_iter().flatten() {
                let mut varied = own.clone();
                varied.trial.agent.clone_from(label);
                all.push(varied);
            }
        }
        all
    }
}

fn factor(vary: VariedSetting, sets: &[SettingLevel], header: &RunHeader) -> Factor {
    Factor { name: vary.name().to_owned(), levels: sets.iter().map(|set| level(vary, set, header)).collect() }
}

fn level(vary: VariedSetting, set: &SettingLevel, header: &RunHeader) -> Level {
    let tag = (set.settings != header.settings).then(|| format!("{}-{}", vary.name(), set.slug));
    Level { name: set.name.clone(), tag }
}

/// The levels that some task offers, the run's own included. A level that no task offers is refused where the setting was
/// named; else it is left out and told.
fn offered(
    wish: &VariationWish,
    sets: Vec<SettingLevel>,
    header: &RunHeader,
    selections: &[Selection],
    printer: Printer,
) -> anyhow::Result<Vec<SettingLevel>> {
    let (base, vary) = (&header.settings, wish.vary.name());
    let is_offered = |set: &SettingLevel| {
        let offers = |one: &Selection| offers::both_sides(wish.vary, &one.task, base, &set.settings);
        set.settings == *base || selections.iter().any(offers)
    };
    let (offered, missing): (Vec<SettingLevel>, Vec<SettingLevel>) = sets.into_iter().partition(is_offered);
    for set in missing {
        let why = format!("no task that is named offers both sides of `{vary}`: {} and what the run has", set.name);
        if wish.is_named {
            bail!("{why}\nhint: leave `{vary}` out of --vary, or name other tasks");
        }
        printer.say(format!("not varied: {why}"));
    }
    Ok(offered)
}

/// Why a setting is not varied for an agent, in a sentence.
fn excuse(vary: VariedSetting, agent: &AgentSpec, selections: &[Selection]) -> Option<String> {
    let by_size = || {
        let blind = |selection: &Selection| offers::blind_to_size(agent, &selection.task);
        selections.iter().find_map(blind).filter(|_| vary == VariedSetting::Resolution)
    };
    let why = offers::deaf_to(vary, agent).or_else(by_size)?;
    Some(format!("`{}` means nothing to `{agent}`: {why}", vary.name()))
}

/// With a long history a model is still shown its last pictures only, unless it is told otherwise.
fn hint_at_pictures(vary: VariedSetting, agent: &AgentSpec, printer: Printer) {
    let AgentSpec::Model(spec) = agent else { return };
    if vary == VariedSetting::History && spec.kind != LoopKind::Generalist && spec.manner.n_pictures.is_none() {
        printer.say(format!(
            "`{agent}` keeps the words of all turns in view, but only its last few pictures; with `pictures=100` it keeps those too"
        ));
    }
}
