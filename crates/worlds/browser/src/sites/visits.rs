//! What was asked of the sites, in order: every answered request, and everything that was sent to change something.

use serde::Serialize;
use serde_json::{Map, Value};

/// At most so many of each are taken down; more prove nothing new.
const MAX_ENTRIES: usize = 10_000;

/// The kinds of visits: what somebody went to, and what a page consists of.
pub(super) const PAGE: &str = "page";
pub(super) const PART: &str = "part";

/// One answered request.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct SiteVisit {
    /// How many actions had been begun: 0 while the world was opened.
    pub(super) step: u32,
    /// The tab, by the order in which tabs were opened, from 1.
    pub(super) tab: u32,
    pub(super) method: String,
    pub(super) address: String,
    pub(super) status: u16,
    pub(super) kind: &'static str,
    /// How many facts the answer stated.
    pub(super) stated: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) facts: Option<Value>,
}

/// One thing that was sent to change something.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct FormWrite {
    pub(super) step: u32,
    pub(super) tab: u32,
    pub(super) address: String,
    /// The fields by name; a name that was sent several times has a list.
    pub(super) fields: Value,
    pub(super) status: u16,
}

/// Everything that was asked.
#[derive(Debug, Default)]
pub(super) struct VisitLog {
    visits: Vec<SiteVisit>,
    writes: Vec<FormWrite>,
}

impl VisitLog {
    pub(super) fn visit(&mut self, visit: SiteVisit) {
        if self.visits.len() < MAX_ENTRIES {
            self.visits.push(visit);
        }
    }

    pub(super) fn write(&mut self, write: FormWrite) {
        if self.writes.len() < MAX_ENTRIES {
            self.writes.push(write);
        }
    }

    /// The visits as a document. A browser asks for the parts of a page in any order, so they are put into one.
    pub(super) fn visits(&self) -> Value {
        let mut visits = self.visits.clone();
        for parts in visits.chunk_by_mut(|one, other| one.kind == PART && other.kind == PART) {
            parts.sort_by(|one, other| (one.step, one.tab, &one.address).cmp(&(other.step, other.tab, &other.address)));
        }
        serde_json::to_value(visits).expect("visits are JSON")
    }

    /// The writes as a document.
    pub(super) fn writes(&self) -> Value {
        serde_json::to_value(&self.writes).expect("writes are JSON")
    }
}

/// Fields as an object.
pub(super) fn as_object(fields: &[(String, String)]) -> Value {
    let mut object = Map::new();
    for (name, value) in fields {
        let value = Value::from(value.clone());
        match object.get_mut(name) {
            None => drop(object.insert(name.clone(), value)),
            Some(Value::Array(values)) => values.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
        }
    }
    Value::Object(object)
}
