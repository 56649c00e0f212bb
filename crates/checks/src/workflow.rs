//! The pure model of the Workflow Builder's document: graph, settings, expressions, and how two of them compare.

mod catalogue;
mod check;
mod colours;
mod compare;
mod content;
mod document;
pub mod edit;
mod expression;
mod graph;
mod identity;
mod near;
mod pairing;
mod variations;

pub use catalogue::{Catalogue, Category, DEFAULT_OUTPUT, Holds, Kind, Setting};
pub use check::WorkflowGraph;
pub use compare::{Comparison, Mistake, compare};
pub use document::{Document, Edge, MAIN, Node, Position, Workflow};
