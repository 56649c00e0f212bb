//! The pure model of the Workflow Builder's document: graph, settings, expressions, and how two of them compare.

mod catalogue;
mod document;
mod expression;
pub mod edit;

pub use catalogue::{Catalogue, Category, DEFAULT_OUTPUT, Holds, Kind, Setting};
pub use document::{Document, Edge, MAIN, Node, Position, Workflow};
