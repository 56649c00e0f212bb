//! The record of an author: affiliations, papers by year, the list of papers.

use quintain_atlas::{Date, InstitutionId, PaperId, PersonId};

use super::rows::paper_list;
use super::{HOST, ScholarPage, fact_table, lead_key, lists, of, slots};
use crate::address::SitePage;
use crate::facts::{Aspect, Fact, PaperAspect};
use crate::html::Html;
use crate::page::{Narrator, PageBody, PageWriter};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

/// The record of an author; `None` where the list of papers has no such page.
pub(super) fn author(web: &Web, query: &SiteQuery, person: PersonId) -> Option<SiteResponse> {
    let mut page = PageWriter::about(web, HOST, person.into(), Date::TODAY);
    let mut main = Html::new();
    hat_note(web, person, &mut main);
    let given = slots(person.into());
    let papers = web.atlas.papers.of_person.of(person);
    let mut narrator = Narrator::new(&mut page, person.into(), "");
    narrator.sentence(lead_key(person.into()), &given).sentence("scholar.author.place", &given);
    let sentences: &[&str] = if papers.len() == 1 { &["single"] } else { &["work", "retracted"] };
    for sentence in sentences {
        narrator.sentence(&format!("scholar.author.{sentence}"), &given);
    }
    narrator.paragraph(&mut main);
    main.leaf("h2", &[], "Papers");
    paper_list(&mut page, query, papers, &mut main)?;
    lists::by_year(&mut page, person.into(), papers, &mut main);
    let mut aside = Html::new();
    facts(&mut page, person, &mut aside);
    addresses(&mut page, person, papers, &mut aside);
    companions(&mut page, person, papers, &mut aside);
    let crumbs = vec![("Index".to_owned(), "/".to_owned()), ("Authors".to_owned(), "/authors".to_owned())];
    Some(page.finish(&PageBody { title: web.atlas.title(person.into()), crumbs, main, aside }))
}

/// A line above the record where other authors bear the same name.
fn hat_note(web: &Web, person: PersonId, main: &mut Html) {
    if let Some(others) = ScholarPage::of_namesakes(web, person) {
        main.element("p", &[("class", "small")], |html| {
            html.text("Not the only author of this name: see ").link(&others.path(web), "all of them").text(".");
        });
    }
}

fn facts(page: &mut PageWriter, person: PersonId, aside: &mut Html) {
    let rows = [
        ("Last known affiliation", Fact::new(person, Aspect::Employer)),
        ("Topic", of(person, PaperAspect::Topic)),
        ("Field", of(person, PaperAspect::Field)),
        ("Papers", of(person, PaperAspect::Papers)),
        ("Retracted", of(person, PaperAspect::RetractedPapers)),
    ];
    let table = fact_table(page, &rows);
    aside.element("div", &[("class", "box")], |html| {
        html.piece(&table);
    });
}

/// The institutions that papers give for this author, with the years of the first and the last such paper.
fn addresses(page: &mut PageWriter, person: PersonId, papers: &[PaperId], aside: &mut Html) {
    let table = &page.web.atlas.papers;
    let mut given: Vec<(InstitutionId, PaperId, PaperId)> = Vec::new();
    for &paper in papers.iter().filter(|&&paper| table.corresponding[paper] == person) {
        let institution = table.institution[paper];
        match given.iter_mut().find(|(known, ..)| *known == institution) {
            Some((_, _, last)) => *last = paper,
            None => given.push((institution, paper, paper)),
        }
    }
    if given.is_empty() {
        return;
    }
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], "Given on papers");
        html.element("ul", &[("class", "plain")], |html| {
            for (_, first, last) in given {
                let institution = page.tell(of(first, PaperAspect::GivenInstitution)).unwrap_or_default();
                let [from, to] =
                    [first, last].map(|paper| page.say(of(paper, PaperAspect::AppearedYear)).unwrap_or_default());
                let years = if from == to { from } else { format!("{from}\u{2013}{to}") };
                html.element("li", &[], |html| {
                    html.piece(&institution).text(" ").leaf("span", &[("class", "small")], &years);
                });
            }
        });
    });
}

/// Those with whom the author wrote most papers.
fn companions(page: &mut PageWriter, person: PersonId, papers: &[PaperId], aside: &mut Html) {
    let table = &page.web.atlas.papers;
    let others = papers.iter().flat_map(|&paper| table.authors.of(paper)).copied().filter(|&other| other != person);
    let others = lists::frequent(others, 6);
    lists::name_box(page, "Most frequent co-authors", others, aside);
}
