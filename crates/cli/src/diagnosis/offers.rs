//! Whether tasks and agents offer what settings ask of them.

use std::collections::BTreeSet;

use anyhow::bail;
use quintain_agents::AgentSpec;
use quintain_agents::spec::LoopKind;
use quintain_core::observation::ObservationPart;
use quintain_core::surface::ActionGroup;
use quintain_core::{Settings, Task};
use quintain_models::screen::fit;
use quintain_store::{RunHeader, Selection};
use quintain_workshop::offers::{check_tasks_of, left};
use quintain_workshop::{PlaySurface, VIEWS};

use super::vary::VariedSetting;

/// Whether a task offers both sides of a comparison, so that the setting can make a difference in it.
pub(crate) fn both_sides(vary: VariedSetting, task: &Task, base: &Settings, varied: &Settings) -> bool {
    let world = &task.spec.world;
    let views = |settings: &Settings| VIEWS.iter().copied().filter(|part| settings.show.contains(part)).collect();
    let has_all = |parts: BTreeSet<ObservationPart>| parts.is_subset(&world.observe);
    match vary {
        VariedSetting::History | VariedSetting::Effort => true,
        VariedSetting::View => has_all(views(base)) && has_all(views(varied)),
        VariedSetting::Feedback => world.observe.contains(&ObservationPart::Feedback),
        VariedSetting::Goal => world.observe.contains(&ObservationPart::Goal),
        VariedSetting::Groups => {
            let (before, after) = (left(task, base), left(task, varied));
            before != after && !before.is_empty() && !after.is_empty()
        }
        VariedSetting::Surface => offers_surface(task, base) && offers_surface(task, varied),
        VariedSetting::Resolution => {
            let pictures = [ObservationPart::Screen, ObservationPart::Marks, ObservationPart::Goal];
            base.shown(&world.observe).iter().any(|part| pictures.contains(part)) && shrinks(task, base, varied)
        }
    }
}

/// Whether a task shows something and leaves something to do by the surface that settings come to.
fn offers_surface(task: &Task, settings: &Settings) -> bool {
    let (part, group) = match PlaySurface::of(settings) {
        Some(PlaySurface::Text) => (ObservationPart::Text, ActionGroup::Call),
        Some(PlaySurface::Elements) => (ObservationPart::Tree, ActionGroup::Gui),
        Some(PlaySurface::Gui) | None => (ObservationPart::Screen, ActionGroup::Gui),
    };
    task.spec.world.observe.contains(&part) && left(task, settings).contains(&group)
}

/// Whether pictures have another size under other settings. How large they are is known of tasks that say how large their
/// screen is; of the others it is taken for granted.
fn shrinks(task: &Task, base: &Settings, varied: &Settings) -> bool {
    let seen = |size: (u32, u32), settings: &Settings| fit(size, settings.resolution.unwrap_or(u32::MAX));
    task.spec.world.viewport.is_none_or(|size| seen(size, base) != seen(size, varied))
}

/// Why a setting means nothing to an agent; nothing where it does.
pub(crate) fn deaf_to(vary: VariedSetting, agent: &AgentSpec) -> Option<&'static str> {
    let programs = matches!(agent, AgentSpec::Command { .. });
    match vary {
        VariedSetting::History => match agent {
            AgentSpec::Model(spec) if spec.kind == LoopKind::Generalist => {
                Some("a generalist sums up what it has seen and keeps no window of turns")
            }
            AgentSpec::Model(_) => None,
            _ if programs => None,
            _ => Some("it keeps no window of turns"),
        },
        VariedSetting::Effort if programs || matches!(agent, AgentSpec::Model(_)) => None,
        VariedSetting::Effort => Some("it has no model that could think more or less"),
        _ => None,
    }
}

/// Why an agent cannot play this task with pictures made smaller; nothing where it can. Whoever does not go by what is
/// shown points in pixels of the full screen.
pub(crate) fn blind_to_size(agent: &AgentSpec, task: &Task) -> Option<&'static str> {
    let by_heart = matches!(agent, AgentSpec::Oracle(_) | AgentSpec::Replay { .. });
    let points = task.spec.world.act.contains(&ActionGroup::Gui);
    (by_heart && points).then_some("it points in pixels of the full screen, whatever it is shown")
}

/// Refuses settings of a run that one of its tasks, or none of its agents, offers.
pub(crate) fn check(header: &RunHeader, selections: &[Selection]) -> anyhow::Result<()> {
    let settings = &header.settings;
    check_tasks_of(settings, selections)?;
    let agents = header.agents.iter().map(|agent| agent.spec.parse()).collect::<Result<Vec<AgentSpec>, _>>()?;
    let used =
        [(VariedSetting::History, settings.history.is_some()), (VariedSetting::Effort, settings.effort.is_some())];
    for (vary, _) in used.into_iter().filter(|(_, is_set)| *is_set) {
        let deaf: Vec<_> = agents.iter().filter_map(|agent| Some((agent, deaf_to(vary, agent)?))).collect();
        if let (true, Some((agent, why))) = (deaf.len() == agents.len(), deaf.first()) {
            bail!("--{} means nothing to `{agent}`: {why}\nhint: leave it out", vary.name());
        }
    }
    if settings.resolution.is_some() {
        check_resolution(&agents, selections)?;
    }
    Ok(())
}

pub(crate) fn check_resolution(agents: &[AgentSpec], selections: &[Selection]) -> anyhow::Result<()> {
    for (agent, task) in agents.iter().flat_map(|agent| selections.iter().map(move |s| (agent, &s.task))) {
        if let Some(why) = blind_to_size(agent, task) {
            bail!("`{agent}` cannot play `{}` with smaller pictures: {why}\nhint: leave --resolution out", task.id);
        }
    }
    Ok(())
}
