//! The pages of the gazettes.

use quintain_atlas::companies::Sector;
use quintain_atlas::{CompanyId, CountryId, Entity, Kind, NoticeId, RegionId};

use crate::address::SitePage;
use crate::facts::is_act;
use crate::host::SiteHost;
use crate::web::Web;

/// A page of the gazettes that is about something. Besides these there are `/`, `/about`, `/search?q=` and the form
/// `/notices` with `country`, `kind`, `year`, `region`, `matter`, `version`, `order` and `page`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GazettePage {
    /// One notice: its text, its particulars, its versions. Those before 1990 are scans of two sheets (`?page=2`).
    Notice(NoticeId),
    /// The history of an ordinance or a climate plan, named by its first version.
    Act(NoticeId),
    /// The gazette of a country: its latest notices and the lists below.
    Country(CountryId),
    /// The ordinances of a region (`?page=`).
    Region(RegionId),
    /// All notices of a country on one day, named by the first of them.
    Issue(NoticeId),
    /// The days of a central bank's rate decisions (`?page=`).
    Rates(CountryId),
    /// The climate plans of a country with their versions.
    Plans(CountryId),
    /// The banks under a country's supervision (`?page=`).
    Banks(CountryId),
    /// A bank and the notices on its licences.
    Bank(CompanyId),
}

impl GazettePage {
    /// The whole address of the page.
    pub fn address(self, web: &Web) -> String {
        SitePage::address(self, web)
    }

    /// The main page of an entity.
    pub(crate) fn of_entity(web: &Web, entity: Entity) -> Option<Self> {
        match entity {
            Entity::Notice(notice) => Some(Self::Notice(notice)),
            Entity::Country(country) => Some(Self::Country(country)),
            Entity::Region(region) => Some(Self::Region(region)),
            Entity::Company(company) => is_bank(web, company).then_some(Self::Bank(company)),
            _ => None,
        }
    }
}

fn is_bank(web: &Web, company: CompanyId) -> bool {
    web.atlas.companies.sector[company] == Sector::Banking
}

impl SitePage for GazettePage {
    const HOST: SiteHost = SiteHost::Gazette;

    fn key(self) -> (u32, u32) {
        match self {
            Self::Notice(notice) => (0, notice.0),
            Self::Act(notice) => (1, notice.0),
            Self::Country(country) => (2, country.0),
            Self::Region(region) => (3, region.0),
            Self::Issue(notice) => (4, notice.0),
            Self::Rates(country) => (5, country.0),
            Self::Plans(country) => (6, country.0),
            Self::Banks(country) => (7, country.0),
            Self::Bank(bank) => (8, bank.0),
        }
    }

    fn of_key(web: &Web, kind: u32, subject: u32) -> Option<Self> {
        let of = match kind {
            0 | 1 | 4 => Kind::Notice,
            2 | 5 | 6 | 7 => Kind::Country,
            3 => Kind::Region,
            8 => Kind::Company,
            _ => return None,
        };
        if subject as usize >= web.atlas.count(of) {
            return None;
        }
        let (notices, notice) = (&web.atlas.notices, NoticeId(subject));
        match kind {
            0 => Some(Self::Notice(notice)),
            1 => (is_act(notices, notice) && notices.amends[notice].is_none()).then_some(Self::Act(notice)),
            2 => Some(Self::Country(CountryId(subject))),
            3 => Some(Self::Region(RegionId(subject))),
            4 => (web.shelf.issue(notices, notice).first() == Some(&notice)).then_some(Self::Issue(notice)),
            5 => Some(Self::Rates(CountryId(subject))),
            6 => Some(Self::Plans(CountryId(subject))),
            7 => Some(Self::Banks(CountryId(subject))),
            _ => is_bank(web, CompanyId(subject)).then_some(Self::Bank(CompanyId(subject))),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Notice(_) => "notice",
            Self::Act(_) => "act",
            Self::Country(_) => "gazette",
            Self::Region(_) => "region",
            Self::Issue(_) => "issue",
            Self::Rates(_) => "rates",
            Self::Plans(_) => "plans",
            Self::Banks(_) => "banks",
            Self::Bank(_) => "bank",
        }
    }

    fn title(self, web: &Web) -> String {
        let of_country = |country: CountryId| web.atlas.title(country.into());
        match self {
            Self::Notice(notice) | Self::Act(notice) => web.atlas.title(notice.into()),
            Self::Issue(notice) => of_country(web.atlas.notices.country[notice]),
            Self::Country(country) | Self::Rates(country) | Self::Plans(country) | Self::Banks(country) => {
                of_country(country)
            }
            Self::Region(region) => web.atlas.title(region.into()),
            Self::Bank(bank) => web.atlas.title(bank.into()),
        }
    }
}
