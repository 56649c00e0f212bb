//! Pages of topics, journals, institutions and fields.

use std::cmp::Reverse;

use quintain_atlas::papers::Field;
use quintain_atlas::{Date, Entity, InstitutionId, PaperId, TopicId, Value, VenueId};

use super::rows::{imply, paper_list};
use super::{HOST, ScholarPage, lead_key, of, slots};
use crate::address::SitePage;
use crate::facts::{PaperAspect, papers_of};
use crate::html::Html;
use crate::page::{Narrator, PageBody, PageWriter, capitalised};
use crate::pictures::{ChartPoint, bar_chart};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

/// The papers on a topic.
pub(super) fn topic(web: &Web, query: &SiteQuery, topic: TopicId) -> Option<SiteResponse> {
    let mut page = PageWriter::about(web, HOST, topic.into(), Date::TODAY);
    let mut main = Html::new();
    told(&mut page, topic.into(), &["topic.papers", "topic.retracted"], &mut main);
    let papers = web.atlas.papers.of_topic.of(topic);
    let rows = paper_list(&mut page, query, papers, &mut main)?;
    imply(&mut page, &rows, PaperAspect::Topic);
    by_year(&mut page, topic.into(), papers, &mut main);
    let mut aside = Html::new();
    let venues = papers.iter().map(|&paper| web.atlas.papers.venue[paper]);
    name_box(&mut page, "Journals", frequent(venues, 6), &mut aside);
    let writers = papers.iter().flat_map(|&paper| web.atlas.papers.authors.of(paper)).copied();
    name_box(&mut page, "Active authors", frequent(writers, 8), &mut aside);
    Some(finish(page, topic.into(), field_crumb(web, web.atlas.topics.field[topic]), main, aside))
}

/// The papers of a journal.
pub(super) fn venue(web: &Web, query: &SiteQuery, venue: VenueId) -> Option<SiteResponse> {
    let mut page = PageWriter::about(web, HOST, venue.into(), Date::TODAY);
    let mut main = Html::new();
    told(&mut page, venue.into(), &["venue.since", "venue.papers"], &mut main);
    let papers = papers_of(&web.atlas, venue.into())?;
    let rows = paper_list(&mut page, query, &papers, &mut main)?;
    imply(&mut page, &rows, PaperAspect::Venue);
    let mut aside = Html::new();
    let topics = papers.iter().map(|&paper| web.atlas.papers.topic[paper]);
    name_box(&mut page, "Topics", frequent(topics, 8), &mut aside);
    Some(finish(page, venue.into(), field_crumb(web, web.atlas.venues.field[venue]), main, aside))
}

/// The papers that give an institution for their corresponding author.
pub(super) fn institution(web: &Web, query: &SiteQuery, institution: InstitutionId) -> Option<SiteResponse> {
    let mut page = PageWriter::about(web, HOST, institution.into(), Date::TODAY);
    let mut main = Html::new();
    institution_tabs(web, institution, "Papers", &mut main);
    let papers = papers_of(&web.atlas, institution.into())?;
    let sentences: &[&str] = if papers.len() > 1 { &["institution.papers"] } else { &[] };
    told(&mut page, institution.into(), sentences, &mut main);
    let rows = paper_list(&mut page, query, &papers, &mut main)?;
    imply(&mut page, &rows, PaperAspect::GivenInstitution);
    let mut aside = Html::new();
    let topics = papers.iter().map(|&paper| web.atlas.papers.topic[paper]);
    name_box(&mut page, "Topics", frequent(topics, 8), &mut aside);
    Some(finish(page, institution.into(), Vec::new(), main, aside))
}

/// The tabs of an institution's record.
pub(super) fn institution_tabs(web: &Web, institution: InstitutionId, tab: &str, main: &mut Html) {
    main.element("nav", &[("class", "tabs")], |html| {
        let tabs = [("Papers", ScholarPage::Institution(institution)), ("Authors", ScholarPage::People(institution))];
        for (label, page) in tabs {
            if label == tab {
                html.leaf("b", &[], label);
            } else {
                html.link(&page.path(web), label);
            }
        }
    });
}

/// Topics and journals of a field.
pub(super) fn field(web: &Web, field: Field) -> SiteResponse {
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("scholar.field.intro"));
    main.leaf("h2", &[], "Topics");
    let topics = web.atlas.topics.field.find(|&of_topic| of_topic == field).map(Entity::from).collect::<Vec<_>>();
    counted(&mut page, &topics, ("Topic", "Papers", PaperAspect::Papers), &mut main);
    main.leaf("h2", &[], "Journals");
    let venues = web.atlas.venues.field.find(|&of_venue| of_venue == field).map(Entity::from).collect::<Vec<_>>();
    counted(&mut page, &venues, ("Journal", "First volume", PaperAspect::FirstVolume), &mut main);
    let crumbs = vec![("Index".to_owned(), "/".to_owned())];
    page.finish(&PageBody { title: capitalised(field.label()), crumbs, main, ..PageBody::default() })
}

/// Names with one figure each.
fn counted(
    page: &mut PageWriter,
    entities: &[Entity],
    (label, figure, aspect): (&str, &str, PaperAspect),
    main: &mut Html,
) {
    main.element("table", &[("class", "grid")], |html| {
        html.element("tr", &[], |html| {
            html.leaf("th", &[], label).leaf("th", &[("class", "num")], figure);
        });
        for &entity in entities.iter().take(50) {
            let name = page.name(entity);
            let said = page.say(of(entity, aspect)).unwrap_or_default();
            html.element("tr", &[], |html| {
                html.wrap("td", &[], &name).leaf("td", &[("class", "num")], &said);
            });
        }
    });
}

/// The first sentence of a record and some more.
fn told(page: &mut PageWriter, entity: Entity, sentences: &[&str], main: &mut Html) {
    let given = slots(entity);
    let mut narrator = Narrator::new(page, entity, "");
    narrator.sentence(lead_key(entity), &given);
    for sentence in sentences {
        narrator.sentence(&format!("scholar.{sentence}"), &given);
    }
    narrator.paragraph(main);
}

/// Papers by year as a chart, from the first year to the last.
pub(super) fn by_year(page: &mut PageWriter, about: Entity, papers: &[PaperId], main: &mut Html) {
    let year = |paper: Option<&PaperId>| paper.map(|&paper| page.web.atlas.papers.date[paper].year());
    let (Some(first), Some(last)) = (year(papers.first()), year(papers.last())) else { return };
    let mut points = Vec::new();
    for year in first..=last {
        let fact = of(about, PaperAspect::PapersIn(year));
        if let Some(Value::Number(number)) = page.ask(fact) {
            page.state_as(fact, "in the chart");
            points.push(ChartPoint { label: year.to_string(), value: number.value() });
        }
    }
    main.leaf("h2", &[], "Papers by year");
    main.piece(&bar_chart(&points, &page.web.look(HOST).colours.accent));
    main.leaf("p", &[("class", "caption")], "Papers that appeared, retracted ones included");
}

/// The most frequent of some things, those of equal number by their ids.
pub(super) fn frequent<I: Copy + Ord + Into<Entity>>(found: impl Iterator<Item = I>, n: usize) -> Vec<Entity> {
    let mut all: Vec<I> = found.collect();
    all.sort_unstable();
    let mut counted: Vec<(Reverse<usize>, I)> =
        all.chunk_by(I::eq).map(|same| (Reverse(same.len()), same[0])).collect();
    counted.sort_unstable();
    counted.into_iter().take(n).map(|(_, one)| one.into()).collect()
}

/// A box of linked names.
pub(super) fn name_box(page: &mut PageWriter, title: &str, entities: Vec<Entity>, aside: &mut Html) {
    let names: Vec<Html> = entities.into_iter().map(|entity| page.name(entity)).collect();
    if names.is_empty() {
        return;
    }
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], title).element("ul", &[("class", "plain")], |html| {
            for name in &names {
                html.wrap("li", &[], name);
            }
        });
    });
}

fn field_crumb(web: &Web, field: Field) -> Vec<(String, String)> {
    vec![(capitalised(field.label()), ScholarPage::Field(field).path(web))]
}

fn finish(page: PageWriter, entity: Entity, below: Vec<(String, String)>, main: Html, aside: Html) -> SiteResponse {
    let crumbs = std::iter::once(("Index".to_owned(), "/".to_owned())).chain(below).collect();
    let title = page.web.atlas.title(entity);
    page.finish(&PageBody { title, crumbs, main, aside })
}
