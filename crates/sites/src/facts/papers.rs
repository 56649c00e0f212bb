//! What is said of papers, and of topics, journals, authors and institutions as far as papers go.

use quintain_atlas::papers::Field;
use quintain_atlas::{Atlas, Date, Entity, PaperId, Value, WordId};

use super::{count, entity, year};

/// What the index of papers tells. Numbers count from 0 in the order of the world's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PaperAspect {
    /// What a paper is about. Of an author: what all papers of this author are about.
    Topic,
    /// The same as words in a sentence. Of a topic: its own name as such.
    TopicWords,
    /// The field of science of a paper, a topic, a journal or an author.
    Field,
    /// Where a paper appeared.
    Venue,
    /// The day on which it appeared.
    Appeared,
    /// The year in which it appeared, which is all that lists tell.
    AppearedYear,
    /// The n-th author.
    Author(u32),
    /// The author who takes letters.
    CorrespondingAuthor,
    /// The institution that the paper gives for that author.
    GivenInstitution,
    /// How many papers cite it.
    Citations,
    /// How many papers it cites.
    References,
    /// The n-th paper that it cites.
    Cites(u32),
    /// The n-th paper that cites it.
    CitedBy(u32),
    /// The day of the notice by which it was retracted.
    Retracted,
    /// That it was retracted, without the day.
    RetractedMark,
    /// How the work was done, as the title has it.
    Method,
    /// Which side of the topic the title names.
    Side,
    /// Under which conditions, as the title has it.
    Setting,
    /// The year of a journal's first volume.
    FirstVolume,
    /// How many papers there are of an author, on a topic, in a journal, or that give an institution.
    Papers,
    /// How many of them appeared in a year.
    PapersIn(i32),
    /// How many of them were retracted; `None` where none was.
    RetractedPapers,
}

pub(super) fn told(atlas: &Atlas, about: Entity, aspect: PaperAspect) -> Option<Value> {
    match (about, aspect) {
        (_, PaperAspect::Papers) => Some(count(papers_of(atlas, about)?.len())),
        (_, PaperAspect::PapersIn(year)) => {
            let papers = papers_of(atlas, about)?;
            let before = |day| papers.partition_point(|&paper| atlas.papers.date[paper] < day);
            Some(count(before(Date::year_start(year + 1)) - before(Date::year_start(year))))
        }
        (_, PaperAspect::RetractedPapers) => {
            let is_retracted = |paper: &&PaperId| atlas.papers.retracted[**paper].is_some();
            let n = papers_of(atlas, about)?.iter().filter(is_retracted).count();
            (n > 0).then(|| count(n))
        }
        (_, PaperAspect::Field) => Some(Value::Term(field_of(atlas, about)?.label())),
        (Entity::Paper(paper), aspect) => told_of_paper(atlas, paper, aspect),
        (Entity::Topic(topic), PaperAspect::TopicWords) => Some(spelled(atlas, &atlas.topics.name[topic])),
        (Entity::Venue(venue), PaperAspect::FirstVolume) => Some(year(i32::from(atlas.venues.since[venue]))),
        (Entity::Person(person), PaperAspect::Topic | PaperAspect::TopicWords) => {
            told_of_paper(atlas, *atlas.papers.of_person.of(person).first()?, aspect)
        }
        _ => None,
    }
}

fn told_of_paper(atlas: &Atlas, paper: PaperId, aspect: PaperAspect) -> Option<Value> {
    let table = &atlas.papers;
    match aspect {
        PaperAspect::Topic => Some(entity(table.topic[paper])),
        PaperAspect::TopicWords => Some(spelled(atlas, &atlas.topics.name[table.topic[paper]])),
        PaperAspect::Venue => Some(entity(table.venue[paper])),
        PaperAspect::Appeared => Some(Value::Date(table.date[paper])),
        PaperAspect::AppearedYear => Some(year(table.date[paper].year())),
        PaperAspect::Author(nth) => Some(entity(*table.authors.of(paper).get(nth as usize)?)),
        PaperAspect::CorrespondingAuthor => Some(entity(table.corresponding[paper])),
        PaperAspect::GivenInstitution => Some(entity(table.institution[paper])),
        PaperAspect::Citations => Some(count(table.n_citations(paper))),
        PaperAspect::References => Some(count(table.cites.of(paper).len())),
        PaperAspect::Cites(nth) => Some(entity(*table.cites.of(paper).get(nth as usize)?)),
        PaperAspect::CitedBy(nth) => Some(entity(*table.cited_by.of(paper).get(nth as usize)?)),
        PaperAspect::Retracted => table.retracted[paper].map(Value::Date),
        PaperAspect::RetractedMark => table.retracted[paper].map(|_| Value::Term("retracted")),
        PaperAspect::Method => atlas.paper_title_parts(paper).method.map(|words| spelled(atlas, words)),
        PaperAspect::Side => atlas.paper_title_parts(paper).aspect.map(|words| spelled(atlas, words)),
        PaperAspect::Setting => atlas.paper_title_parts(paper).setting.map(|words| spelled(atlas, words)),
        _ => None,
    }
}

/// The papers of an author, on a topic, in a journal, or that give an institution, the oldest first.
pub(crate) fn papers_of(atlas: &Atlas, about: Entity) -> Option<std::borrow::Cow<'_, [PaperId]>> {
    let table = &atlas.papers;
    match about {
        Entity::Person(person) => Some(table.of_person.of(person).into()),
        Entity::Topic(topic) => Some(table.of_topic.of(topic).into()),
        Entity::Venue(venue) => Some(table.venue.find(|&of| of == venue).collect()),
        Entity::Institution(institution) => Some(table.institution.find(|&of| of == institution).collect()),
        _ => None,
    }
}

fn field_of(atlas: &Atlas, about: Entity) -> Option<Field> {
    let of_paper = |paper: PaperId| atlas.topics.field[atlas.papers.topic[paper]];
    match about {
        Entity::Paper(paper) => Some(of_paper(paper)),
        Entity::Topic(topic) => Some(atlas.topics.field[topic]),
        Entity::Venue(venue) => Some(atlas.venues.field[venue]),
        Entity::Person(person) => atlas.papers.of_person.of(person).first().map(|&paper| of_paper(paper)),
        _ => None,
    }
}

/// Words as they stand in a sentence.
fn spelled(atlas: &Atlas, words: &[WordId]) -> Value {
    Value::Text(words.iter().map(|&word| atlas.words.spelling(word)).collect::<Vec<_>>().join(" "))
}
