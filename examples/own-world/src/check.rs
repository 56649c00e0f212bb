//! The check `shelf-sorted`: all books of the start are there, in order.

use quintain_core::check::{AlteredState, BrokenJudge, Case, Check, CheckKind, Finding};
use quintain_core::task::CheckSpec;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::world::{ShelfStart, Volume};

/// The kind of check `shelf-sorted`.
pub(crate) struct ShelfSorted;

impl CheckKind for ShelfSorted {
    fn kind(&self) -> &'static str {
        "shelf-sorted"
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        if !spec.options.is_empty() {
            return Err("`shelf-sorted` takes no options: the parameter `by` says what counts".to_owned());
        }
        Ok(Box::new(SortedCheck(spec.name.clone())))
    }
}

struct SortedCheck(String);

impl Check for SortedCheck {
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge> {
        let broken = |why| BrokenJudge { check: self.0.clone(), why };
        let wanted = ShelfStart::read(&case.reference.start).map_err(broken)?.in_order();
        let found = case.evidence.select("documents/shelf/volumes").unwrap_or_default();
        let Ok(found) = Vec::<Volume>::deserialize(found) else {
            return Ok(Finding::of(&self.0, false, "there is no shelf that can be read"));
        };
        let n_right = wanted.iter().zip(&found).filter(|(wanted, found)| wanted == found).count();
        let because = format!("{n_right} of {} books are in their places", wanted.len());
        Ok(Finding::of(&self.0, found == wanted, because))
    }

    fn near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        let swapped = altered(case, "the first two exchanged", |books| books.swap(0, 1));
        let lost = altered(case, "the last one lost", |books| drop(books.pop()));
        let doubled = altered(case, "one copied over another", |books| books[0] = books[1].clone());
        [swapped, lost, doubled].into_iter().flatten().collect()
    }

    fn variations(&self, case: Case<'_>) -> Vec<AlteredState> {
        let read = |books: &mut Vec<Value>| books.iter_mut().for_each(|book| book["is_read"] = json!(true));
        altered(case, "something noted about each book", read).into_iter().collect()
    }
}

fn altered(case: Case<'_>, how: &str, alter: impl Fn(&mut Vec<Value>)) -> Option<AlteredState> {
    let mut books = case.evidence.select("documents/shelf/volumes")?.as_array()?.clone();
    alter(&mut books);
    Some(AlteredState { how: how.to_owned(), evidence: case.evidence.with("documents/shelf/volumes", json!(books))? })
}
