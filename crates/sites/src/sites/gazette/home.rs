//! The first page of the gazettes, what they say of themselves, and what the search field finds.

use quintain_atlas::{CountryId, Entity, NoticeId};

use super::browse::{NoticeClass, NoticeFilter, form};
use super::{GazettePage, HOST, NoticeAspect, lead, of_notice};
use crate::address::SitePage;
use crate::html::Html;
use crate::page::{ListPage, PageBody, PageWriter, pager};
use crate::pictures::flag;
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::search::{HITS_A_PAGE, MOST_HITS, SearchFilter};
use crate::web::Web;

/// How many countries have their latest issue on the first page, and how many notices of it are named.
const N_ISSUES: usize = 6;
const N_NAMED: usize = 5;
/// How many issues before it are linked.
const N_EARLIER: usize = 4;

/// The first page.
pub(super) fn home(web: &Web) -> SiteResponse {
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("gazette.home.intro"));
    main.leaf("h2", &[], "Latest issues");
    for country in latest(web) {
        issue(&mut page, country, &mut main);
    }
    main.leaf("h2", &[], "Browse notices");
    form(web, &NoticeFilter::default(), &mut main);
    let aside = beside(&mut page);
    let title = page.words("gazette.home.title");
    page.finish(&PageBody { title, main, aside, ..PageBody::default() })
}

/// The countries whose last issue is the youngest.
fn latest(web: &Web) -> Vec<CountryId> {
    let last = |country: CountryId| web.shelf.of(country).last().copied();
    let mut countries: Vec<CountryId> = web.atlas.geography.countries.name.ids().collect();
    countries.sort_by_key(|&country| (std::cmp::Reverse(last(country)), country));
    countries.truncate(N_ISSUES);
    countries
}

fn issue(page: &mut PageWriter, country: CountryId, main: &mut Html) {
    let web = page.web;
    let Some(&last) = web.shelf.of(country).last() else { return };
    let of_day = web.shelf.issue(&web.atlas.notices, last);
    let date = page.say(of_notice(last, NoticeAspect::Date)).unwrap_or_default();
    let name = page.name(country);
    main.element("h3", &[], |html| {
        html.piece(&name).text(", ").link(&GazettePage::Issue(of_day[0]).path(web), &format!("issue of {date}"));
    });
    main.element("ul", &[], |html| {
        for &notice in of_day.iter().take(N_NAMED) {
            let name = page.name(notice);
            let issuer = page.say(of_notice(notice, NoticeAspect::Issuer)).unwrap_or_default();
            html.element("li", &[], |html| {
                html.piece(&name).element("span", &[("class", "small")], |html| {
                    html.text(" \u{2013} ").text(&issuer);
                });
            });
        }
    });
    earlier(page, last, main);
}

/// The issues before the last one.
fn earlier(page: &mut PageWriter, last: NoticeId, main: &mut Html) {
    let web = page.web;
    let before = |notice: NoticeId| web.shelf.neighbours(&web.atlas.notices, notice).0;
    let issues: Vec<NoticeId> = std::iter::successors(before(last), |&issue| before(issue)).take(N_EARLIER).collect();
    main.element("p", &[("class", "small")], |html| {
        html.text("Earlier: ");
        for (nth, issue) in issues.into_iter().enumerate() {
            let date = page.say(of_notice(issue, NoticeAspect::Date)).unwrap_or_default();
            html.text(if nth > 0 { " \u{b7} " } else { "" }).link(&GazettePage::Issue(issue).path(web), &date);
        }
    });
}

fn beside(page: &mut PageWriter) -> Html {
    let web = page.web;
    let mut aside = Html::new();
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], "By kind");
        html.element("ul", &[("class", "plain")], |html| {
            for class in NoticeClass::ALL {
                let filter = NoticeFilter::of(None, Some(class));
                html.element("li", &[], |html| {
                    html.link(&filter.address(web), class.label());
                });
            }
        });
    });
    let mut countries: Vec<CountryId> = web.atlas.geography.countries.name.ids().collect();
    countries.sort_by_cached_key(|&country| web.atlas.title(country.into()));
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], "By country");
        html.element("ul", &[("class", "plain")], |html| {
            for country in countries.into_iter().take(super::ROWS_A_PAGE) {
                let flag = flag(web.draw.fork_text("flag").fork(u64::from(country.0)), 18);
                let name = page.name(country);
                html.element("li", &[("class", "flagged")], |html| {
                    html.piece(&flag).text(" ").piece(&name);
                });
            }
        });
    });
    aside
}

const RULES: [&str; 6] = [
    "A notice holds from the day of its issue.",
    "A later amendment rules over the earlier text, and a repeal ends the act.",
    "A new climate plan replaces the one before.",
    "A rate decision holds until the day before the next one.",
    "The day on which a licence is withdrawn is the first day without it.",
    "For licences, rate decisions, ordinances, plans and public offices the gazette rules over registers, statistics, \
     newspapers and encyclopaedias.",
];

/// The page about the gazettes: what rules, how versions and licences are read.
pub(super) fn about(web: &Web) -> SiteResponse {
    let page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("gazette.about.intro"));
    main.leaf("h2", &[], "Rules in short");
    main.element("ol", &[], |html| {
        for rule in RULES {
            html.leaf("li", &[], rule);
        }
    });
    for (heading, key) in [
        ("Which text rules", "gazette.about.versions"),
        ("The gazette and other sources", "gazette.about.ruling"),
        ("Rate decisions", "gazette.about.rates"),
        ("Banking licences", "gazette.about.licences"),
        ("Climate plans", "gazette.about.plans"),
        ("Older issues", "gazette.about.scans"),
    ] {
        main.leaf("h2", &[], heading).leaf("p", &[], &page.words(key));
    }
    page.finish(&PageBody { title: "About the gazettes".to_owned(), main, ..PageBody::default() })
}

/// Notices whose titles have the words that were typed; `None` where there is no such page of results.
pub(super) fn found(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    let typed = query.parameter("q").unwrap_or_default();
    let filter = SearchFilter { host: Some(HOST), year: None };
    let number = query.page_number()?;
    let found = web.index.search(&web.atlas, typed, filter, number);
    let range = ListPage { n_rows: found.n_found.min(MOST_HITS), rows_a_page: HITS_A_PAGE }.range(number)?;
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    for hit in &found.hits {
        result(&mut page, hit.entity, &mut main);
    }
    if found.hits.is_empty() {
        main.leaf("p", &[], &page.words("gazette.nothing"));
    }
    pager(&mut main, web.look(HOST).pager, range, "/search", &[("q", typed)]);
    Some(page.finish(&PageBody { title: "Notices found".to_owned(), main, ..PageBody::default() }))
}

fn result(page: &mut PageWriter, entity: Entity, main: &mut Html) {
    let name = page.name(entity);
    main.element("div", &[("class", "result")], |html| {
        html.wrap("h3", &[], &name);
        lead(page.web, entity, html);
    });
}
