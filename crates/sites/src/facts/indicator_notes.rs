//! What the portal writes of each indicator: its theme, its definition, and what a break in its series was about.

use std::sync::LazyLock;

use quintain_atlas::{IndicatorId, RowId};

/// What an indicator belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatisticTheme {
    /// People and families.
    People,
    /// Output, prices, money.
    Economy,
    /// Work.
    Labour,
    /// Prices and trade of businesses, money of households.
    Business,
    /// Trade with other countries, money of the state.
    Finance,
    /// Health.
    Health,
    /// Schools and research.
    Education,
    /// Culture and communication.
    Culture,
    /// Transport and travel.
    Transport,
    /// Dwellings and incomes.
    Living,
    /// Courts, police, parliaments.
    Justice,
    /// Energy.
    Energy,
    /// Climate, air and land.
    Environment,
    /// Farms and fisheries.
    Farming,
}

impl StatisticTheme {
    /// All themes, as the portal lists them.
    pub const ALL: [Self; 14] = [
        Self::People,
        Self::Economy,
        Self::Labour,
        Self::Business,
        Self::Finance,
        Self::Health,
        Self::Education,
        Self::Culture,
        Self::Transport,
        Self::Living,
        Self::Justice,
        Self::Energy,
        Self::Environment,
        Self::Farming,
    ];

    /// What the theme is called.
    pub const fn title(self) -> &'static str {
        match self {
            Self::People => "Population and families",
            Self::Economy => "Output, prices and money",
            Self::Labour => "Labour market",
            Self::Business => "Business and household finances",
            Self::Finance => "Foreign trade and public finance",
            Self::Health => "Health",
            Self::Education => "Education and research",
            Self::Culture => "Culture and communication",
            Self::Transport => "Transport and tourism",
            Self::Living => "Housing and living conditions",
            Self::Justice => "Justice and government",
            Self::Energy => "Energy",
            Self::Environment => "Climate and environment",
            Self::Farming => "Farming and fisheries",
        }
    }

    /// The word by which the file of definitions and the phrases know the theme.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::People => "people",
            Self::Economy => "economy",
            Self::Labour => "labour",
            Self::Business => "business",
            Self::Finance => "finance",
            Self::Health => "health",
            Self::Education => "education",
            Self::Culture => "culture",
            Self::Transport => "transport",
            Self::Living => "living",
            Self::Justice => "justice",
            Self::Energy => "energy",
            Self::Environment => "environment",
            Self::Farming => "farming",
        }
    }
}

/// What is written of an indicator.
pub(crate) struct IndicatorNotes {
    pub(crate) theme: StatisticTheme,
    pub(crate) definition: &'static str,
    /// What was changed in the year of a break, where the series can have one. It does not say whether values rose.
    pub(super) changed: &'static str,
}

static NOTES: LazyLock<Vec<IndicatorNotes>> = LazyLock::new(|| {
    let lines = include_str!("definitions.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(read).collect()
});

fn read(line: &'static str) -> IndicatorNotes {
    let mut parts = line.split('|').map(str::trim);
    let mut next = || parts.next().unwrap_or_default();
    let (_, word, definition, changed) = (next(), next(), next(), next());
    let theme = StatisticTheme::ALL.into_iter().find(|theme| theme.word() == word);
    IndicatorNotes { theme: theme.expect("every line names one of the themes"), definition, changed }
}

/// What is written of an indicator. The list of indicators is the same in all worlds.
pub(crate) fn notes_on(id: IndicatorId) -> &'static IndicatorNotes {
    &NOTES[id.index().min(NOTES.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintain_atlas::{Atlas, Edition, Size};

    #[test]
    fn every_indicator_has_its_own_notes() {
        let atlas = Atlas::new(Edition::FIRST, 1, Size::Small);
        assert_eq!(NOTES.len(), atlas.indicators.len());
        for id in atlas.indicators.ids() {
            let slug = atlas.indicators[id].slug;
            let line = include_str!("definitions.txt").lines().find(|line| line.starts_with(&format!("{slug} |")));
            assert_eq!(line.map(|line| read(line).definition), Some(notes_on(id).definition), "{slug}");
            assert!(notes_on(id).definition.len() > 30, "{slug}");
            assert!(id.0 < 20 && id.0 != 9 && id.0 != 10 || notes_on(id).changed.len() > 20, "{slug}");
        }
        let of = |theme| NOTES.iter().filter(|notes| notes.theme == theme).count();
        assert!(StatisticTheme::ALL.into_iter().all(|theme| (5..=30).contains(&of(theme))));
    }
}
