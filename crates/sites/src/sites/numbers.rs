//! The statistics portal.

mod about;
mod chart;
mod country;
mod energy;
mod form;
mod indicator;
mod marks;
mod pages;
mod rates;
mod releases;
mod selection;
mod table;

pub use energy::EnergyGroup;
pub use pages::NumbersPage;
pub use selection::{OrderEnd, SeriesLayout, SeriesOrder, SeriesSelection, YearStep};

use quintain_atlas::{Date, Entity, IndicatorId};

use crate::address::SitePage;
use crate::facts::notes_on;
use crate::host::SiteHost;
use crate::html::Html;
use crate::page::{Narrator, PageBody, PageWriter};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::search::SearchFilter;
use crate::web::Web;

const HOST: SiteHost = SiteHost::Numbers;

/// Answers a request; `None` where there is no such page.
pub(crate) fn get(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    match query.path.as_str() {
        "/" if query.parameters.is_empty() => Some(about::home(web)),
        "/about" if query.parameters.is_empty() => Some(about::about(web)),
        "/search" if query.takes_only(&["q"]) => Some(results(web, query)),
        "/table" => table::table(web, query),
        "/chart" => chart::chart(web, query),
        "/rates" => rates::of_year(web, query),
        path => page(web, query, NumbersPage::of_path(web, path)?),
    }
}

fn page(web: &Web, query: &SiteQuery, page: NumbersPage) -> Option<SiteResponse> {
    match page {
        NumbersPage::Energy(country) => return energy::energy(web, query, country),
        NumbersPage::Releases(indicator) => return releases::releases(web, query, indicator),
        NumbersPage::Archive(indicator) => return table::archive(web, query, indicator),
        NumbersPage::Countries => return country::list(web, query),
        _ if !query.parameters.is_empty() => return None,
        _ => {}
    }
    Some(match page {
        NumbersPage::Indicator(indicator) => indicator::indicator(web, indicator),
        NumbersPage::Theme(theme) => indicator::theme(web, theme),
        NumbersPage::Country(country) => country::profile(web, country),
        NumbersPage::CountryTheme(country, theme) => country::by_theme(web, country, theme),
        NumbersPage::Currency(country) => rates::of_currency(web, country),
        _ => return None,
    })
}

/// Links of the header.
pub(crate) fn links(web: &Web) -> Vec<(&'static str, String)> {
    vec![
        ("Themes", "/".to_owned()),
        ("Countries", NumbersPage::Countries.path(web)),
        ("Tables", "/table".to_owned()),
        ("Rates", "/rates".to_owned()),
        ("About", "/about".to_owned()),
    ]
}

/// The first sentence of a page about an indicator or a country.
pub(crate) fn lead(web: &Web, entity: Entity, into: &mut Html) {
    let mut page = PageWriter::about(web, HOST, entity, Date::TODAY);
    first_sentence(&mut page, entity, into);
}

fn first_sentence(page: &mut PageWriter, entity: Entity, into: &mut Html) {
    match entity {
        Entity::Indicator(id) => {
            let given = marks::given(id);
            Narrator::new(page, entity, "").sentence("numbers.indicator.lead", &given).paragraph(into);
        }
        _ => {
            Narrator::new(page, entity, "").sentence("numbers.country.lead", &[]).paragraph(into);
        }
    }
}

/// Links above the title of a page about an indicator.
fn crumbs_of(web: &Web, indicator: IndicatorId) -> Vec<(String, String)> {
    let theme = notes_on(indicator).theme;
    vec![("Themes".to_owned(), "/".to_owned()), (theme.title().to_owned(), NumbersPage::Theme(theme).path(web))]
}

/// Indicators and countries whose names have the words that were typed.
fn results(web: &Web, query: &SiteQuery) -> SiteResponse {
    let typed = query.parameter("q").unwrap_or_default();
    let filter = SearchFilter { host: Some(HOST), year: None };
    let found = web.index.search(&web.atlas, typed, filter, 1);
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    for hit in &found.hits {
        let name = page.name(hit.entity);
        main.element("div", &[("class", "result")], |html| {
            html.wrap("h3", &[], &name);
            lead(web, hit.entity, html);
        });
    }
    if found.hits.is_empty() {
        main.leaf("p", &[], &page.words("numbers.nothing"));
    }
    page.finish(&PageBody { title: "Indicators and countries found".to_owned(), main, ..PageBody::default() })
}
