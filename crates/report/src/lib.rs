//! What a run came to: statistics, failure labels, comparisons, and one HTML file that shows it all.
//!
//! Everything starts from a [`TrialRow`] per trial. [`summary()`] condenses rows into numbers with intervals, [`compare()`] pairs
//! the rows of two runs, [`diagnosis()`] says what success depends on, [`labels`] says how a trial went wrong, [`estimate()`] what a
//! plan will cost after a pilot, [`html()`] draws the report. This crate does no I/O,
//! reads no clock and draws no randomness but from a fixed seed: the same rows give the same report.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod compare;
pub mod diagnosis;
mod doubles;
mod elements;
pub mod estimate;
pub mod failure_class;
pub mod html;
pub mod isolation;
pub mod label;
pub mod opinion;
pub mod pointer_trail;
pub mod row;
pub mod stats;
pub mod summary;
mod text;
pub mod told_apart;
pub mod tool_mix;

pub use compare::{AgentSide, RunComparison, SideComparisons, compare, compare_sides};
pub use diagnosis::{Diagnosis, DiagnosisQuestion, QuestionSide, diagnosis};
pub use doubles::DoubledSeeds;
pub use elements::ElementCount;
pub use estimate::{Estimate, PlannedTrials, estimate};
pub use failure_class::{FailureClass, FailureClasses};
pub use html::{HtmlReport, HtmlTrial, PagePicture, html, listed_size, step_size};
pub use isolation::{IsolationByAgent, isolation_warning, noted, noted_line};
pub use label::{Label, LabelKind, labels};
pub use opinion::Opinion;
pub use pointer_trail::{PointerTrail, TrailMatch, TrailSummary};
pub use row::{PlayedBy, TaskSubject, TrialRow, UnplayedTrial, ending_of};
pub use summary::{Summary, summary};
pub use tool_mix::{ToolClass, ToolCounts, tools_used};
