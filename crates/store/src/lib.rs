//! Suites in, runs out: the only crate that knows the files.
//!
//! [`Suites`] reads tasks from a directory or from the copy in the binary. [`RunDir`] is a run on disk: what was
//! planned, what happened, the pictures and files it names. [`export`] turns recorded trials into formats that other
//! tools read. [`CertificateStore`] keeps the proofs that tasks are sound. `docs/run-format.md` describes the files.

pub mod archive;
pub mod blobs;
pub mod certificate;
pub mod damage;
pub mod data;
pub mod demos;
pub mod disk;
pub mod error;
pub mod export;
mod file;
mod frames;
pub mod line_sum;
pub mod run;
pub mod suites;

pub use archive::{Archive, ArchiveError, ArchivedRun};
pub use blobs::BlobStore;
pub use certificate::{CertificateStore, CertifiedState, KeptFiles};
pub use damage::{Damage, DamageLog};
pub use demos::{DemoDir, DemoFacts, DemoFormat, Demonstration, PictureForm};
pub use disk::{DiskFile, files_below};
pub use error::StoreError;
pub use frames::FrameStore;
pub use run::{
    AgentUsed, AttemptRecord, AttemptSummary, AttemptWriter, Book, BookedCalls, Books, ClassUsed, DiagnosisPlan,
    ExchangeBook, Factor, FreshFiles, KeptExchange, KeptPictures, Level, LineRange, PlannedTrial, PrivateSeedsUsed,
    PrunedPictures, RUN_FORMAT, ReadablePlan, RunDir, RunHeader, Scan, SegmentWriter, SuiteUsed, UnknownCall,
};
pub use suites::{BuiltInFiles, OWN_SUITES, Selection, SuiteError, Suites};
