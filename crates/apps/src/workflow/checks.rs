//! How the Workflow Builder's document is judged: two of them compared, near misses and harmless variations. Pure.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod check;
mod clause;
mod colours;
mod compare;
mod content;
mod graph;
mod identity;
mod near;
mod pairing;
mod tolerance;
mod variations;

pub use check::WorkflowGraph;
pub use compare::{DocumentComparison, Mistake, compare, compare_since};
pub(super) use tolerance::what_counts;
