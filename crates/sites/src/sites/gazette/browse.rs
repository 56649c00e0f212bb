//! Browsing notices: by country, kind, year, region, matter and version, in order of date.

use quintain_atlas::gazette::{NoticeMatter, NoticeTable, OrdinanceMatter};
use quintain_atlas::{CountryId, Date, NoticeId, RegionId, RowId};

use super::{HOST, ROWS_A_PAGE};
use crate::address::slug;
use crate::facts::first_since;
use crate::html::Html;
use crate::page::{ListPage, PageBody, PageWriter, or_any, pager, select};
use crate::request::{SiteQuery, with_parameters};
use crate::response::SiteResponse;
use crate::web::Web;

use super::lists::notice_table;

/// A kind of notice that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoticeClass {
    Ordinance,
    ClimatePlan,
    Licence,
    Rate,
    Appointment,
}

impl NoticeClass {
    pub(super) const ALL: [Self; 5] =
        [Self::Ordinance, Self::ClimatePlan, Self::Licence, Self::Rate, Self::Appointment];

    /// What such notices are called.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Ordinance => "Ordinances",
            Self::ClimatePlan => "Climate plans",
            Self::Licence => "Banking licences",
            Self::Rate => "Rate decisions",
            Self::Appointment => "Appointments",
        }
    }

    const fn of(matter: &NoticeMatter) -> Self {
        match matter {
            NoticeMatter::Ordinance { .. } | NoticeMatter::Repeal { .. } => Self::Ordinance,
            NoticeMatter::ClimatePlan { .. } => Self::ClimatePlan,
            NoticeMatter::LicenceGranted { .. } | NoticeMatter::LicenceWithdrawn { .. } => Self::Licence,
            NoticeMatter::RateDecision { .. } => Self::Rate,
            NoticeMatter::Appointment { .. } => Self::Appointment,
        }
    }
}

/// What the form asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NoticeFilter {
    country: Option<CountryId>,
    class: Option<NoticeClass>,
    year: Option<i32>,
    region: Option<RegionId>,
    matter: Option<OrdinanceMatter>,
    version: Option<VersionChoice>,
    order: DayOrder,
}

/// Something was asked for that the form does not offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NotOffered;

/// Which versions of acts are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VersionChoice {
    First,
    Amending,
}

/// In which order notices are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DayOrder {
    #[default]
    NewestFirst,
    OldestFirst,
}

const OFFERED: [&str; 8] = ["country", "kind", "year", "region", "matter", "version", "order", "page"];
const FIRST_YEAR: i32 = 1986;
const LAST_YEAR: i32 = 2025;
// Kinds of codes that options have; no page has them.
const COUNTRY_OPTION: u32 = 30;
const REGION_OPTION: u32 = 31;

/// What fits; `None` where the form does not offer what is asked for.
pub(super) fn results(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    let filter = NoticeFilter::read(web, query).ok()?;
    let found = filter.found(web);
    let range = ListPage { n_rows: found.len(), rows_a_page: ROWS_A_PAGE }.range(query.page_number()?)?;
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    form(web, &filter, &mut main);
    let count = match found.len() {
        0 => "No notice fits.".to_owned(),
        1 => "One notice fits.".to_owned(),
        n => format!("{} notices fit.", page.voice().whole(n as i64)),
    };
    main.leaf("p", &[("class", "small")], &count);
    if !found.is_empty() {
        notice_table(&mut page, &found[range.first..range.end], &mut main);
    }
    let kept: Vec<(&str, &str)> = query
        .parameters
        .iter()
        .filter(|(name, _)| name != "page")
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    pager(&mut main, web.look(HOST).pager, range, "/notices", &kept);
    let crumbs = vec![("Gazettes".to_owned(), "/".to_owned())];
    Some(page.finish(&PageBody { title: "Notices".to_owned(), crumbs, main, ..PageBody::default() }))
}

impl NoticeFilter {
    /// A country and a kind alone.
    pub(super) fn of(country: Option<CountryId>, class: Option<NoticeClass>) -> Self {
        Self { country, class, ..Self::default() }
    }

    fn read(web: &Web, query: &SiteQuery) -> Result<Self, NotOffered> {
        if !query.takes_only(&OFFERED) {
            return Err(NotOffered);
        }
        let country = coded(web, query, "country", COUNTRY_OPTION)?.map(CountryId);
        let region = coded(web, query, "region", REGION_OPTION)?.map(RegionId);
        let region = region.filter(|&region| Some(web.atlas.geography.regions.country[region]) == country);
        let class = offered(query, "kind", NoticeClass::ALL, |class| slug(class.label()))?;
        let matter = offered(query, "matter", matters(), |matter| slug(matter.label()))?;
        let version = offered(query, "version", [VersionChoice::First, VersionChoice::Amending], version_value)?;
        let order = offered(query, "order", [DayOrder::NewestFirst, DayOrder::OldestFirst], order_value)?;
        Ok(Self {
            country,
            class,
            year: offered(query, "year", FIRST_YEAR..=LAST_YEAR, |year| year.to_string())?,
            region,
            matter: matter.filter(|_| class == Some(NoticeClass::Ordinance)),
            version,
            order: order.unwrap_or_default(),
        })
    }

    /// The notices that fit, in order.
    fn found(&self, web: &Web) -> Vec<NoticeId> {
        let notices = &web.atlas.notices;
        let from = self.year.map_or(0, |year| first_since(notices, Date::year_start(year)));
        let end = self.year.map_or(notices.len(), |year| first_since(notices, Date::year_start(year + 1)));
        let mut found: Vec<NoticeId> = match self.country {
            Some(country) => {
                let all = web.shelf.of(country);
                let cut = |at: usize| all.partition_point(|notice| notice.index() < at);
                all[cut(from)..cut(end)].iter().copied().filter(|&notice| self.fits(notices, notice)).collect()
            }
            None => (from..end).map(NoticeId::from_index).filter(|&notice| self.fits(notices, notice)).collect(),
        };
        if self.order == DayOrder::NewestFirst {
            found.reverse();
        }
        found
    }

    fn fits(&self, notices: &NoticeTable, notice: NoticeId) -> bool {
        let matter = &notices.matter[notice];
        self.class.is_none_or(|class| NoticeClass::of(matter) == class)
            && self.region.is_none_or(|region| notices.region[notice] == Some(region))
            && self.matter.is_none_or(|wanted| about(matter) == Some(wanted))
            && self.version.is_none_or(|version| (version == VersionChoice::First) == (notices.version[notice] == 1))
    }

    /// The address of the list with these choices.
    pub(super) fn address(&self, web: &Web) -> String {
        let country = self.country.map(|id| web.codes.code(HOST, COUNTRY_OPTION, id.0)).unwrap_or_default();
        let kind = self.class.map(|class| slug(class.label())).unwrap_or_default();
        let year = self.year.map(|year| year.to_string()).unwrap_or_default();
        with_parameters("/notices", &[("country", &country), ("kind", &kind), ("year", &year)])
    }
}

/// What an ordinance is about.
const fn about(matter: &NoticeMatter) -> Option<OrdinanceMatter> {
    match matter {
        NoticeMatter::Ordinance { matter, .. } | NoticeMatter::Repeal { matter } => Some(*matter),
        _ => None,
    }
}

fn matters() -> impl Iterator<Item = OrdinanceMatter> {
    (0..OrdinanceMatter::COUNT).map(|nth| OrdinanceMatter(nth as u8))
}

/// The subject of a code that a parameter holds, where it is given.
fn coded(web: &Web, query: &SiteQuery, name: &str, kind: u32) -> Result<Option<u32>, NotOffered> {
    let Some(code) = query.parameter(name) else { return Ok(None) };
    let (_, subject) = web.codes.read(HOST, code).filter(|(of, _)| *of == kind).ok_or(NotOffered)?;
    Ok(Some(subject))
}

/// The option that a parameter names, where it is given.
fn offered<T: Copy>(
    query: &SiteQuery,
    name: &str,
    options: impl IntoIterator<Item = T>,
    value: impl Fn(T) -> String,
) -> Result<Option<T>, NotOffered> {
    let Some(chosen) = query.parameter(name) else { return Ok(None) };
    options.into_iter().find(|&option| value(option) == chosen).map(Some).ok_or(NotOffered)
}

fn version_value(version: VersionChoice) -> String {
    if version == VersionChoice::First { "first" } else { "amending" }.to_owned()
}

fn order_value(order: DayOrder) -> String {
    if order == DayOrder::NewestFirst { "newest" } else { "oldest" }.to_owned()
}

/// The form, with what was chosen.
pub(super) fn form(web: &Web, filter: &NoticeFilter, into: &mut Html) {
    into.element("form", &[("class", "query"), ("method", "get"), ("action", "/notices")], |html| {
        place_fields(web, filter, html);
        let kinds = NoticeClass::ALL.into_iter().map(|class| (slug(class.label()), class.label().to_owned()));
        let chosen = filter.class.map(|class| slug(class.label()));
        select(html, "Kind", "kind", &or_any("All kinds", kinds), &chosen.unwrap_or_default());
        if filter.class == Some(NoticeClass::Ordinance) {
            let all = matters().map(|matter| (slug(matter.label()), matter.label().to_owned()));
            let mut all: Vec<_> = all.collect();
            all.sort();
            let chosen = filter.matter.map(|matter| slug(matter.label()));
            select(html, "Matter", "matter", &or_any("All matters", all), &chosen.unwrap_or_default());
        }
        let years = (FIRST_YEAR..=LAST_YEAR).rev().map(|year| (year.to_string(), year.to_string()));
        select(
            html,
            "Year",
            "year",
            &or_any("All years", years),
            &filter.year.map(|year| year.to_string()).unwrap_or_default(),
        );
        let versions = [(VersionChoice::First, "First versions"), (VersionChoice::Amending, "Amendments and repeals")];
        let versions = versions.map(|(version, label)| (version_value(version), label.to_owned()));
        select(
            html,
            "Version",
            "version",
            &or_any("All versions", versions),
            &filter.version.map(version_value).unwrap_or_default(),
        );
        let orders = [(DayOrder::NewestFirst, "Newest first"), (DayOrder::OldestFirst, "Oldest first")];
        let orders = orders.map(|(order, label)| (order_value(order), label.to_owned())).to_vec();
        select(html, "Order", "order", &orders, &order_value(filter.order));
        html.leaf("button", &[("type", "submit")], "Show notices");
    });
}

fn place_fields(web: &Web, filter: &NoticeFilter, html: &mut Html) {
    let geography = &web.atlas.geography;
    let country_code = |id: CountryId| web.codes.code(HOST, COUNTRY_OPTION, id.0);
    let region_code = |id: RegionId| web.codes.code(HOST, REGION_OPTION, id.0);
    let countries = geography.countries.name.ids().map(|id| (country_code(id), web.atlas.title(id.into())));
    let mut countries: Vec<_> = countries.collect();
    countries.sort_by(|a, b| a.1.cmp(&b.1));
    select(
        html,
        "Country",
        "country",
        &or_any("All countries", countries),
        &filter.country.map(country_code).unwrap_or_default(),
    );
    if let Some(country) = filter.country {
        let regions = geography.regions_of.of(country).iter();
        let regions = regions.map(|&id| (region_code(id), web.atlas.title(id.into())));
        select(
            html,
            "Region",
            "region",
            &or_any("All regions", regions),
            &filter.region.map(region_code).unwrap_or_default(),
        );
    }
}
