//! How a trial went wrong in the eyes of a model, with evidence for each word of it.
//!
//! A model is shown a trial in short ([`dossier`]) and gives labels through one tool ([`tool_schema`]). [`hear`] keeps
//! those whose quote stands in the step they cite, and drops the others. Opinions are kept apart from the labels that
//! fixed rules find, and nothing that an agent said is anything but data here.

mod dossier;
mod hear;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::label::LabelKind;

pub use dossier::dossier;
pub use hear::hear;

/// A label that a model gave, with its evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opinion {
    /// What went wrong.
    pub kind: LabelKind,
    /// The step that shows it, from 0.
    pub step: u32,
    /// Words of that step, as they stand there.
    pub quote: String,
    /// Why they show it, in the model's words.
    pub why: String,
}

/// A label that a model gave and that does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedLabel {
    /// What the model gave, as it came.
    pub given: Value,
    /// Why it does not count.
    pub because: String,
}

/// What came of asking a model about a trial.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeardOpinion {
    /// The labels whose evidence was found.
    pub opinions: Vec<Opinion>,
    /// The labels that were dropped.
    pub dropped: Vec<DroppedLabel>,
}

/// The name of the tool through which a model gives labels.
pub const TOOL: &str = "give_labels";

/// What a labelling model is told before everything else.
pub const SYSTEM: &str = include_str!("opinion/system.txt");

/// The JSON schema of the tool's arguments.
pub fn tool_schema() -> Value {
    let kinds: Vec<Value> = LabelKind::ALL.iter().map(|kind| json!(kind)).collect();
    json!({
        "type": "object",
        "properties": {
            "labels": {
                "type": "array",
                "description": "The labels that fit, most important first. Empty if none does.",
                "items": {
                    "type": "object",
                    "properties": {
                        "kind": { "type": "string", "enum": kinds },
                        "step": { "type": "integer", "description": "The number of the step that shows it." },
                        "quote": { "type": "string", "description": "Words copied exactly from that step." },
                        "why": { "type": "string", "description": "One sentence: why these words show it." }
                    },
                    "required": ["kind", "step", "quote", "why"],
                    "additionalProperties": false
                }
            }
        },
        "required": ["labels"],
        "additionalProperties": false
    })
}

#[cfg(test)]
mod tests;
