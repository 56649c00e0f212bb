//! The kinds of checks that every task can declare. Worlds add their own.
//!
//! What each demands and understands is told by its [`quintain_core::check::CheckKind::manual`], of which
//! `docs/reference.md` is made.
//!
//! All but `file` look where `selector` points. What is expected is a template over the parameters of the
//! instance: `{{ parameter }}`, also inside lists and objects. `ignore` is a list of `case`, `space` and `punctuation`.

mod fields;
mod file;
mod single;

use quintain_core::check::BrokenJudge;
use quintain_core::evidence::Evidence;
use quintain_core::reference::Reference;
use quintain_core::template::is_place;
use serde_json::Value;

pub use fields::JsonFields;
pub use file::FileCheck;
pub use single::{Exact, Numeric, SetCheck, Text};

/// What is expected in this instance.
fn resolve(check: &str, reference: &Reference, expect: &Value) -> Result<Value, BrokenJudge> {
    reference.resolve(expect).map_err(|error| broken(check, error.to_string()))
}

/// Whether an expectation is only known once the instance is.
fn is_placeholder(expect: &Value) -> bool {
    expect.as_str().is_some_and(is_place)
}

fn broken(check: &str, why: impl Into<String>) -> BrokenJudge {
    BrokenJudge { check: check.to_owned(), why: why.into() }
}

/// The evidence without the document or answer that a selector points into.
fn without_document(evidence: &Evidence, selector: &str) -> Evidence {
    let mut without = evidence.clone();
    let mut names = selector.split('/');
    match (names.next(), names.next()) {
        (Some("documents"), Some(name)) => drop(without.documents.remove(name)),
        (Some("derived"), Some(name)) => drop(without.derived.remove(name)),
        _ => without.answer = None,
    }
    without
}

/// The evidence with something beside it that nobody asked for.
fn with_bystander(evidence: &Evidence) -> Evidence {
    let mut with = evidence.clone();
    with.documents.insert("a-bystander".to_owned(), Value::Bool(true));
    with
}
