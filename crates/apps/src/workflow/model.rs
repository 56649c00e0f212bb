//! The pure model of the Workflow Builder's document: graph, settings, expressions.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod catalogue;
mod document;
pub mod edit;
pub(super) mod expression;

pub use catalogue::{DEFAULT_OUTPUT, NodeCatalogue, NodeCategory, NodeKind, NodeSetting, SettingContent};
pub use document::{Document, Edge, MAIN, Position, Workflow, WorkflowNode};
