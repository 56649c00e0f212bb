//! What a question comes to.

use super::{Clearance, Margin};
use crate::entity::Entity;
use crate::value::Number;

/// An entity that was looked at, and its number where the question has one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Who or what.
    pub entity: Entity,
    /// Its number.
    pub number: Option<Number>,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// There is none: the pool is empty, or what is asked of it is not there.
    Nothing,
    /// Entities: in the order of the first few where these are asked for, else in the order of the world.
    Entities(Vec<Entity>),
    /// The best, and its number.
    Best(Entity, Number),
    /// A number.
    Number(Number),
    /// Numbers of each entity.
    Table(Vec<(Entity, Vec<Option<Number>>)>),
    /// A term of a list.
    Term(&'static str),
}

/// Everything that evaluating a question gives.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryOutcome {
    /// The answer.
    pub answer: Answer,
    /// The entities that passed all tests, the best first where there is a best.
    pub candidates: Vec<Candidate>,
    /// By how much the answer is what it is.
    pub margins: Vec<Margin>,
}

impl QueryOutcome {
    /// Whether there is an answer and no margin is too small.
    pub fn is_clear(&self, clearance: Clearance) -> bool {
        self.answer != Answer::Nothing && self.margins.iter().all(|margin| margin.is_clear(clearance))
    }

    /// The one entity of the answer, if it is one.
    pub fn entity(&self) -> Option<Entity> {
        match &self.answer {
            Answer::Best(entity, _) => Some(*entity),
            Answer::Entities(entities) if entities.len() == 1 => entities.first().copied(),
            _ => None,
        }
    }

    /// The entities of the answer.
    pub fn entities(&self) -> Vec<Entity> {
        match &self.answer {
            Answer::Best(entity, _) => vec![*entity],
            Answer::Entities(entities) => entities.clone(),
            Answer::Table(rows) => rows.iter().map(|row| row.0).collect(),
            _ => Vec::new(),
        }
    }

    /// The one number of the answer, if it has one.
    pub fn number(&self) -> Option<Number> {
        match &self.answer {
            Answer::Best(_, number) | Answer::Number(number) => Some(*number),
            Answer::Table(rows) => match rows.as_slice() {
                [(_, numbers)] if numbers.len() == 1 => numbers[0],
                _ => None,
            },
            _ => None,
        }
    }
}
