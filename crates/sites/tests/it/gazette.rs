//! The gazettes: every kind of page, what notices decide, versions, and what lists keep to themselves.

use std::collections::BTreeSet;

use quintain_atlas::companies::LicenceKind;
use quintain_atlas::gazette::NoticeMatter;
use quintain_atlas::people::Post;
use quintain_atlas::{CountryId, Entity, Kind, NoticeId, RegionId};
use quintain_sites::{
    Aspect, GazettePage, NoticeAspect, Reserve, SearchFilter, SiteHost, SiteRequest, SiteResponse, SiteState, Standing,
    Web, respond, visible_text,
};

use super::audit::{check, figures_are_stated, links};
use super::{is_full, small, world};

fn open(web: &Web, address: &str) -> SiteResponse {
    respond(web, &mut SiteState::default(), &SiteRequest::get(address))
}

/// One address of each kind of page and of notice, with a name.
pub(super) fn every_kind(web: &Web) -> Vec<(&'static str, String)> {
    let notices = &web.atlas.notices;
    let (country, region) = (CountryId(2), RegionId(5));
    let first = |wanted: &dyn Fn(NoticeId, &NoticeMatter) -> bool| {
        notices.ids().skip(300).find(|&notice| wanted(notice, &notices.matter[notice])).expect("there is one")
    };
    let is_first = |notice: NoticeId| notices.version[notice] == 1;
    let ordinance = first(&|notice, matter| matches!(matter, NoticeMatter::Ordinance { .. }) && is_first(notice));
    let plan = notices.climate_plans.of(country)[0];
    let amended = *notices.versions(plan).last().expect("the plan itself");
    let kinds = [
        ("ordinance", ordinance),
        ("amendment", first(&|notice, matter| matches!(matter, NoticeMatter::Ordinance { .. }) && !is_first(notice))),
        ("repeal", first(&|_, matter| matches!(matter, NoticeMatter::Repeal { .. }))),
        ("plan", plan),
        ("plan-amended", amended),
        ("rate", notices.rate_decisions.of(country)[30]),
        ("grant", first(&|_, matter| matches!(matter, NoticeMatter::LicenceGranted { kind: LicenceKind::Full, .. }))),
        (
            "limited",
            first(&|_, matter| matches!(matter, NoticeMatter::LicenceGranted { kind: LicenceKind::Limited, .. })),
        ),
        ("withdrawal", first(&|_, matter| matches!(matter, NoticeMatter::LicenceWithdrawn { .. }))),
        ("minister", first(&|_, matter| matches!(matter, NoticeMatter::Appointment { post: Post::Minister(..), .. }))),
        ("rector", first(&|_, matter| matches!(matter, NoticeMatter::Appointment { post: Post::Rector(_), .. }))),
    ];
    let mut pages: Vec<_> = kinds.map(|(name, notice)| (name, GazettePage::Notice(notice).address(web))).to_vec();
    let scan = GazettePage::Notice(NoticeId(20)).address(web);
    pages.extend([("scan", scan.clone()), ("scan2", format!("{scan}?page=2"))]);
    let bank = web.atlas.companies.banks[7];
    let lists = [
        ("act", GazettePage::Act(ordinance)),
        ("country", GazettePage::Country(country)),
        ("region", GazettePage::Region(region)),
        ("rates", GazettePage::Rates(country)),
        ("plans", GazettePage::Plans(country)),
        ("banks", GazettePage::Banks(country)),
        ("bank", GazettePage::Bank(bank)),
    ];
    pages.extend(lists.map(|(name, page)| (name, page.address(web))));
    let home = SiteHost::Gazette.home();
    let issue = links(&home, &open(web, &home).html).into_iter().find(|link| link.contains("/issue/"));
    pages.push(("issue", issue.expect("the first page names issues")));
    pages.push(("notices", format!("{home}notices")));
    pages.push(("notices-kind", format!("{home}notices?kind=ordinances&year=2014&matter=market-stalls&order=oldest")));
    pages.push(("search", format!("{home}search?q=climate+plan")));
    pages
}

#[test]
fn every_kind_of_page_is_audited_and_every_link_on_it_answers() {
    println!("{}", audit_every_kind(small()));
    println!("{}", audit_every_kind(&world(9, Reserve::Used)));
}

/// Audits the pages of a world and tells how many there were.
fn audit_every_kind(web: &Web) -> String {
    let home = SiteHost::Gazette.home();
    let mut known: BTreeSet<String> = every_kind(web).into_iter().map(|(_, address)| address).collect();
    known.extend([home.clone(), format!("{home}about")]);
    let (mut n_stated, mut n_bytes, mut targets) = (0, 0, BTreeSet::new());
    for address in &known {
        let response = open(web, address);
        assert_eq!(response.status, 200, "{address}");
        response.stated.iter().for_each(|stated| check(web, address, stated));
        if *address != home {
            figures_are_stated(address, &visible_text(&response.html), &response.stated);
        }
        n_stated += response.stated.len();
        n_bytes = n_bytes.max(response.html.len());
        targets.extend(links(address, &response.html));
    }
    for target in &targets {
        assert_eq!(open(web, target).status, 200, "{target}");
    }
    assert!(n_bytes < 60_000, "{n_bytes}");
    let (n_pages, n_links) = (known.len(), targets.len());
    format!("{n_pages} pages, {n_stated} facts, {n_links} links; the largest page has {n_bytes} bytes")
}

#[test]
fn a_notice_states_what_it_decides_and_nothing_of_other_versions() {
    let web = small();
    let step = if is_full() { 1 } else { 23 };
    let mut standings = BTreeSet::new();
    for notice in web.atlas.notices.ids().step_by(step) {
        let address = GazettePage::Notice(notice).address(web);
        let mut stated = open(web, &address).stated;
        if web.atlas.notices.date[notice].year() < 1990 {
            stated.extend(open(web, &format!("{address}?page=2")).stated);
        }
        let decided = match web.atlas.notices.matter[notice] {
            NoticeMatter::Ordinance { .. } => NoticeAspect::Fee,
            NoticeMatter::Repeal { .. } => NoticeAspect::Act,
            NoticeMatter::ClimatePlan { .. } => NoticeAspect::Target,
            NoticeMatter::RateDecision { .. } => NoticeAspect::Rate,
            NoticeMatter::Appointment { .. } => NoticeAspect::Appointee,
            _ => NoticeAspect::Bank,
        };
        let of_aspect =
            |aspect: NoticeAspect| stated.iter().filter(move |stated| stated.fact.aspect == Aspect::Gazette(aspect));
        assert!(of_aspect(decided).any(|stated| stated.fact.about == Entity::Notice(notice)), "{address}");
        assert!(of_aspect(decided).all(|stated| stated.fact.about == Entity::Notice(notice)), "{address}");
        assert!(of_aspect(NoticeAspect::Date).next().is_some(), "{address}");
        standings.extend(of_aspect(decided).map(|stated| stated.standing as u8));
    }
    assert!(standings.contains(&(Standing::Superseded as u8)), "superseded versions are marked");
}

#[test]
fn lists_and_titles_keep_what_notices_decide_to_themselves() {
    let web = small();
    let secret = [
        NoticeAspect::Fee,
        NoticeAspect::Target,
        NoticeAspect::Rate,
        NoticeAspect::RateChange,
        NoticeAspect::Appointee,
        NoticeAspect::SignedBy,
        NoticeAspect::LicenceKind,
    ];
    for (name, address) in every_kind(web).into_iter().filter(|(_, address)| !address.contains("/notice/")) {
        let response = open(web, &address);
        let told = response
            .stated
            .iter()
            .find(|stated| secret.iter().any(|&aspect| stated.fact.aspect == Aspect::Gazette(aspect)));
        assert!(told.is_none(), "{name}: {told:?}");
    }
    for notice in web.atlas.notices.ids() {
        let title = web.atlas.title(notice.into());
        let is_plan = matches!(web.atlas.notices.matter[notice], NoticeMatter::ClimatePlan { .. });
        assert!(is_plan || !title.contains(|c: char| c.is_ascii_digit()), "{title}");
    }
}

#[test]
fn search_leads_to_gazettes_plans_and_ordinances() {
    let web = small();
    let notices = &web.atlas.notices;
    let filter = SearchFilter { host: Some(SiteHost::Gazette), year: None };
    let found = |words: &str, wanted: &dyn Fn(Entity) -> bool| {
        web.index.search(&web.atlas, words, filter, 1).hits.iter().any(|hit| wanted(hit.entity))
    };
    for country in web.atlas.geography.countries.name.ids() {
        let name = web.atlas.title(country.into());
        for words in [name.clone(), format!("gazette {name}")] {
            assert!(found(&words, &|entity| entity == Entity::Country(country)), "{words}");
        }
        let versions = notices.versions(notices.climate_plans.of(country)[0]);
        let plan = format!("{} {name}", web.atlas.plan_style(versions[0]).noun());
        let is_plan = |entity| matches!(entity, Entity::Notice(notice) if notices.country[notice] == country);
        assert!(found(&plan, &is_plan), "{plan}");
    }
    for region in web.atlas.geography.regions.name.ids() {
        let act = notices.ordinances.of(region)[0];
        let title = web.atlas.title(act.into());
        let is_version = |entity| matches!(entity, Entity::Notice(notice) if notices.versions(act).contains(&notice));
        assert!(found(&title, &is_version), "{title}");
    }
}

#[test]
fn each_version_of_an_act_says_whether_it_holds() {
    let web = small();
    let notices = &web.atlas.notices;
    let mut seen = BTreeSet::new();
    for act in
        notices.ids().filter(|&notice| notices.amended_by[notice].is_some() && notices.version[notice] == 1).take(60)
    {
        let history = open(web, &GazettePage::Act(act).address(web)).stated;
        let force = |version: NoticeId| {
            let of_version = history.iter().filter(|stated| stated.fact.about == Entity::Notice(version));
            of_version
                .filter(|stated| stated.fact.aspect == Aspect::Gazette(NoticeAspect::Force))
                .map(|stated| stated.shown.clone())
                .next()
        };
        let versions = notices.versions(act);
        assert_ne!(force(versions[0]).as_deref(), Some("in force"));
        seen.extend(versions.iter().filter_map(|&version| force(version)));
        let n_in_force = versions.iter().filter(|&&version| force(version).as_deref() == Some("in force")).count();
        assert!(n_in_force <= 1, "{versions:?}");
    }
    assert!(["in force", "superseded"].iter().all(|word| seen.contains(*word)), "{seen:?}");
}

#[test]
fn notices_before_1990_are_pictures() {
    let web = small();
    let notices = &web.atlas.notices;
    let old: Vec<NoticeId> = notices.ids().take_while(|&notice| notices.date[notice].year() < 1990).collect();
    assert!(!old.is_empty());
    for &notice in &old {
        let address = GazettePage::Notice(notice).address(web);
        let (first, second) = (open(web, &address), open(web, &format!("{address}?page=2")));
        assert_eq!((first.status, second.status, open(web, &format!("{address}?page=3")).status), (200, 200, 404));
        let NoticeMatter::Appointment { person, .. } = notices.matter[notice] else { continue };
        let name = web.atlas.title(person.into());
        assert!(first.stated.iter().any(|stated| stated.shown == name), "{address}");
        assert!(!visible_text(&first.html).contains(&name), "{address}");
    }
    println!("{} notices are scans", old.len());
}

#[test]
fn the_form_narrows_and_orders() {
    let web = small();
    let home = SiteHost::Gazette.home();
    let days = |parameters: &str| -> Vec<String> {
        let response = open(web, &format!("{home}notices?{parameters}"));
        assert_eq!(response.status, 200, "{parameters}");
        let dates =
            response.stated.into_iter().filter(|stated| stated.fact.aspect == Aspect::Gazette(NoticeAspect::Date));
        dates.map(|stated| format!("{:?}", stated.value)).collect()
    };
    let newest = days("kind=rate-decisions&year=2011");
    assert!(!newest.is_empty() && newest.len() <= 50);
    let oldest = days("kind=rate-decisions&year=2011&order=oldest");
    assert_ne!(newest[0], oldest[0]);
    for wrong in ["kind=x", "year=1066", "order=up", "country=abc", "x=1", "page=0", "matter=nothing"] {
        assert_eq!(open(web, &format!("{home}notices?{wrong}")).status, 404, "{wrong}");
    }
    let n_countries = web.atlas.count(Kind::Country);
    let html = open(web, &format!("{home}notices")).html;
    assert!(html.matches("<option").count() > n_countries + 40);
}

/// The text between a notice's head and its signature differs from notice to notice.
#[test]
fn notices_are_no_form_letters() {
    let web = small();
    let (mut n_sentences, mut sentences, mut texts) = (0, BTreeSet::new(), BTreeSet::new());
    let step = if is_full() { 1 } else { 7 };
    let mut n_notices = 0;
    for notice in web.atlas.notices.ids().step_by(step) {
        let html = open(web, &GazettePage::Notice(notice).address(web)).html;
        let Some(deed) = html.split("sheet typed deed").nth(1).and_then(|rest| rest.split("class=\"sign\"").next())
        else {
            continue;
        };
        let paragraphs = deed.split("<p>").skip(1).filter_map(|rest| rest.split("</p>").next());
        let text: Vec<String> = paragraphs.map(visible_text).collect();
        for sentence in text.iter().flat_map(|text| text.split(". ")) {
            n_sentences += 1;
            sentences.insert(sentence.trim().to_owned());
        }
        // Without names, numbers and days, which differ anyway.
        let is_plain = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase());
        let plain: Vec<&str> = text.iter().flat_map(|text| text.split_whitespace()).filter(is_plain).collect();
        texts.insert(plain.join(" "));
        n_notices += 1;
    }
    let (distinct, n_texts) = (sentences.len(), texts.len());
    println!(
        "{n_notices} notices: {n_sentences} sentences, {distinct} distinct; {n_texts} texts differ but for names and numbers"
    );
    assert!(n_texts * 100 > n_notices * 95, "{n_texts} of {n_notices}");
}
