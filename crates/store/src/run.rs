//! A run on disk: a directory that anyone can read.

mod attempt;
mod beside;
mod body_parts;
mod book;
mod books;
mod chain;
mod dir;
mod examine;
mod exchanges;
mod frame_keeper;
mod gaps;
mod header;
pub(crate) mod header_file;
mod line;
mod place;
mod plan;
mod prune;
mod salvage;
mod scan;
mod segment;

pub use attempt::{AgentStop, AttemptRecord};
pub use book::Book;
pub use books::{BookedCalls, Books, UnknownCall};
pub use dir::{FreshFiles, ReadablePlan, RunDir};
pub use examine::ExamineProgress;
pub use exchanges::{ExchangeBook, KeptExchange};
pub use frame_keeper::KeptPictures;
pub use header::{
    AgentUsed, ClassUsed, DiagnosisPlan, Factor, Level, PlannedTrial, PrivateSeedsUsed, RUN_FORMAT, RunHeader,
    SuiteUsed,
};
pub use place::{LineRange, NotAPlace};
pub(crate) use plan::line as plan_line;
pub use prune::PrunedPictures;
pub use scan::{AttemptSummary, Scan};
pub use segment::{AttemptWriter, SegmentWriter};
