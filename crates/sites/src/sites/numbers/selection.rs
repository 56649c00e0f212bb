//! What a reader picks: an indicator, countries, years, and how the table is laid out.

use std::ops::RangeInclusive;

use quintain_atlas::statistics::{FIRST_YEAR, LAST_YEAR};
use quintain_atlas::{CountryId, IndicatorId, Kind};

use super::HOST;
use super::pages::{NumbersPage, source_of_capacity};
use crate::address::SitePage;
use crate::facts::SeriesVersion;
use crate::request::{SiteQuery, with_parameters};
use crate::web::Web;

/// Which of the years between the first and the last are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum YearStep {
    /// Every year.
    #[default]
    Every,
    /// Every fifth year, counted from the first.
    Fifth,
    /// The first and the last alone.
    Ends,
}

/// How a table is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeriesLayout {
    /// One row for each country, one column for each year; for more than twelve years it is a list.
    #[default]
    Wide,
    /// One row for each value.
    List,
}

/// What rows are ordered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeriesOrder {
    /// The names of countries.
    #[default]
    Country,
    /// The values of a year, in wide tables.
    Year(i32),
    /// Years, in lists.
    ByYear,
    /// Values, in lists.
    ByValue,
}

/// Which end of an order comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderEnd {
    /// The least first.
    #[default]
    Least,
    /// The most first.
    Most,
}

/// What a table or a chart shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesSelection {
    /// The indicator; the first form has none.
    pub indicator: Option<IndicatorId>,
    /// Up to six countries; all where there is none.
    pub countries: Vec<CountryId>,
    /// The first year.
    pub from: i32,
    /// The last year.
    pub to: i32,
    /// Which years between them.
    pub step: YearStep,
    /// How the table is laid out.
    pub layout: SeriesLayout,
    /// What its rows are ordered by.
    pub order: SeriesOrder,
    /// Which end comes first.
    pub end: OrderEnd,
}

pub(super) const COUNTRY_FIELDS: [&str; 6] = ["country1", "country2", "country3", "country4", "country5", "country6"];
// Kinds of codes that options have; no page has them.
const INDICATOR_OPTION: u32 = 30;
const COUNTRY_OPTION: u32 = 31;
/// Wide tables have no more years than these.
pub(super) const MOST_COLUMNS: usize = 12;

impl SeriesSelection {
    /// An indicator for all countries and the last years.
    pub fn of_indicator(indicator: Option<IndicatorId>) -> Self {
        Self {
            indicator,
            countries: Vec::new(),
            from: LAST_YEAR - 5,
            to: LAST_YEAR,
            step: YearStep::default(),
            layout: SeriesLayout::default(),
            order: SeriesOrder::default(),
            end: OrderEnd::default(),
        }
    }

    /// The whole series of a country.
    pub fn of_series(indicator: IndicatorId, country: CountryId) -> Self {
        Self { countries: vec![country], from: FIRST_YEAR, ..Self::of_indicator(Some(indicator)) }
    }

    /// The whole address of the table.
    pub fn table_address(&self, web: &Web) -> String {
        format!("https://{}{}", HOST.name(), self.path(web, "/table"))
    }

    /// The whole address of the chart.
    pub fn chart_address(&self, web: &Web) -> String {
        format!("https://{}{}", HOST.name(), self.path(web, "/chart"))
    }

    /// The whole address of the values by the definition before the break; `None` where there is no indicator.
    pub fn archive_address(&self, web: &Web) -> Option<String> {
        Some(format!("https://{}{}", HOST.name(), self.path(web, &NumbersPage::Archive(self.indicator?).path(web))))
    }

    /// Reads what the form offers; `None` where it offers no such thing. The archive's form offers no indicator.
    pub(super) fn read(web: &Web, query: &SiteQuery, archive_of: Option<IndicatorId>) -> Option<Self> {
        let mut offered = vec!["from", "to", "show", "layout", "sort", "order", "page"];
        offered.extend(COUNTRY_FIELDS);
        offered.extend(archive_of.is_none().then_some("indicator"));
        if !query.takes_only(&offered) {
            return None;
        }
        let chosen = option(web, query, "indicator", INDICATOR_OPTION, Kind::Indicator).ok()?.map(IndicatorId);
        let indicator = archive_of.or(chosen);
        // What is published as a chart alone is in no table.
        if indicator.is_some_and(|id| source_of_capacity(id).is_some()) {
            return None;
        }
        let first = Self { countries: countries(web, query)?, ..Self::of_indicator(indicator) };
        first.read_years(query, &offered_years(web, archive_of))?.read_layout(query)?.read_order(query)
    }

    fn read_years(self, query: &SiteQuery, offered: &RangeInclusive<i32>) -> Option<Self> {
        let from = year(query, "from", offered.clone(), self.from.min(*offered.end() - 5))?;
        let to = year(query, "to", offered.clone(), *offered.end())?;
        let step = match query.parameter("show") {
            None | Some("every") => YearStep::Every,
            Some("fifth") => YearStep::Fifth,
            Some("ends") => YearStep::Ends,
            Some(_) => return None,
        };
        Some(Self { from: from.min(to), to: from.max(to), step, ..self })
    }

    fn read_layout(self, query: &SiteQuery) -> Option<Self> {
        let layout = match query.parameter("layout") {
            None | Some("wide") => SeriesLayout::Wide,
            Some("list") => SeriesLayout::List,
            Some(_) => return None,
        };
        Some(Self { layout, ..self })
    }

    fn read_order(mut self, query: &SiteQuery) -> Option<Self> {
        let is_wide = self.shown_layout() == SeriesLayout::Wide;
        self.order = match query.parameter("sort") {
            None | Some("country") => SeriesOrder::Country,
            Some("year") if !is_wide => SeriesOrder::ByYear,
            Some("value") if !is_wide => SeriesOrder::ByValue,
            Some(text) if is_wide => SeriesOrder::Year(self.years().into_iter().find(|year| year.to_string() == text)?),
            Some(_) => return None,
        };
        self.end = match query.parameter("order") {
            None | Some("least") => OrderEnd::Least,
            Some("most") => OrderEnd::Most,
            Some(_) => return None,
        };
        Some(self)
    }

    /// The layout that is shown: too many years for columns make a list.
    pub(super) fn shown_layout(&self) -> SeriesLayout {
        if self.years().len() > MOST_COLUMNS { SeriesLayout::List } else { self.layout }
    }

    /// The years that are shown.
    pub fn years(&self) -> Vec<i32> {
        match self.step {
            YearStep::Every => (self.from..=self.to).collect(),
            YearStep::Fifth => (self.from..=self.to).step_by(5).collect(),
            YearStep::Ends if self.from == self.to => vec![self.from],
            YearStep::Ends => vec![self.from, self.to],
        }
    }

    /// The countries that are shown, by name where all are.
    pub(super) fn shown_countries(&self, web: &Web) -> Vec<CountryId> {
        if !self.countries.is_empty() {
            return self.countries.clone();
        }
        by_name(web)
    }

    /// The path of this selection on a page that takes it.
    pub(super) fn path(&self, web: &Web, page: &str) -> String {
        let fields = self.fields(web, page);
        with_parameters(page, &fields.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>())
    }

    /// The fields of this selection as the form sends them; what is left at its first choice is left out.
    pub(super) fn fields(&self, web: &Web, page: &str) -> Vec<(&'static str, String)> {
        let mut fields = Vec::new();
        if let Some(id) = self.indicator.filter(|_| !page.starts_with("/archive/")) {
            fields.push(("indicator", indicator_code(web, id)));
        }
        for (name, &country) in COUNTRY_FIELDS.into_iter().zip(&self.countries) {
            fields.push((name, country_code(web, country)));
        }
        fields.push(("from", self.from.to_string()));
        fields.push(("to", self.to.to_string()));
        fields.push(("show", step_word(self.step).to_owned()));
        fields.push(("layout", if self.layout == SeriesLayout::List { "list" } else { "" }.to_owned()));
        fields.push(("sort", order_word(self.order)));
        fields.push(("order", if self.end == OrderEnd::Most { "most" } else { "" }.to_owned()));
        fields.retain(|(_, value)| !value.is_empty());
        fields
    }
}

/// All countries by name.
pub(super) fn by_name(web: &Web) -> Vec<CountryId> {
    let mut countries: Vec<CountryId> = web.atlas.geography.countries.name.ids().collect();
    countries.sort_by_cached_key(|&country| web.atlas.title(country.into()));
    countries
}

/// The code of an indicator in forms.
pub(super) fn indicator_code(web: &Web, id: IndicatorId) -> String {
    web.codes.code(HOST, INDICATOR_OPTION, id.0)
}

/// The code of a country in forms.
pub(super) fn country_code(web: &Web, id: CountryId) -> String {
    web.codes.code(HOST, COUNTRY_OPTION, id.0)
}

/// The years of which a form speaks: all of them, or those that the old definition has.
pub(super) fn offered_years(web: &Web, archive_of: Option<IndicatorId>) -> RangeInclusive<i32> {
    let broken = archive_of.and_then(|id| web.atlas.indicators[id].break_year);
    FIRST_YEAR..=broken.map_or(LAST_YEAR, |at| (at + 1).min(LAST_YEAR - 1))
}

/// Which version of values a page shows.
pub(super) fn version(archive_of: Option<IndicatorId>) -> SeriesVersion {
    if archive_of.is_some() { SeriesVersion::OldDefinition } else { SeriesVersion::Latest }
}

pub(super) const fn step_word(step: YearStep) -> &'static str {
    match step {
        YearStep::Every => "",
        YearStep::Fifth => "fifth",
        YearStep::Ends => "ends",
    }
}

fn order_word(order: SeriesOrder) -> String {
    match order {
        SeriesOrder::Country => String::new(),
        SeriesOrder::Year(year) => year.to_string(),
        SeriesOrder::ByYear => "year".to_owned(),
        SeriesOrder::ByValue => "value".to_owned(),
    }
}

/// A value that a form does not offer.
struct UnknownSelection;

/// What a code of the form names; nothing where it was left out.
fn option(web: &Web, query: &SiteQuery, name: &str, kind: u32, of: Kind) -> Result<Option<u32>, UnknownSelection> {
    let Some(code) = query.parameter(name) else { return Ok(None) };
    let read = web.codes.read(HOST, code).filter(|(offered, _)| *offered == kind).map(|(_, number)| number);
    read.filter(|&number| (number as usize) < web.atlas.count(of)).map(Some).ok_or(UnknownSelection)
}

/// A year of a form, or the one that it begins with; `None` where the form does not offer it.
pub(super) fn year(query: &SiteQuery, name: &str, offered: RangeInclusive<i32>, first: i32) -> Option<i32> {
    let Some(text) = query.parameter(name) else { return Some(first) };
    offered.into_iter().find(|year| year.to_string() == text)
}

fn countries(web: &Web, query: &SiteQuery) -> Option<Vec<CountryId>> {
    let mut countries = Vec::new();
    for name in COUNTRY_FIELDS {
        let chosen = option(web, query, name, COUNTRY_OPTION, Kind::Country).ok()?.map(CountryId);
        countries.extend(chosen.filter(|country| !countries.contains(country)));
    }
    Some(countries)
}
