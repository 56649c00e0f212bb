//! Rates of exchange at the end of the year: all currencies of a year, all years of a currency.

use quintain_atlas::statistics::{FIRST_YEAR, LAST_YEAR, known};
use quintain_atlas::{CountryId, Date};

use super::HOST;
use super::pages::NumbersPage;
use super::selection::{by_name, year};
use crate::address::SitePage;
use crate::facts::{Aspect, Fact, SeriesVersion};
use crate::html::Html;
use crate::page::{ListPage, PageBody, PageWriter, pager, select};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

/// Rates of all currencies at the end of a year; `None` where the form does not offer the year.
pub(super) fn of_year(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    if !query.takes_only(&["year", "page"]) {
        return None;
    }
    let shown = year(query, "year", FIRST_YEAR..=LAST_YEAR, LAST_YEAR)?;
    let countries = by_name(web);
    let range = ListPage { n_rows: countries.len(), rows_a_page: 50 }.range(query.page_number()?)?;
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("numbers.rates.intro"));
    year_form(shown, &mut main);
    main.element("table", &[("class", "grid")], |html| {
        html.markup("<tr><th>Country</th><th>Currency</th><th>Code</th>");
        html.leaf("th", &[("class", "num")], &format!("End of {shown}")).markup("</tr>");
        for &country in &countries[range.first..range.end] {
            html.element("tr", &[], |html| currency_row(&mut page, country, shown, html));
        }
    });
    let kept = [("year", shown.to_string())];
    pager(&mut main, web.look(HOST).pager, range, "/rates", &[(kept[0].0, &kept[0].1)]);
    main.leaf("p", &[("class", "small")], &page.words("numbers.rates.cross"));
    indicator_link(web, &mut main);
    Some(page.finish(&PageBody {
        title: "Exchange rates at the end of the year".to_owned(),
        main,
        ..PageBody::default()
    }))
}

fn year_form(shown: i32, main: &mut Html) {
    main.element("form", &[("class", "query"), ("method", "get"), ("action", "/rates")], |html| {
        let years: Vec<(String, String)> =
            (FIRST_YEAR..=LAST_YEAR).rev().map(|year| (year.to_string(), year.to_string())).collect();
        select(html, "End of", "year", &years, &shown.to_string());
        html.leaf("button", &[("type", "submit")], "Show");
    });
}

fn currency_row(page: &mut PageWriter, country: CountryId, year: i32, html: &mut Html) {
    let name = page.name(country);
    let currency = page.say(Fact::new(country, Aspect::Currency)).unwrap_or_default();
    let code = page.say(Fact::new(country, Aspect::CurrencyCode)).unwrap_or_default();
    let rate = page.say(rate_fact(country, year)).unwrap_or_default();
    html.wrap("td", &[], &name);
    html.element("td", &[], |html| {
        html.link(&NumbersPage::Currency(country).path(page.web), &currency);
    });
    html.leaf("td", &[], &code).leaf("td", &[("class", "num")], &rate);
}

fn rate_fact(country: CountryId, year: i32) -> Fact {
    Fact::new(country, Aspect::Statistic(known::EXCHANGE_RATE, year, SeriesVersion::Latest))
}

fn indicator_link(web: &Web, main: &mut Html) {
    main.element("p", &[("class", "more")], |html| {
        html.link(&NumbersPage::Indicator(known::EXCHANGE_RATE).path(web), "Definition and method");
    });
}

/// Rates of a currency in all years, the last one first.
pub(super) fn of_currency(web: &Web, country: CountryId) -> SiteResponse {
    let mut page = PageWriter::about(web, HOST, country.into(), Date::TODAY);
    let mut main = Html::new();
    let currency = page.say(Fact::new(country, Aspect::Currency)).unwrap_or_default();
    let code = page.say(Fact::new(country, Aspect::CurrencyCode)).unwrap_or_default();
    main.leaf("p", &[], &format!("{} ({currency}, {code})", page.words("numbers.rates.currency")));
    main.element("table", &[("class", "grid"), ("style", "max-width:560px")], |html| {
        html.markup("<tr><th>End of</th>");
        html.leaf("th", &[("class", "num")], &format!("{code} for one clearing unit")).markup("</tr>");
        for year in (FIRST_YEAR..=LAST_YEAR).rev() {
            let rate = page.say(rate_fact(country, year)).unwrap_or_default();
            html.element("tr", &[], |html| {
                html.leaf("td", &[], &year.to_string()).leaf("td", &[("class", "num")], &rate);
            });
        }
    });
    indicator_link(web, &mut main);
    let crumbs = vec![
        ("Exchange rates".to_owned(), "/rates".to_owned()),
        (web.atlas.title(country.into()), NumbersPage::Country(country).path(web)),
    ];
    page.finish(&PageBody { title: web.atlas.currency_name(country), crumbs, main, ..PageBody::default() })
}
