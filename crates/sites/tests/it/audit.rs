//! Nothing is said that is not a fact of the world, or a marked falsehood.

use std::collections::BTreeSet;

use quintain_atlas::news::NewsMatter;
use quintain_atlas::provenance::{Falsehood, FalsehoodKind, Source};
use quintain_atlas::{Date, Entity, Kind};

use quintain_core::Rng;
use quintain_sites::{
    Aspect, Fact, NewsAspect, NoticeAspect, SearchFilter, SiteHost, SiteMethod, SiteRequest, SiteResponse, SiteState,
    Standing, Stated, Web, respond, told, visible_text,
};

use super::{is_full, small};

/// Pages of entities of all kinds and sites, drawn evenly, and pages that they link to.
pub(super) fn walk(web: &Web, n_pages: usize, mut seen: impl FnMut(&str, &SiteResponse)) {
    let mut draw = Rng::for_purpose(web.atlas.seed, "a walk");
    let mut state = SiteState::default();
    let runs: Vec<(SiteHost, Kind)> =
        SiteHost::ALL.into_iter().flat_map(|host| Web::kinds(host).iter().map(move |&kind| (host, kind))).collect();
    let mut next: Option<String> = None;
    for nth in 0..n_pages {
        let (host, kind) = runs[nth % runs.len()];
        let address = next.take().unwrap_or_else(|| drawn(web, host, kind, &mut draw));
        let response = respond(web, &mut state, &SiteRequest::get(&address));
        assert_eq!(response.status, 200, "{address}");
        let is_plain = |link: &String| link.ends_with('/') || link.ends_with("/about") || link.contains("/search");
        let mut links = links(&address, &response.html);
        links.retain(|link| !is_plain(link));
        // Documents are many but far from every first page.
        let documents: Vec<String> =
            links.iter().filter(|link| link.contains("/filings/") || link.contains("/document/")).cloned().collect();
        if !documents.is_empty() && draw.chance(0.4) {
            links = documents;
        }
        next = (!links.is_empty() && draw.chance(0.5)).then(|| draw.choose(&links).clone());
        seen(&address, &response);
    }
}

/// The page of some entity of a kind; of people, not all have one everywhere.
fn drawn(web: &Web, host: SiteHost, kind: Kind, draw: &mut Rng) -> String {
    loop {
        let entity = web.atlas.entity(kind, draw.below(web.atlas.count(kind))).expect("below the count");
        if let Some(address) = web.address(host, entity) {
            return address;
        }
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
        let text = visible_text(&without_lists(address, &response.html));
        for stated in &response.stated {
            check(web, address, stated);
            n_stated += 1;
            standings[stated.standing as usize] += 1;
        }
        figures_are_stated(address, &text, &response.stated);
    });
    println!("{n_pages} pages, {n_stated} facts stated; ruling, outdated, superseded, wrong: {standings:?}");
    assert!(n_stated > n_pages * 3 && standings[0] > 0 && standings[1] > 0);
}

#[test]
fn documents_that_were_replaced_say_what_was_filed_first() {
    let web = small();
    let restated = web.atlas.companies.name.ids().filter(|&company| web.atlas.restatement(company).is_some());
    let n_companies = if is_full() { 1000 } else { 12 };
    let (mut n_documents, mut n_superseded) = (0, 0);
    for company in restated.take(n_companies) {
        for address in documents(web, company.into()) {
            let response = respond(web, &mut SiteState::default(), &SiteRequest::get(&address));
            assert_eq!(response.status, 200, "{address}");
            response.stated.iter().for_each(|stated| check(web, &address, stated));
            figures_are_stated(&address, &visible_text(&response.html), &response.stated);
            n_documents += 1;
            n_superseded += response.stated.iter().filter(|stated| stated.standing == Standing::Superseded).count();
        }
    }
    println!("{n_documents} sheets of documents, {n_superseded} figures that a later filing replaced");
    assert!(n_superseded > 0);
}

/// Every sheet of every document of a company.
fn documents(web: &Web, company: Entity) -> Vec<String> {
    let open = |address: &str| respond(web, &mut SiteState::default(), &SiteRequest::get(address)).html;
    let entry = web.address(SiteHost::Registry, company).expect("every company is registered");
    let below = |address: &str, word: &str| -> Vec<String> {
        links(address, &open(address)).into_iter().filter(|link| link.contains(word)).collect()
    };
    let filings = below(&entry, "/filings/");
    let documents: Vec<String> = filings.iter().flat_map(|filings| below(filings, "/document/")).collect();
    let second = documents.iter().map(|document| format!("{document}?page=2"));
    let third: Vec<String> = second.clone().flat_map(|sheet| below(&sheet, "page=3")).collect();
    documents.iter().cloned().chain(second).chain(third).collect()
}

/// A page of the portal without the options of its forms, which name indicators and years and tell nothing.
pub(super) fn without_lists(address: &str, html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, (_, after))) =
        rest.split_once("<select").and_then(|(before, tail)| Some((before, tail.split_once("</select>")?)))
    {
        text.push_str(before);
        rest = after;
    }
    if address.contains("numbers.web") { text + rest } else { html.to_owned() }
}

pub(super) fn check(web: &Web, address: &str, stated: &Stated) {
    let again = told(&web.atlas, stated.fact, stated.source, stated.as_of);
    assert_eq!(again.as_ref(), Some(&stated.value), "{address}: {stated:?}");
    let ruling = told(&web.atlas, stated.fact, stated.fact.kind().official(), Date::TODAY);
    match stated.standing {
        Standing::Ruling => {}
        Standing::Outdated => assert!(stated.as_of < Date::TODAY, "{address}: {stated:?}"),
        Standing::Superseded if stated.source == Source::Numbers => superseded_value(web, address, stated),
        Standing::Superseded => {
            let is_filed = matches!(stated.source, Source::Registry | Source::Gazette);
            assert!(is_filed || is_first_estimate(web, stated), "{address}: {stated:?}");
        }
        Standing::Wrong => {
            let known = web.atlas.falsehoods(stated.fact.about);
            let is_this = |falsehood: &Falsehood| match falsehood.kind {
                FalsehoodKind::WrongFoundation => true,
                FalsehoodKind::PressFigure => (falsehood.source, falsehood.dated) == (stated.source, stated.as_of),
                _ => false,
            };
            let is_known = known.iter().any(|falsehood| is_this(falsehood) && falsehood.said == stated.value);
            assert!(is_known && ruling.as_ref() != Some(&stated.value), "{address}: {stated:?} is no known falsehood");
        }
    }
    if stated.fact.aspect == Aspect::Name && stated.as_of == Date::TODAY {
        assert_eq!(stated.shown, web.atlas.title(stated.fact.about), "{address}");
    }
}

/// A value that the portal keeps though it no longer rules is one of the world's list of falsehoods.
fn superseded_value(web: &Web, address: &str, stated: &Stated) {
    let (Entity::Country(country), Aspect::Statistic(indicator, year, _)) = (stated.fact.about, stated.fact.aspect)
    else {
        panic!("{address}: {stated:?} is no value of an indicator");
    };
    let known = web.atlas.wrong_values(indicator, country, year);
    assert!(known.iter().any(|falsehood| falsehood.said == stated.value), "{address}: {stated:?}");
}

/// A first estimate that the world's list of wrong values has.
fn is_first_estimate(web: &Web, stated: &Stated) -> bool {
    let (Entity::Country(country), Aspect::News(NewsAspect::FirstEstimate(indicator, year))) =
        (stated.fact.about, stated.fact.aspect)
    else {
        return false;
    };
    let wrong = web.atlas.wrong_values(indicator, country, year);
    wrong.iter().any(|wrong| wrong.kind == FalsehoodKind::Provisional && wrong.said == stated.value)
}

/// Every number in the text of a page stands in something that was stated, or belongs to the site itself.
pub(super) fn figures_are_stated(address: &str, text: &str, stated: &[Stated]) {
    let shown: BTreeSet<&str> = stated.iter().flat_map(|stated| runs(&stated.shown)).collect();
    let is_year = |run: &str| run.len() == 4 && (run.starts_with("19") || run.starts_with("20"));
    // Years of filings and of forms, and numbers of pages, are the site's own.
    let is_own = |run: &str| {
        let own = ["registry.web", "gazette.web/notices", "numbers.web", "herald.web/archive", "herald.web/section"];
        is_year(run) && own.iter().any(|of| address.contains(of))
            || run.len() <= 2 && text.contains(&format!("Page {run}"))
    };
    for run in runs(text).filter(|run| !shown.contains(run) && !is_own(run)) {
        let in_list = address.contains("page=")
            || text.contains("Previous")
            || text.contains("entries fit")
            || text.contains("papers fit")
            || text.contains("notices fit");
        assert!(in_list && run.len() <= 6, "{address} shows `{run}`, which nothing states:\n{text}");
    }
}

fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty())
}

#[test]
fn first_sentences_tell_kind_place_and_era_alone() {
    let web = small();
    for host in SiteHost::ALL {
        for &kind in Web::kinds(host) {
            let n = if kind == Kind::News { 4000 } else { 300 };
            for entity in web.atlas.entities(kind).filter(|&one| web.address(host, one).is_some()).take(n) {
                // Names of indicators have figures in them.
                let lead = without_indicator(web, entity, web.lead(host, entity));
                let decade = match entity {
                    Entity::Notice(_) => Aspect::Gazette(NoticeAspect::Decade),
                    _ => Aspect::BornDecade,
                };
                let decade = told(&web.atlas, Fact::new(entity, decade), Source::Encyclopaedia, Date::TODAY);
                let allowed = decade.map(|value| web.voice(host).value(&web.atlas, &value)).unwrap_or_default();
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

/// A text without the name of the indicator that a news item is about.
pub(super) fn without_indicator(web: &Web, entity: Entity, text: String) -> String {
    let Entity::News(news) = entity else { return text };
    match web.atlas.news.matter[news] {
        NewsMatter::Estimate { indicator, .. } => text.replace(web.atlas.indicators[indicator].title, "it"),
        _ => text,
    }
}

#[test]
fn a_page_has_one_address_and_others_have_none() {
    let web = small();
    let mut state = SiteState::default();
    let company = web.atlas.entity(Kind::Company, 7).expect("there are more companies");
    let address = web.address(SiteHost::Registry, company).expect("every company is registered");
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

#[test]
fn a_company_is_followed_by_a_form_and_the_state_tells_it() {
    let web = small();
    let company = web.atlas.entity(Kind::Company, 7).expect("there are more companies");
    let entry = web.address(SiteHost::Registry, company).expect("every company is registered");
    let mut state = SiteState::default();
    let html = respond(web, &mut state, &SiteRequest::get(&entry)).html;
    let action =
        html.split("method=\"post\" action=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a form");
    let url = format!("https://registry.web{action}");
    assert_eq!(respond(web, &mut state, &SiteRequest::get(&url)).status, 404, "forms that change something are posted");
    let post = SiteRequest { method: SiteMethod::Post, url, body: String::new() };
    let answer = respond(web, &mut state, &post);
    assert_eq!((answer.status, answer.location), (303, Some(entry.clone())));
    assert_eq!((state.followed.len(), state.writes.len()), (1, 1));
    assert!(respond(web, &mut state, &SiteRequest::get(&entry)).html.contains("Stop following"));
    assert_eq!(state.document()["followed"], serde_json::json!([7]));
}

#[test]
fn search_finds_by_title_and_mends_what_was_mistyped() {
    let web = small();
    for kind in [Kind::Country, Kind::Region, Kind::Place] {
        let entity = web.atlas.entity(kind, 3).expect("there are more");
        let title = web.atlas.title(entity);
        let found = web.index.search(&web.atlas, &title, SearchFilter::default(), 1);
        assert_eq!(found.hits[0].entity, entity, "{title}");
        let mistyped = format!("{}x{}", &title[..3], &title[3..]);
        let mended = web.index.suggestion(&web.atlas, &mistyped);
        assert_eq!(mended, Some(title.to_lowercase()), "{mistyped}");
    }
    let filter = SearchFilter { host: Some(SiteHost::Registry), year: None };
    let found = web.index.search(&web.atlas, "bank", filter, 2);
    assert!(found.hits.len() == 10 && found.hits.iter().all(|hit| hit.host == SiteHost::Registry));
}
