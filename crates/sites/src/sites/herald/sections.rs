//! The sections of the newspapers.

use quintain_atlas::gazette::NoticeMatter;
use quintain_atlas::news::NewsMatter;
use quintain_atlas::{Atlas, NewsId};

/// A section of the newspapers. Every item stands in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NewsSection {
    /// Companies: figures, names, officers.
    Business,
    /// Central banks and licences.
    Money,
    /// Governments, ordinances, climate plans.
    Politics,
    /// Papers and retractions.
    Science,
    /// First estimates of statistics.
    Figures,
    /// What happens in towns.
    Regions,
}

impl NewsSection {
    /// All sections, in the order of the front page.
    pub const ALL: [Self; 6] =
        [Self::Politics, Self::Business, Self::Money, Self::Science, Self::Figures, Self::Regions];

    /// What the section is called.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Business => "Business",
            Self::Money => "Money",
            Self::Politics => "Politics",
            Self::Science => "Science",
            Self::Figures => "Figures",
            Self::Regions => "Towns",
        }
    }

    /// The section as forms have it.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Business => "business",
            Self::Money => "money",
            Self::Politics => "politics",
            Self::Science => "science",
            Self::Figures => "figures",
            Self::Regions => "regions",
        }
    }

    /// The section of an item.
    pub fn of(atlas: &Atlas, news: NewsId) -> Self {
        match atlas.news.matter[news] {
            NewsMatter::Results { .. }
            | NewsMatter::Restated { .. }
            | NewsMatter::Renamed { .. }
            | NewsMatter::Appointed { .. } => Self::Business,
            NewsMatter::Published { .. } | NewsMatter::Retracted { .. } => Self::Science,
            NewsMatter::Estimate { .. } => Self::Figures,
            NewsMatter::Local { .. } => Self::Regions,
            NewsMatter::Notice { notice } => match atlas.notices.matter[notice] {
                NoticeMatter::RateDecision { .. }
                | NoticeMatter::LicenceGranted { .. }
                | NoticeMatter::LicenceWithdrawn { .. } => Self::Money,
                _ => Self::Politics,
            },
        }
    }
}
