//! Pages of indicators and of themes.

use quintain_atlas::statistics::{FIRST_YEAR, IndicatorUnit};
use quintain_atlas::{CountryId, Date, IndicatorId};

use super::form::of_theme;
use super::marks::given;
use super::pages::{NumbersPage, source_of_capacity};
use super::selection::{SeriesSelection, by_name, country_code};
use super::{HOST, crumbs_of, first_sentence};
use crate::address::SitePage;
use crate::facts::{Aspect, Fact, StatisticTheme, is_revised, notes_on};
use crate::html::Html;
use crate::page::{Narrator, PageBody, PageWriter, select};
use crate::response::SiteResponse;
use crate::web::Web;

/// An indicator: definition, unit, method, break, versions.
pub(super) fn indicator(web: &Web, id: IndicatorId) -> SiteResponse {
    let mut page = PageWriter::about(web, HOST, id.into(), Date::TODAY);
    let mut main = Html::new();
    first_sentence(&mut page, id.into(), &mut main);
    main.leaf("h2", &[], "Definition");
    let definition = page.say(Fact::new(id, Aspect::Definition)).unwrap_or_default();
    main.leaf("p", &[], &definition);
    tell(&mut page, id, &[unit_sentence(web, id)], &mut main);
    main.leaf("h2", &[], "How it is measured");
    let method = format!("numbers.method.{}", notes_on(id).theme.word());
    tell(&mut page, id, &[&method, "numbers.method.world"], &mut main);
    breaks(&mut page, id, &mut main);
    versions(&mut page, id, &mut main);
    related(&mut page, id, &mut main);
    let aside = beside(&mut page, id);
    let title = web.atlas.title(id.into());
    page.finish(&PageBody { title, crumbs: crumbs_of(web, id), main, aside })
}

fn tell(page: &mut PageWriter, id: IndicatorId, keys: &[&str], main: &mut Html) {
    let given = given(id);
    let mut narrator = Narrator::new(page, id.into(), "the series");
    for key in keys {
        narrator.sentence(key, &given);
    }
    narrator.paragraph(main);
}

fn unit_sentence(web: &Web, id: IndicatorId) -> &'static str {
    match web.atlas.indicators[id].unit_kind() {
        IndicatorUnit::Currency => "numbers.unit.currency",
        IndicatorUnit::Percent | IndicatorUnit::Plain => "numbers.unit.plain",
    }
}

fn breaks(page: &mut PageWriter, id: IndicatorId, main: &mut Html) {
    main.leaf("h2", &[], "Breaks in the series");
    if page.web.atlas.indicators[id].break_year.is_none() {
        return tell(page, id, &["numbers.break.none"], main);
    }
    tell(page, id, &["numbers.break.year", "numbers.break.recounted", "numbers.break.old"], main);
    let path = NumbersPage::Archive(id).path(page.web);
    main.element("p", &[], |html| {
        html.link(&path, "Archive: values by the old definition");
    });
}

fn versions(page: &mut PageWriter, id: IndicatorId, main: &mut Html) {
    main.leaf("h2", &[], "Estimates and final values");
    if !is_revised(id) {
        return tell(page, id, &["numbers.versions.none"], main);
    }
    tell(page, id, &["numbers.versions.first", "numbers.versions.due", "numbers.versions.rule"], main);
    if source_of_capacity(id).is_none() {
        let path = NumbersPage::Releases(id).path(page.web);
        main.element("p", &[], |html| {
            html.link(&path, "First estimates and final values, year by year");
        });
    }
}

/// Other indicators of the theme.
fn related(page: &mut PageWriter, id: IndicatorId, main: &mut Html) {
    let theme = notes_on(id).theme;
    main.leaf("h2", &[], "Other indicators of the theme");
    main.element("ul", &[], |html| {
        let all: Vec<IndicatorId> = of_theme(page.web, theme).collect();
        let at = all.iter().position(|&other| other == id).unwrap_or_default();
        for nth in 1..all.len().min(6) {
            html.wrap("li", &[], &page.name(all[(at + nth) % all.len()]));
        }
    });
}

/// Ways to the values.
fn beside(page: &mut PageWriter, id: IndicatorId) -> Html {
    let mut aside = Html::new();
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], "Data");
        if source_of_capacity(id).is_some() {
            html.leaf("p", &[], &page.words("numbers.energy.choose"));
            country_links(page, NumbersPage::Energy, html);
        } else {
            data_links(page.web, id, html);
        }
    });
    if source_of_capacity(id).is_none() {
        aside.element("div", &[("class", "box")], |html| {
            html.leaf("h2", &[], "Series of a country");
            series_form(page.web, id, html);
        });
    }
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], "At a glance");
        let rows = [("Unit", Aspect::Unit), ("Theme", Aspect::Theme), ("Definition changed", Aspect::BreakYear)];
        html.element("table", &[("class", "facts")], |html| {
            for (label, told) in rows.map(|(label, aspect)| (label, page.say(Fact::new(id, aspect)))) {
                glance(label, told, html);
            }
        });
    });
    aside
}

fn data_links(web: &Web, id: IndicatorId, html: &mut Html) {
    let latest = SeriesSelection::of_indicator(Some(id));
    html.element("ul", &[("class", "plain")], |html| {
        for (label, page) in [("Table, all countries", "/table"), ("Chart, all countries", "/chart")] {
            html.element("li", &[], |html| {
                html.link(&latest.path(web, page), label);
            });
        }
    });
}

fn glance(label: &str, told: Option<String>, html: &mut Html) {
    if let Some(told) = told {
        html.element("tr", &[], |html| {
            html.leaf("th", &[], label).leaf("td", &[], &told);
        });
    }
}

/// A form that opens all years of one country.
fn series_form(web: &Web, id: IndicatorId, html: &mut Html) {
    let years = SeriesSelection { from: FIRST_YEAR, ..SeriesSelection::of_indicator(Some(id)) };
    html.element("form", &[("class", "query"), ("method", "get"), ("action", "/table")], |html| {
        for (name, value) in years.fields(web, "/table") {
            html.open("input", &[("type", "hidden"), ("name", name), ("value", &value)]);
        }
        let named =
            by_name(web).into_iter().map(|country| (country_code(web, country), web.atlas.title(country.into())));
        select(html, "Country", "country1", &named.collect::<Vec<_>>(), "");
        html.leaf("button", &[("type", "submit")], "Show all years");
    });
}

/// Links to a page of each country.
pub(super) fn country_links(page: &mut PageWriter, to: impl Fn(CountryId) -> NumbersPage, html: &mut Html) {
    html.element("ul", &[("class", "plain")], |html| {
        for country in by_name(page.web).into_iter().take(50) {
            let name = page.say(Fact::new(country, Aspect::Name)).unwrap_or_default();
            html.element("li", &[], |html| {
                html.link(&to(country).path(page.web), &name);
            });
        }
    });
}

/// A theme: its indicators with their units.
pub(super) fn theme(web: &Web, theme: StatisticTheme) -> SiteResponse {
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words(&format!("numbers.theme.{}", theme.word())));
    main.element("table", &[("class", "grid")], |html| {
        html.markup("<tr><th>Indicator</th><th>Unit</th><th>Data</th></tr>");
        for id in of_theme(web, theme) {
            let name = page.name(id);
            let definition = page.say(Fact::new(id, Aspect::Definition)).unwrap_or_default();
            let unit = page.say(Fact::new(id, Aspect::Unit)).unwrap_or_default();
            html.element("tr", &[], |html| {
                html.element("td", &[], |html| {
                    html.piece(&name).leaf("p", &[("class", "small")], &definition);
                });
                html.leaf("td", &[], &unit);
                html.element("td", &[("class", "keep")], |html| data_link(web, id, html));
            });
        }
    });
    let crumbs = vec![("Themes".to_owned(), "/".to_owned())];
    page.finish(&PageBody { title: theme.title().to_owned(), crumbs, main, ..PageBody::default() })
}

fn data_link(web: &Web, id: IndicatorId, html: &mut Html) {
    if source_of_capacity(id).is_some() {
        html.link(&NumbersPage::Indicator(id).path(web), "charts by country");
    } else {
        html.link(&SeriesSelection::of_indicator(Some(id)).path(web, "/table"), "table");
    }
}
