//! How large a world is.

use serde::{Deserialize, Serialize};

/// Which generator made a world. The same edition, seed and size give the same world for ever; a changed generator is
/// a new edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Edition(pub u16);

impl Edition {
    /// The first edition.
    pub const FIRST: Self = Self(1);
}

/// How large a world is: how hard it is to find something in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Size {
    /// About 30,000 entities, for tests and easy instances.
    Small,
    /// About 325,000 entities.
    Standard,
    /// Four times as many people, places, companies, papers, notices and news as standard, in the same 48 countries.
    Large,
}

/// How many entities of each kind a size has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Countries; each has its own currency.
    pub countries: usize,
    /// Regions of all countries.
    pub regions: usize,
    /// Places of all regions.
    pub places: usize,
    /// People.
    pub people: usize,
    /// Companies, banks and auditors among them.
    pub companies: usize,
    /// Banks.
    pub banks: usize,
    /// Universities, institutes and the like.
    pub institutions: usize,
    /// Papers.
    pub papers: usize,
    /// Topics of each of the twelve fields of science.
    pub topics_a_field: usize,
    /// Venues of each field.
    pub venues_a_field: usize,
    /// Notices of all gazettes, about.
    pub notices: usize,
    /// News items.
    pub news: usize,
}

impl Size {
    /// All sizes, smallest first.
    pub const ALL: [Self; 3] = [Self::Small, Self::Standard, Self::Large];

    /// How many entities of each kind a world of this size has.
    pub const fn counts(self) -> Counts {
        match self {
            Self::Small => SMALL,
            Self::Standard => STANDARD,
            Self::Large => LARGE,
        }
    }
}

const SMALL: Counts = Counts {
    countries: 12,
    regions: 36,
    places: 400,
    people: 6_000,
    companies: 2_400,
    banks: 156,
    institutions: 150,
    papers: 5_000,
    topics_a_field: 4,
    venues_a_field: 4,
    notices: 5_000,
    news: 10_000,
};

const STANDARD: Counts = Counts {
    countries: 48,
    regions: 420,
    places: 4_000,
    people: 60_000,
    companies: 15_000,
    banks: 600,
    institutions: 1_200,
    papers: 50_000,
    topics_a_field: 10,
    venues_a_field: 17,
    notices: 40_000,
    news: 150_000,
};

const LARGE: Counts = Counts {
    countries: 48,
    regions: 420,
    places: 16_000,
    people: 240_000,
    companies: 60_000,
    banks: 600,
    institutions: 4_800,
    papers: 200_000,
    topics_a_field: 10,
    venues_a_field: 17,
    notices: 160_000,
    news: 600_000,
};
