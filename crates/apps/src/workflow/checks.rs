//! How the Workflow Builder's document is judged: two of them compared, near misses and harmless variations. Pure.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod check;
mod clause;
mod colours;
mod compare;
mod content;
mod embedding;
mod graph;
mod identity;
mod near;
mod pairing;
mod part;
mod tolerance;
mod variations;

pub use check::WorkflowGraph;
pub(super) use check::n_edits;
pub use compare::{DocumentComparison, Mistake, compare, compare_since};
pub(super) use tolerance::what_counts;
