//! Installed capacity by source of energy: a chart with a grid, and no text that tells a value.

use quintain_atlas::statistics::{EnergySource, FIRST_YEAR, LAST_YEAR, known};
use quintain_atlas::{CountryId, Date};

use super::HOST;
use super::chart::read_by_eye;
use super::pages::NumbersPage;
use super::selection::year;
use crate::address::SitePage;
use crate::facts::{Aspect, Fact, SeriesVersion};
use crate::html::Html;
use crate::page::{Narrator, PageBody, PageWriter, select};
use crate::pictures::{ChartPoint, column_plot, column_scale};
use crate::request::{SiteQuery, with_parameters};
use crate::response::SiteResponse;
use crate::web::Web;

/// Which sources a chart shows; each group has a scale of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnergyGroup {
    /// All sources.
    #[default]
    All,
    /// Those that renew themselves.
    Renewable,
    /// The others.
    Other,
}

impl EnergyGroup {
    const ALL: [Self; 3] = [Self::All, Self::Renewable, Self::Other];

    /// The word for it in addresses.
    pub const fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Renewable => "renewable",
            Self::Other => "other",
        }
    }

    const fn label(self) -> &'static str {
        match self {
            Self::All => "all sources",
            Self::Renewable => "renewable sources",
            Self::Other => "coal, gas, oil and nuclear",
        }
    }

    fn sources(self) -> impl Iterator<Item = EnergySource> {
        EnergySource::ALL.into_iter().filter(move |source| match self {
            Self::All => true,
            Self::Renewable => EnergySource::RENEWABLE.contains(source),
            Self::Other => !EnergySource::RENEWABLE.contains(source),
        })
    }
}

impl NumbersPage {
    /// The whole address of the chart of a country's installed capacity in a year.
    pub fn energy_address(web: &Web, country: CountryId, year: i32, group: EnergyGroup) -> String {
        let page = Self::Energy(country).address(web);
        with_parameters(&page, &[("year", &year.to_string()), ("group", group.word())])
    }

    /// How far two lines of the grid of that chart are apart, in megawatts: what is read by eye may be off by half of it.
    pub fn energy_grid_mw(web: &Web, country: CountryId, year: i32, group: EnergyGroup) -> f64 {
        let mut page = PageWriter::about(web, HOST, country.into(), Date::TODAY);
        column_scale(&points(&mut page, country, year, group)).step
    }
}

/// The page of a country's installed capacity; `None` where its form does not offer what is asked for.
pub(super) fn energy(web: &Web, query: &SiteQuery, country: CountryId) -> Option<SiteResponse> {
    if !query.takes_only(&["year", "group"]) {
        return None;
    }
    let shown = year(query, "year", FIRST_YEAR..=LAST_YEAR, LAST_YEAR - 1)?;
    let group = match query.parameter("group") {
        Some(word) => EnergyGroup::ALL.into_iter().find(|group| group.word() == word)?,
        None => EnergyGroup::All,
    };
    let mut page = PageWriter::about(web, HOST, country.into(), Date::TODAY);
    let mut main = Html::new();
    let path = NumbersPage::Energy(country).path(web);
    form(&path, shown, group, &mut main);
    main.leaf("h2", &[], &format!("{shown}, {}", group.label()));
    capacity_chart(&mut page, country, shown, group, &mut main);
    steps(&path, shown, group, &mut main);
    if shown == LAST_YEAR {
        provisional(&mut page, country, &mut main);
    }
    main.leaf("p", &[], &page.words("numbers.energy.intro"));
    sources(&mut page, group, &mut main);
    let crumbs = vec![
        ("Countries".to_owned(), NumbersPage::Countries.path(web)),
        (web.atlas.title(country.into()), NumbersPage::Country(country).path(web)),
    ];
    let title = NumbersPage::Energy(country).title(web);
    Some(page.finish(&PageBody { title, crumbs, main, ..PageBody::default() }))
}

/// All sources come out on the same days.
fn provisional(page: &mut PageWriter, country: CountryId, main: &mut Html) {
    let capacity = known::capacity(EnergySource::Hydro);
    let due = [("final_due", Fact::new(capacity, Aspect::Released(LAST_YEAR, SeriesVersion::Final)))];
    Narrator::new(page, country.into(), "").sentence("numbers.energy.provisional", &due).paragraph(main);
}

fn form(path: &str, shown: i32, group: EnergyGroup, main: &mut Html) {
    main.element("form", &[("class", "query"), ("method", "get"), ("action", path)], |html| {
        let years: Vec<(String, String)> =
            (FIRST_YEAR..=LAST_YEAR).rev().map(|year| (year.to_string(), year.to_string())).collect();
        select(html, "Year", "year", &years, &shown.to_string());
        let groups = EnergyGroup::ALL.map(|group| (group.word().to_owned(), group.label().to_owned()));
        select(html, "Sources", "group", &groups, group.word());
        html.leaf("button", &[("type", "submit")], "Show");
    });
}

/// Ways to the year before and the year after.
fn steps(path: &str, shown: i32, group: EnergyGroup, main: &mut Html) {
    let address = |year: i32| with_parameters(path, &[("year", &year.to_string()), ("group", group.word())]);
    main.element("p", &[("class", "more")], |html| {
        if shown > FIRST_YEAR {
            html.link(&address(shown - 1), &format!("\u{2190} {}", shown - 1)).text(" \u{b7} ");
        }
        if shown < LAST_YEAR {
            html.link(&address(shown + 1), &format!("{} \u{2192}", shown + 1));
        }
    });
}

/// What the sources are, with ways to their definitions.
fn sources(page: &mut PageWriter, group: EnergyGroup, main: &mut Html) {
    main.leaf("h2", &[], "What is counted");
    main.element("ul", &[], |html| {
        for source in group.sources() {
            html.wrap("li", &[], &page.name(known::capacity(source)));
        }
    });
}

fn points(page: &mut PageWriter, country: CountryId, year: i32, group: EnergyGroup) -> Vec<ChartPoint> {
    let mut points = Vec::new();
    for source in group.sources() {
        let value = read_by_eye(page, known::capacity(source), country, year);
        points.extend(value.map(|value| ChartPoint { label: source.label().to_owned(), value }));
    }
    points
}

/// The chart: one column for each source.
pub(super) fn capacity_chart(
    page: &mut PageWriter,
    country: CountryId,
    year: i32,
    group: EnergyGroup,
    main: &mut Html,
) {
    let points = points(page, country, year, group);
    main.leaf("p", &[("class", "small")], "Installed capacity in megawatts");
    main.piece(&column_plot(&points, &page.web.look(HOST).colours.accent));
}
