//! Fields, topics and venues, and what titles are made of.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::column::{Column, RowId};
use crate::dice::{Dice, Strand, WorldKey};
use crate::geography::CountryTable;
use crate::ids::{CountryId, TopicId, VenueId, WordId};
use crate::names::Words;
use crate::size::Counts;

/// One of the twelve fields of science, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Field(pub u8);

impl Field {
    /// How many fields there are.
    pub const COUNT: usize = 12;

    /// What the field is called.
    pub fn label(self) -> &'static str {
        FIELD_LINES.get(usize::from(self.0)).map_or("", |parts| parts[0])
    }

    /// The group of fields that share methods: `earth`, `life`, `matter` or `society`.
    pub fn group(self) -> &'static str {
        FIELD_LINES.get(usize::from(self.0)).map_or("", |parts| parts[1])
    }

    /// All fields in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(|number| Self(number as u8))
    }
}

const FIELDS: &str = include_str!("fields.txt");
/// The lines of the fields, read once: pages name fields often.
static FIELD_LINES: LazyLock<Vec<[&'static str; 3]>> = LazyLock::new(|| lines(FIELDS).collect());
const VOCABULARY: &str = include_str!("vocabulary.txt");

fn lines(text: &'static str) -> impl Iterator<Item = [&'static str; 3]> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut parts = line.split('|').map(str::trim);
        std::array::from_fn(|_| parts.next().expect("every line has three parts"))
    })
}

/// Properties of topics. Those of a field stand together.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicTable {
    /// The name, two or three words.
    pub name: Column<TopicId, Vec<WordId>>,
    /// The field it belongs to.
    pub field: Column<TopicId, Field>,
}

/// Properties of venues. Those of a field stand together.
#[derive(Clone, Debug, PartialEq)]
pub struct VenueTable {
    /// The name.
    pub name: Column<VenueId, Vec<WordId>>,
    /// The field it is of.
    pub field: Column<VenueId, Field>,
    /// The year of its first volume.
    pub since: Column<VenueId, i16>,
    a_field: usize,
}

impl TopicTable {
    pub(crate) fn new(counts: &Counts, words: &mut Words) -> Self {
        let mut table = Self { name: Column::with_capacity(120), field: Column::with_capacity(120) };
        for (field, [_, _, topics]) in lines(FIELDS).enumerate() {
            for topic in topics.split(';').take(counts.topics_a_field) {
                table.name.push(words.add_all(topic));
                table.field.push(Field(field as u8));
            }
        }
        table
    }
}

impl VenueTable {
    pub(crate) fn new(key: WorldKey, counts: &Counts, countries: &CountryTable, words: &mut Words) -> Self {
        let a_field = counts.venues_a_field;
        let kinds = entries("any", "journals", words);
        let mut table = Self {
            name: Column::with_capacity(204),
            field: Column::with_capacity(204),
            since: Column::with_capacity(204),
            a_field,
        };
        for (field, [name, _, topics]) in lines(FIELDS).enumerate() {
            let subjects: Vec<Vec<WordId>> = std::iter::once(name)
                .chain(topics.split(';').take(4).map(|topic| topic.split_whitespace().next_back().unwrap_or(name)))
                .map(|subject| words.add_all(subject))
                .collect();
            for nth in 0..a_field {
                let mut dice = key.dice(Strand::Venue, table.name.len() as u64);
                let country = CountryId::from_index(dice.below(countries.name.len()));
                let adjective = (nth % 2 == 1).then_some(countries.adjective[country]);
                let kind = &kinds[(nth * 7 + field) % kinds.len()];
                let subject = &subjects[nth % subjects.len()];
                table
                    .name
                    .push(adjective.into_iter().chain(kind.iter().copied()).chain(subject.iter().copied()).collect());
                table.field.push(Field(field as u8));
                table.since.push(if nth < 3 { 1950 + dice.below(30) } else { 1930 + dice.below(54) } as i16);
            }
        }
        table
    }

    /// The venue of a paper: half of a topic's papers appear in two venues that are its own.
    pub(crate) fn draw(&self, field: Field, topic: TopicId, dice: &mut Dice) -> VenueId {
        let nth = match dice.below(100) {
            0..32 => topic.index() % self.a_field,
            32..52 => (topic.index() * 3 + 1) % self.a_field,
            _ => dice.below(self.a_field),
        };
        VenueId::from_index(usize::from(field.0) * self.a_field + nth)
    }
}

/// The words of titles, by what they stand for.
#[derive(Clone, Debug)]
pub(crate) struct Vocabulary {
    /// By field: its methods and its aspects.
    pub(crate) methods: Vec<Vec<Vec<WordId>>>,
    pub(crate) aspects: Vec<Vec<Vec<WordId>>>,
    pub(crate) settings: Vec<Vec<WordId>>,
    pub(crate) patterns: Vec<Vec<PatternPart>>,
}

/// A piece of a pattern of titles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatternPart {
    Method,
    Aspect,
    Subject,
    Setting,
    Word(WordId),
}

impl Vocabulary {
    pub(crate) fn new(words: &mut Words) -> Self {
        let groups: Vec<&str> = lines(FIELDS).map(|[_, group, _]| group).collect();
        Self {
            methods: groups.iter().map(|group| entries(group, "methods", words)).collect(),
            aspects: groups.iter().map(|group| entries(group, "aspects", words)).collect(),
            settings: entries("any", "settings", words),
            patterns: texts("any", "patterns").map(|pattern| parts(pattern, words)).collect(),
        }
    }
}

fn texts(group: &str, what: &str) -> impl Iterator<Item = &'static str> {
    let found = lines(VOCABULARY).find(|line| line[0] == group && line[1] == what);
    found.map_or("", |line| line[2]).split(';').map(str::trim)
}

fn entries(group: &str, what: &str, words: &mut Words) -> Vec<Vec<WordId>> {
    texts(group, what).map(|text| words.add_all(text)).collect()
}

fn parts(pattern: &str, words: &mut Words) -> Vec<PatternPart> {
    let spaced = pattern.replace(':', " :");
    let part = |word: &str| match word {
        "M" => PatternPart::Method,
        "A" => PatternPart::Aspect,
        "S" => PatternPart::Subject,
        "T" => PatternPart::Setting,
        _ => PatternPart::Word(words.add(word)),
    };
    spaced.split_whitespace().map(part).collect()
}
