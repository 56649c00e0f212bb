//! How a run lets agents play: the switches behind the diagnoses.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::observation::Part;

/// How a run lets agents play. Part of every fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The parts shown, of those the task allows.
    pub show: BTreeSet<Part>,
    /// How many earlier turns an agent with a memory window keeps; nothing means all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<u32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { show: [Part::Screen, Part::Feedback, Part::Remaining, Part::Text].into(), history: None }
    }
}

impl Settings {
    /// The parts that a task allows and this run shows.
    pub fn shown(&self, allowed: &BTreeSet<Part>) -> BTreeSet<Part> {
        self.show.intersection(allowed).copied().collect()
    }
}
