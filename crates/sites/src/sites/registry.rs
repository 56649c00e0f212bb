//! The register of companies and institutions.

mod about;
mod company;
mod filing;
mod institution;
mod pages;
mod seek;

pub use pages::RegistryPage;

use quintain_atlas::{Date, Entity};

use crate::address::SitePage;
use crate::host::SiteHost;
use crate::html::Html;
use crate::page::{Narrator, PageWriter};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::state::{SiteState, SiteWrite};
use crate::web::Web;

const HOST: SiteHost = SiteHost::Registry;

/// Answers a request to read; `None` where there is no such page.
pub(crate) fn get(web: &Web, state: &SiteState, query: &SiteQuery) -> Option<SiteResponse> {
    match query.path.as_str() {
        "/" if query.parameters.is_empty() => Some(seek::home(web)),
        "/search" => seek::results(web, query),
        "/about" if query.parameters.is_empty() => Some(about::about(web)),
        path => page(web, state, query, RegistryPage::of_path(web, path)?),
    }
}

fn page(web: &Web, state: &SiteState, query: &SiteQuery, page: RegistryPage) -> Option<SiteResponse> {
    if let RegistryPage::Filing(company, year, version) = page {
        return query.takes_only(&["page"]).then(|| filing::filing(web, query, company, year, version))?;
    }
    if !query.parameters.is_empty() {
        return None;
    }
    Some(match page {
        RegistryPage::Company(company) => company::overview(web, state, company),
        RegistryPage::Officers(company) => company::officers(web, company),
        RegistryPage::Filings(company) => company::filings(web, company),
        RegistryPage::Names(company) => company::names(web, company),
        RegistryPage::Licences(company) => company::licences(web, company),
        RegistryPage::Institution(institution) => institution::institution(web, institution),
        RegistryPage::Banks(country) => institution::banks(web, country),
        RegistryPage::Filing(..) | RegistryPage::Follow(_) => return None,
    })
}

/// Answers a form that is posted: the reader follows a company, or no longer does.
pub(crate) fn post(web: &Web, state: &mut SiteState, query: &SiteQuery) -> Option<SiteResponse> {
    let RegistryPage::Follow(company) = RegistryPage::of_path(web, &query.path)? else { return None };
    if !state.followed.insert(company) {
        state.followed.remove(&company);
    }
    state.writes.push(SiteWrite { host: HOST, form: query.path.clone(), fields: Vec::new() });
    Some(SiteResponse::see_other(RegistryPage::Company(company).address(web)))
}

/// Links of the header.
pub(crate) fn links() -> Vec<(&'static str, String)> {
    vec![("Search", "/".to_owned()), ("All entries", "/search".to_owned()), ("About", "/about".to_owned())]
}

/// The first sentence of an entry.
pub(crate) fn lead(web: &Web, entity: Entity, into: &mut Html) {
    let mut page = PageWriter::about(web, HOST, entity, Date::TODAY);
    first_sentence(&mut page, entity, into);
}

fn first_sentence(page: &mut PageWriter, entity: Entity, into: &mut Html) {
    let key = if matches!(entity, Entity::Company(_)) { "registry.company.lead" } else { "registry.institution.lead" };
    Narrator::new(page, entity, "").sentence(key, &[]).paragraph(into);
}
