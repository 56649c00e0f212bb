//! Whole worlds: pages are audited, asked for at random, counted and written out to be looked at.

mod audit;
mod fuzz;
mod gazette;
mod herald;
mod numbers;
mod scholar;
mod text;

use std::sync::{Arc, OnceLock};

use quintain_atlas::{Atlas, Edition, Size};

use quintain_core::variables;
use quintain_sites::{Reserve, SiteHost, SiteRequest, SiteState, Web, WebSetup, respond};

/// A small world that all tests share.
fn small() -> &'static Web {
    static WEB: OnceLock<Web> = OnceLock::new();
    WEB.get_or_init(|| Web::new(Arc::new(Atlas::new(Edition::FIRST, 1, Size::Small)), WebSetup::default()))
}

/// Whether tests run in their full form.
fn is_full() -> bool {
    std::env::var_os(variables::FULL).is_some()
}

/// A small world of another seed.
fn world(seed: u64, reserve: Reserve) -> Web {
    Web::new(Arc::new(Atlas::new(Edition::FIRST, seed, Size::Small)), WebSetup { reserve })
}

/// One page of each kind, with a name.
fn samples(web: &Web) -> Vec<(String, String)> {
    let mut state = SiteState::default();
    let mut pages = Vec::new();
    let mut keep = |name: String, url: &str| {
        let response = respond(web, &mut state, &SiteRequest::get(url));
        pages.push((name, response.html.clone()));
        audit::links(url, &response.html)
    };
    for host in SiteHost::ALL {
        keep(format!("{}-home", host.label()), &host.home());
        keep(format!("{}-about", host.label()), &format!("{}about", host.home()));
        for &kind in Web::kinds(host) {
            let mut entities = web.atlas.entities(kind).skip(web.atlas.count(kind) / 3);
            let address = entities.find_map(|entity| web.address(host, entity)).expect("searchable");
            let links = keep(format!("{}-{kind:?}", host.label()), &address);
            let tabs = [
                "/officers/",
                "/filings/",
                "/names/",
                "/licences/",
                "/list/",
                "/name/",
                "/cited-by/",
                "/people/",
                "/field/",
            ];
            for link in links.iter().filter(|link| tabs.iter().any(|tab| link.contains(tab))) {
                let word = link.split('/').nth(3).unwrap_or_default();
                let more = keep(format!("{}-{kind:?}-{word}", host.label()), link);
                let documents: Vec<&String> = more.iter().filter(|link| link.contains("/document/")).collect();
                for (nth, document) in
                    documents.iter().enumerate().filter(|(nth, _)| [0, documents.len() - 1].contains(nth))
                {
                    keep(format!("document{nth}"), document);
                    keep(format!("document{nth}-2"), &format!("{document}?page=2"));
                }
            }
        }
    }
    for (name, address) in gazette::every_kind(web) {
        keep(format!("gazette-{name}"), &address);
    }
    keep("find-results".to_owned(), "https://find.web/search?q=bank");
    keep("registry-results".to_owned(), "https://registry.web/search?sector=steel");
    for (name, url) in scholar::samples(web) {
        keep(name.to_owned(), &url);
    }
    for (name, url) in numbers::samples(web) {
        keep(name, &url);
    }
    for (name, address) in herald::kinds_of_pages(web) {
        keep(format!("herald-{name}"), &address);
    }
    pages
}
