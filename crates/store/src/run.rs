//! A run on disk: a directory that anyone can read.

mod attempt;
mod beside;
mod book;
mod books;
mod chain;
mod dir;
mod exchanges;
mod header;
mod line;
mod place;
mod plan;
mod scan;
mod segment;

pub use attempt::{AttemptRecord, Stopped};
pub use book::Book;
pub use books::{Books, Calls, UnknownCall};
pub use dir::{Fresh, RunDir};
pub use exchanges::{ExchangeBook, KeptExchange};
pub use header::{AgentUsed, ClassUsed, Diagnosis, Factor, Level, PlannedTrial, RUN_FORMAT, RunHeader, SuiteUsed};
pub use place::{NotAPlace, Place};
pub use scan::{AttemptSummary, Scan};
pub use segment::{AttemptWriter, SegmentWriter};
