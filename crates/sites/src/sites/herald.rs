//! The newspapers and their archive: the Herald, which prints figures of companies, and the Courier.

mod archive;
mod front;
mod headline;
mod item;
mod lists;
mod pages;
mod sections;
mod seek;
mod story;
mod telling;

pub(crate) use archive::NewsArchive;
pub(crate) use headline::plain_headline;
pub use pages::HeraldPage;
pub use sections::NewsSection;

use quintain_atlas::Entity;

use crate::address::SitePage;
use crate::host::SiteHost;
use crate::html::Html;
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

const HOST: SiteHost = SiteHost::Herald;

/// Answers a request; `None` where there is no such page.
pub(crate) fn get(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    match query.path.as_str() {
        "/" if query.parameters.is_empty() => Some(front::front(web)),
        "/about" if query.parameters.is_empty() => Some(front::about(web)),
        "/search" => seek::results(web, query),
        path => page(web, query, HeraldPage::of_path(web, path)?),
    }
}

fn page(web: &Web, query: &SiteQuery, page: HeraldPage) -> Option<SiteResponse> {
    match page {
        HeraldPage::Topic(_) | HeraldPage::Corrections | HeraldPage::Month(..) => {
            query.takes_only(&["page"]).then(|| lists::list(web, query, page))?
        }
        _ if !query.parameters.is_empty() => None,
        HeraldPage::Section(_) => lists::list(web, query, page),
        HeraldPage::Item(news) => Some(item::item(web, news)),
        HeraldPage::Archive => Some(lists::archive(web)),
        HeraldPage::Year(year) => Some(lists::year(web, year)),
    }
}

/// Links of the header.
pub(crate) fn links(web: &Web) -> Vec<(&'static str, String)> {
    let sections = NewsSection::ALL.map(|section| (section.label(), HeraldPage::Section(section).path(web)));
    let archive = ("Archive", HeraldPage::Archive.path(web));
    sections.into_iter().chain([archive, ("About", "/about".to_owned())]).collect()
}

/// The first sentence of an item.
pub(crate) fn lead(web: &Web, entity: Entity, into: &mut Html) {
    if let Entity::News(news) = entity {
        telling::tell_lead(&mut item::writer(web, news), news, into);
    }
}
