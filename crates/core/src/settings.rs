//! How a run lets agents play: the switches behind the diagnoses.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::agent::Effort;
use crate::observation::ObservationPart;
use crate::surface::{ActionGroup, Surface};
use crate::task::WorldSpec;

/// How a run lets agents play. Part of every fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The parts shown, of those the task allows.
    pub show: BTreeSet<ObservationPart>,
    /// How many earlier turns an agent with a memory window keeps; nothing means all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<u32>,
    /// The groups of actions that agents may use, of those the task allows; nothing means all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<BTreeSet<ActionGroup>>,
    /// How hard models should think; nothing means as they usually do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// The longest side of the pictures that agents are shown, in pixels: larger ones are made smaller. Nothing means as
    /// the world draws them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<u32>,
    /// Whether agents act outside of the surface that we control, so that nothing vouches for how they did it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            show: [
                ObservationPart::Screen,
                ObservationPart::Feedback,
                ObservationPart::Remaining,
                ObservationPart::Text,
            ]
            .into(),
            history: None,
            groups: None,
            effort: None,
            resolution: None,
            outside: false,
        }
    }
}

impl Settings {
    /// The parts that a task allows and this run shows.
    pub fn shown(&self, allowed: &BTreeSet<ObservationPart>) -> BTreeSet<ObservationPart> {
        self.show.intersection(allowed).copied().collect()
    }

    /// What agents see and do of what a world offers: what the task allows and this run does not take away.
    pub fn offered(&self, mut surface: Surface, world: &WorldSpec) -> Surface {
        surface.parts = self.shown(&world.observe).into_iter().filter(|part| surface.offers(*part)).collect();
        surface.groups.insert(ActionGroup::Note);
        surface.groups.retain(|group| world.act.contains(group) && self.allows(*group));
        if !surface.groups.contains(&ActionGroup::Call) {
            surface.calls.clear();
        }
        surface
    }

    /// Whether agents may use this group of actions. Notes are kept by the trial and never taken away.
    pub fn allows(&self, group: ActionGroup) -> bool {
        group == ActionGroup::Note || self.groups.as_ref().is_none_or(|groups| groups.contains(&group))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_neither_allowed_nor_shown_is_not_offered() {
        use ObservationPart::{Marks, Screen, Tree};
        let spec = "kind = 'browser'\napp = 'any'\nobserve = ['screen', 'tree']\nact = ['gui']";
        let world: WorldSpec = toml::from_str(spec).unwrap();
        let groups = [ActionGroup::Gui, ActionGroup::Browser].into();
        let surface = Surface { groups, parts: [Screen, Tree, Marks].into(), ..Surface::default() };
        let usual = Settings::default().offered(surface.clone(), &world);
        assert_eq!((usual.parts, usual.groups), (BTreeSet::from([Screen]), BTreeSet::from([ActionGroup::Gui])));
        let all = Settings { show: [Screen, Tree, Marks].into(), ..Settings::default() };
        assert_eq!(all.offered(surface, &world).parts, BTreeSet::from([Screen, Tree]));
    }
}
