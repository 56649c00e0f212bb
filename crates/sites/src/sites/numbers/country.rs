//! Profiles of countries.

use quintain_atlas::statistics::{LAST_YEAR, known};
use quintain_atlas::{CountryId, Date, IndicatorId};

use super::energy::{EnergyGroup, capacity_chart};
use super::form::of_theme;
use super::marks::{ValueMark, cell};
use super::pages::{NumbersPage, source_of_capacity};
use super::selection::{SeriesSelection, by_name};
use super::{HOST, first_sentence};
use crate::address::SitePage;
use crate::facts::{Aspect, Fact, SeriesVersion, StatisticTheme};
use crate::host::SiteHost;
use crate::html::Html;
use crate::page::{ListPage, PageBody, PageWriter, pager};
use crate::pictures::flag;
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::sites::entity_address;
use crate::web::Web;

/// What a profile begins with; those without a name of their own are unemployment, the life expectancy of women, degrees
/// and public debt.
const MAIN: [IndicatorId; 12] = [
    known::POPULATION,
    known::OUTPUT_NOMINAL,
    known::OUTPUT_REAL,
    known::GROWTH_REAL,
    known::OUTPUT_A_HEAD,
    known::INFLATION,
    known::POLICY_RATE,
    IndicatorId(20),
    IndicatorId(36),
    IndicatorId(63),
    IndicatorId(101),
    known::EMISSIONS_A_HEAD,
];

/// The profile of a country.
pub(super) fn profile(web: &Web, country: CountryId) -> SiteResponse {
    let mut page = PageWriter::about(web, HOST, country.into(), Date::TODAY);
    let mut main = Html::new();
    first_sentence(&mut page, country.into(), &mut main);
    main.leaf("h2", &[], "Main indicators");
    latest(&mut page, country, &MAIN, &mut main);
    main.leaf("h2", &[], "All indicators by theme");
    main.element("ul", &[("class", "wide")], |html| {
        for theme in StatisticTheme::ALL {
            html.element("li", &[], |html| {
                html.link(&NumbersPage::CountryTheme(country, theme).path(web), theme.title());
            });
        }
    });
    main.leaf("h2", &[], &format!("Installed capacity by source, {}", LAST_YEAR - 1));
    capacity_chart(&mut page, country, LAST_YEAR - 1, EnergyGroup::All, &mut main);
    main.element("p", &[("class", "more")], |html| {
        html.link(&NumbersPage::Energy(country).path(web), "Other years and groups of sources");
    });
    let aside = beside(&mut page, country);
    let crumbs = vec![("Countries".to_owned(), NumbersPage::Countries.path(web))];
    page.finish(&PageBody { title: web.atlas.title(country.into()), crumbs, main, aside })
}

fn beside(page: &mut PageWriter, country: CountryId) -> Html {
    let web = page.web;
    let mut aside = Html::new();
    aside.element("div", &[("class", "box")], |html| {
        html.piece(&flag(web.draw.fork_text("flag").fork(u64::from(country.0)), 150));
        html.element("table", &[("class", "facts")], |html| {
            for (label, aspect) in [("Currency", Aspect::Currency), ("Code", Aspect::CurrencyCode)] {
                let told = page.say(Fact::new(country, aspect)).unwrap_or_default();
                html.element("tr", &[], |html| {
                    html.leaf("th", &[], label).leaf("td", &[], &told);
                });
            }
        });
        html.element("p", &[], |html| {
            html.link(&NumbersPage::Currency(country).path(web), "Year-end exchange rates");
        });
    });
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], "Elsewhere");
        if let Some(address) = entity_address(web, SiteHost::Pedia, country.into()) {
            html.link(&address, &format!("Article in {}", web.look(SiteHost::Pedia).brand));
        }
        html.leaf("p", &[("class", "small")], &page.words("numbers.elsewhere"));
    });
    aside
}

/// The last final value and the first estimate after it, with a way to the whole series.
fn latest(page: &mut PageWriter, country: CountryId, indicators: &[IndicatorId], main: &mut Html) {
    let web = page.web;
    let years = [LAST_YEAR - 1, LAST_YEAR];
    main.element("table", &[("class", "grid")], |html| {
        html.element("tr", &[], |html| {
            html.leaf("th", &[], "Indicator").leaf("th", &[], "Unit");
            for year in years {
                html.leaf("th", &[("class", "num")], &year.to_string());
            }
            html.leaf("th", &[], "Series");
        });
        for &id in indicators {
            let name = page.name(id);
            let unit = page.say(Fact::new(id, Aspect::Unit)).unwrap_or_default();
            html.element("tr", &[], |html| {
                html.wrap("td", &[], &name).leaf("td", &[("class", "small")], &unit);
                for year in years {
                    let fact = Fact::new(country, Aspect::Statistic(id, year, SeriesVersion::Latest));
                    let told = page.say(fact).unwrap_or_else(|| "\u{2013}".to_owned());
                    cell(html, &told, ValueMark::of(page, id, year, SeriesVersion::Latest));
                }
                html.element("td", &[("class", "keep")], |html| {
                    html.link(&SeriesSelection::of_series(id, country).path(web, "/table"), "all years");
                });
            });
        }
    });
    let marks = page.words("numbers.marks.short");
    main.leaf("p", &[("class", "small")], &marks);
}

/// The latest values of a country for all indicators of a theme. Installed capacity is told by its chart alone.
pub(super) fn by_theme(web: &Web, country: CountryId, theme: StatisticTheme) -> SiteResponse {
    let mut page = PageWriter::about(web, HOST, country.into(), Date::TODAY);
    let mut main = Html::new();
    let indicators: Vec<IndicatorId> =
        of_theme(web, theme).filter(|&id| source_of_capacity(id).is_none()).take(50).collect();
    latest(&mut page, country, &indicators, &mut main);
    if theme == StatisticTheme::Energy {
        main.element("p", &[], |html| {
            html.link(&NumbersPage::Energy(country).path(web), "Installed capacity by source (chart)");
        });
    }
    main.element("p", &[("class", "more")], |html| {
        html.text("See also: ").link(&NumbersPage::Theme(theme).path(web), "this theme for all countries");
    });
    let crumbs = vec![
        ("Countries".to_owned(), NumbersPage::Countries.path(web)),
        (web.atlas.title(country.into()), NumbersPage::Country(country).path(web)),
    ];
    page.finish(&PageBody { title: theme.title().to_owned(), crumbs, main, ..PageBody::default() })
}

/// All countries.
pub(super) fn list(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    if !query.takes_only(&["page"]) {
        return None;
    }
    let countries = by_name(web);
    let range = ListPage { n_rows: countries.len(), rows_a_page: 50 }.range(query.page_number()?)?;
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("numbers.countries.intro"));
    main.element("table", &[("class", "grid")], |html| {
        html.markup("<tr><th>Country</th><th>Currency</th><th>Code</th><th>More</th></tr>");
        for &country in &countries[range.first..range.end] {
            let name = page.name(country);
            let currency = page.say(Fact::new(country, Aspect::Currency)).unwrap_or_default();
            let code = page.say(Fact::new(country, Aspect::CurrencyCode)).unwrap_or_default();
            html.element("tr", &[], |html| {
                html.wrap("td", &[], &name).leaf("td", &[], &currency).leaf("td", &[], &code);
                html.element("td", &[], |html| {
                    html.link(&NumbersPage::Currency(country).path(web), "rates").text(" \u{b7} ");
                    html.link(&NumbersPage::Energy(country).path(web), "installed capacity");
                });
            });
        }
    });
    pager(&mut main, web.look(HOST).pager, range, &NumbersPage::Countries.path(web), &[]);
    Some(page.finish(&PageBody { title: "Countries".to_owned(), main, ..PageBody::default() }))
}
