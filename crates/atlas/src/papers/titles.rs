//! Titles of papers, made from a topic and a number, no two alike.

use super::vocabulary::{PatternPart, Vocabulary};
use super::{PaperTable, TopicTable};
use crate::column::RowId;
use crate::ids::{PaperId, WordId};

/// What the title of a paper speaks of besides its topic. Not every title has all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TitleParts<'a> {
    /// How the work was done.
    pub method: Option<&'a [WordId]>,
    /// Which side of the topic is looked at.
    pub aspect: Option<&'a [WordId]>,
    /// Where or under which conditions.
    pub setting: Option<&'a [WordId]>,
}

/// What titles are made of.
pub(crate) struct Titles<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) topics: &'a TopicTable,
    pub(crate) papers: &'a PaperTable,
}

impl<'a> Titles<'a> {
    /// The words of a title.
    pub(crate) fn title(&self, paper: PaperId) -> Vec<WordId> {
        let mut title = Vec::with_capacity(14);
        self.fill(paper, |_, words| title.extend_from_slice(words));
        title
    }

    /// What a title speaks of.
    pub(crate) fn parts(&self, paper: PaperId) -> TitleParts<'a> {
        let mut parts = TitleParts::default();
        self.fill(paper, |part, words| match part {
            PatternPart::Method => parts.method = Some(words),
            PatternPart::Aspect => parts.aspect = Some(words),
            PatternPart::Setting => parts.setting = Some(words),
            PatternPart::Subject | PatternPart::Word(_) => {}
        });
        parts
    }

    /// Hands over the parts of a title in their order, each with its words.
    fn fill(&self, paper: PaperId, mut found: impl FnMut(PatternPart, &'a [WordId])) {
        let topic = self.papers.topic[paper];
        let field = usize::from(self.topics.field[topic].0);
        let (methods, aspects) = (&self.vocabulary.methods[field], &self.vocabulary.aspects[field]);
        let settings = &self.vocabulary.settings;
        let (pattern, mut rest) = self.slots(self.papers.serial[paper] as usize, topic.index());
        for part in pattern {
            let mut one_of = |list: &'a [Vec<WordId>]| {
                let chosen = &list[rest % list.len()];
                rest /= list.len();
                chosen
            };
            found(
                *part,
                match part {
                    PatternPart::Method => one_of(methods),
                    PatternPart::Aspect => one_of(aspects),
                    PatternPart::Setting => one_of(settings),
                    PatternPart::Subject => &self.topics.name[topic],
                    PatternPart::Word(word) => std::slice::from_ref(word),
                },
            );
        }
    }

    /// The pattern of the n-th paper of a topic, and a number that fills its slots. The step has no factor in common
    /// with the number of fillings, so no filling comes twice before all have come.
    fn slots(&self, serial: usize, topic: usize) -> (&'a [PatternPart], usize) {
        let patterns = &self.vocabulary.patterns;
        let pattern = &patterns[serial % patterns.len()];
        let size: usize = pattern.iter().map(|part| self.choices(*part)).product();
        let nth = serial / patterns.len();
        (pattern, (nth * 1001 + topic * 37 + serial % patterns.len() * 13) % size)
    }

    fn choices(&self, part: PatternPart) -> usize {
        match part {
            PatternPart::Method => self.vocabulary.methods[0].len(),
            PatternPart::Aspect => self.vocabulary.aspects[0].len(),
            PatternPart::Setting => self.vocabulary.settings.len(),
            PatternPart::Subject | PatternPart::Word(_) => 1,
        }
    }
}
