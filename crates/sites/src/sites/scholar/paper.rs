//! The record of a paper, and the papers that cite it.

use quintain_atlas::{Date, PaperId};

use super::rows::{authors, paper_list, paper_table, retracted_mark};
use super::{HOST, ScholarPage, abstracts, fact_table, lead_key, of, slots};
use crate::address::SitePage;
use crate::facts::PaperAspect;
use crate::html::Html;
use crate::page::{Narrator, PageBody, PageWriter, capitalised};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

/// The record: authors, where and when, abstract, the works it cites, its retraction.
pub(super) fn record(web: &Web, paper: PaperId) -> SiteResponse {
    let (mut page, mut main) = start(web, paper, "Record");
    retraction(&mut page, paper, &mut main);
    let line = authors(&mut page, paper);
    main.wrap("p", &[("class", "authors")], &line);
    Narrator::new(&mut page, paper.into(), "")
        .sentence(lead_key(paper.into()), &slots(paper.into()))
        .paragraph(&mut main);
    main.leaf("h2", &[], "Abstract");
    abstracts::write(&mut page, paper, &mut main);
    keywords(&mut page, paper, &mut main);
    references(&mut page, paper, &mut main);
    let mut aside = Html::new();
    facts(&mut page, paper, &mut aside);
    letters(&mut page, paper, &mut aside);
    quotation(&mut page, paper, &mut aside);
    finish(page, paper, main, aside)
}

fn retraction(page: &mut PageWriter, paper: PaperId, main: &mut Html) {
    let Some(day) = page.say(of(paper, PaperAspect::Retracted)) else { return };
    let (before, after) = (page.words("scholar.retracted.before"), page.words("scholar.retracted.after"));
    main.leaf("p", &[("class", "note")], &format!("{before} {day}. {after}"));
}

fn keywords(page: &mut PageWriter, paper: PaperId, main: &mut Html) {
    let aspects = [PaperAspect::TopicWords, PaperAspect::Side, PaperAspect::Method];
    let words: Vec<String> = aspects.into_iter().filter_map(|aspect| page.say(of(paper, aspect))).collect();
    main.element("p", &[("class", "small")], |html| {
        html.leaf("b", &[], "Keywords").text(": ").text(&words.join("; "));
    });
}

fn references(page: &mut PageWriter, paper: PaperId, main: &mut Html) {
    let cited = page.web.atlas.papers.cites.of(paper);
    main.leaf("h2", &[], "References");
    if cited.is_empty() {
        main.leaf("p", &[], &page.words("scholar.references.none"));
        return;
    }
    main.leaf("p", &[("class", "small")], &page.words("scholar.references.note"));
    for nth in 0..cited.len() as u32 {
        page.state_as(of(paper, PaperAspect::Cites(nth)), "in the list");
    }
    paper_table(page, cited, main);
}

/// The main facts as a box.
fn facts(page: &mut PageWriter, paper: PaperId, aside: &mut Html) {
    let rows = [
        ("Journal", PaperAspect::Venue),
        ("Appeared", PaperAspect::Appeared),
        ("Topic", PaperAspect::Topic),
        ("Field", PaperAspect::Field),
        ("Citations", PaperAspect::Citations),
        ("References", PaperAspect::References),
        ("Retracted", PaperAspect::Retracted),
    ];
    let table = fact_table(page, &rows.map(|(label, aspect)| (label, of(paper, aspect))));
    aside.element("div", &[("class", "box")], |html| {
        html.piece(&table);
        let path = ScholarPage::CitedBy(paper).path(page.web);
        html.element("p", &[], |html| {
            html.link(&path, "Show the papers that cite it");
        });
    });
}

/// Who takes letters, and at which address.
fn letters(page: &mut PageWriter, paper: PaperId, aside: &mut Html) {
    let author = page.tell(of(paper, PaperAspect::CorrespondingAuthor)).unwrap_or_default();
    let institution = page.tell(of(paper, PaperAspect::GivenInstitution)).unwrap_or_default();
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], "Corresponding author").wrap("p", &[], &author);
        html.leaf("p", &[("class", "small")], "Institution given on the paper:").wrap("p", &[], &institution);
    });
}

/// The paper as others would cite it.
fn quotation(page: &mut PageWriter, paper: PaperId, aside: &mut Html) {
    let n = page.web.atlas.papers.authors.of(paper).len() as u32;
    let names: Vec<String> = (0..n).filter_map(|nth| page.say(of(paper, PaperAspect::Author(nth)))).collect();
    let [year, venue] =
        [PaperAspect::AppearedYear, PaperAspect::Venue].map(|aspect| page.say(of(paper, aspect)).unwrap_or_default());
    let title = page.web.atlas.title(paper.into());
    let stop = if names.last().is_some_and(|name| name.ends_with('.')) { "" } else { "." };
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], "How to cite");
        html.element("p", &[("class", "small")], |html| {
            html.text(&format!("{}{stop} {title}. ", names.join(", ")))
                .leaf("i", &[], &venue)
                .text(&format!(", {year}."));
        });
    });
}

/// The papers that cite a paper; `None` where the list has no such page.
pub(super) fn citing(web: &Web, query: &SiteQuery, paper: PaperId) -> Option<SiteResponse> {
    let (mut page, mut main) = start(web, paper, "Cited by");
    let year = page.say(of(paper, PaperAspect::AppearedYear)).unwrap_or_default();
    let cited = page.say(of(paper, PaperAspect::Citations)).unwrap_or_default();
    let mark = page.say(of(paper, PaperAspect::RetractedMark));
    main.element("p", &[], |html| {
        html.leaf("b", &[], "Year").text(&format!(": {year} \u{b7} ")).leaf("b", &[], "Citations");
        html.text(&format!(": {cited}"));
        retracted_mark(mark.as_deref(), html);
    });
    let papers = web.atlas.papers.cited_by.of(paper);
    let key = if papers.is_empty() { "scholar.citing.none" } else { "scholar.citing.some" };
    main.leaf("p", &[("class", "small")], &page.words(key));
    if !papers.is_empty() || !query.parameters.is_empty() {
        for row in paper_list(&mut page, query, papers, &mut main)? {
            if let Ok(nth) = papers.binary_search(&row) {
                page.state_as(of(paper, PaperAspect::CitedBy(nth as u32)), "in the list");
            }
        }
    }
    Some(finish(page, paper, main, Html::new()))
}

fn start<'w>(web: &'w Web, paper: PaperId, tab: &str) -> (PageWriter<'w>, Html) {
    let page = PageWriter::about(web, HOST, paper.into(), Date::TODAY);
    let mut main = Html::new();
    main.element("nav", &[("class", "tabs")], |html| {
        for (label, page) in [("Record", ScholarPage::Paper(paper)), ("Cited by", ScholarPage::CitedBy(paper))] {
            if label == tab {
                html.leaf("b", &[], label);
            } else {
                html.link(&page.path(web), label);
            }
        }
    });
    (page, main)
}

fn finish(page: PageWriter, paper: PaperId, main: Html, aside: Html) -> SiteResponse {
    let web = page.web;
    let topic = web.atlas.papers.topic[paper];
    let field = web.atlas.topics.field[topic];
    let crumbs = vec![
        ("Index".to_owned(), "/".to_owned()),
        (capitalised(field.label()), ScholarPage::Field(field).path(web)),
        (web.atlas.title(topic.into()), ScholarPage::Topic(topic).path(web)),
    ];
    page.finish(&PageBody { title: web.atlas.title(paper.into()), crumbs, main, aside })
}
