//! The kinds of checks that every task can declare. Worlds add their own.
//!
//! What each demands and understands is told by its [`quintain_core::check::CheckKind::manual`], of which
//! `docs/reference.md` is made.
//!
//! All but `file` look where `selector` points. What is expected is a template over the parameters of the
//! instance: `{{ parameter }}`, also inside lists and objects. `ignore` is a list of `case`, `space` and `punctuation`.
//!
//! A verifier that cannot read something tells `{"problem": "a sentence"}` in its place, or beside what it could read:
//! checks that look there or below and do not hold say the sentence.

mod fields;
mod file;
mod single;
mod told_problem;
mod typed;

use quintain_core::check::BrokenJudge;
use quintain_core::evidence::Evidence;
use quintain_core::reference::Reference;
use quintain_core::template::{is_place, is_template};
use serde_json::Value;

pub use fields::JsonFields;
pub use file::FileCheck;
pub use single::{Exact, Numeric, SetCheck, Text};
pub use typed::TypedValue;

/// What is expected in this instance.
fn resolve(check: &str, reference: &Reference, expect: &Value) -> Result<Value, BrokenJudge> {
    reference.resolve(expect).map_err(|error| broken(check, error.to_string()))
}

/// Whether an expectation is only known once the instance is.
fn is_placeholder(expect: &Value) -> bool {
    expect.as_str().is_some_and(is_place)
}

/// Whether anything in an expectation is only known once the instance is.
fn has_places(expect: &Value) -> bool {
    match expect {
        Value::String(text) => is_template(text),
        Value::Array(items) => items.iter().any(has_places),
        Value::Object(fields) => fields.iter().any(|(name, value)| is_template(name) || has_places(value)),
        _ => false,
    }
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
