//! What a run came to: statistics, failure labels, comparisons, and one HTML file that shows it all.
//!
//! Everything starts from a [`Row`] per trial. [`summary()`] condenses rows into numbers with intervals, [`compare()`] pairs
//! the rows of two runs, [`labels`] says how a trial went wrong, [`html()`] draws the report. This crate does no I/O,
//! reads no clock and draws no randomness but from a fixed seed: the same rows give the same report.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod compare;
pub mod html;
pub mod label;
pub mod row;
pub mod stats;
pub mod summary;
mod text;

pub use compare::{Comparison, compare};
pub use html::{HtmlReport, HtmlTrial, html};
pub use label::{Label, LabelKind, labels};
pub use row::Row;
pub use summary::{Summary, summary};
