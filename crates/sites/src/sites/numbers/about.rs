//! The first page of the portal, and what it says of itself.

use quintain_atlas::{CountryId, IndicatorId, Kind};

use super::form::of_theme;
use super::pages::{NumbersPage, source_of_capacity};
use super::selection::SeriesSelection;
use super::{HOST, chart};
use crate::address::SitePage;
use crate::facts::StatisticTheme;
use crate::html::Html;
use crate::page::{PageBody, PageWriter};
use crate::response::SiteResponse;
use crate::web::Web;

/// The first page: themes, ways to begin, and a picture.
pub(super) fn home(web: &Web) -> SiteResponse {
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("numbers.home.intro"));
    main.element("p", &[], |html| {
        html.link("/rates", "Exchange rates")
            .text(" \u{b7} ")
            .link("/about", "Which figures count, and what marks mean");
    });
    main.leaf("h2", &[], "Themes");
    main.element("div", &[("class", "themes")], |html| {
        for theme in StatisticTheme::ALL {
            theme_box(&mut page, theme, html);
        }
        let countries = NumbersPage::Countries.path(web);
        for (title, path, key) in [
            ("Country profiles", countries.as_str(), "numbers.home.countries"),
            ("Build a table", "/table", "numbers.home.own"),
        ] {
            html.element("div", &[("class", "box")], |html| {
                html.element("h3", &[], |html| {
                    html.link(path, title);
                });
                html.leaf("p", &[("class", "small")], &page.words(key));
            });
        }
    });
    in_the_picture(&mut page, &mut main);
    let title = page.words("numbers.home.title");
    page.finish(&PageBody { title, main, ..PageBody::default() })
}

fn theme_box(page: &mut PageWriter, theme: StatisticTheme, html: &mut Html) {
    let web = page.web;
    html.element("div", &[("class", "box")], |html| {
        html.element("h3", &[], |html| {
            html.link(&NumbersPage::Theme(theme).path(web), theme.title());
        });
        html.element("ul", &[("class", "plain small")], |html| {
            for id in of_theme(web, theme).filter(|&id| source_of_capacity(id).is_none()).take(3) {
                html.wrap("li", &[], &page.name(id));
            }
        });
    });
}

/// A chart of one indicator for a few countries; which ones is drawn for each world.
fn in_the_picture(page: &mut PageWriter, main: &mut Html) {
    const SUBJECTS: [IndicatorId; 6] =
        [IndicatorId(20), IndicatorId(54), IndicatorId(63), IndicatorId(74), IndicatorId(116), IndicatorId(147)];
    let mut draw = page.web.draw.fork_text("in the picture");
    let n_countries = page.web.atlas.count(Kind::Country);
    let first = draw.below(n_countries);
    let countries = (0..3).map(|nth| CountryId(((first + nth * 5) % n_countries.max(1)) as u32)).collect();
    let indicator = *draw.choose(&SUBJECTS);
    let selection = SeriesSelection { countries, from: 2005, ..SeriesSelection::of_indicator(Some(indicator)) };
    main.leaf("h2", &[], "In the picture");
    let name = page.name(indicator);
    main.wrap("p", &[], &name);
    chart::lines(page, indicator, &selection, main);
    main.element("p", &[("class", "more")], |html| {
        html.link(&selection.path(page.web, "/chart"), "Open this chart");
    });
}

/// The page about the portal: which figures count, what marks mean, when values come out.
pub(super) fn about(web: &Web) -> SiteResponse {
    let page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("numbers.about.intro"));
    main.leaf("h2", &[], "Which figures count");
    main.leaf("p", &[], &page.words("numbers.about.ruling"));
    main.element("ol", &[], |html| {
        for rule in [
            "A final value rules over the first estimate for the same year.",
            "Where only a first estimate is out, it rules until the final value replaces it.",
            "A value by today's definition rules over one by an older definition, in all years.",
            "Growth in real terms is growth of output at constant prices; at current prices the rise of prices is in it.",
            "What this portal publishes rules over newspapers and encyclopaedias that repeat it.",
        ] {
            html.leaf("li", &[], rule);
        }
    });
    for (title, key) in [
        ("First estimates and final values", "numbers.about.estimates"),
        ("Breaks in series", "numbers.about.breaks"),
        ("Money", "numbers.about.money"),
        ("Charts", "numbers.about.charts"),
        ("Where figures come from", "numbers.about.origin"),
    ] {
        main.leaf("h2", &[], title).leaf("p", &[], &page.words(key));
    }
    main.leaf("h2", &[], "Marks in tables");
    main.element("table", &[("class", "grid")], |html| {
        for (mark, meaning) in [
            ("p", "provisional: a first estimate that a final value will replace"),
            ("b", "break: the first year that was counted by today's definition from the start"),
            ("r", "recounted: an earlier year, counted again by today's definition"),
            ("\u{2013}", "no value was published"),
        ] {
            html.element("tr", &[], |html| {
                html.leaf("th", &[], mark).leaf("td", &[], meaning);
            });
        }
    });
    page.finish(&PageBody { title: "About the portal".to_owned(), main, ..PageBody::default() })
}
