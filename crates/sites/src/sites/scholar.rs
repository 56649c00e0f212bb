//! The index of papers.

mod about;
mod abstracts;
mod author;
mod authors;
mod lists;
mod pages;
mod paper;
mod rows;
mod seek;
mod seek_form;

pub use pages::ScholarPage;
pub use rows::{PaperOrder, RetractedShown};
pub use seek::PaperSearch;

use quintain_atlas::papers::Field;
use quintain_atlas::{Date, Entity};

use crate::address::SitePage;
use crate::facts::{Aspect, Fact, PaperAspect};
use crate::host::SiteHost;
use crate::html::Html;
use crate::page::{Narrator, PageWriter};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

const HOST: SiteHost = SiteHost::Scholar;

/// Answers a request; `None` where there is no such page.
pub(crate) fn get(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    match query.path.as_str() {
        "/" if query.parameters.is_empty() => Some(about::home(web)),
        "/about" if query.parameters.is_empty() => Some(about::about(web)),
        "/search" => seek::results(web, query),
        "/authors" if query.takes_only(&["name", "page"]) => authors::results(web, query),
        path => page(web, query, ScholarPage::of_path(web, path)?),
    }
}

fn page(web: &Web, query: &SiteQuery, page: ScholarPage) -> Option<SiteResponse> {
    let is_plain = query.parameters.is_empty();
    match page {
        ScholarPage::Paper(paper) => is_plain.then(|| paper::record(web, paper)),
        ScholarPage::CitedBy(paper) => paper::citing(web, query, paper),
        ScholarPage::Author(person) => author::author(web, query, person),
        ScholarPage::SameName(person) => is_plain.then(|| authors::same_name(web, person)),
        ScholarPage::Topic(topic) => lists::topic(web, query, topic),
        ScholarPage::Venue(venue) => lists::venue(web, query, venue),
        ScholarPage::Institution(institution) => lists::institution(web, query, institution),
        ScholarPage::People(institution) => {
            query.takes_only(&["page"]).then(|| authors::people(web, query, institution))?
        }
        ScholarPage::Field(field) => is_plain.then(|| lists::field(web, field)),
    }
}

/// Links of the header.
pub(crate) fn links() -> Vec<(&'static str, String)> {
    vec![
        ("Fields", "/".to_owned()),
        ("Papers", "/search".to_owned()),
        ("Authors", "/authors".to_owned()),
        ("About", "/about".to_owned()),
    ]
}

/// The first sentence of a record.
pub(crate) fn lead(web: &Web, entity: Entity, into: &mut Html) {
    let mut page = PageWriter::about(web, HOST, entity, Date::TODAY);
    Narrator::new(&mut page, entity, "").sentence(lead_key(entity), &slots(entity)).paragraph(into);
}

/// Which sentence a record begins with.
fn lead_key(entity: Entity) -> &'static str {
    match entity {
        Entity::Person(_) => "scholar.author.lead",
        Entity::Venue(_) => "scholar.venue.lead",
        Entity::Topic(_) => "scholar.topic.lead",
        Entity::Institution(_) => "scholar.institution.lead",
        _ => "scholar.paper.lead",
    }
}

/// A fact of the index of papers.
fn of(about: impl Into<Entity>, aspect: PaperAspect) -> Fact {
    Fact::new(about, Aspect::Paper(aspect))
}

/// States a fact; a field of science is linked to its page, like what has a name.
fn field_linked(page: &mut PageWriter, fact: Fact) -> Option<Html> {
    if fact.aspect != Aspect::Paper(PaperAspect::Field) {
        return page.tell(fact);
    }
    let said = page.say(fact)?;
    let field = Field::all().find(|field| field.label() == said)?;
    Some(Html::of_element("a", &[("href", &ScholarPage::Field(field).path(page.web))], &said))
}

/// Facts as a table of two columns; facts that are not known are left out.
fn fact_table(page: &mut PageWriter, rows: &[(&str, Fact)]) -> Html {
    let mut table = Html::new();
    table.open("table", &[("class", "facts")]);
    for (label, fact) in rows {
        let Some(told) = field_linked(page, *fact) else { continue };
        table.element("tr", &[], |html| {
            html.leaf("th", &[], label).wrap("td", &[], &told);
        });
    }
    table.close("table");
    table
}

/// The facts that slots of this site's sentences stand for.
fn slots(about: Entity) -> [(&'static str, Fact); 9] {
    [
        ("topic_words", PaperAspect::TopicWords),
        ("field", PaperAspect::Field),
        ("method", PaperAspect::Method),
        ("side", PaperAspect::Side),
        ("setting", PaperAspect::Setting),
        ("n_references", PaperAspect::References),
        ("n_papers", PaperAspect::Papers),
        ("n_retracted", PaperAspect::RetractedPapers),
        ("first_volume", PaperAspect::FirstVolume),
    ]
    .map(|(slot, aspect)| (slot, of(about, aspect)))
}
