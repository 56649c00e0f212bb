//! The encyclopaedia.

mod about;
mod article;
mod charts;
mod infobox;
mod lists;
mod pages;

pub(crate) use pages::PediaPage;

use quintain_atlas::people::Calling;
use quintain_atlas::{Entity, Kind};

use crate::address::SitePage;
use crate::host::SiteHost;
use crate::html::Html;
use crate::page::{Narrator, PageBody, PageWriter};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::search::SearchFilter;
use crate::web::Web;

const HOST: SiteHost = SiteHost::Pedia;

/// Answers a request; `None` where there is no such page.
pub(crate) fn get(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    match query.path.as_str() {
        "/" if query.parameters.is_empty() => Some(about::home(web)),
        "/about" if query.parameters.is_empty() => Some(about::about(web)),
        "/search" if query.takes_only(&["q"]) => Some(results(web, query)),
        path => {
            let page = PediaPage::of_path(web, path)?;
            match page {
                PediaPage::Article(entity) => query.parameters.is_empty().then(|| article::article(web, entity)),
                PediaPage::SameName(person) => query.parameters.is_empty().then(|| lists::same_name(web, person)),
                _ => query.takes_only(&["page"]).then(|| lists::list(web, query, page))?,
            }
        }
    }
}

/// Links of the header.
pub(crate) fn links(web: &Web) -> Vec<(&'static str, String)> {
    vec![
        ("Main page", "/".to_owned()),
        ("Countries", PediaPage::Countries.path(web)),
        ("Blocs", PediaPage::Blocs.path(web)),
        ("About", "/about".to_owned()),
    ]
}

/// The first sentence of an article.
pub(crate) fn lead(web: &Web, entity: Entity, into: &mut Html) {
    let mut page = PageWriter::about(web, HOST, entity, web.atlas.article_checked(entity));
    Narrator::new(&mut page, entity, "").sentence(lead_key(web, entity), &[]).paragraph(into);
}

/// Which sentence an article begins with.
fn lead_key(web: &Web, entity: Entity) -> &'static str {
    match entity {
        Entity::Country(_) => "pedia.country.lead",
        Entity::Region(_) => "pedia.region.lead",
        Entity::Place(_) => "pedia.place.lead",
        Entity::Company(_) => "pedia.company.lead",
        Entity::Institution(_) => "pedia.institution.lead",
        Entity::Bloc(_) => "pedia.bloc.lead",
        Entity::Person(person) if web.atlas.people.calling[person] == Calling::Other => "pedia.figure.lead",
        _ => "pedia.person.lead",
    }
}

/// Articles whose titles have the words that were typed.
fn results(web: &Web, query: &SiteQuery) -> SiteResponse {
    let typed = query.parameter("q").unwrap_or_default();
    let filter = SearchFilter { host: Some(HOST), year: None };
    let found = web.index.search(&web.atlas, typed, filter, 1);
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    for hit in &found.hits {
        let name = page.name(hit.entity);
        main.element("div", &[("class", "result")], |html| {
            html.wrap("h3", &[], &name);
            lead(web, hit.entity, html);
        });
    }
    if found.hits.is_empty() {
        main.leaf("p", &[], &page.words("pedia.nothing"));
    }
    page.finish(&PageBody { title: "Articles found".to_owned(), main, ..PageBody::default() })
}

/// Whether the encyclopaedia has an article on every entity of a kind.
fn has_articles(kind: Kind) -> bool {
    super::searchable(HOST).contains(&kind)
}
