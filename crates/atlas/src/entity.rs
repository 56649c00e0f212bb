//! Anything that has a name and a page.

use serde::{Deserialize, Serialize};

use crate::companies::Sector;
use crate::ids::{
    BlocId, CompanyId, CountryId, IndicatorId, InstitutionId, NewsId, NoticeId, PaperId, PersonId, PlaceId, RegionId,
    TopicId, VenueId,
};
use crate::statistics::EnergySource;

macro_rules! entities {
    ($($(#[$doc:meta])* $name:ident($id:ty),)*) => {
        /// One thing of the world.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Entity {
            $($(#[$doc])* $name($id),)*
        }

        /// What kind of thing an entity is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Kind {
            $($(#[$doc])* $name,)*
        }

        impl Kind {
            /// All kinds.
            pub const ALL: [Self; [$(Self::$name),*].len()] = [$(Self::$name),*];
        }

        impl Entity {
            /// What kind of thing it is.
            pub const fn kind(self) -> Kind {
                match self {
                    $(Self::$name(_) => Kind::$name,)*
                }
            }
        }

        $(impl From<$id> for Entity {
            fn from(id: $id) -> Self {
                Self::$name(id)
            }
        })*
    };
}

entities! {
    /// A country.
    Country(CountryId),
    /// A region of a country.
    Region(RegionId),
    /// A town or city.
    Place(PlaceId),
    /// A person.
    Person(PersonId),
    /// A company.
    Company(CompanyId),
    /// An institution.
    Institution(InstitutionId),
    /// A topic of science.
    Topic(TopicId),
    /// A journal.
    Venue(VenueId),
    /// A paper.
    Paper(PaperId),
    /// An indicator.
    Indicator(IndicatorId),
    /// A bloc of countries.
    Bloc(BlocId),
    /// A notice of a gazette.
    Notice(NoticeId),
    /// A news item.
    News(NewsId),
    /// A sector of companies.
    Sector(Sector),
    /// A source of energy.
    EnergySource(EnergySource),
}
