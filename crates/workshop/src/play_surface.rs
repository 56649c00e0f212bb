//! How an agent meets a web: what it sees of it and what it does in it, in one word.

use quintain_core::Settings;
use quintain_core::observation::ObservationPart;
use quintain_core::surface::ActionGroup;
use serde::Deserialize;

/// The parts by which the world is seen.
pub const VIEWS: [ObservationPart; 5] = [
    ObservationPart::Screen,
    ObservationPart::Tree,
    ObservationPart::Marks,
    ObservationPart::Dom,
    ObservationPart::Ascii,
];

/// How an agent meets a web.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaySurface {
    /// It looks at the screen and uses mouse and keyboard.
    Gui,
    /// It reads the tree of elements and uses mouse and keyboard.
    Elements,
    /// It reads pages as text and calls functions; there is no browser.
    Text,
}

impl PlaySurface {
    /// All of them, by name.
    pub const NAMES: [&str; 3] = ["gui", "elements", "text"];

    /// A run's settings, with this surface.
    pub fn over(self, base: &Settings) -> Settings {
        let mut settings = base.clone();
        settings.show.retain(|part| !VIEWS.contains(part));
        settings.show.insert(match self {
            Self::Gui => ObservationPart::Screen,
            Self::Elements => ObservationPart::Tree,
            Self::Text => ObservationPart::Text,
        });
        match self {
            Self::Text => settings.groups = Some([ActionGroup::Call].into()),
            // Whoever has nothing but calls has no mouse.
            Self::Gui | Self::Elements => {
                settings.groups = settings.groups.filter(|groups| groups.iter().copied().any(by_hand));
            }
        }
        settings
    }

    /// The one that settings come to.
    pub fn of(settings: &Settings) -> Option<Self> {
        [Self::Gui, Self::Elements, Self::Text].into_iter().find(|surface| surface.over(settings) == *settings)
    }
}

fn by_hand(group: ActionGroup) -> bool {
    matches!(group, ActionGroup::Gui | ActionGroup::Browser)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_sets_what_is_seen_and_what_is_done() {
        let usual = Settings::default();
        assert_eq!(PlaySurface::Gui.over(&usual), usual);
        let text = PlaySurface::Text.over(&usual);
        assert_eq!(text.groups, Some([ActionGroup::Call].into()));
        assert!(!text.show.contains(&ObservationPart::Screen));
        assert_eq!(PlaySurface::Gui.over(&text), usual);
        let all = [PlaySurface::Gui, PlaySurface::Elements, PlaySurface::Text];
        assert_eq!(all.map(|surface| PlaySurface::of(&surface.over(&usual))), all.map(Some));
    }
}
