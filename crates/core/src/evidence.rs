//! What the world hands over when the agent has stopped.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::digest::Digest;

/// Everything a verdict is made from, besides the reference. Small things are held as they are, large ones by digest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The world's documents at the end: the state of a puzzle, what an app keeps.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub documents: BTreeMap<String, Value>,
    /// The answer, where the agent gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
    /// Files the agent left, by path, and the name they are stored under.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, Digest>,
    /// The last screen, by the name it is stored under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screen: Option<Digest>,
    /// What the agent tried and was refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// What verifiers made of the above, by verifier.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub derived: BTreeMap<String, Value>,
}

impl Evidence {
    /// Evidence of one document.
    pub fn document(name: &str, value: Value) -> Self {
        Self { documents: [(name.to_owned(), value)].into(), ..Self::default() }
    }

    /// The value a selector names: `answer`, `answer/total`, `documents/puzzle/agent/0`, `derived/...`.
    pub fn select(&self, selector: &str) -> Option<Value> {
        let (root, rest) = selector.split_once('/').unwrap_or((selector, ""));
        let pointer = |value: &Value, rest: &str| {
            if rest.is_empty() { Some(value.clone()) } else { value.pointer(&format!("/{rest}")).cloned() }
        };
        match root {
            "answer" => pointer(self.answer.as_ref()?, rest),
            "documents" => select_named(&self.documents, rest).and_then(|(value, rest)| pointer(value, rest)),
            "derived" => select_named(&self.derived, rest).and_then(|(value, rest)| pointer(value, rest)),
            _ => None,
        }
    }

    /// The same evidence with another value where the selector points, if there is such a place.
    pub fn with(&self, selector: &str, value: Value) -> Option<Self> {
        let mut changed = self.clone();
        let (root, rest) = selector.split_once('/').unwrap_or((selector, ""));
        let slot = match root {
            "answer" => slot_in(changed.answer.as_mut()?, rest)?,
            "documents" => slot_named(&mut changed.documents, rest)?,
            "derived" => slot_named(&mut changed.derived, rest)?,
            _ => return None,
        };
        *slot = value;
        Some(changed)
    }
}

fn select_named<'a, 'b>(values: &'a BTreeMap<String, Value>, rest: &'b str) -> Option<(&'a Value, &'b str)> {
    let (name, rest) = rest.split_once('/').unwrap_or((rest, ""));
    Some((values.get(name)?, rest))
}

fn slot_named<'a>(values: &'a mut BTreeMap<String, Value>, rest: &str) -> Option<&'a mut Value> {
    let (name, rest) = rest.split_once('/').unwrap_or((rest, ""));
    slot_in(values.get_mut(name)?, rest)
}

fn slot_in<'a>(value: &'a mut Value, rest: &str) -> Option<&'a mut Value> {
    if rest.is_empty() { Some(value) } else { value.pointer_mut(&format!("/{rest}")) }
}
