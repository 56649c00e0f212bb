//! Search.

use quintain_atlas::statistics::{FIRST_YEAR, LAST_YEAR};

use crate::host::SiteHost;
use crate::html::Html;
use crate::look::seek_form;
use crate::page::{ListPage, PageBody, PageWriter, or_any, pager, select};
use crate::request::{SiteQuery, with_parameters};
use crate::response::SiteResponse;
use crate::search::{HITS_A_PAGE, MOST_HITS, SearchFilter, SearchHit, SearchPage};
use crate::sites::{entity_address, lead, page_title, searchable};
use crate::web::Web;

const HOST: SiteHost = SiteHost::Find;
const SEEK: (&str, &str, &str) = ("/search", "q", "Search the web");

/// Answers a request; `None` where there is no such page.
pub(crate) fn get(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    match query.path.as_str() {
        "/" if query.parameters.is_empty() => Some(home(web)),
        "/about" if query.parameters.is_empty() => Some(about(web)),
        "/search" if query.takes_only(&["q", "site", "year", "page"]) => results(web, query),
        _ => None,
    }
}

/// Links of the header.
pub(crate) fn links() -> Vec<(&'static str, String)> {
    vec![("Search", "/".to_owned()), ("About", "/about".to_owned())]
}

fn home(web: &Web) -> SiteResponse {
    let page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.element("div", &[("class", "hero")], |html| {
        html.leaf("h1", &[], web.look(HOST).brand);
        html.leaf("p", &[], &page.words("find.home"));
        seek_form(html, SEEK, "");
    });
    page.finish(&PageBody { main, ..PageBody::default() })
}

fn about(web: &Web) -> SiteResponse {
    let page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("find.about"));
    main.leaf("p", &[], &page.words("find.about.order"));
    main.leaf("h2", &[], "Sites");
    main.element("ul", &[], |html| {
        for host in sites() {
            html.element("li", &[], |html| {
                html.link(&host.home(), web.look(host).brand);
            });
        }
    });
    page.finish(&PageBody { title: "About search".to_owned(), main, ..PageBody::default() })
}

fn sites() -> impl Iterator<Item = SiteHost> {
    SiteHost::ALL.into_iter().filter(|&host| !searchable(host).is_empty())
}

fn results(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    let typed = query.parameter("q").unwrap_or_default();
    let site = match query.parameter("site") {
        Some(label) => Some(sites().find(|host| host.label() == label)?),
        None => None,
    };
    let year = match query.parameter("year") {
        Some(year) => Some((FIRST_YEAR..=LAST_YEAR).find(|offered| offered.to_string() == year)?),
        None => None,
    };
    let number = query.page_number()?;
    let found = web.index.search(&web.atlas, typed, SearchFilter { host: site, year }, number);
    let range = ListPage { n_rows: found.n_found.min(MOST_HITS), rows_a_page: HITS_A_PAGE }.range(number)?;
    let mut main = Html::new();
    seek_form(&mut main, SEEK, typed);
    filters(web, typed, site, year, &mut main);
    list(web, typed, &found, &mut main);
    let year = year.map(|year| year.to_string()).unwrap_or_default();
    let kept = [("q", typed), ("site", site.map_or("", SiteHost::label)), ("year", year.as_str())];
    pager(&mut main, web.look(HOST).pager, range, "/search", &kept);
    let page = PageWriter::new(web, HOST);
    Some(page.finish(&PageBody { title: "Results".to_owned(), main, ..PageBody::default() }))
}

fn filters(web: &Web, typed: &str, site: Option<SiteHost>, year: Option<i32>, into: &mut Html) {
    into.element("form", &[("class", "query"), ("method", "get"), ("action", "/search")], |html| {
        html.open("input", &[("type", "hidden"), ("name", "q"), ("value", typed)]);
        let hosts = sites().map(|host| (host.label().to_owned(), web.look(host).brand.to_owned()));
        select(html, "Site", "site", &or_any("All sites", hosts), site.map_or("", SiteHost::label));
        let years = (FIRST_YEAR..=LAST_YEAR).rev().map(|year| (year.to_string(), year.to_string()));
        let chosen = year.map(|year| year.to_string()).unwrap_or_default();
        select(html, "Dated in", "year", &or_any("Any year", years), &chosen);
        html.leaf("button", &[("type", "submit")], "Narrow");
    });
}

fn list(web: &Web, typed: &str, found: &SearchPage, into: &mut Html) {
    if let Some(suggestion) = &web.index.suggestion(&web.atlas, typed) {
        into.element("p", &[], |html| {
            html.text("Did you mean ").link(&with_parameters("/search", &[("q", suggestion)]), suggestion).text("?");
        });
    }
    if found.hits.is_empty() {
        let page = PageWriter::new(web, HOST);
        let key = if typed.is_empty() { "find.empty" } else { "find.nothing" };
        into.leaf("p", &[], &page.words(key));
    }
    found.hits.iter().for_each(|hit| result(web, hit, into));
}

fn result(web: &Web, hit: &SearchHit, into: &mut Html) {
    let Some(address) = entity_address(web, hit.host, hit.entity) else { return };
    into.element("div", &[("class", "result")], |html| {
        html.element("h3", &[], |html| {
            html.link(&address, &page_title(web, hit.entity));
        });
        html.leaf("div", &[("class", "where")], &format!("{} \u{203a} {}", hit.host.name(), web.look(hit.host).brand));
        html.leaf("p", &[], &lead(web, hit.host, hit.entity));
    });
}

/// The address at which search answers some words.
pub fn search_address(words: &str) -> String {
    format!("https://{}{}", HOST.name(), with_parameters("/search", &[("q", words)]))
}
