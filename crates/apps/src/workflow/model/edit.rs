//! Changes to a workflow document as data: what a solution does, and what the document is afterwards.
//!
//! A task's solution is a list of edits. Made one after another on a [`DocumentDraft`] they give the document that is expected
//! at the end; an oracle makes the same edits with mouse and keyboard, and looks up in its own draft what the app has by
//! then: which id a new node was given, how many cases a switch has.

mod draft;
#[cfg(test)]
mod tests;

use quintain_core::suggest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::catalogue::NodeCatalogue;
use super::document::MAIN;

pub use draft::{DocumentDraft, apply};

/// One change. Nodes are named by their id or, once added, by the alias they were added under.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Edit {
    /// Put a workflow on the canvas.
    Open {
        /// Its name.
        workflow: String,
    },
    /// Make a new workflow and put it on the canvas.
    Create {
        /// Its name.
        name: String,
    },
    /// Add a node with the settings its kind starts with.
    Add {
        /// Its kind, as the catalogue calls it.
        kind: String,
        /// What later edits call it.
        #[serde(rename = "as")]
        alias: String,
    },
    /// Delete a node, and its edges with it.
    Delete {
        /// The node.
        node: String,
    },
    /// Join an output to a node.
    Connect {
        /// The node the edge comes from.
        from: String,
        /// The output it leaves by.
        #[serde(default = "main_output")]
        output: String,
        /// The node it leads to.
        to: String,
    },
    /// Delete an edge.
    Disconnect {
        /// The node the edge comes from.
        from: String,
        /// The output it leaves by.
        #[serde(default = "main_output")]
        output: String,
        /// The node it leads to.
        to: String,
    },
    /// Give a setting another value.
    Set {
        /// The node.
        node: String,
        /// The setting.
        key: String,
        /// Its value.
        value: Value,
    },
    /// Add a case to a switch.
    AddCase {
        /// The switch.
        node: String,
        /// The label, which names the output.
        label: String,
        /// The expression, where the case has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expr: Option<String>,
    },
    /// Take a case away from a switch, and its edges with it.
    RemoveCase {
        /// The switch.
        node: String,
        /// The label.
        label: String,
    },
    /// Add a field to a node that sets fields.
    AddField {
        /// The node.
        node: String,
        /// The field's name.
        name: String,
        /// The expression that gives its value.
        value: String,
    },
    /// Give a node another name.
    Rename {
        /// The node.
        node: String,
        /// The name.
        name: String,
    },
}

/// What each edit does and what its keys say, for the reference page.
#[expect(clippy::type_complexity, reason = "it is a table")]
pub const EDITS: &[(&str, &str, &[(&str, &str)])] = &[
    ("open", "Puts a workflow on the canvas.", &[("workflow", "Its name: `{{ start.title }}`.")]),
    ("create", "Makes a new workflow and puts it on the canvas.", &[("name", "Its name.")]),
    (
        "add",
        "Adds a node with the settings that its kind starts with.",
        &[("kind", "Its kind: see the nodes."), ("as", "What later edits call it.")],
    ),
    ("delete", "Deletes a node, and its edges with it.", &[("node", "The node.")]),
    (
        "connect",
        "Joins an output to a node.",
        &[("from", "The node it comes from."), ("output", OUTPUT), ("to", "The node it leads to.")],
    ),
    (
        "disconnect",
        "Deletes an edge.",
        &[("from", "The node it comes from."), ("output", OUTPUT), ("to", "The node it leads to.")],
    ),
    (
        "set",
        "Gives a setting another value.",
        &[("node", "The node."), ("key", "The setting: see the nodes."), ("value", "Its value.")],
    ),
    (
        "add_case",
        "Adds a case to a Switch.",
        &[
            ("node", "The Switch."),
            ("label", "The label, which names the output."),
            ("expr", "The expression; left out where the case has none."),
        ],
    ),
    (
        "remove_case",
        "Takes a case away from a Switch, and its edges with it.",
        &[("node", "The Switch."), ("label", "The label.")],
    ),
    (
        "add_field",
        "Adds a field to a node that sets fields.",
        &[("node", "The node."), ("name", "The field's name."), ("value", "The expression that gives its value.")],
    ),
    ("rename", "Gives a node another name.", &[("node", "The node."), ("name", "The name.")]),
];

const OUTPUT: &str = "The output it leaves by; `main` unless told.";

/// Why an edit cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditProblem {
    /// No workflow of that name.
    #[error("there is no workflow called `{name}`; {hint}")]
    NoWorkflow {
        /// The name that was given.
        name: String,
        /// What was probably meant, or what there is.
        hint: String,
    },
    /// The canvas is empty.
    #[error("no workflow is open")]
    NothingOpen,
    /// A kind the catalogue lacks.
    #[error("there is no kind of node called `{kind}`; {hint}", kind = .0, hint = kinds_like(.0))]
    NoKind(String),
    /// No node of that id or alias.
    #[error("there is no node `{node}` in the open workflow; {hint}")]
    NoNode {
        /// The name that was given.
        node: String,
        /// What was probably meant, or what there is.
        hint: String,
    },
    /// An alias that is taken.
    #[error("`{0}` already names a node")]
    Taken(String),
    /// An output the node lacks.
    #[error("node `{node}` has no output `{output}`")]
    NoOutput {
        /// The node.
        node: String,
        /// The output.
        output: String,
    },
    /// A node that takes no edges.
    #[error("node `{0}` has no input")]
    NoInput(String),
    /// An edge that is there already.
    #[error("`{from}` is already joined to `{to}` by `{output}`")]
    Joined {
        /// The node it comes from.
        from: String,
        /// The output.
        output: String,
        /// The node it leads to.
        to: String,
    },
    /// An edge that is not there.
    #[error("`{from}` is not joined to `{to}` by `{output}`")]
    NotJoined {
        /// The node it comes from.
        from: String,
        /// The output.
        output: String,
        /// The node it leads to.
        to: String,
    },
    /// A setting the kind lacks.
    #[error("node `{node}` has no setting `{key}`; {hint}")]
    NoSetting {
        /// The node.
        node: String,
        /// The setting.
        key: String,
        /// What was probably meant, or what there is.
        hint: String,
    },
    /// A value the setting cannot hold.
    #[error("`{key}` of node `{node}` cannot hold {value}")]
    WrongValue {
        /// The node.
        node: String,
        /// The setting.
        key: String,
        /// The value, as JSON.
        value: String,
    },
    /// A case that is there already, or has no label of its own.
    #[error("node `{node}` cannot have another output `{label}`")]
    CaseTaken {
        /// The switch.
        node: String,
        /// The label.
        label: String,
    },
    /// A case that is not there.
    #[error("node `{node}` has no case `{label}`")]
    NoCase {
        /// The switch.
        node: String,
        /// The label.
        label: String,
    },
}

/// What was probably meant, or what there is.
fn kinds_like(kind: &str) -> String {
    suggest::hint_of_many(kind, NodeCatalogue::shared().kinds.iter().map(|known| known.kind.as_str()))
}

fn main_output() -> String {
    MAIN.to_owned()
}
