//! The palette of checks, how findings make a score, and the panel that judges a task.
//!
//! A task declares checks by kind ([`Palette`]); each compares one value of the evidence with what is expected
//! ([`kinds`]); what they find is composed into one score ([`compose()`]); the [`Panel`] does all of it for one task.
//! Pure: everything here is a function of what it is handed.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod calendar;
pub mod compose;
pub mod fold;
pub mod kinds;
mod likeness;
mod number;
pub mod options;
pub mod palette;
pub mod panel;
pub mod scaffold;
mod units;
pub mod value;
mod written;

use quintain_core::offering::CodeDigests;

pub use compose::compose;
pub use palette::Palette;
pub use panel::{CheckClause, MilestoneTwist, Panel, Twist};

/// The code of the general checks, and of how their findings make a score.
pub static CODE: CodeDigests = include!(concat!(env!("OUT_DIR"), "/code.rs"));
