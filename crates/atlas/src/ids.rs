//! Names of rows: small numbers that cannot be mixed up.

use serde::{Deserialize, Serialize};

use crate::column::RowId;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl RowId for $name {
            fn index(self) -> usize {
                self.0 as usize
            }
            fn from_index(index: usize) -> Self {
                Self(index as u32)
            }
        }
    )*};
}

ids! {
    /// A country.
    CountryId;
    /// A region of a country.
    RegionId;
    /// A town or city.
    PlaceId;
    /// A person.
    PersonId;
    /// A company; banks and auditors are companies.
    CompanyId;
    /// A university, institute, museum and the like.
    InstitutionId;
    /// A topic of science.
    TopicId;
    /// A journal or conference.
    VenueId;
    /// A paper. Ids go by date: a paper cites smaller ids alone.
    PaperId;
    /// A statistical indicator.
    IndicatorId;
    /// A bloc of countries.
    BlocId;
    /// A notice of a gazette. Ids go by date.
    NoticeId;
    /// A news item. Ids go by date.
    NewsId;
    /// A word of the world's word list. Word 0 is empty.
    WordId;
}
