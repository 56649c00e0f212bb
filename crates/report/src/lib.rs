//! What a run came to.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]
pub mod compare;
pub mod label;
pub mod row;
pub mod stats;
pub mod summary;
mod text;
pub use compare::{Comparison, compare};
pub use label::{Label, LabelKind, labels};
pub use row::Row;
pub use summary::{Summary, summary};
