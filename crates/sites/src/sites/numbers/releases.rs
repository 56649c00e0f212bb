//! What was published first for a year, and what replaced it.

use quintain_atlas::statistics::{FIRST_YEAR, LAST_YEAR};
use quintain_atlas::{CountryId, Date, IndicatorId};

use super::pages::NumbersPage;
use super::selection::{by_name, year};
use super::table::unit_line;
use super::{HOST, crumbs_of};
use crate::address::SitePage;
use crate::facts::{Aspect, Fact, SeriesVersion};
use crate::html::Html;
use crate::page::{ListPage, Narrator, PageBody, PageWriter, pager, select};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

/// First estimates beside final values of a year; `None` where the form does not offer what is asked for.
pub(super) fn releases(web: &Web, query: &SiteQuery, indicator: IndicatorId) -> Option<SiteResponse> {
    if !query.takes_only(&["year", "page"]) {
        return None;
    }
    let shown = year(query, "year", FIRST_YEAR..=LAST_YEAR, LAST_YEAR - 1)?;
    let countries = by_name(web);
    let range = ListPage { n_rows: countries.len(), rows_a_page: 50 }.range(query.page_number()?)?;
    let mut page = PageWriter::about(web, HOST, indicator.into(), Date::TODAY);
    let mut main = Html::new();
    let path = NumbersPage::Releases(indicator).path(web);
    introduction(&mut page, indicator, shown, &mut main);
    year_form(&path, shown, &mut main);
    main.leaf("h2", &[], &format!("Values for {shown}"));
    unit_line(&mut page, indicator, &mut main);
    main.element("table", &[("class", "grid"), ("style", "max-width:760px")], |html| {
        html.markup("<tr><th>Country</th><th class=\"num\">First estimate</th><th class=\"num\">Final value</th></tr>");
        for &country in &countries[range.first..range.end] {
            html.element("tr", &[], |html| row(&mut page, indicator, country, shown, html));
        }
    });
    pager(&mut main, web.look(HOST).pager, range, &path, &[("year", &shown.to_string())]);
    let mut crumbs = crumbs_of(web, indicator);
    crumbs.push((web.atlas.title(indicator.into()), NumbersPage::Indicator(indicator).path(web)));
    let title = "First estimates and final values".to_owned();
    Some(page.finish(&PageBody { title, crumbs, main, ..PageBody::default() }))
}

fn introduction(page: &mut PageWriter, indicator: IndicatorId, shown: i32, main: &mut Html) {
    let given = [
        ("first_out", Fact::new(indicator, Aspect::Released(shown, SeriesVersion::First))),
        ("final_out", Fact::new(indicator, Aspect::Released(shown, SeriesVersion::Final))),
    ];
    let last = if shown == LAST_YEAR { "numbers.releases.open" } else { "numbers.releases.closed" };
    Narrator::new(page, indicator.into(), "the series")
        .sentence("numbers.releases.first", &given)
        .sentence(last, &given)
        .paragraph(main);
}

fn year_form(path: &str, shown: i32, main: &mut Html) {
    main.element("form", &[("class", "query"), ("method", "get"), ("action", path)], |html| {
        let years: Vec<(String, String)> =
            (FIRST_YEAR..=LAST_YEAR).rev().map(|year| (year.to_string(), year.to_string())).collect();
        select(html, "Values for", "year", &years, &shown.to_string());
        html.leaf("button", &[("type", "submit")], "Show");
    });
}

fn row(page: &mut PageWriter, indicator: IndicatorId, country: CountryId, year: i32, html: &mut Html) {
    let name = page.name(country);
    html.wrap("td", &[], &name);
    for version in [SeriesVersion::First, SeriesVersion::Final] {
        let told = page.say(Fact::new(country, Aspect::Statistic(indicator, year, version)));
        html.leaf("td", &[("class", "num")], &told.unwrap_or_else(|| "not yet out".to_owned()));
    }
}
