//! What verifiers say of deliverables that they cannot use: sentences that name the file as its author knows it. Checks
//! repeat them where they are told as `problem`.

use std::fmt::Display;

use quintain_core::FileHandle;
use serde_json::{Value, json};

/// A deliverable is not there.
pub fn missing(path: &str) -> String {
    format!("output/{path} is missing")
}

/// A deliverable is there, and something is wrong with it: "it is no PDF".
pub fn faulty(path: &str, why: impl Display) -> String {
    format!("output/{path}: {why}")
}

/// The bytes of a deliverable, or a complaint.
pub fn bytes_left(path: &str, file: Option<&FileHandle>, max_bytes: u64) -> Result<Vec<u8>, String> {
    file.ok_or_else(|| missing(path))?.whole(max_bytes).map_err(|why| faulty(path, why))
}

/// A complaint in place of what would have been found out.
pub fn problem(complaint: impl Into<String>) -> Value {
    json!({ "problem": complaint.into() })
}

/// Several complaints as one.
pub fn all(complaints: &[String]) -> String {
    complaints.join("; ")
}
