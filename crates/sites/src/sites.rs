//! The sites, and who answers what.

mod find;
mod gazette;
mod herald;
mod numbers;
mod pedia;
mod registry;
mod scholar;

pub use find::search_address;
pub use gazette::GazettePage;
pub(crate) use gazette::GazetteShelf;
pub use herald::{HeraldPage, NewsSection};
pub(crate) use herald::{NewsArchive, plain_headline};
pub use numbers::{EnergyGroup, NumbersPage, OrderEnd, SeriesLayout, SeriesOrder, SeriesSelection, YearStep};
pub use registry::RegistryPage;
pub use scholar::{PaperOrder, PaperSearch, RetractedShown, ScholarPage};

use quintain_atlas::{Atlas, Entity, Kind};

use crate::address::SitePage;
use crate::host::SiteHost;
use crate::html::Html;
use crate::look::{ShellParts, document};
use crate::page::{PageBody, PageWriter};
use crate::pictures::remove_picture_words;
use crate::request::{SiteMethod, SiteQuery, SiteRequest};
use crate::response::SiteResponse;
use crate::state::SiteState;
use crate::web::Web;

/// Answers a request. It reads and changes nothing but the state.
pub fn respond(web: &Web, state: &mut SiteState, request: &SiteRequest) -> SiteResponse {
    let mut answer = respond_in_words(web, state, request);
    remove_picture_words(&mut answer.html);
    answer
}

/// Answers a request of somebody who sees no pictures: charts and scans are put into words, which stand in them as
/// descriptions.
pub fn respond_in_words(web: &Web, state: &mut SiteState, request: &SiteRequest) -> SiteResponse {
    let Some(query) = SiteQuery::parse(request) else {
        return unknown_host();
    };
    let answer = match (request.method, query.host) {
        (SiteMethod::Post, SiteHost::Registry) => registry::post(web, state, &query),
        (SiteMethod::Get, SiteHost::Find) => find::get(web, &query),
        (SiteMethod::Get, SiteHost::Pedia) => pedia::get(web, &query),
        (SiteMethod::Get, SiteHost::Registry) => registry::get(web, state, &query),
        (SiteMethod::Get, SiteHost::Scholar) => scholar::get(web, &query),
        (SiteMethod::Get, SiteHost::Gazette) => gazette::get(web, &query),
        (SiteMethod::Get, SiteHost::Numbers) => numbers::get(web, &query),
        (SiteMethod::Get, SiteHost::Herald) => herald::get(web, &query),
        _ => None,
    };
    answer.unwrap_or_else(|| not_found(web, query.host))
}

/// The path of an entity's page on a host, where it has one.
pub(crate) fn entity_path(web: &Web, host: SiteHost, entity: Entity) -> Option<String> {
    match host {
        SiteHost::Pedia => pedia::PediaPage::of_entity(entity).map(|page| page.path(web)),
        SiteHost::Registry => registry::RegistryPage::of_entity(entity).map(|page| page.path(web)),
        SiteHost::Scholar => ScholarPage::of_entity(&web.atlas, entity).map(|page| page.path(web)),
        SiteHost::Gazette => GazettePage::of_entity(web, entity).map(|page| page.path(web)),
        SiteHost::Numbers => numbers::NumbersPage::of_entity(entity).map(|page| page.path(web)),
        SiteHost::Herald => HeraldPage::of_entity(web, entity).map(|page| page.path(web)),
        SiteHost::Find => None,
    }
}

/// The whole address of an entity's page on a host.
pub(crate) fn entity_address(web: &Web, host: SiteHost, entity: Entity) -> Option<String> {
    entity_path(web, host, entity).map(|path| format!("https://{}{path}", host.name()))
}

/// What search knows of a host: entities of these kinds have a page there, see [`is_listed`].
pub(crate) fn searchable(host: SiteHost) -> &'static [Kind] {
    match host {
        SiteHost::Pedia => {
            &[Kind::Country, Kind::Region, Kind::Place, Kind::Bloc, Kind::Institution, Kind::Company, Kind::Person]
        }
        SiteHost::Registry => &[Kind::Company, Kind::Institution],
        SiteHost::Scholar => &[Kind::Paper, Kind::Person, Kind::Venue, Kind::Topic, Kind::Institution],
        SiteHost::Gazette => &[Kind::Notice, Kind::Country],
        SiteHost::Numbers => &[Kind::Country, Kind::Indicator],
        SiteHost::Herald => &[Kind::News],
        SiteHost::Find => &[],
    }
}

/// Whether an entity of a searchable kind has a page: all have, but for people who wrote no paper in the index of papers.
pub(crate) fn is_listed(atlas: &Atlas, host: SiteHost, entity: Entity) -> bool {
    host != SiteHost::Scholar || ScholarPage::of_entity(atlas, entity).is_some()
}

/// What search calls an entity's page on a host: its headline where it is an item of the newspapers.
pub(crate) fn page_title(web: &Web, entity: Entity) -> String {
    match entity {
        Entity::News(news) => plain_headline(web, news),
        entity => web.atlas.title(entity),
    }
}

/// The first sentence of an entity's page on a host: kind, place and era, nothing that anybody asks for.
pub(crate) fn lead(web: &Web, host: SiteHost, entity: Entity) -> String {
    let mut html = Html::new();
    match host {
        SiteHost::Pedia => pedia::lead(web, entity, &mut html),
        SiteHost::Registry => registry::lead(web, entity, &mut html),
        SiteHost::Scholar => scholar::lead(web, entity, &mut html),
        SiteHost::Gazette => gazette::lead(web, entity, &mut html),
        SiteHost::Numbers => numbers::lead(web, entity, &mut html),
        SiteHost::Herald => herald::lead(web, entity, &mut html),
        SiteHost::Find => {}
    }
    html.visible_text().trim().to_owned()
}

/// The header and footer of a host.
pub(crate) fn shell(web: &Web, host: SiteHost) -> ShellParts {
    let page = PageWriter::new(web, host);
    let (links, seek) = match host {
        SiteHost::Find => (find::links(), None),
        SiteHost::Pedia => (pedia::links(web), Some(("/search", "q", "Search articles"))),
        SiteHost::Registry => (registry::links(), Some(("/search", "name", "Name of a company"))),
        SiteHost::Scholar => (scholar::links(), Some(("/search", "title", "Words of a title"))),
        SiteHost::Gazette => (gazette::links(), Some(("/search", "q", "Words of a title"))),
        SiteHost::Numbers => (numbers::links(web), Some(("/search", "q", "Indicator or country"))),
        SiteHost::Herald => (herald::links(web), Some(("/search", "words", "Search the archive"))),
    };
    let footer = ["footer.first", "footer.second"].map(|key| page.words(&format!("{}.{key}", host.label())));
    ShellParts { links, seek, footer: footer.into_iter().filter(|line| !line.is_empty()).collect() }
}

fn not_found(web: &Web, host: SiteHost) -> SiteResponse {
    let page = PageWriter::new(web, host);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("missing.text"));
    main.element("p", &[], |html| {
        html.link("/", "Go to the first page");
    });
    let body = PageBody { title: page.words("missing.title"), main, ..PageBody::default() };
    SiteResponse::not_found(document(web, host, &body))
}

fn unknown_host() -> SiteResponse {
    let text = "<!doctype html><html lang=\"en\"><head><title>Not found</title></head><body><h1>This site cannot be \
                found</h1><p>Check the address for typing errors.</p></body></html>";
    SiteResponse::not_found(text.to_owned())
}
