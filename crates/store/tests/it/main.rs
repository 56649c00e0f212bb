//! What the store promises, told at its boundaries: files in, files out.
#![expect(clippy::unwrap_used, clippy::format_collect, reason = "a test may panic, and takes its time")]

mod archive;
mod certificates;
mod chain;
mod dial;
mod exchanges;
mod export;
mod frames;
mod mangled;
mod run;
mod suites;
mod torn;
