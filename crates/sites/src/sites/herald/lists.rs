//! Lists of items: by section, by month, by subject, and all corrections.

use std::collections::BTreeSet;

use quintain_atlas::{Date, NewsId};

use super::archive::{printed_between, years};
use super::headline::headline;
use super::item::elsewhere;
use super::{HOST, HeraldPage, NewsSection};
use crate::address::SitePage;
use crate::facts::{Aspect, Fact, NewsAspect};
use crate::html::Html;
use crate::page::{ListPage, PageBody, PageRange, PageWriter, pager};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::voice::MONTHS;
use crate::web::Web;

/// How many rows a page of a list has.
pub(super) const ROWS_A_PAGE: usize = 50;

/// What a row of a list tells besides the headline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StoryRow {
    /// The day.
    Plain,
    /// The day, the section and the paper.
    Full,
}

/// Items as a list: headline, day, and where it stood.
pub(super) fn rows(page: &mut PageWriter, items: impl Iterator<Item = NewsId>, row: StoryRow, into: &mut Html) {
    into.element("ul", &[("class", "plain items")], |html| {
        for news in items.take(ROWS_A_PAGE) {
            let title = headline(page, news);
            let path = HeraldPage::item_path(page.web, news, &title);
            let own = |aspect| Fact::new(news, Aspect::News(aspect));
            let mut told = page.say(own(NewsAspect::Printed)).unwrap_or_default();
            if row == StoryRow::Full {
                let paper = page.say(own(NewsAspect::PrintedIn)).unwrap_or_default();
                told = format!("{told} \u{b7} {} \u{b7} {paper}", page.web.archive.section(news).label());
            }
            html.element("li", &[], |html| {
                html.link(&path, &title).text(" ").leaf("span", &[("class", "small")], &told);
            });
        }
    });
}

/// A list that is cut into pages; `None` where it has no such page.
pub(super) fn list(web: &Web, query: &SiteQuery, list: HeraldPage) -> Option<SiteResponse> {
    let items = items(web, list);
    let range = ListPage { n_rows: items.len(), rows_a_page: ROWS_A_PAGE }.range(query.page_number()?)?;
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    intro(&mut page, list, &mut main);
    let row = if matches!(list, HeraldPage::Month(_, _, Some(_)) | HeraldPage::Section(_)) {
        StoryRow::Plain
    } else {
        StoryRow::Full
    };
    if items.is_empty() {
        main.leaf("p", &[], &page.words("herald.nothing"));
    }
    rows(&mut page, items[range.first..range.end].iter().copied(), row, &mut main);
    pager(&mut main, web.look(HOST).pager, range, &list.path(web), &[]);
    let mut aside = beside(web, list);
    if let HeraldPage::Topic(entity) = list {
        elsewhere(web, entity, &mut aside);
    }
    Some(page.finish(&PageBody { title: list.title(web), crumbs: crumbs(web, list), main, aside }))
}

/// The items of a list, the latest first; a month is told from its first day on.
fn items(web: &Web, list: HeraldPage) -> Vec<NewsId> {
    let archive = &web.archive;
    match list {
        HeraldPage::Topic(entity) => archive.about(entity).rev().collect(),
        HeraldPage::Corrections => archive.corrections().iter().rev().copied().collect(),
        HeraldPage::Section(section) => archive.latest_of(section).take(ROWS_A_PAGE).collect(),
        HeraldPage::Month(year, month, section) => {
            let month = i32::from(month);
            let next = if month == 12 { Date::new(year + 1, 1, 1) } else { Date::new(year, month + 1, 1) };
            let ids = printed_between(&web.atlas, Date::new(year, month, 1), next).map(|at| NewsId(at as u32));
            ids.filter(|&news| section.is_none_or(|section| archive.section(news) == section)).collect()
        }
        HeraldPage::Item(_) | HeraldPage::Archive | HeraldPage::Year(_) => Vec::new(),
    }
}

fn intro(page: &mut PageWriter, list: HeraldPage, main: &mut Html) {
    let key = match list {
        HeraldPage::Section(section) => format!("herald.section.{}", section.slug()),
        HeraldPage::Corrections => "herald.corrections.intro".to_owned(),
        HeraldPage::Topic(entity) => {
            page.state_as(Fact::new(entity, Aspect::Name), &page.web.atlas.title(entity));
            "herald.topic.intro".to_owned()
        }
        HeraldPage::Item(_) | HeraldPage::Archive | HeraldPage::Year(_) | HeraldPage::Month(..) => return,
    };
    let words = page.words(&key);
    main.leaf("p", &[("class", "small")], &words);
}

fn crumbs(web: &Web, list: HeraldPage) -> Vec<(String, String)> {
    let mut crumbs = vec![("Front page".to_owned(), "/".to_owned())];
    if let HeraldPage::Month(year, ..) = list {
        crumbs.push(("Archive".to_owned(), HeraldPage::Archive.path(web)));
        crumbs.push((year.to_string(), HeraldPage::Year(year).path(web)));
    }
    crumbs
}

/// Ways on from a list: months before and after, the other sections, the years.
fn beside(web: &Web, list: HeraldPage) -> Html {
    let mut aside = Html::new();
    let mut boxed = |title: &str, links: Vec<(String, HeraldPage)>| {
        aside.element("div", &[("class", "box")], |html| {
            html.leaf("h2", &[], title).element("ul", &[("class", "plain")], |html| link_rows(web, links, html));
        });
    };
    match list {
        HeraldPage::Month(year, month, section) => {
            let others = NewsSection::ALL.into_iter().filter(|&other| Some(other) != section);
            let others = others.map(|other| (other.label().to_owned(), HeraldPage::Month(year, month, Some(other))));
            let all = ("All sections".to_owned(), HeraldPage::Month(year, month, None));
            boxed("The same month", std::iter::once(all).filter(|_| section.is_some()).chain(others).collect());
            boxed("Other months", neighbours(web, year, month, section));
        }
        HeraldPage::Section(section) => {
            let years = years(&web.atlas).rev().take(ROWS_A_PAGE);
            let years = years.map(|year| (year.to_string(), HeraldPage::Year(year)));
            let others = NewsSection::ALL.into_iter().filter(|&other| other != section);
            boxed("Sections", others.map(|other| (other.label().to_owned(), HeraldPage::Section(other))).collect());
            boxed("Earlier items by year", years.collect());
        }
        _ => boxed("Archive", vec![("By year and month".to_owned(), HeraldPage::Archive)]),
    }
    aside
}

fn link_rows(web: &Web, links: Vec<(String, HeraldPage)>, html: &mut Html) {
    for (label, page) in links {
        html.element("li", &[], |html| {
            html.link(&page.path(web), &label);
        });
    }
}

fn neighbours(web: &Web, year: i32, month: u8, section: Option<NewsSection>) -> Vec<(String, HeraldPage)> {
    let before = if month == 1 { (year - 1, 12) } else { (year, month - 1) };
    let after = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    let of = |(year, month)| HeraldPage::Month(year, month, section);
    let known = [before, after].into_iter().filter(|(year, _)| years(&web.atlas).contains(year));
    known.map(|month| (of(month).title(web), of(month))).collect()
}

/// All years of the archive.
pub(super) fn archive(web: &Web) -> SiteResponse {
    let page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("herald.archive.intro"));
    main.element("ul", &[("class", "wide")], |html| {
        for year in years(&web.atlas).rev().take(ROWS_A_PAGE) {
            html.element("li", &[], |html| {
                html.link(&HeraldPage::Year(year).path(web), &year.to_string());
            });
        }
    });
    main.leaf("h2", &[], "Search the archive");
    super::seek::form(web, &super::seek::ArchiveFilter::default(), &mut main);
    main.leaf("h2", &[], "Sections");
    main.element("ul", &[("class", "wide")], |html| {
        for section in NewsSection::ALL {
            html.element("li", &[], |html| {
                html.link(&HeraldPage::Section(section).path(web), section.label());
            });
        }
    });
    main.element("p", &[], |html| {
        html.link(&HeraldPage::Corrections.path(web), "All corrections");
    });
    let crumbs = vec![("Front page".to_owned(), "/".to_owned())];
    page.finish(&PageBody { title: "Archive".to_owned(), crumbs, main, ..PageBody::default() })
}

/// The months of a year, by section.
pub(super) fn year(web: &Web, year: i32) -> SiteResponse {
    let page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    let printed: BTreeSet<(i32, NewsSection)> =
        printed_between(&web.atlas, Date::year_start(year), Date::year_start(year + 1))
            .map(|at| NewsId(at as u32))
            .map(|news| (web.atlas.news.date[news].parts().1, web.archive.section(news)))
            .collect();
    main.element("table", &[("class", "grid")], |html| {
        for (month, name) in (1..=12_u8).zip(MONTHS) {
            html.element("tr", &[], |html| {
                html.leaf("th", &[], name);
                for section in std::iter::once(None).chain(NewsSection::ALL.map(Some)) {
                    html.wrap("td", &[], &month_cell(web, (year, month, section), &printed));
                }
            });
        }
    });
    main.element("p", &[("class", "more")], |html| {
        for other in [year - 1, year + 1].into_iter().filter(|other| years(&web.atlas).contains(other)) {
            html.link(&HeraldPage::Year(other).path(web), &format!("The year {other}")).text(" ");
        }
    });
    let crumbs = vec![("Front page".to_owned(), "/".to_owned()), ("Archive".to_owned(), HeraldPage::Archive.path(web))];
    page.finish(&PageBody { title: HeraldPage::Year(year).title(web), crumbs, main, ..PageBody::default() })
}

/// A link to the items of a month, where there are any.
fn month_cell(
    web: &Web,
    (year, month, section): (i32, u8, Option<NewsSection>),
    printed: &BTreeSet<(i32, NewsSection)>,
) -> Html {
    let is_this =
        |(of, other): &(i32, NewsSection)| *of == i32::from(month) && section.is_none_or(|section| section == *other);
    if printed.iter().any(is_this) {
        Html::of_element(
            "a",
            &[("href", &HeraldPage::Month(year, month, section).path(web))],
            section.map_or("All", NewsSection::label),
        )
    } else {
        Html::of_element("span", &[("class", "small")], "\u{2013}")
    }
}

/// The rows of a page of what was found.
pub(super) fn found(page: &mut PageWriter, items: &[NewsId], range: PageRange, into: &mut Html) {
    rows(page, items[range.first..range.end].iter().copied(), StoryRow::Full, into);
}
