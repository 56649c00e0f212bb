//! A small typed language of questions, and what they come to.
//!
//! A [`Query`] takes a pool of entities (all of a kind, or those related to one), keeps those that pass its tests and
//! perhaps the first few by a measure, and asks something of them. It is evaluated by looking at every entity. Beside the
//! answer come the candidates and the [`Margin`]s by which the answer is what it is. The same query can be evaluated
//! under every [`Misreading`] that the world offers.

mod answer;
mod evaluate;
mod link;
mod margin;
mod measure;
mod misreading;
mod reader;
mod tests_of;

pub use answer::{Answer, Candidate, QueryOutcome};
pub use link::Link;
pub use margin::{Clearance, Margin, MarginKind};
pub use measure::Measure;
pub use misreading::Misreading;
pub use tests_of::{Comparison, Test};

use serde::{Deserialize, Serialize};

use crate::entity::{Entity, Kind};

/// A question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// Of whom.
    pub pool: EntityPool,
    /// What.
    pub ask: Ask,
}

/// The entities that a question is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntityPool {
    /// Where they come from.
    pub base: Base,
    /// What all of them must pass.
    pub tests: Vec<Test>,
    /// Only the first few by a measure, where this is told.
    pub top: Option<Top>,
}

/// Where the entities of a pool come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// All of a kind.
    All(Kind),
    /// These.
    These(Vec<Entity>),
    /// Whatever is related to one.
    Related(Entity, Link),
}

/// The first few of a pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Top {
    /// How many.
    pub n: usize,
    /// By what.
    pub by: Measure,
    /// From which end.
    pub order: Order,
}

/// From which end an order is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The largest, latest, highest first.
    Most,
    /// The smallest, earliest, lowest first.
    Least,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ask {
    /// All entities of the pool.
    List,
    /// How many there are.
    Count,
    /// The one that comes first by a measure, and its number.
    Best {
        /// By what.
        by: Measure,
        /// From which end.
        order: Order,
    },
    /// The sum of a measure.
    Sum(Measure),
    /// Numbers of every entity.
    Table(Vec<Measure>),
    /// Whatever is related to the one entity of the pool.
    Follow(Link),
    /// The term that the note of the one company's restatement gives as its reason.
    RestatementReason,
}

impl EntityPool {
    /// All entities of a kind that pass some tests.
    pub fn all(kind: Kind, tests: Vec<Test>) -> Self {
        Self { base: Base::All(kind), tests, top: None }
    }

    /// One entity.
    pub fn one(entity: impl Into<Entity>) -> Self {
        Self { base: Base::These(vec![entity.into()]), tests: Vec::new(), top: None }
    }

    /// These entities.
    pub fn these(entities: Vec<Entity>) -> Self {
        Self { base: Base::These(entities), tests: Vec::new(), top: None }
    }

    /// What is related to an entity and passes some tests.
    pub fn related(entity: impl Into<Entity>, link: Link, tests: Vec<Test>) -> Self {
        Self { base: Base::Related(entity.into(), link), tests, top: None }
    }

    /// Only the first few.
    #[must_use]
    pub fn top(self, n: usize, by: Measure, order: Order) -> Self {
        Self { top: Some(Top { n, by, order }), ..self }
    }

    /// The question what of these.
    pub fn ask(self, ask: Ask) -> Query {
        Query { pool: self, ask }
    }

    /// The question which one has most of something.
    pub fn most(self, by: Measure) -> Query {
        self.ask(Ask::Best { by, order: Order::Most })
    }

    /// The question which one has least of something.
    pub fn least(self, by: Measure) -> Query {
        self.ask(Ask::Best { by, order: Order::Least })
    }
}
