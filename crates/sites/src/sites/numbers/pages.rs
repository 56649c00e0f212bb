//! The pages of the statistics portal.

use quintain_atlas::statistics::{EnergySource, known};
use quintain_atlas::{CountryId, Entity, IndicatorId, Kind};

use crate::address::SitePage;
use crate::facts::StatisticTheme;
use crate::host::SiteHost;
use crate::web::Web;

/// A page of the portal that is about something. Tables and charts of a selection have the address of
/// [`SeriesSelection::table_address`](crate::SeriesSelection::table_address) and its like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumbersPage {
    /// An indicator: definition, unit, method, breaks, versions.
    Indicator(IndicatorId),
    /// The indicators of a theme.
    Theme(StatisticTheme),
    /// A country: the latest values of the main indicators and the chart of installed capacity.
    Country(CountryId),
    /// The latest values of a country for all indicators of a theme.
    CountryTheme(CountryId, StatisticTheme),
    /// All countries.
    Countries,
    /// Installed capacity of a country by source, as a chart alone. Takes `year` and `group` (`all`, `renewable`,
    /// `other`).
    Energy(CountryId),
    /// Year-end rates of a country's currency, all years.
    Currency(CountryId),
    /// First estimates and final values of an indicator for a year, all countries. Takes `year` and `page`.
    Releases(IndicatorId),
    /// Values by the definition before the break. Takes what tables take, but for the indicator.
    Archive(IndicatorId),
}

impl NumbersPage {
    /// The main page of an entity.
    pub(crate) fn of_entity(entity: Entity) -> Option<Self> {
        match entity {
            Entity::Country(country) => Some(Self::Country(country)),
            Entity::Indicator(indicator) => Some(Self::Indicator(indicator)),
            _ => None,
        }
    }

    /// The whole address of the page.
    pub fn address(self, web: &Web) -> String {
        SitePage::address(self, web)
    }
}

/// The source of energy whose installed capacity an indicator tells. Those are published as charts alone.
pub(super) fn source_of_capacity(id: IndicatorId) -> Option<EnergySource> {
    EnergySource::ALL.into_iter().find(|&source| known::capacity(source) == id)
}

const N_THEMES: u32 = StatisticTheme::ALL.len() as u32;

impl SitePage for NumbersPage {
    const HOST: SiteHost = SiteHost::Numbers;

    fn key(self) -> (u32, u32) {
        match self {
            Self::Indicator(indicator) => (0, indicator.0),
            Self::Theme(theme) => (1, theme as u32),
            Self::Country(country) => (2, country.0),
            Self::CountryTheme(country, theme) => (3, country.0 * N_THEMES + theme as u32),
            Self::Countries => (4, 0),
            Self::Energy(country) => (5, country.0),
            Self::Currency(country) => (6, country.0),
            Self::Releases(indicator) => (7, indicator.0),
            Self::Archive(indicator) => (8, indicator.0),
        }
    }

    fn of_key(web: &Web, kind: u32, subject: u32) -> Option<Self> {
        let is_below = |of: Kind, number: u32| (number as usize) < web.atlas.count(of);
        let country = |number: u32| is_below(Kind::Country, number).then_some(CountryId(number));
        let indicator = is_below(Kind::Indicator, subject).then_some(IndicatorId(subject));
        let theme = |number: u32| StatisticTheme::ALL.get(number as usize).copied();
        let in_tables = indicator.filter(|&id| source_of_capacity(id).is_none());
        match kind {
            0 => indicator.map(Self::Indicator),
            1 => theme(subject).map(Self::Theme),
            2 => country(subject).map(Self::Country),
            3 => Some(Self::CountryTheme(country(subject / N_THEMES)?, theme(subject % N_THEMES)?)),
            4 => (subject == 0).then_some(Self::Countries),
            5 => country(subject).map(Self::Energy),
            6 => country(subject).map(Self::Currency),
            7 => in_tables.filter(|&id| crate::facts::is_revised(id)).map(Self::Releases),
            8 => in_tables.filter(|&id| web.atlas.indicators[id].break_year.is_some()).map(Self::Archive),
            _ => None,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Indicator(_) => "indicator",
            Self::Theme(_) => "theme",
            Self::Country(_) => "country",
            Self::CountryTheme(..) => "profile",
            Self::Countries => "list",
            Self::Energy(_) => "energy",
            Self::Currency(_) => "currency",
            Self::Releases(_) => "releases",
            Self::Archive(_) => "archive",
        }
    }

    fn title(self, web: &Web) -> String {
        match self {
            Self::Indicator(id) | Self::Releases(id) | Self::Archive(id) => web.atlas.title(id.into()),
            Self::Country(id) => web.atlas.title(id.into()),
            Self::Theme(theme) => theme.title().to_owned(),
            Self::CountryTheme(id, theme) => format!("{}: {}", web.atlas.title(id.into()), theme.title()),
            Self::Countries => "Countries".to_owned(),
            Self::Energy(id) => format!("{}: installed capacity", web.atlas.title(id.into())),
            Self::Currency(id) => web.atlas.currency_name(id),
        }
    }
}
