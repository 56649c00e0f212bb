//! The gazette of a country, and one issue of it.

use quintain_atlas::{CountryId, Date, NoticeId};

use super::browse::{NoticeClass, NoticeFilter};
use super::lists::notice_table;
use super::{GazettePage, HOST, NoticeAspect, first_sentence, of_notice};
use crate::address::SitePage;
use crate::facts::{Aspect, Fact};
use crate::html::Html;
use crate::page::{PageBody, PageWriter};
use crate::pictures::flag;
use crate::response::SiteResponse;
use crate::web::Web;

/// How many of the latest notices are named.
const N_LATEST: usize = 12;

/// The gazette of a country.
pub(super) fn country(web: &Web, country: CountryId) -> SiteResponse {
    let mut page = PageWriter::about(web, HOST, country.into(), Date::TODAY);
    let mut main = Html::new();
    first_sentence(&mut page, country.into(), &mut main);
    collections(&mut page, country, &mut main);
    main.leaf("h2", &[], "Latest notices");
    let latest: Vec<NoticeId> = web.shelf.of(country).iter().rev().take(N_LATEST).copied().collect();
    notice_table(&mut page, &latest, &mut main);
    main.element("p", &[("class", "more")], |html| {
        let all = NoticeFilter::of(Some(country), None);
        html.link(&all.address(web), "All notices of this gazette");
    });
    main.leaf("h2", &[], "Ordinances by region");
    main.element("ul", &[("class", "wide")], |html| {
        for &region in web.atlas.geography.regions_of.of(country).iter().take(super::ROWS_A_PAGE) {
            html.wrap("li", &[], &page.name(region));
        }
    });
    let aside = beside(&page, country);
    let state = page.say(Fact::new(country, Aspect::StateForm)).unwrap_or_default();
    let crumbs = vec![("Gazettes".to_owned(), "/".to_owned())];
    page.finish(&PageBody { title: format!("Official Gazette of the {state}"), crumbs, main, aside })
}

/// Lists that each gazette keeps.
fn collections(page: &mut PageWriter, country: CountryId, main: &mut Html) {
    let web = page.web;
    let told =
        |page: &mut PageWriter, aspect| page.say(Fact::new(country, Aspect::Gazette(aspect))).unwrap_or_default();
    let bank = told(page, NoticeAspect::CentralBank);
    let supervisor = told(page, NoticeAspect::Supervisor);
    main.element("table", &[("class", "grid")], |html| {
        for (list, label, keeper) in [
            (GazettePage::Rates(country), "Rate decisions", bank),
            (GazettePage::Plans(country), "Climate plans", "Ministry of the Environment".to_owned()),
            (GazettePage::Banks(country), "Banks under supervision", supervisor),
        ] {
            html.element("tr", &[], |html| {
                html.element("td", &[], |html| {
                    html.link(&list.path(web), label);
                });
                html.leaf("td", &[], &keeper);
            });
        }
    });
}

fn beside(page: &PageWriter, country: CountryId) -> Html {
    let web = page.web;
    let mut aside = Html::new();
    aside.element("div", &[("class", "box")], |html| {
        html.piece(&flag(web.draw.fork_text("flag").fork(u64::from(country.0)), 120));
        html.leaf("h2", &[], "Notices by kind");
        html.element("ul", &[("class", "plain")], |html| {
            for class in NoticeClass::ALL {
                let filter = NoticeFilter::of(Some(country), Some(class));
                html.element("li", &[], |html| {
                    html.link(&filter.address(web), class.label());
                });
            }
        });
    });
    aside
}

/// All notices of one day.
pub(super) fn issue(web: &Web, first: NoticeId) -> SiteResponse {
    let notices = &web.atlas.notices;
    let country = notices.country[first];
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    let words = page.words("gazette.issue.intro");
    main.leaf("p", &[], &words);
    let of_day = web.shelf.issue(notices, first);
    notice_table(&mut page, &of_day[..of_day.len().min(super::ROWS_A_PAGE)], &mut main);
    let (before, after) = web.shelf.neighbours(notices, first);
    main.element("p", &[("class", "more")], |html| {
        for (label, issue) in [("\u{2190} Issue before", before), ("Issue after \u{2192}", after)] {
            if let Some(issue) = issue {
                html.link(&GazettePage::Issue(issue).path(web), label).text(" ");
            }
        }
    });
    let date = page.say(of_notice(first, NoticeAspect::Date)).unwrap_or_default();
    let crumbs = crumbs(web, country);
    page.finish(&PageBody { title: format!("Issue of {date}"), crumbs, main, ..PageBody::default() })
}

/// The way back to a country's gazette.
pub(super) fn crumbs(web: &Web, country: CountryId) -> Vec<(String, String)> {
    let name = format!("Gazette of {}", web.atlas.title(country.into()));
    vec![("Gazettes".to_owned(), "/".to_owned()), (name, GazettePage::Country(country).path(web))]
}
