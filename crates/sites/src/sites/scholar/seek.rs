//! Finding papers: by title, topic, journal, author and years.

use quintain_atlas::names::Words;
use quintain_atlas::{Date, Kind, PaperId, PersonId, RowId, TopicId, VenueId, WordId};

use super::HOST;
use super::rows::{PaperOrder, PaperView, RetractedShown, imply, paged_table};
use super::seek_form::{TOPIC_OPTION, VENUE_OPTION, form};
use crate::facts::PaperAspect;
use crate::html::Html;
use crate::page::{PageBody, PageWriter};
use crate::request::{SiteQuery, with_parameters};
use crate::response::SiteResponse;
use crate::web::Web;

/// What the search for papers asks for, and in which order what fits is listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PaperSearch {
    /// Words that the title has, or beginnings of them.
    pub title: String,
    /// The topic.
    pub topic: Option<TopicId>,
    /// The journal.
    pub venue: Option<VenueId>,
    /// Names of an author, or beginnings of them. Several people may bear them.
    pub author: String,
    /// The first year.
    pub from: Option<i32>,
    /// The last year.
    pub to: Option<i32>,
    /// In which order.
    pub order: PaperOrder,
    /// Whether retracted papers are left out.
    pub retracted: RetractedShown,
}

const OFFERED: [&str; 9] = ["title", "topic", "venue", "author", "from", "to", "sort", "retracted", "page"];
/// Words that tell nothing.
const SMALL_WORDS: [&str; 12] = ["a", "an", "the", "of", "in", "on", "and", "for", "from", "with", "to", "at"];
/// More words than these are not looked at.
const MOST_WORDS: usize = 6;

/// What fits; `None` where the form does not offer what is asked for.
pub(super) fn results(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    let search = PaperSearch::read(web, query)?;
    let found = search.found(web);
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    form(web, &search, &mut main);
    let count = match found.len() {
        0 => "No paper fits.".to_owned(),
        1 => "One paper fits.".to_owned(),
        n => format!("{} papers fit.", page.voice().whole(n as i64)),
    };
    main.leaf("p", &[("class", "small")], &count);
    let rows = paged_table(&mut page, query, search.view(), &found, &mut main)?;
    if search.topic.is_some() {
        imply(&mut page, &rows, PaperAspect::Topic);
    }
    let crumbs = vec![("Index".to_owned(), "/".to_owned())];
    Some(page.finish(&PageBody { title: "Papers".to_owned(), crumbs, main, ..PageBody::default() }))
}

impl PaperSearch {
    /// The whole address of the results.
    pub fn address(&self, web: &Web) -> String {
        let code = |kind: u32, id: Option<u32>| id.map(|id| web.codes.code(HOST, kind, id)).unwrap_or_default();
        let year = |year: Option<i32>| year.map(|year| year.to_string()).unwrap_or_default();
        let retracted = if self.retracted == RetractedShown::Hidden { "hide" } else { "" };
        let values = [
            ("title", self.title.clone()),
            ("topic", code(TOPIC_OPTION, self.topic.map(|id| id.0))),
            ("venue", code(VENUE_OPTION, self.venue.map(|id| id.0))),
            ("author", self.author.clone()),
            ("from", year(self.from)),
            ("to", year(self.to)),
            ("sort", self.order.value().to_owned()),
            ("retracted", retracted.to_owned()),
        ];
        let parameters: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        with_parameters(&format!("{}search", HOST.home()), &parameters)
    }

    pub(super) fn view(&self) -> PaperView {
        PaperView { order: self.order, retracted: self.retracted }
    }

    fn read(web: &Web, query: &SiteQuery) -> Option<Self> {
        let PaperView { order, retracted } = query.takes_only(&OFFERED).then(|| PaperView::read(query))??;
        let option = |name: &str, kind: u32, of: Kind| -> Option<Option<u32>> {
            let Some(code) = query.parameter(name) else { return Some(None) };
            let (_, id) = web.codes.read(HOST, code).filter(|(read, _)| *read == kind)?;
            ((id as usize) < web.atlas.count(of)).then_some(Some(id))
        };
        let year = |name: &str| -> Option<Option<i32>> {
            let Some(text) = query.parameter(name) else { return Some(None) };
            let is_year = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
            is_year.then(|| text.parse().ok())
        };
        let text = |name: &str| query.parameter(name).unwrap_or_default().trim().to_owned();
        Some(Self {
            title: text("title"),
            topic: option("topic", TOPIC_OPTION, Kind::Topic)?.map(TopicId),
            venue: option("venue", VENUE_OPTION, Kind::Venue)?.map(VenueId),
            author: text("author"),
            from: year("from")?,
            to: year("to")?,
            order,
            retracted,
        })
    }

    /// The papers that fit, the oldest first.
    fn found(&self, web: &Web) -> Vec<PaperId> {
        let papers = &web.atlas.papers;
        let titled = (!self.title.is_empty()).then(|| titled(web, &self.title));
        let written = (!self.author.is_empty()).then(|| written(web, &self.author));
        let from = self.from.map_or(Date(i32::MIN), Date::year_start);
        let to = self.to.map_or(Date(i32::MAX), Date::year_end);
        let fits = |paper: &PaperId| {
            self.topic.is_none_or(|topic| papers.topic[*paper] == topic)
                && self.venue.is_none_or(|venue| papers.venue[*paper] == venue)
                && (from..=to).contains(&papers.date[*paper])
                && titled.as_ref().is_none_or(|marks| marks[paper.index()])
                && written.as_ref().is_none_or(|marks| marks[paper.index()])
                && self.view().shows(web, *paper)
        };
        match self.topic {
            Some(topic) => papers.of_topic.of(topic).iter().copied().filter(fits).collect(),
            None => papers.topic.ids().filter(fits).collect(),
        }
    }
}

/// For each paper, whether its title has all words of a text.
fn titled(web: &Web, text: &str) -> Vec<bool> {
    let mut marks = vec![true; web.atlas.papers.topic.len()];
    for word in wanted_words(text).filter(|word| !SMALL_WORDS.contains(&word.as_str())) {
        let mut found = vec![false; marks.len()];
        for id in beginning_with(&web.atlas.words, &word) {
            web.index.titled(HOST, Kind::Paper, id).for_each(|paper| found[paper] = true);
        }
        marks.iter_mut().zip(found).for_each(|(mark, found)| *mark &= found);
    }
    marks
}

/// For each paper, whether somebody who wrote it bears all names of a text.
fn written(web: &Web, text: &str) -> Vec<bool> {
    let mut marks = vec![false; web.atlas.papers.topic.len()];
    for person in people_named(web, text) {
        web.atlas.papers.of_person.of(person).iter().for_each(|paper| marks[paper.index()] = true);
    }
    marks
}

/// The authors who bear all names of a text, or names that begin so.
pub(super) fn people_named(web: &Web, text: &str) -> Vec<PersonId> {
    let people = &web.atlas.people;
    let mut found: Vec<PersonId> =
        people.given.ids().filter(|&person| !web.atlas.papers.of_person.of(person).is_empty()).collect();
    for word in wanted_words(text) {
        let mut is_wanted = vec![false; web.atlas.words.len()];
        beginning_with(&web.atlas.words, &word).for_each(|id| is_wanted[id.index()] = true);
        found.retain(|&person| is_wanted[people.given[person].index()] || is_wanted[people.family[person].index()]);
    }
    found
}

fn wanted_words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(MOST_WORDS).map(str::to_lowercase)
}

/// The words of the world that begin in a way.
fn beginning_with<'w>(words: &'w Words, start: &'w str) -> impl Iterator<Item = WordId> + 'w {
    let begins = move |spelling: &str| match spelling.get(..start.len()) {
        Some(begin) => begin.eq_ignore_ascii_case(start),
        None => false,
    };
    words.iter().filter(move |(_, spelling)| begins(spelling)).map(|(id, _)| id)
}
