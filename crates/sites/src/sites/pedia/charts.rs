//! Charts of articles.

use quintain_atlas::statistics::FIRST_YEAR;
use quintain_atlas::{CountryId, RegionId, Value};

use crate::facts::{Aspect, Fact};
use crate::html::Html;
use crate::page::PageWriter;
use crate::pictures::{ChartPoint, bar_chart, line_chart};

/// A country's people by year, in millions, up to the year before the last check.
pub(super) fn population(page: &mut PageWriter, country: CountryId, main: &mut Html) {
    let years = FIRST_YEAR..page.as_of.year();
    let points =
        years.filter_map(|year| point(page, Fact::new(country, Aspect::PopulationIn(year)), year.to_string(), 1e6));
    let points: Vec<ChartPoint> = points.collect();
    main.piece(&line_chart(&points, &page.web.look(page.host).colours.accent));
    main.leaf("p", &[("class", "caption")], "People in millions, by year");
}

/// The people of a region's largest towns, in thousands.
pub(super) fn towns(page: &mut PageWriter, region: RegionId, main: &mut Html) {
    let towns = page.web.atlas.geography.places_of.of(region).iter().take(6);
    let points = towns.filter_map(|&place| {
        let name = page.say(Fact::new(place, Aspect::Name))?;
        point(page, Fact::new(place, Aspect::Population), name, 1e3)
    });
    let points: Vec<ChartPoint> = points.collect();
    main.piece(&bar_chart(&points, &page.web.look(page.host).colours.accent));
    main.leaf("p", &[("class", "caption")], "Inhabitants in thousands");
}

/// A value that is read by eye: it is stated, though no text holds it.
fn point(page: &mut PageWriter, fact: Fact, label: String, unit: f64) -> Option<ChartPoint> {
    let Value::Number(number) = page.ask(fact)? else { return None };
    page.state_as(fact, "in the chart");
    Some(ChartPoint { label, value: number.value() / unit })
}
