//! The index of papers: every kind of page is audited, lists filter and sort, people of one name can be told apart.

use std::collections::BTreeSet;

use quintain_atlas::papers::Field;
use quintain_atlas::{PaperId, PersonId, RowId};
use quintain_core::Rng;
use quintain_sites::{
    Aspect, PaperAspect, PaperOrder, PaperSearch, RetractedShown, ScholarPage, SiteHost, SiteRequest, SiteResponse,
    SiteState, Stated, Web, respond, visible_text,
};

use super::audit::{check, figures_are_stated, links};
use super::{is_full, small};

fn open(web: &Web, address: &str) -> SiteResponse {
    respond(web, &mut SiteState::default(), &SiteRequest::get(address))
}

/// Pages to look at that no link of an entity's page leads to.
pub(super) fn samples(web: &Web) -> Vec<(&'static str, String)> {
    let papers = &web.atlas.papers;
    let cited = papers.topic.ids().max_by_key(|&paper| papers.n_citations(paper)).expect("there are papers");
    let retracted = papers.retracted.find(Option::is_some).next().expect("some were retracted");
    let busy = web.atlas.people.given.ids().max_by_key(|&person| papers.of_person.of(person).len()).expect("people");
    let (person, _) = namesakes(web).next().expect("some authors share a name");
    let search = PaperSearch {
        topic: Some(papers.topic[cited]),
        order: PaperOrder::Citations,
        from: Some(1990),
        retracted: RetractedShown::Hidden,
        ..PaperSearch::default()
    };
    let family = web.atlas.words.spelling(web.atlas.people.family[person]);
    vec![
        ("scholar-results", search.address(web)),
        ("scholar-cited", ScholarPage::Paper(cited).address(web)),
        ("scholar-citing", format!("{}?sort=citations&page=2", ScholarPage::CitedBy(cited).address(web))),
        ("scholar-retracted", ScholarPage::Paper(retracted).address(web)),
        ("scholar-busy", ScholarPage::Author(busy).address(web)),
        ("scholar-namesake", ScholarPage::Author(person).address(web)),
        ("scholar-same-name", ScholarPage::SameName(person).address(web)),
        ("scholar-authors", format!("https://scholar.web/authors?name={family}")),
    ]
}

/// Authors who share a name, the first of each name with all of them.
fn namesakes(web: &Web) -> impl Iterator<Item = (PersonId, Vec<PersonId>)> {
    let wrote = |person: &PersonId| !web.atlas.papers.of_person.of(*person).is_empty();
    let all = web.atlas.people.given.ids().filter(wrote);
    let with_others = all.map(move |person| (person, web.atlas.people.namesakes(person).filter(wrote).collect()));
    with_others.filter(|(person, others): &(_, Vec<_>)| others.len() > 1 && others[0] == *person)
}

/// Addresses of every kind of page, with the parameters that they offer.
fn addresses(web: &Web, draw: &mut Rng) -> Vec<String> {
    let paper = PaperId::from_index(draw.below(web.atlas.papers.topic.len()));
    let papers = &web.atlas.papers;
    let author = papers.corresponding[paper];
    let field = Field::all().nth(draw.below(Field::COUNT)).expect("below the count");
    let list = |page: ScholarPage, draw: &mut Rng| {
        let views = ["", "?sort=oldest", "?sort=citations&retracted=hide", "?retracted=hide&sort=newest", "?sort="];
        page.address(web) + views[draw.below(views.len())]
    };
    let search = PaperSearch {
        title: if draw.chance(0.3) { "recovery".to_owned() } else { String::new() },
        topic: draw.chance(0.5).then(|| papers.topic[paper]),
        venue: draw.chance(0.5).then(|| papers.venue[paper]),
        author: if draw.chance(0.2) { web.atlas.title(author.into()) } else { String::new() },
        from: draw.chance(0.5).then_some(1994),
        to: draw.chance(0.5).then_some(2019),
        order: *draw.choose(&PaperOrder::ALL),
        retracted: *draw.choose(&[RetractedShown::Marked, RetractedShown::Hidden]),
    };
    vec![
        ScholarPage::Paper(paper).address(web),
        list(ScholarPage::CitedBy(paper), draw),
        list(ScholarPage::Author(author), draw),
        list(ScholarPage::Topic(papers.topic[paper]), draw),
        list(ScholarPage::Venue(papers.venue[paper]), draw),
        list(ScholarPage::Institution(papers.institution[paper]), draw),
        ScholarPage::People(papers.institution[paper]).address(web),
        ScholarPage::Field(field).address(web),
        search.address(web),
        format!("https://scholar.web/authors?name={}", &web.atlas.words.spelling(web.atlas.people.family[author])[..2]),
    ]
}

#[test]
fn every_kind_of_page_says_what_is_so_and_leads_to_pages() {
    let web = small();
    let mut draw = Rng::for_purpose(3, "papers");
    let (mut n_pages, mut n_stated, mut most_bytes, mut n_links) = (0, 0, 0, 0);
    let mut words = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let fixed = ["https://scholar.web/", "https://scholar.web/about", "https://scholar.web/authors"].map(str::to_owned);
    let sampled = samples(web).into_iter().map(|(_, address)| address);
    let mut known: Vec<String> = fixed.into_iter().chain(sampled).collect();
    for _ in 0..if is_full() { 2000 } else { 40 } {
        known.extend(addresses(web, &mut draw));
    }
    for address in known {
        let response = open(web, &address);
        assert_eq!(response.status, 200, "{address}");
        response.stated.iter().for_each(|stated| check(web, &address, stated));
        figures_are_stated(&address, &visible_text(&response.html), &response.stated);
        words.insert(address.split(['/', '?']).nth(3).unwrap_or_default().to_owned());
        (n_pages, n_stated) = (n_pages + 1, n_stated + response.stated.len());
        most_bytes = most_bytes.max(response.html.len());
        let mut next = links(&address, &response.html);
        next.retain(|link| seen.insert(link.clone()));
        for link in next.iter().take(if is_full() { usize::MAX } else { 6 }) {
            assert_eq!(open(web, link).status, 200, "{address} leads to {link}");
            n_links += 1;
        }
    }
    println!("{n_pages} pages, {n_stated} facts, {n_links} links, at most {most_bytes} bytes; {words:?}");
    assert_eq!(words.len(), 13, "{words:?}");
    assert!(most_bytes < 64 * 1024, "{most_bytes} bytes");
}

/// The papers that a page lists, in their order.
fn listed(response: &SiteResponse) -> Vec<PaperId> {
    let years = response.stated.iter().filter(|stated| stated.fact.aspect == year_of());
    years
        .filter_map(
            |stated| if let quintain_atlas::Entity::Paper(paper) = stated.fact.about { Some(paper) } else { None },
        )
        .collect()
}

/// The papers of all pages of a list.
fn listed_on_all(web: &Web, address: &str) -> Vec<PaperId> {
    let mut papers = Vec::new();
    for number in 1.. {
        let response = open(web, &format!("{address}&page={number}"));
        if response.status != 200 {
            break;
        }
        papers.extend(listed(&response));
    }
    papers
}

const fn year_of() -> Aspect {
    Aspect::Paper(PaperAspect::AppearedYear)
}

#[test]
fn a_search_gives_the_most_cited_paper_that_was_not_retracted() {
    let web = small();
    let papers = &web.atlas.papers;
    let mut draw = Rng::for_purpose(4, "papers");
    let mut n_retracted = 0;
    for _ in 0..60 {
        let seen = PaperId::from_index(draw.below(papers.topic.len()));
        let (topic, venue, year) = (papers.topic[seen], papers.venue[seen], papers.date[seen].year());
        let (from, to) = (year - 4, year + 4);
        let fits = |paper: &PaperId| {
            papers.topic[*paper] == topic
                && papers.venue[*paper] == venue
                && (from..=to).contains(&papers.date[*paper].year())
        };
        let all: BTreeSet<PaperId> = papers.topic.ids().filter(fits).collect();
        let kept: Vec<PaperId> = all.iter().copied().filter(|&paper| papers.retracted[paper].is_none()).collect();
        let search = PaperSearch {
            topic: Some(topic),
            venue: Some(venue),
            from: Some(from),
            to: Some(to),
            order: PaperOrder::Citations,
            ..PaperSearch::default()
        };
        let marked = listed_on_all(web, &search.address(web));
        assert_eq!(marked.iter().copied().collect::<BTreeSet<_>>(), all);
        n_retracted += all.len() - kept.len();
        let hidden = PaperSearch { retracted: RetractedShown::Hidden, ..search };
        let shown = listed_on_all(web, &hidden.address(web));
        assert_eq!(shown.len(), kept.len());
        let counts: Vec<usize> = shown.iter().map(|&paper| papers.n_citations(paper)).collect();
        assert!(counts.is_sorted_by(|one, next| one >= next), "{counts:?}");
    }
    assert!(n_retracted > 0);
}

#[test]
fn titles_and_authors_are_found_by_their_words() {
    let web = small();
    for nth in (0..web.atlas.papers.topic.len()).step_by(701) {
        let paper = PaperId::from_index(nth);
        let title = PaperSearch { title: web.atlas.title(paper.into()), ..PaperSearch::default() };
        assert!(listed(&open(web, &title.address(web))).contains(&paper), "{title:?}");
        let author = web.atlas.title(web.atlas.papers.corresponding[paper].into());
        let by = PaperSearch { author, topic: Some(web.atlas.papers.topic[paper]), ..PaperSearch::default() };
        let year = web.atlas.papers.date[paper].year();
        let by = PaperSearch { from: Some(year), to: Some(year), ..by };
        assert!(listed(&open(web, &by.address(web))).contains(&paper), "{by:?}");
    }
    let nothing = PaperSearch { title: "qqq recovery".to_owned(), ..PaperSearch::default() };
    assert!(open(web, &nothing.address(web)).html.contains("No paper fits."));
}

#[test]
fn parameters_that_are_not_offered_lead_to_no_page() {
    let web = small();
    let paper = PaperId::from_index(99);
    let topic = ScholarPage::Topic(web.atlas.papers.topic[paper]).address(web);
    let record = ScholarPage::Paper(paper).address(web);
    for wrong in [
        format!("{topic}?sort=title"),
        format!("{topic}?retracted=show"),
        format!("{topic}?page=0"),
        format!("{topic}?page=9999"),
        format!("{topic}?from=1990"),
        format!("{record}?page=1"),
        "https://scholar.web/search?from=90".to_owned(),
        "https://scholar.web/search?topic=kelp".to_owned(),
        "https://scholar.web/authors?name=a&sort=newest".to_owned(),
        record.replace("/paper/", "/cited-by/"),
    ] {
        assert_eq!(open(web, &wrong).status, 404, "{wrong}");
    }
}

#[test]
fn the_day_of_a_paper_stands_on_its_own_record_alone() {
    let web = small();
    let is_day = |stated: &&Stated| stated.fact.aspect == Aspect::Paper(PaperAspect::Appeared);
    let mut draw = Rng::for_purpose(6, "papers");
    let mut n_out_of_order = 0;
    for address in (0..30).flat_map(|_| addresses(web, &mut draw)).collect::<Vec<_>>() {
        let response = open(web, &address);
        let n_days = response.stated.iter().filter(is_day).count();
        assert_eq!(n_days, usize::from(address.contains("/paper/")), "{address}");
        if address.contains("oldest") {
            let rows = listed(&response);
            let years: Vec<i32> = rows.iter().map(|&paper| web.atlas.papers.date[paper].year()).collect();
            assert!(years.is_sorted() || address.contains("/author/"), "{address}: {years:?}");
            n_out_of_order += usize::from(!rows.is_sorted());
        }
    }
    assert!(n_out_of_order > 5, "lists in the order of days tell which of a year is the oldest");
}

#[test]
fn authors_of_one_name_are_told_apart() {
    let web = small();
    let (mut n_names, mut n_alike) = (0, 0);
    for (person, others) in namesakes(web).take(if is_full() { usize::MAX } else { 60 }) {
        n_names += 1;
        let page = open(web, &ScholarPage::SameName(person).address(web));
        for &other in &others {
            let record = ScholarPage::Author(other).address(web);
            assert!(page.html.contains(record.trim_start_matches("https://scholar.web")), "{record}");
            // The encyclopaedia names the employers, and leads to the record of the very person.
            let article = open(web, &web.address(SiteHost::Pedia, other.into()).expect("everybody has an article"));
            assert!(article.html.contains(&record), "{record}");
            let says = |aspect: Aspect| article.stated.iter().any(|stated| stated.fact.aspect == aspect);
            assert!(says(Aspect::Employer) || says(Aspect::PastEmployer(0)), "{record}");
            let own = open(web, &record);
            assert!(!own.html.contains("https://pedia.web"), "the record of a person leads to no article");
            assert!(own.stated.iter().all(|stated| {
                !matches!(stated.fact.aspect, Aspect::Born | Aspect::BornDecade | Aspect::Birthplace | Aspect::Died)
            }));
        }
        let employers = |person: PersonId| -> Vec<_> {
            web.atlas.employments.of(person).iter().map(|job| job.institution).collect()
        };
        n_alike += usize::from(others[1..].iter().any(|&other| employers(other) == employers(person)));
    }
    println!("{n_names} names of several authors; {n_alike} with the same employers, told apart by the link alone");
    assert!(n_names > 0);
}

#[test]
fn search_shows_nothing_of_a_record_that_is_asked_for() {
    let web = small();
    let papers = &web.atlas.papers;
    for paper in papers.topic.ids().step_by(37) {
        let lead = web.lead(SiteHost::Scholar, paper.into());
        let author = papers.corresponding[paper];
        let asked = [author.into(), papers.institution[paper].into(), papers.venue[paper].into()];
        assert!(asked.iter().all(|&entity| !lead.contains(&web.atlas.title(entity))), "{lead}");
        let lead = web.lead(SiteHost::Scholar, author.into());
        let jobs = web.atlas.employments.of(author);
        assert!(jobs.iter().all(|job| !lead.contains(&web.atlas.title(job.institution.into()))), "{lead}");
    }
}
