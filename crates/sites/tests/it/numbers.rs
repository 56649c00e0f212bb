//! The statistics portal: every kind of page, its tables, its charts, its versions.

use std::collections::{BTreeSet, VecDeque};

use quintain_atlas::statistics::{EnergySource, known};
use quintain_atlas::{CountryId, Date, Entity, IndicatorId, Kind, MeasureUnit, Value};
use quintain_sites::{
    Aspect, EnergyGroup, NumbersPage, OrderEnd, Reserve, SeriesLayout, SeriesOrder, SeriesSelection, SeriesVersion,
    SiteRequest, SiteResponse, SiteState, Standing, StatisticTheme, Web, YearStep, respond, visible_text,
};

use super::audit::{check, figures_are_stated, links, without_lists};
use super::{is_full, small, world};

fn open(web: &Web, url: &str) -> SiteResponse {
    respond(web, &mut SiteState::default(), &SiteRequest::get(url))
}

fn selection(indicator: IndicatorId, from: i32, to: i32) -> SeriesSelection {
    SeriesSelection { from, to, ..SeriesSelection::of_indicator(Some(indicator)) }
}

/// One address of each kind of page, and several selections.
pub(super) fn samples(web: &Web) -> Vec<(String, String)> {
    let country = CountryId(web.atlas.count(Kind::Country) as u32 / 3);
    let three = vec![country, CountryId(0), CountryId(1)];
    let emissions = known::EMISSIONS_A_HEAD;
    let some = SeriesSelection { countries: three, ..selection(emissions, 2002, 2025) };
    let sorted = SeriesSelection {
        order: SeriesOrder::Year(2016),
        end: OrderEnd::Most,
        step: YearStep::Ends,
        ..selection(known::OUTPUT_REAL, 2006, 2016)
    };
    let page = |page: NumbersPage| page.address(web);
    let home = "https://numbers.web/".to_owned();
    let mut samples = vec![
        ("home", home.clone()),
        ("about", format!("{home}about")),
        ("search", format!("{home}search?q=emissions")),
        ("builder", format!("{home}table")),
        ("rates", format!("{home}rates?year=2019")),
        ("countries", page(NumbersPage::Countries)),
        ("theme", page(NumbersPage::Theme(StatisticTheme::Environment))),
        ("indicator-emissions", page(NumbersPage::Indicator(emissions))),
        ("indicator-output", page(NumbersPage::Indicator(known::OUTPUT_REAL))),
        ("indicator-rate", page(NumbersPage::Indicator(known::EXCHANGE_RATE))),
        ("indicator-hydro", page(NumbersPage::Indicator(known::capacity(EnergySource::Hydro)))),
        ("country", page(NumbersPage::Country(country))),
        ("profile", page(NumbersPage::CountryTheme(country, StatisticTheme::Health))),
        ("profile-energy", page(NumbersPage::CountryTheme(country, StatisticTheme::Energy))),
        ("energy", page(NumbersPage::Energy(country))),
        ("energy-renewable", NumbersPage::energy_address(web, country, 2014, EnergyGroup::Renewable)),
        ("energy-last", NumbersPage::energy_address(web, country, 2025, EnergyGroup::Other)),
        ("currency", page(NumbersPage::Currency(country))),
        ("releases", page(NumbersPage::Releases(emissions))),
        ("releases-last", format!("{}?year=2025", page(NumbersPage::Releases(known::OUTPUT_REAL)))),
        ("archive", page(NumbersPage::Archive(emissions))),
        ("table", selection(emissions, 2014, 2025).table_address(web)),
        ("table-three", some.table_address(web)),
        ("table-sorted", sorted.table_address(web)),
        ("chart", some.chart_address(web)),
        ("chart-all", sorted.chart_address(web)),
    ];
    let list = SeriesSelection {
        layout: SeriesLayout::List,
        order: SeriesOrder::ByValue,
        ..selection(known::POPULATION, 1990, 2025)
    };
    samples.push(("table-list", list.table_address(web) + "&page=2"));
    samples.extend(selection(emissions, 1990, 2005).archive_address(web).map(|address| ("archive-list", address)));
    samples.into_iter().map(|(name, url)| (format!("numbers-{name}"), url)).collect()
}

#[test]
fn every_page_of_the_portal_tells_facts_and_leads_somewhere() {
    let web = small();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut next: VecDeque<String> = samples(web).into_iter().map(|(_, url)| url).collect();
    let most = if is_full() { 20_000 } else { 400 };
    let (mut n_stated, mut words, mut longest) = (0, BTreeSet::new(), (0, String::new()));
    while let Some(url) = next.pop_front() {
        if seen.len() >= most {
            break;
        }
        if !seen.insert(url.clone()) {
            continue;
        }
        let response = open(web, &url);
        assert_eq!(response.status, 200, "{url}");
        response.stated.iter().for_each(|stated| check(web, &url, stated));
        figures_are_stated(&url, &visible_text(&without_lists(&url, &response.html)), &response.stated);
        n_stated += response.stated.len();
        longest = longest.max((response.html.len(), url.clone()));
        words.insert(url.split('/').nth(3).unwrap_or_default().split('?').next().unwrap_or_default().to_owned());
        let found = links(&url, &response.html).into_iter().filter(|link| link.contains("//numbers.web/"));
        next.extend(found.filter(|link| !seen.contains(link)));
    }
    println!("{} pages of the portal, {n_stated} facts stated, longest page {longest:?}, kinds {words:?}", seen.len());
    for word in [
        "",
        "about",
        "archive",
        "chart",
        "country",
        "currency",
        "energy",
        "indicator",
        "list",
        "profile",
        "rates",
        "releases",
        "search",
        "table",
        "theme",
    ] {
        assert!(words.contains(word), "no page of {word:?} was reached");
    }
    assert!(longest.0 < 120_000, "{longest:?}");
}

#[test]
fn pages_of_other_worlds_tell_facts_in_all_wordings() {
    for seed in 2..6 {
        let web = world(seed, Reserve::Used);
        for (name, url) in samples(&web) {
            let response = open(&web, &url);
            assert_eq!(response.status, 200, "{name}");
            response.stated.iter().for_each(|stated| check(&web, &url, stated));
            figures_are_stated(&url, &visible_text(&without_lists(&url, &response.html)), &response.stated);
        }
    }
}

#[test]
fn tables_are_sorted_by_what_is_shown() {
    let web = small();
    let wanted = SeriesSelection {
        order: SeriesOrder::Year(2016),
        end: OrderEnd::Most,
        step: YearStep::Ends,
        ..selection(known::EMISSIONS_A_HEAD, 2004, 2016)
    };
    let stated = open(web, &wanted.table_address(web)).stated;
    let values: Vec<i64> = stated
        .iter()
        .filter(|stated| matches!(stated.fact.aspect, Aspect::Statistic(_, 2016, SeriesVersion::Latest)))
        .filter_map(|stated| if let Value::Number(number) = stated.value { Some(number.scaled) } else { None })
        .collect();
    assert_eq!(values.len(), web.atlas.count(Kind::Country));
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
}

#[test]
fn lists_have_fifty_rows_a_page() {
    let web = small();
    let all = SeriesSelection { layout: SeriesLayout::List, ..selection(known::POPULATION, 1990, 2025) };
    let rows = |page: usize| {
        let response = open(web, &format!("{}&page={page}", all.table_address(web)));
        let table = response.html.split("</table>").next().unwrap_or_default();
        (response.status, table.matches("<tr>").count())
    };
    let n_values = web.atlas.count(Kind::Country) * 36;
    assert_eq!(rows(1), (200, 51));
    assert_eq!(rows(n_values.div_ceil(50)).0, 200);
    assert_eq!(rows(n_values.div_ceil(50) + 1).0, 404);
}

#[test]
fn installed_capacity_is_in_charts_and_in_no_text() {
    let web = small();
    for country in (0..web.atlas.count(Kind::Country) as u32).map(CountryId) {
        for group in [EnergyGroup::All, EnergyGroup::Renewable] {
            let address = NumbersPage::energy_address(web, country, 2018, group);
            let response = open(web, &address);
            let html = without_lists(&address, &response.html);
            let text = html.split("<svg").map(|part| part.rsplit("</svg>").next().unwrap_or_default());
            let text = visible_text(&text.collect::<String>());
            let step = NumbersPage::energy_grid_mw(web, country, 2018, group);
            let mut most = 0.0_f64;
            for stated in &response.stated {
                let Value::Number(number) = stated.value else { continue };
                assert!(matches!(number.unit, MeasureUnit::Of(id) if (11..20).contains(&id.0)), "{stated:?}");
                assert!(number.scaled < 1000 || !text.contains(&number.scaled.to_string()), "{address}: {stated:?}");
                most = most.max(number.value());
            }
            assert!(most / step > 4.0 && most / step <= 10.0 + 1e-9, "{most} by {step}");
        }
    }
    let hydro = known::capacity(EnergySource::Hydro);
    assert_eq!(open(web, &selection(hydro, 2014, 2018).table_address(web)).status, 404);
    assert_eq!(open(web, &selection(hydro, 2014, 2018).chart_address(web)).status, 404);
}

#[test]
fn older_versions_are_marked_and_kept_apart() {
    let web = small();
    let id = known::EMISSIONS_A_HEAD;
    let year = web.atlas.indicators[id].break_year.expect("emissions were defined anew") - 2;
    let archive = selection(id, year, year + 3).archive_address(web).expect("there is an indicator");
    let response = open(web, &archive);
    let old: Vec<_> = response.stated.iter().filter(|stated| stated.standing == Standing::Superseded).collect();
    assert!(old.len() > web.atlas.count(Kind::Country), "{archive}");
    let releases = open(web, &format!("{}?year=2019", NumbersPage::Releases(id).address(web)));
    assert!(releases.stated.iter().any(|stated| stated.standing == Standing::Superseded));
    // Nothing else of the portal says what does not rule.
    for (name, url) in
        samples(web).into_iter().filter(|(name, _)| !name.contains("archive") && !name.contains("releases"))
    {
        let stated = open(web, &url).stated;
        assert!(stated.iter().all(|stated| stated.standing == Standing::Ruling), "{name}");
    }
    let unbroken = NumbersPage::Archive(known::OUTPUT_REAL).address(web);
    assert_eq!(open(web, &unbroken).status, 404);
}

#[test]
fn rates_are_those_by_which_amounts_are_converted() {
    let web = small();
    let response = open(web, "https://numbers.web/rates?year=2019");
    for country in (0..web.atlas.count(Kind::Country) as u32).map(CountryId) {
        let seen = web.atlas.observed(known::EXCHANGE_RATE, country, 2019).ruling();
        let is_told = response.stated.iter().any(|stated| {
            stated.fact.about == Entity::Country(country)
                && matches!(stated.value, Value::Number(number) if number.scaled == seen && number.digits == 4)
        });
        assert!(is_told, "{country:?}");
    }
    assert_eq!(response.stated[0].as_of, Date::TODAY);
}

#[test]
fn forms_offer_what_they_take_and_take_nothing_else() {
    let web = small();
    let table = selection(known::POPULATION, 2010, 2015).table_address(web);
    assert_eq!(open(web, &table).status, 200);
    for wrong in [
        format!("{table}&bloc=1"),
        format!("{table}&country1=0"),
        table.replace("from=2010", "from=1989"),
        format!("{table}&sort=2009"),
        format!("{table}&page=0"),
        format!("{table}&order=up"),
        "https://numbers.web/table?indicator=0".to_owned(),
        "https://numbers.web/rates?year=2026".to_owned(),
        "https://numbers.web/chart".to_owned(),
    ] {
        assert_eq!(open(web, &wrong).status, 404, "{wrong}");
    }
    // What a browser sends when the form is left as it is.
    let plain = "https://numbers.web/table?indicator=&country1=&country2=&from=2020&to=2025&show=every&layout=wide";
    assert_eq!(open(web, plain).status, 200);
    assert!(!open(web, &table).html.contains("name=\"bloc"), "membership is not the portal's to tell");
}
