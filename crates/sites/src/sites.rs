//! The sites, and who answers what.

mod find;
mod pedia;
mod registry;

use quintain_atlas::{Entity, Kind};

use crate::address::SitePage;
use crate::host::SiteHost;
use crate::html::Html;
use crate::look::{ShellParts, document};
use crate::page::{PageBody, PageWriter};
use crate::request::{SiteMethod, SiteQuery, SiteRequest};
use crate::response::SiteResponse;
use crate::state::SiteState;
use crate::web::Web;

/// Answers a request. It reads and changes nothing but the state.
pub fn respond(web: &Web, state: &mut SiteState, request: &SiteRequest) -> SiteResponse {
    let Some(query) = SiteQuery::parse(request) else {
        return unknown_host();
    };
    let answer = match (request.method, query.host) {
        (SiteMethod::Post, SiteHost::Registry) => registry::post(web, state, &query),
        (SiteMethod::Get, SiteHost::Find) => find::get(web, &query),
        (SiteMethod::Get, SiteHost::Pedia) => pedia::get(web, &query),
        (SiteMethod::Get, SiteHost::Registry) => registry::get(web, state, &query),
        _ => None,
    };
    answer.unwrap_or_else(|| not_found(web, query.host))
}

/// The path of an entity's page on a host, where it has one.
pub(crate) fn entity_path(web: &Web, host: SiteHost, entity: Entity) -> Option<String> {
    match host {
        SiteHost::Pedia => pedia::PediaPage::of_entity(entity).map(|page| page.path(web)),
        SiteHost::Registry => registry::RegistryPage::of_entity(entity).map(|page| page.path(web)),
        _ => None,
    }
}

/// The whole address of an entity's page on a host.
pub(crate) fn entity_address(web: &Web, host: SiteHost, entity: Entity) -> Option<String> {
    entity_path(web, host, entity).map(|path| format!("https://{}{path}", host.name()))
}

/// What search knows of a host: every entity of these kinds has a page there.
pub(crate) fn searchable(host: SiteHost) -> &'static [Kind] {
    match host {
        SiteHost::Pedia => {
            &[Kind::Country, Kind::Region, Kind::Place, Kind::Bloc, Kind::Institution, Kind::Company, Kind::Person]
        }
        SiteHost::Registry => &[Kind::Company, Kind::Institution],
        _ => &[],
    }
}

/// The first sentence of an entity's page on a host: kind, place and era, nothing that anybody asks for.
pub(crate) fn lead(web: &Web, host: SiteHost, entity: Entity) -> String {
    let mut html = Html::new();
    match host {
        SiteHost::Pedia => pedia::lead(web, entity, &mut html),
        SiteHost::Registry => registry::lead(web, entity, &mut html),
        _ => {}
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
        _ => (Vec::new(), None),
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
