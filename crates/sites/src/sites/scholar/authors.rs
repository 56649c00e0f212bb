//! Lists of authors: found by name, of one name, of an institution.

use quintain_atlas::{Date, InstitutionId, PersonId};

use super::pages::namesakes;
use super::seek::people_named;
use super::seek_form::text_field;
use super::{HOST, lists, of};
use crate::facts::{Aspect, Fact, PaperAspect};
use crate::html::Html;
use crate::page::{ListPage, PageBody, PageWriter, pager};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

const ROWS_A_PAGE: usize = 25;

/// Authors by name; `None` where the list has no such page.
pub(super) fn results(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    let name = query.parameter("name").unwrap_or_default().trim();
    let mut found = if name.is_empty() { Vec::new() } else { people_named(web, name) };
    let people = &web.atlas.people;
    let spelled = |word| web.atlas.words.spelling(word);
    found.sort_by_key(|&person| (spelled(people.family[person]), spelled(people.given[person]), person));
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("scholar.authors.hint"));
    main.element("form", &[("class", "query"), ("method", "get"), ("action", "/authors")], |html| {
        text_field("Name", "name", name, html);
        html.leaf("button", &[("type", "submit")], "Find authors");
    });
    if found.is_empty() && !name.is_empty() {
        main.leaf("p", &[], "No author fits.");
    }
    paged(&mut page, query, &found, &mut main)?;
    let crumbs = vec![("Index".to_owned(), "/".to_owned())];
    Some(page.finish(&PageBody { title: "Authors".to_owned(), crumbs, main, ..PageBody::default() }))
}

/// The authors of one name.
pub(super) fn same_name(web: &Web, person: PersonId) -> SiteResponse {
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("scholar.same_name"));
    let people: Vec<PersonId> = namesakes(web, person).take(50).collect();
    table(&mut page, &people, &mut main);
    let crumbs = vec![("Index".to_owned(), "/".to_owned()), ("Authors".to_owned(), "/authors".to_owned())];
    page.finish(&PageBody { title: web.atlas.title(person.into()), crumbs, main, ..PageBody::default() })
}

/// The authors whose last known affiliation is an institution; `None` where the list has no such page.
pub(super) fn people(web: &Web, query: &SiteQuery, institution: InstitutionId) -> Option<SiteResponse> {
    let mut page = PageWriter::about(web, HOST, institution.into(), Date::TODAY);
    let mut main = Html::new();
    lists::institution_tabs(web, institution, "Authors", &mut main);
    main.leaf("p", &[], &page.words("scholar.people.note"));
    let country = web.atlas.institutions.country[institution];
    let scholars = web.atlas.people.group(country, quintain_atlas::people::Calling::Scholar);
    let is_here = |person: &PersonId| {
        web.atlas.employer(*person, Date::TODAY) == Some(institution)
            && !web.atlas.papers.of_person.of(*person).is_empty()
    };
    let mut found: Vec<PersonId> = scholars.filter(is_here).collect();
    // Ids go by age, which is no matter of the index.
    found.sort_by_cached_key(|&person| web.atlas.title(person.into()));
    if found.is_empty() {
        main.leaf("p", &[], "No author is on record.");
    }
    paged(&mut page, query, &found, &mut main)?;
    let crumbs = vec![("Index".to_owned(), "/".to_owned())];
    Some(page.finish(&PageBody { title: web.atlas.title(institution.into()), crumbs, main, ..PageBody::default() }))
}

fn paged(page: &mut PageWriter, query: &SiteQuery, people: &[PersonId], into: &mut Html) -> Option<()> {
    let range = ListPage { n_rows: people.len(), rows_a_page: ROWS_A_PAGE }.range(query.page_number()?)?;
    if !people.is_empty() {
        table(page, &people[range.first..range.end], into);
    }
    let kept: Vec<(&str, &str)> = query.parameter("name").map(|name| ("name", name)).into_iter().collect();
    pager(into, page.web.look(HOST).pager, range, &query.path, &kept);
    Some(())
}

fn table(page: &mut PageWriter, people: &[PersonId], into: &mut Html) {
    into.element("table", &[("class", "grid")], |html| {
        html.markup(
            "<tr><th>Author</th><th>Last known affiliation</th><th>Topic</th><th class=\"num\">Papers</th></tr>",
        );
        for &person in people {
            let name = page.name(person);
            let place = page.tell(Fact::new(person, Aspect::Employer)).unwrap_or_default();
            let topic = page.tell(of(person, PaperAspect::Topic)).unwrap_or_default();
            let n = page.say(of(person, PaperAspect::Papers)).unwrap_or_default();
            html.element("tr", &[], |html| {
                html.wrap("td", &[], &name).wrap("td", &[], &place).wrap("td", &[], &topic);
                html.leaf("td", &[("class", "num")], &n);
            });
        }
    });
}
