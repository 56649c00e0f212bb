//! Searching the archive: words, years, a section, a paper.

use quintain_atlas::news::Outlet;
use quintain_atlas::{Date, Kind, NewsId};

use super::archive::{printed_between, years};
use super::lists::{ROWS_A_PAGE, found};
use super::{HOST, HeraldPage, NewsSection};
use crate::address::SitePage;
use crate::html::Html;
use crate::page::{ListPage, PageBody, PageWriter, pager, select};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

/// What the form asks for.
#[derive(Clone, Debug, Default)]
pub(super) struct ArchiveFilter {
    words: String,
    from: Option<i32>,
    to: Option<i32>,
    section: Option<NewsSection>,
    paper: Option<Outlet>,
    order: PrintOrder,
}

/// In which order items are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum PrintOrder {
    #[default]
    LatestFirst,
    OldestFirst,
}

const OFFERED: [&str; 7] = ["words", "from", "to", "section", "paper", "order", "page"];
const PAPERS: [(&str, &str, Outlet); 2] =
    [("herald", "The Herald", Outlet::Herald), ("courier", "The Courier", Outlet::Courier)];

/// What was found; `None` where the form does not offer what is asked for.
pub(super) fn results(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    let filter = ArchiveFilter::read(web, query)?;
    let items = filter.found(web);
    let range = ListPage { n_rows: items.len(), rows_a_page: ROWS_A_PAGE }.range(query.page_number()?)?;
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    form(web, &filter, &mut main);
    let count = match items.len() {
        0 => page.words("herald.nothing"),
        1 => "One item was found.".to_owned(),
        n => format!("{} items were found.", page.voice().whole(n as i64)),
    };
    main.leaf("p", &[("class", "small")], &count);
    found(&mut page, &items, range, &mut main);
    let kept: Vec<(&str, &str)> = query
        .parameters
        .iter()
        .filter(|(name, _)| name != "page")
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    pager(&mut main, web.look(HOST).pager, range, "/search", &kept);
    let crumbs = vec![("Front page".to_owned(), "/".to_owned()), ("Archive".to_owned(), HeraldPage::Archive.path(web))];
    Some(page.finish(&PageBody { title: "Search the archive".to_owned(), crumbs, main, ..PageBody::default() }))
}

impl ArchiveFilter {
    fn read(web: &Web, query: &SiteQuery) -> Option<Self> {
        if !query.takes_only(&OFFERED) {
            return None;
        }
        let year = |name: &str| -> Option<Option<i32>> {
            let Some(text) = query.parameter(name) else { return Some(None) };
            years(&web.atlas).find(|year| year.to_string() == text).map(Some)
        };
        let section = match query.parameter("section") {
            Some(slug) => Some(NewsSection::ALL.into_iter().find(|section| section.slug() == slug)?),
            None => None,
        };
        let paper = match query.parameter("paper") {
            Some(slug) => Some(PAPERS.into_iter().find(|paper| paper.0 == slug)?.2),
            None => None,
        };
        let order = match query.parameter("order") {
            None | Some("latest") => PrintOrder::LatestFirst,
            Some("oldest") => PrintOrder::OldestFirst,
            Some(_) => return None,
        };
        let words = query.parameter("words").unwrap_or_default().to_owned();
        Some(Self { words, from: year("from")?, to: year("to")?, section, paper, order })
    }

    /// What fits, in the order that was asked for.
    fn found(&self, web: &Web) -> Vec<NewsId> {
        let all = years(&web.atlas);
        let first = Date::year_start(self.from.unwrap_or(*all.start()));
        let end = Date::year_start(self.to.unwrap_or(*all.end()) + 1);
        let printed = printed_between(&web.atlas, first, end);
        let fits = |at: usize| {
            let news = NewsId(at as u32);
            printed.contains(&at)
                && self.section.is_none_or(|section| web.archive.section(news) == section)
                && self.paper.is_none_or(|paper| web.atlas.news.outlet[news] == paper)
        };
        let numbers: Vec<usize> = if self.words.trim().is_empty() {
            printed.clone().filter(|&at| fits(at)).collect()
        } else {
            web.index.with_words(&web.atlas, (HOST, Kind::News), &self.words, fits)
        };
        let mut items: Vec<NewsId> = numbers.into_iter().map(|at| NewsId(at as u32)).collect();
        if self.order == PrintOrder::LatestFirst {
            items.reverse();
        }
        items
    }
}

/// The form.
pub(super) fn form(web: &Web, filter: &ArchiveFilter, into: &mut Html) {
    let any = |label: &str| (String::new(), label.to_owned());
    let chosen = |year: Option<i32>| year.map(|year| year.to_string()).unwrap_or_default();
    let of_years: Vec<(String, String)> = years(&web.atlas).map(|year| (year.to_string(), year.to_string())).collect();
    into.element("form", &[("class", "query"), ("method", "get"), ("action", "/search")], |html| {
        html.element("label", &[], |html| {
            let words = [("type", "text"), ("name", "words"), ("value", filter.words.as_str())];
            html.text("Words").open("input", if filter.words.is_empty() { &words[..2] } else { &words });
        });
        let from = std::iter::once(any("the beginning")).chain(of_years.iter().cloned()).collect::<Vec<_>>();
        select(html, "From", "from", &from, &chosen(filter.from));
        let to = std::iter::once(any("today")).chain(of_years.iter().rev().cloned()).collect::<Vec<_>>();
        select(html, "To", "to", &to, &chosen(filter.to));
        let sections = NewsSection::ALL.map(|section| (section.slug().to_owned(), section.label().to_owned()));
        let sections = std::iter::once(any("All sections")).chain(sections).collect::<Vec<_>>();
        select(html, "Section", "section", &sections, filter.section.map_or("", NewsSection::slug));
        let papers = PAPERS.map(|(slug, label, _)| (slug.to_owned(), label.to_owned()));
        let papers = std::iter::once(any("Both papers")).chain(papers).collect::<Vec<_>>();
        let paper = PAPERS.into_iter().find(|paper| Some(paper.2) == filter.paper);
        select(html, "Paper", "paper", &papers, paper.map_or("", |paper| paper.0));
        let orders = [("latest", "Latest first"), ("oldest", "Oldest first")]
            .map(|(value, label)| (value.to_owned(), label.to_owned()));
        let order = if filter.order == PrintOrder::LatestFirst { "latest" } else { "oldest" };
        select(html, "Order", "order", &orders, order);
        html.leaf("button", &[("type", "submit")], "Search");
    });
}
