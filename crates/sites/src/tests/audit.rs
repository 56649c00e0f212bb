//! Nothing is said that is not a fact of the world, or a marked falsehood.

use std::collections::BTreeSet;

use quintain_atlas::provenance::{FalsehoodKind, Source};
use quintain_atlas::{Date, Entity, Kind};

use super::{is_full, small};
use crate::address::SitePage;
use crate::draw::Draw;
use crate::facts::{Aspect, told};
use crate::host::SiteHost;
use crate::html::visible_text;
use crate::request::SiteRequest;
use crate::response::{SiteResponse, Standing, Stated};
use crate::sites::{entity_address, respond, searchable};
use crate::state::SiteState;
use crate::web::Web;

/// Pages of entities of all kinds and sites, drawn evenly, and pages that they link to.
pub(super) fn walk(web: &Web, n_pages: usize, mut seen: impl FnMut(&str, &SiteResponse)) {
    let mut draw = Draw::of_world(web.atlas.seed, "a walk");
    let mut state = SiteState::default();
    let runs: Vec<(SiteHost, Kind)> =
        SiteHost::ALL.into_iter().flat_map(|host| searchable(host).iter().map(move |&kind| (host, kind))).collect();
    let mut next: Option<String> = None;
    for nth in 0..n_pages {
        let (host, kind) = runs[nth % runs.len()];
        let entity = web.atlas.entity(kind, draw.below(web.atlas.count(kind))).expect("below the count");
        let address = next.take().unwrap_or_else(|| entity_address(web, host, entity).expect("it is searchable"));
        let response = respond(web, &mut state, &SiteRequest::get(&address));
        assert_eq!(response.status, 200, "{address}");
        let is_plain = |link: &String| link.ends_with('/') || link.ends_with("/about") || link.contains("/search");
        let mut links = links(&address, &response.html);
        links.retain(|link| !is_plain(link));
        // Documents are many but far from every first page.
        let documents: Vec<String> =
            links.iter().filter(|link| link.contains("/filings/") || link.contains("/document/")).cloned().collect();
        if !documents.is_empty() && draw.chance(40) {
            links = documents;
        }
        next = (!links.is_empty() && draw.chance(50)).then(|| draw.choose(&links).clone());
        seen(&address, &response);
    }
}

/// The whole addresses of a page's links.
pub(super) fn links(address: &str, html: &str) -> Vec<String> {
    let host = address.split('/').take(3).collect::<Vec<_>>().join("/");
    let targets = html.split("<a ").skip(1).filter_map(|rest| rest.split("href=\"").nth(1)?.split('"').next());
    targets
        .map(|target| target.replace("&amp;", "&"))
        .map(|target| if target.starts_with('/') { format!("{host}{target}") } else { target })
        .collect()
}

#[test]
fn pages_say_nothing_that_is_not_so() {
    let web = small();
    let n_pages = if is_full() { 100_000 } else { 600 };
    let (mut n_stated, mut standings) = (0, [0; 4]);
    walk(web, n_pages, |address, response| {
        let text = visible_text(&response.html);
        for stated in &response.stated {
            check(web, address, stated);
            n_stated += 1;
            standings[stated.standing as usize] += 1;
        }
        figures_are_stated(address, &text, &response.stated);
    });
    println!("{n_pages} pages, {n_stated} facts stated; ruling, outdated, superseded, wrong: {standings:?}");
    assert!(n_stated > n_pages * 3 && standings.iter().all(|n| *n > 0));
}

fn check(web: &Web, address: &str, stated: &Stated) {
    let again = told(&web.atlas, stated.fact, stated.source, stated.as_of);
    assert_eq!(again.as_ref(), Some(&stated.value), "{address}: {stated:?}");
    let ruling = told(&web.atlas, stated.fact, stated.fact.kind().official(), Date::TODAY);
    match stated.standing {
        Standing::Ruling => {}
        Standing::Outdated => assert!(stated.as_of < Date::TODAY, "{address}: {stated:?}"),
        Standing::Superseded => assert_eq!(stated.source, Source::Registry, "{address}: {stated:?}"),
        Standing::Wrong => {
            let known = web.atlas.falsehoods(stated.fact.about);
            let is_known = known
                .iter()
                .any(|falsehood| falsehood.kind == FalsehoodKind::WrongFoundation && falsehood.said == stated.value);
            assert!(is_known && ruling.as_ref() != Some(&stated.value), "{address}: {stated:?} is no known falsehood");
        }
    }
    if stated.fact.aspect == Aspect::Name && stated.as_of == Date::TODAY {
        assert_eq!(stated.shown, web.atlas.title(stated.fact.about), "{address}");
    }
}

/// Every number in the text of a page stands in something that was stated, or belongs to the site itself.
fn figures_are_stated(address: &str, text: &str, stated: &[Stated]) {
    let shown: BTreeSet<&str> = stated.iter().flat_map(|stated| runs(&stated.shown)).collect();
    let is_year = |run: &str| run.len() == 4 && (run.starts_with("19") || run.starts_with("20"));
    // Years of filings and of forms, and numbers of pages, are the site's own.
    let is_own = |run: &str| {
        is_year(run) && address.contains("registry.web") || run.len() <= 2 && text.contains(&format!("Page {run}"))
    };
    for run in runs(text).filter(|run| !shown.contains(run) && !is_own(run)) {
        let in_list = address.contains("page=") || text.contains("Previous") || text.contains("entries fit");
        assert!(in_list && run.len() <= 6, "{address} shows `{run}`, which nothing states:\n{text}");
    }
}

fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty())
}

#[test]
fn first_sentences_tell_kind_place_and_era_alone() {
    let web = small();
    for host in [SiteHost::Pedia, SiteHost::Registry] {
        for &kind in searchable(host) {
            for entity in web.atlas.entities(kind).take(300) {
                let lead = crate::sites::lead(web, host, entity);
                let decade = told(
                    &web.atlas,
                    crate::facts::Fact::new(entity, Aspect::BornDecade),
                    Source::Encyclopaedia,
                    Date::TODAY,
                );
                let allowed = decade.map(|value| web.look(host).voice.value(&web.atlas, &value)).unwrap_or_default();
                let name = web.atlas.title(entity);
                let rest = lead.replace(&allowed, "").replace(&name, "");
                assert!(!rest.contains(|c: char| c.is_ascii_digit()) && lead.len() > 10, "{lead}");
                if let Entity::Person(person) = entity {
                    let birthplace = web.atlas.title(web.atlas.people.birthplace[person].into());
                    assert!(!rest.contains(&birthplace), "{lead}");
                }
            }
        }
    }
}

#[test]
fn a_page_has_one_address_and_others_have_none() {
    let web = small();
    let page = crate::sites::tests_page(web);
    let mut state = SiteState::default();
    let address = page.address(web);
    assert_eq!(respond(web, &mut state, &SiteRequest::get(&address)).status, 200);
    for wrong in [
        format!("{address}?x=1"),
        format!("{address}/"),
        address.replace("/company/", "/officers/"),
        address.replacen("company/", "company/x", 1),
    ] {
        assert_eq!(respond(web, &mut state, &SiteRequest::get(&wrong)).status, 404, "{wrong}");
    }
}
