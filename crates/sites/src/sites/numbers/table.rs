//! Tables of a selection.

use quintain_atlas::statistics::IndicatorUnit;
use quintain_atlas::{CountryId, Date, IndicatorId, Value};

use super::form::builder;
use super::marks::{ValueMark, cell, footnotes};
use super::pages::NumbersPage;
use super::selection::{OrderEnd, SeriesLayout, SeriesOrder, SeriesSelection, version};
use super::{HOST, crumbs_of};
use crate::address::SitePage;
use crate::facts::{Aspect, Fact, SeriesVersion};
use crate::html::Html;
use crate::page::{ListPage, Narrator, PageBody, PageRange, PageWriter, pager};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

const ROWS_A_PAGE: usize = 50;

/// A table that is being written.
struct SeriesTable<'a> {
    selection: &'a SeriesSelection,
    indicator: IndicatorId,
    version: SeriesVersion,
    /// Where links of the table lead to.
    action: &'a str,
}

/// The table of a selection; `None` where the form does not offer it.
pub(super) fn table(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    let selection = SeriesSelection::read(web, query, None)?;
    let Some(indicator) = selection.indicator else { return query.page_number().map(|_| first_form(web, &selection)) };
    let mut page = PageWriter::about(web, HOST, indicator.into(), Date::TODAY);
    let mut main = Html::new();
    tabs(web, &selection, indicator, "Table", &mut main);
    change(web, &selection, "/table", None, &mut main);
    let about = SeriesTable { selection: &selection, indicator, version: version(None), action: "/table" };
    about.write(&mut page, query, &mut main)?;
    let title = web.atlas.title(indicator.into());
    Some(page.finish(&PageBody { title, crumbs: crumbs_of(web, indicator), main, ..PageBody::default() }))
}

/// The table of values by the old definition; `None` where its form does not offer what is asked for.
pub(super) fn archive(web: &Web, query: &SiteQuery, indicator: IndicatorId) -> Option<SiteResponse> {
    let selection = SeriesSelection::read(web, query, Some(indicator))?;
    let mut page = PageWriter::about(web, HOST, indicator.into(), Date::TODAY);
    let mut main = Html::new();
    let mut warning = Html::new();
    let given = super::marks::given(indicator);
    Narrator::new(&mut page, indicator.into(), "the series")
        .sentence("numbers.archive.warning", &given)
        .sentence("numbers.archive.reason", &given)
        .paragraph(&mut warning);
    main.wrap("div", &[("class", "note")], &warning);
    let action = NumbersPage::Archive(indicator).path(web);
    change(web, &selection, &action, Some(indicator), &mut main);
    let about = SeriesTable { selection: &selection, indicator, version: version(Some(indicator)), action: &action };
    about.write(&mut page, query, &mut main)?;
    main.element("p", &[], |html| {
        let today = SeriesSelection { order: SeriesOrder::Country, ..selection.clone() };
        html.link(&today.path(web, "/table"), "The same years by today's definition");
    });
    let mut crumbs = crumbs_of(web, indicator);
    crumbs.push((web.atlas.title(indicator.into()), NumbersPage::Indicator(indicator).path(web)));
    let title = "Archive: values by the old definition".to_owned();
    Some(page.finish(&PageBody { title, crumbs, main, ..PageBody::default() }))
}

fn first_form(web: &Web, selection: &SeriesSelection) -> SiteResponse {
    let page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("numbers.builder.intro"));
    builder(web, selection, "/table", None, &mut main);
    main.leaf("p", &[("class", "small")], &page.words("numbers.builder.hint"));
    main.leaf("p", &[("class", "small")], &page.words("numbers.builder.charts"));
    page.finish(&PageBody { title: "Build a table".to_owned(), main, ..PageBody::default() })
}

/// The tabs of a selection.
pub(super) fn tabs(web: &Web, selection: &SeriesSelection, indicator: IndicatorId, here: &str, into: &mut Html) {
    let plain = SeriesSelection { order: SeriesOrder::Country, end: OrderEnd::Least, ..selection.clone() };
    let tabs = [
        ("Table", selection.path(web, "/table")),
        ("Chart", plain.path(web, "/chart")),
        ("Definition and method", NumbersPage::Indicator(indicator).path(web)),
    ];
    into.element("nav", &[("class", "tabs")], |html| {
        for (label, path) in tabs {
            if label == here {
                html.leaf("b", &[], label);
            } else {
                html.link(&path, label);
            }
        }
    });
}

/// The form, folded, to change a selection.
pub(super) fn change(
    web: &Web,
    selection: &SeriesSelection,
    action: &str,
    archive_of: Option<IndicatorId>,
    into: &mut Html,
) {
    into.element("details", &[("class", "pick")], |html| {
        html.leaf("summary", &[], "Change the selection");
        builder(web, selection, action, archive_of, html);
    });
}

/// The unit of an indicator, as a line above tables and charts, whose title is its name.
pub(super) fn unit_line(page: &mut PageWriter, indicator: IndicatorId, into: &mut Html) {
    page.state_as(Fact::new(indicator, Aspect::Name), &page.web.atlas.title(indicator.into()));
    let unit = page.say(Fact::new(indicator, Aspect::Unit)).unwrap_or_default();
    into.leaf("p", &[("class", "small")], &format!("Unit: {unit}"));
}

impl SeriesTable<'_> {
    fn write(&self, page: &mut PageWriter, query: &SiteQuery, main: &mut Html) -> Option<()> {
        unit_line(page, self.indicator, main);
        let mut rows = self.rows(page);
        self.put_in_order(page, &mut rows);
        let range = ListPage { n_rows: rows.len(), rows_a_page: ROWS_A_PAGE }.range(query.page_number()?)?;
        let mut used = Vec::new();
        let style = if self.is_wide() { "width:100%" } else { "max-width:640px" };
        if self.selection.layout == SeriesLayout::Wide && !self.is_wide() {
            main.leaf("p", &[("class", "small")], &page.words("numbers.table.long"));
        }
        main.element("table", &[("class", "grid"), ("style", style)], |html| {
            html.element("tr", &[], |html| self.head(page.web, html));
            for (country, years) in &rows[range.first..range.end] {
                html.element("tr", &[], |html| self.row(page, *country, years, &mut used, html));
            }
        });
        footnotes(page, self.indicator, used, main);
        self.pages(page.web, range, main);
        Some(())
    }

    fn is_wide(&self) -> bool {
        self.selection.shown_layout() == SeriesLayout::Wide
    }

    fn has_currency(&self, web: &Web) -> bool {
        web.atlas.indicators[self.indicator].unit_kind() == IndicatorUnit::Currency
    }

    /// A row is a country with the years that it shows.
    fn rows(&self, page: &PageWriter) -> Vec<(CountryId, Vec<i32>)> {
        let years = self.selection.years();
        let countries = self.selection.shown_countries(page.web).into_iter();
        if self.is_wide() {
            countries.map(|country| (country, years.clone())).collect()
        } else {
            countries.flat_map(|country| years.iter().map(move |&year| (country, vec![year]))).collect()
        }
    }

    fn put_in_order(&self, page: &PageWriter, rows: &mut [(CountryId, Vec<i32>)]) {
        let sign = if self.selection.end == OrderEnd::Most { -1 } else { 1 };
        let value = |country: CountryId, year: i32| match page.ask(self.fact(country, year)) {
            Some(Value::Number(number)) => number.scaled,
            _ => i64::MIN / 2,
        };
        let first = |years: &[i32]| years.first().copied().unwrap_or_default();
        match self.selection.order {
            SeriesOrder::Country if self.selection.end == OrderEnd::Least => {
                rows.sort_by_cached_key(|(country, _)| page.web.atlas.title((*country).into()));
            }
            SeriesOrder::Country => {
                rows.sort_by_cached_key(|(country, _)| std::cmp::Reverse(page.web.atlas.title((*country).into())));
            }
            SeriesOrder::Year(year) => rows.sort_by_cached_key(|(country, _)| sign * value(*country, year)),
            SeriesOrder::ByYear => rows.sort_by_key(|(_, years)| sign * i64::from(first(years))),
            SeriesOrder::ByValue => rows.sort_by_cached_key(|(country, years)| sign * value(*country, first(years))),
        }
    }

    fn fact(&self, country: CountryId, year: i32) -> Fact {
        Fact::new(country, Aspect::Statistic(self.indicator, year, self.version))
    }

    fn head(&self, web: &Web, html: &mut Html) {
        self.head_cell(web, "Country", SeriesOrder::Country, html);
        if self.has_currency(web) {
            html.leaf("th", &[], "Currency");
        }
        if self.is_wide() {
            for year in self.selection.years() {
                self.head_cell(web, &year.to_string(), SeriesOrder::Year(year), html);
            }
        } else {
            self.head_cell(web, "Year", SeriesOrder::ByYear, html);
            self.head_cell(web, "Value", SeriesOrder::ByValue, html);
        }
    }

    /// The head of a column: a click orders by it, the next one turns the order round.
    fn head_cell(&self, web: &Web, label: &str, order: SeriesOrder, html: &mut Html) {
        let is_now = self.selection.order == order;
        let first = if order == SeriesOrder::Country || order == SeriesOrder::ByYear {
            OrderEnd::Least
        } else {
            OrderEnd::Most
        };
        let end = match (is_now, self.selection.end) {
            (false, _) => first,
            (true, OrderEnd::Least) => OrderEnd::Most,
            (true, OrderEnd::Most) => OrderEnd::Least,
        };
        let arrow = match (is_now, self.selection.end) {
            (false, _) => "",
            (true, OrderEnd::Least) => " \u{25b2}",
            (true, OrderEnd::Most) => " \u{25bc}",
        };
        let class: &[(&str, &str)] = if order == SeriesOrder::Country { &[] } else { &[("class", "num")] };
        let path = SeriesSelection { order, end, ..self.selection.clone() }.path(web, self.action);
        html.element("th", class, |html| {
            html.element(
                "a",
                &[("href", &path), ("title", "Sort by this column"), ("style", "color:inherit")],
                |html| {
                    html.text(label).text(arrow);
                },
            );
        });
    }

    fn row(
        &self,
        page: &mut PageWriter,
        country: CountryId,
        years: &[i32],
        used: &mut Vec<ValueMark>,
        html: &mut Html,
    ) {
        let name = page.name(country);
        html.wrap("td", &[], &name);
        if self.has_currency(page.web) {
            let code = page.say(Fact::new(country, Aspect::CurrencyCode)).unwrap_or_default();
            html.leaf("td", &[], &code);
        }
        for &year in years {
            if !self.is_wide() {
                html.leaf("td", &[("class", "num")], &year.to_string());
            }
            let mark = ValueMark::of(page, self.indicator, year, self.version);
            used.extend(mark);
            let shown = page.say(self.fact(country, year)).unwrap_or_else(|| "\u{2013}".to_owned());
            cell(html, &shown, mark);
        }
    }

    fn pages(&self, web: &Web, range: PageRange, main: &mut Html) {
        let fields = self.selection.fields(web, self.action);
        let kept: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        pager(main, web.look(HOST).pager, range, self.action, &kept);
    }
}
