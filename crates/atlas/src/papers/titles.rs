//! Titles of papers, made from a topic and a number, no two alike.

use super::vocabulary::{PatternPart, Vocabulary};
use super::{PaperTable, TopicTable};
use crate::column::RowId;
use crate::ids::{PaperId, WordId};

/// What titles are made of.
pub(crate) struct Titles<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) topics: &'a TopicTable,
    pub(crate) papers: &'a PaperTable,
}

impl Titles<'_> {
    /// The words of a title.
    pub(crate) fn title(&self, paper: PaperId) -> Vec<WordId> {
        let topic = self.papers.topic[paper];
        let field = usize::from(self.topics.field[topic].0);
        let (methods, aspects) = (&self.vocabulary.methods[field], &self.vocabulary.aspects[field]);
        let settings = &self.vocabulary.settings;
        let (pattern, mut rest) = self.slots(self.papers.serial[paper] as usize, topic.index());
        let mut title = Vec::with_capacity(14);
        for part in pattern {
            let mut one_of = |list: &[Vec<WordId>]| {
                title.extend_from_slice(&list[rest % list.len()]);
                rest /= list.len();
            };
            match part {
                PatternPart::Method => one_of(methods),
                PatternPart::Aspect => one_of(aspects),
                PatternPart::Setting => one_of(settings),
                PatternPart::Subject => title.extend_from_slice(&self.topics.name[topic]),
                PatternPart::Word(word) => title.push(*word),
            }
        }
        title
    }

    /// The pattern of the n-th paper of a topic, and a number that fills its slots. The step has no factor in common
    /// with the number of fillings, so no filling comes twice before all have come.
    fn slots(&self, serial: usize, topic: usize) -> (&[PatternPart], usize) {
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
