//! Charts of a selection: lines for a few countries, bars for all. Values have no text.

use quintain_atlas::statistics::{IndicatorUnit, LAST_YEAR};
use quintain_atlas::{CountryId, Date, IndicatorId, Value};

use super::selection::SeriesSelection;
use super::table::{change, tabs, unit_line};
use super::{HOST, crumbs_of};
use crate::facts::{Aspect, Fact, SeriesVersion, is_revised};
use crate::html::Html;
use crate::page::{Narrator, PageBody, PageWriter};
use crate::pictures::{ChartPoint, PLOT_COLOURS, PlotLine, bar_list, line_plot};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

/// The chart of a selection; `None` where there is no such.
pub(super) fn chart(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    let selection = SeriesSelection::read(web, query, None)?;
    let indicator = selection.indicator?;
    if query.parameter("page").is_some() {
        return None;
    }
    let mut page = PageWriter::about(web, HOST, indicator.into(), Date::TODAY);
    let mut main = Html::new();
    tabs(web, &selection, indicator, "Chart", &mut main);
    change(web, &selection, "/chart", None, &mut main);
    unit_line(&mut page, indicator, &mut main);
    if selection.countries.is_empty() || selection.from == selection.to {
        main.leaf("p", &[], &format!("Values for {}", selection.to));
        bars(&mut page, indicator, &selection.shown_countries(web), selection.to, &mut main);
    } else {
        lines(&mut page, indicator, &selection, &mut main);
    }
    let title = web.atlas.title(indicator.into());
    Some(page.finish(&PageBody { title, crumbs: crumbs_of(web, indicator), main, ..PageBody::default() }))
}

/// A value that is read by eye: it is stated, though no text holds it.
pub(super) fn read_by_eye(page: &mut PageWriter, indicator: IndicatorId, country: CountryId, year: i32) -> Option<f64> {
    let fact = Fact::new(country, Aspect::Statistic(indicator, year, SeriesVersion::Latest));
    let Value::Number(number) = page.ask(fact)? else { return None };
    page.state_as(fact, "in the chart");
    Some(number.value())
}

fn bars(page: &mut PageWriter, indicator: IndicatorId, countries: &[CountryId], year: i32, main: &mut Html) {
    let mut points = Vec::new();
    for &country in countries.iter().take(50) {
        let Some(label) = page.say(Fact::new(country, Aspect::Name)) else { continue };
        points.extend(read_by_eye(page, indicator, country, year).map(|value| ChartPoint { label, value }));
    }
    points.sort_by(|a, b| b.value.total_cmp(&a.value));
    main.piece(&bar_list(&points, &page.web.look(HOST).colours.accent));
    if page.web.atlas.indicators[indicator].unit_kind() == IndicatorUnit::Currency {
        main.leaf("p", &[("class", "small")], &page.words("numbers.chart.currency"));
    }
    if year == LAST_YEAR && is_revised(indicator) {
        provisional(page, indicator, main);
    }
}

/// Lines with a legend; the last value is hollow while it is provisional.
pub(super) fn lines(page: &mut PageWriter, indicator: IndicatorId, selection: &SeriesSelection, main: &mut Html) {
    let mut drawn = Vec::new();
    let mut legend = Html::new();
    for (&country, colour) in selection.countries.iter().zip(PLOT_COLOURS.into_iter().cycle()) {
        let points = (selection.from..=selection.to)
            .filter_map(|year| read_by_eye(page, indicator, country, year).map(|value| (year, value)));
        drawn.push(PlotLine { points: points.collect() });
        let name = page.name(country);
        legend.element("span", &[], |html| {
            let fill = format!("background:{colour}");
            html.leaf("span", &[("class", "swatch"), ("style", &fill)], "").piece(&name);
        });
    }
    main.wrap("div", &[("class", "legend")], &legend);
    let break_at = page.web.atlas.indicators[indicator].break_year;
    let open_from = is_revised(indicator).then_some(LAST_YEAR);
    main.piece(&line_plot(&drawn, break_at, open_from));
    if break_at.is_some_and(|at| (selection.from + 1..=selection.to).contains(&at)) {
        sentence(page, indicator, "numbers.chart.break", main);
    }
    if selection.to == LAST_YEAR && open_from.is_some() {
        provisional(page, indicator, main);
    }
}

fn provisional(page: &mut PageWriter, indicator: IndicatorId, main: &mut Html) {
    sentence(page, indicator, "numbers.chart.provisional", main);
}

fn sentence(page: &mut PageWriter, indicator: IndicatorId, key: &str, main: &mut Html) {
    let mut told = Html::new();
    let given = super::marks::given(indicator);
    Narrator::new(page, indicator.into(), "the series").sentence(key, &given).paragraph(&mut told);
    main.wrap("div", &[("class", "small")], &told);
}
