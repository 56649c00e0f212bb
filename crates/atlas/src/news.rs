//! News of what happens in the world, in two papers, with errata.

mod drafts;

pub(crate) use drafts::NewsSources;

use serde::{Deserialize, Serialize};

use crate::by_day::{order_by_day, ranks};
use crate::column::Column;
use crate::date::Date;
use crate::ids::{CompanyId, CountryId, IndicatorId, NewsId, NoticeId, PaperId, PersonId, PlaceId};
use crate::people::Post;

/// Who printed a news item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outlet {
    /// The Herald, which prints figures of companies.
    Herald,
    /// The Courier.
    Courier,
}

/// What a news item is about. What it says of it is computed from the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewsMatter {
    /// A company's revenue of a year, before the accounts are filed: see [`crate::Atlas::press_figure`].
    Results {
        /// The company.
        company: CompanyId,
        /// The year.
        year: i32,
    },
    /// A company filed accounts again.
    Restated {
        /// The company.
        company: CompanyId,
    },
    /// A company took another name.
    Renamed {
        /// The company.
        company: CompanyId,
    },
    /// Somebody took up a post.
    Appointed {
        /// Who.
        person: PersonId,
        /// Which post.
        post: Post,
    },
    /// A paper made a stir.
    Published {
        /// The paper.
        paper: PaperId,
    },
    /// A paper was retracted.
    Retracted {
        /// The paper.
        paper: PaperId,
    },
    /// A notice of a gazette is explained.
    Notice {
        /// The notice.
        notice: NoticeId,
    },
    /// The first estimate of an indicator came out.
    Estimate {
        /// The indicator.
        indicator: IndicatorId,
        /// The country.
        country: CountryId,
        /// The year.
        year: i32,
    },
    /// Something that happened in a place, one of [`LOCAL_THEMES`].
    Local {
        /// The place.
        place: PlaceId,
        /// The number of the theme.
        theme: u8,
    },
}

/// What happens in places.
pub const LOCAL_THEMES: [&str; 24] = [
    "market reopened",
    "bridge repaired",
    "school anniversary",
    "storm damage",
    "choir festival",
    "library extended",
    "road closed",
    "harvest fair",
    "museum night",
    "power cut",
    "new tram line",
    "theatre season",
    "swimming pool debate",
    "flood barrier",
    "volunteers honoured",
    "station renovated",
    "chess tournament",
    "rare bird seen",
    "old mill burnt",
    "town twinning",
    "food market",
    "park replanted",
    "clinic opened",
    "hiking trail marked",
];

/// A news item that has no id yet. `corrects` is the index of another draft.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewsDraft {
    pub(crate) date: Date,
    pub(crate) outlet: Outlet,
    pub(crate) matter: NewsMatter,
    pub(crate) corrects: Option<u32>,
}

/// Properties of news items. Ids go by date.
#[derive(Clone, Debug, PartialEq)]
pub struct NewsTable {
    /// The day of the issue.
    pub date: Column<NewsId, Date>,
    /// Who printed it.
    pub outlet: Column<NewsId, Outlet>,
    /// What it is about.
    pub matter: Column<NewsId, NewsMatter>,
    /// The item whose error this one puts right.
    pub corrects: Column<NewsId, Option<NewsId>>,
    /// The item that puts this one's error right.
    pub corrected_by: Column<NewsId, Option<NewsId>>,
}

impl NewsTable {
    pub(crate) fn new(from: &NewsSources) -> Self {
        let drafts = drafts::drafts(from);
        let order = order_by_day(drafts.iter().map(|draft| draft.date));
        let ranks = ranks(&order);
        let sorted = || order.iter().map(|&index| &drafts[index as usize]);
        let corrects: Column<NewsId, Option<NewsId>> =
            sorted().map(|draft| draft.corrects.map(|index| NewsId(ranks[index as usize]))).collect();
        let mut corrected_by: Column<NewsId, Option<NewsId>> = drafts.iter().map(|_| None).collect();
        corrects.iter().for_each(|(item, wrong)| wrong.iter().for_each(|&wrong| corrected_by[wrong] = Some(item)));
        Self {
            date: sorted().map(|draft| draft.date).collect(),
            outlet: sorted().map(|draft| draft.outlet).collect(),
            matter: sorted().map(|draft| draft.matter).collect(),
            corrects,
            corrected_by,
        }
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.date.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.date.is_empty()
    }

    /// The ids of all items.
    pub fn ids(&self) -> impl Iterator<Item = NewsId> + use<> {
        self.date.ids()
    }
}
