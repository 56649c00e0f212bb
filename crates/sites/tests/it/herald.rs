//! The newspapers: press figures, headlines, corrections, the archive.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quintain_atlas::gazette::NoticeMatter;
use quintain_atlas::news::NewsMatter;
use quintain_atlas::people::Post;
use quintain_atlas::{Atlas, Edition, Entity, Kind, NewsId, Size, Value};
use quintain_core::variables;
use quintain_sites::{
    Aspect, HeraldPage, NewsAspect, NewsSection, SiteHost, SiteRequest, SiteResponse, SiteState, Standing, Web,
    WebSetup, respond, visible_text,
};

use super::audit::{check, figures_are_stated, links, without_indicator};
use super::{is_full, small};

fn open(web: &Web, address: &str) -> SiteResponse {
    respond(web, &mut SiteState::default(), &SiteRequest::get(address))
}

/// What an item tells of, as a word.
fn matter(web: &Web, news: NewsId) -> String {
    if web.atlas.news.corrects[news].is_some() {
        return "correction".to_owned();
    }
    let word = |text: String| text.split([' ', '{', '(']).next().unwrap_or_default().to_lowercase();
    match web.atlas.news.matter[news] {
        NewsMatter::Notice { notice } => match web.atlas.notices.matter[notice] {
            NoticeMatter::RateDecision { .. } => "rate".to_owned(),
            matter => word(format!("{matter:?}")),
        },
        matter => word(format!("{matter:?}")),
    }
}

/// An address of each kind of page, with a name.
pub(super) fn kinds_of_pages(web: &Web) -> Vec<(String, String)> {
    let mut items: BTreeMap<String, NewsId> = BTreeMap::new();
    for news in web.atlas.news.ids() {
        // The oldest ones of each kind know least of what was before.
        if web.atlas.news.date[news].year() < 2010 && matter(web, news) != "published" {
            continue;
        }
        items.entry(matter(web, news)).or_insert(news);
    }
    let mut pages: Vec<(String, HeraldPage)> =
        items.into_iter().map(|(name, news)| (name, HeraldPage::Item(news))).collect();
    let corrected = web.atlas.news.ids().find(|&news| web.atlas.news.corrected_by[news].is_some());
    pages.extend(corrected.map(|news| ("corrected".to_owned(), HeraldPage::Item(news))));
    let company = web.atlas.news.ids().find_map(|news| match web.atlas.news.matter[news] {
        NewsMatter::Results { company, .. } => Some(Entity::from(company)),
        _ => None,
    });
    pages.extend(company.map(|company| ("topic".to_owned(), HeraldPage::Topic(company))));
    pages.extend([
        ("section".to_owned(), HeraldPage::Section(NewsSection::Business)),
        ("archive".to_owned(), HeraldPage::Archive),
        ("year".to_owned(), HeraldPage::Year(2015)),
        ("month".to_owned(), HeraldPage::Month(2015, 3, None)),
        ("month-of-section".to_owned(), HeraldPage::Month(2015, 3, Some(NewsSection::Business))),
        ("corrections".to_owned(), HeraldPage::Corrections),
    ]);
    let pages = pages.into_iter().map(|(name, page)| (name, page.address(web)));
    let plain = [("front", ""), ("about-papers", "about"), ("search", "search?words=bank&from=2012&to=2019")];
    pages.chain(plain.map(|(name, path)| (name.to_owned(), SiteHost::Herald.home() + path))).collect()
}

#[test]
fn every_kind_of_page_is_answered_and_so_is_every_link_on_it() {
    let web = small();
    let kinds = kinds_of_pages(web);
    let names: BTreeSet<&str> = kinds.iter().map(|(name, _)| name.as_str()).collect();
    assert!(names.len() >= 22, "{names:?}");
    let mut n_links = 0;
    for (name, address) in &kinds {
        let response = open(web, address);
        assert_eq!(response.status, 200, "{name}: {address}");
        assert!(response.html.len() < 60_000, "{name} has {} bytes", response.html.len());
        response.stated.iter().for_each(|stated| check(web, address, stated));
        if !name.contains("search") && !name.contains("front") {
            figures_are_stated(address, &visible_text(&response.html), &response.stated);
        }
        for link in links(address, &response.html) {
            assert_eq!(open(web, &link).status, 200, "{name}: {link}");
            n_links += 1;
        }
    }
    println!("{} kinds of pages, {n_links} links", kinds.len());
}

#[test]
fn items_say_nothing_that_is_not_so() {
    let web = small();
    let (mut n_items, mut n_stated, mut longest) = (0, 0, 0);
    let mut sentences: BTreeSet<String> = BTreeSet::new();
    let mut n_sentences = 0;
    for news in web.atlas.news.ids().step_by(if is_full() { 1 } else { 29 }) {
        let address = HeraldPage::Item(news).address(web);
        let response = open(web, &address);
        let text = visible_text(&response.html);
        assert!(response.status == 200 && !text.contains('{') && !text.contains("  ,"), "{address}: {text}");
        response.stated.iter().for_each(|stated| check(web, &address, stated));
        figures_are_stated(&address, &text, &response.stated);
        let story = response.html.split("class=\"story\"").nth(1).and_then(|rest| rest.split("</div>").next());
        let story = visible_text(story.expect("every item has a text"));
        for sentence in story.split(". ").filter(|sentence| sentence.len() > 12) {
            n_sentences += 1;
            sentences.insert(sentence.trim().to_owned());
        }
        (n_items, n_stated) = (n_items + 1, n_stated + response.stated.len());
        longest = longest.max(response.html.len());
    }
    let distinct = sentences.len();
    println!(
        "{n_items} items, {n_stated} facts, {n_sentences} sentences, {distinct} distinct, at most {longest} bytes"
    );
    assert!(longest < 40_000 && distinct * 3 > n_sentences);
}

#[test]
fn the_herald_says_what_it_said_of_revenue_on_one_page() {
    let web = small();
    let (mut n_figures, mut n_wrong) = (0, 0);
    let results = web.atlas.news.ids().filter_map(|news| match web.atlas.news.matter[news] {
        NewsMatter::Results { company, year } => Some((news, company, year)),
        _ => None,
    });
    for (news, company, year) in results.take(if is_full() { usize::MAX } else { 400 }) {
        let response = open(web, &HeraldPage::Item(news).address(web));
        let figure = web.atlas.press_figure(company, year).expect("items are printed of press figures alone");
        let told: Vec<_> = response
            .stated
            .iter()
            .filter(|stated| stated.fact.aspect == Aspect::News(NewsAspect::PressRevenue(year)))
            .collect();
        if web.atlas.news.corrects[news].is_some() {
            assert!(told.is_empty(), "a correction repeats no figure");
            continue;
        }
        let [told] = told[..] else { panic!("{news:?} states the figure {} times", told.len()) };
        let Value::Number(number) = told.value else { panic!("{told:?}") };
        assert_eq!((number.scaled, told.as_of), (figure.revenue_k, figure.printed));
        let text = visible_text(&response.html);
        assert!(text.contains(&told.shown) && text.contains(&year.to_string()), "{text}");
        let lead = web.lead(SiteHost::Herald, news.into());
        assert!(!lead.contains(&told.shown), "{lead}");
        n_figures += 1;
        n_wrong += usize::from(told.standing == Standing::Wrong);
    }
    println!("{n_figures} press figures, {n_wrong} of them not what rules");
    assert!(n_figures > 300 && n_wrong * 10 > n_figures * 9);
}

#[test]
fn headlines_give_no_figures_and_no_names_of_office_holders_away() {
    let web = small();
    for entity in web.atlas.entities(Kind::News) {
        let address = web.address(SiteHost::Herald, entity).expect("every item has a page");
        let Entity::News(news) = entity else { continue };
        let title = web.headline(news);
        let plain = without_indicator(web, entity, title.clone());
        assert!(title.len() > 8 && !plain.contains(|c: char| c.is_ascii_digit()), "{address}: {title}");
        if let NewsMatter::Notice { notice } = web.atlas.news.matter[news]
            && let NoticeMatter::Appointment { person, .. } = web.atlas.notices.matter[notice]
        {
            let name = web.atlas.title(person.into());
            assert!(!title.contains(&name) && !web.lead(SiteHost::Herald, entity).contains(&name), "{title}");
        }
    }
}

/// A world in which some items tell of officers of companies, on the day after their first one.
fn with_appointments() -> (Web, Vec<NewsId>) {
    let mut atlas = Atlas::new(Edition::FIRST, 1, Size::Small);
    let mut items = Vec::new();
    for company in atlas.companies.name.ids().step_by(7) {
        let posts = [
            (Post::Chair(company), &atlas.companies.chairs),
            (Post::ChiefExecutive(company), &atlas.companies.chief_executives),
        ];
        for (post, terms) in posts {
            for term in terms.of(company) {
                let at = atlas.news.date.as_slice().partition_point(|&date| date <= term.from);
                let news = NewsId(at as u32);
                let is_free = at < atlas.news.len()
                    && atlas.news.date[news] == term.from.plus_days(1)
                    && atlas.news.corrects[news].is_none();
                if is_free && !items.contains(&news) {
                    atlas.news.matter[news] = NewsMatter::Appointed { person: term.person, post };
                    items.push(news);
                }
            }
        }
    }
    (Web::new(Arc::new(atlas), WebSetup::default()), items)
}

#[test]
fn items_on_appointments_name_who_was_appointed_below_the_first_sentence() {
    let (web, items) = with_appointments();
    let folder = std::env::var_os(variables::PAGES).map(std::path::PathBuf::from);
    assert!(items.len() > 100, "{} items", items.len());
    for (nth, &news) in items.iter().enumerate() {
        let NewsMatter::Appointed { person, .. } = web.atlas.news.matter[news] else { unreachable!("made so above") };
        let address = HeraldPage::Item(news).address(&web);
        let response = open(&web, &address);
        response.stated.iter().for_each(|stated| check(&web, &address, stated));
        figures_are_stated(&address, &visible_text(&response.html), &response.stated);
        let name = web.atlas.title(person.into());
        assert!(visible_text(&response.html).contains(&name), "{address}");
        let head = web.headline(news) + &web.lead(SiteHost::Herald, news.into());
        assert!(!head.contains(&name), "{head}");
        if let Some(folder) = folder.as_ref().filter(|_| nth < 6) {
            let path = folder.join(format!("1-herald-appointed{nth}.html"));
            std::fs::write(path, &response.html).expect("a folder that can be written");
        }
    }
}

#[test]
fn corrections_and_corrected_items_point_to_each_other() {
    let web = small();
    let corrections = web.atlas.news.ids().filter_map(|news| Some((news, web.atlas.news.corrects[news]?)));
    for (correction, wrong) in corrections.take(60) {
        let (later, first) = (HeraldPage::Item(correction).address(web), HeraldPage::Item(wrong).address(web));
        assert!(links(&later, &open(web, &later).html).contains(&first), "{later}");
        assert!(links(&first, &open(web, &first).html).contains(&later), "{first}");
    }
}

#[test]
fn the_archive_is_searched_by_words_years_section_and_paper() {
    let web = small();
    let news = web.atlas.news.ids().find(|&news| {
        matches!(web.atlas.news.matter[news], NewsMatter::Results { .. }) && web.atlas.news.corrects[news].is_none()
    });
    let news = news.expect("there are figures");
    let NewsMatter::Results { company, .. } = web.atlas.news.matter[news] else { unreachable!("it was chosen so") };
    let words = web.atlas.title(company.into()).replace(' ', "+").replace('&', "%26");
    let year = web.atlas.news.date[news].year();
    let address = HeraldPage::Item(news).address(web);
    let query = |rest: &str| format!("https://herald.web/search?words={words}+revenue{rest}");
    let fits = format!("&from={year}&to={year}&section=business&paper=herald&order=oldest");
    let found = open(web, &query(&fits));
    assert!(found.status == 200 && links(&address, &found.html).contains(&address), "{words}");
    let other = format!("&from={}", year + 1);
    assert!(!links(&address, &open(web, &query(&other)).html).contains(&address));
    for wrong in ["&from=1066", "&section=sports", "&paper=times", "&order=random", "&page=9999", "&x=1"] {
        assert_eq!(open(web, &query(wrong)).status, 404, "{wrong}");
    }
    let all = open(web, "https://herald.web/search?section=regions");
    assert_eq!(links(&address, &all.html).iter().filter(|link| link.contains("/story/")).count(), 50);
}
