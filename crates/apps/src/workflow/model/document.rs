//! The document the Workflow Builder keeps: workflows of nodes and edges. It is the evidence of a trial.
//!
//! Reading is tolerant: fields nobody knows are passed over, and whatever a node, an edge or a workflow may do without
//! has a default. What was read may still be unsound; [`Document::problems`] tells.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::catalogue::NodeCatalogue;

/// Everything the app keeps. What is selected, searched for or in view is no part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The workflows, in the order of the hub.
    pub workflows: Vec<Workflow>,
    /// The id of the workflow on the canvas; nothing while the hub is shown.
    #[serde(default)]
    pub open: Option<String>,
}

/// One workflow: a graph with a name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Workflow {
    /// The id, `w1`, `w2` and so on.
    pub id: String,
    /// The name the hub shows.
    #[serde(default)]
    pub name: String,
    /// The nodes.
    #[serde(default)]
    pub nodes: Vec<WorkflowNode>,
    /// The edges.
    #[serde(default)]
    pub edges: Vec<Edge>,
}

/// One node on the canvas.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkflowNode {
    /// The id, `n1`, `n2` and so on.
    pub id: String,
    /// The kind, as the catalogue calls it: `httpRequest`.
    pub kind: String,
    /// The name on the node. The kind's display name unless somebody renamed it.
    #[serde(default)]
    pub name: String,
    /// Where it stands.
    #[serde(default)]
    pub position: Position,
    /// The settings by key, in the types the catalogue gives them.
    #[serde(default)]
    pub settings: Map<String, Value>,
}

/// A place on the canvas in whole units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Rightwards.
    #[serde(default, deserialize_with = "whole")]
    pub x: i64,
    /// Downwards.
    #[serde(default, deserialize_with = "whole")]
    pub y: i64,
}

/// One edge, from an output of a node to the only input of another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    /// The id, `e1`, `e2` and so on.
    pub id: String,
    /// The id of the node it comes from.
    pub source: String,
    /// The output it leaves by: `main`, `true`, `false`, `default` or the label of a case.
    #[serde(default = "main_output")]
    pub output: String,
    /// The id of the node it leads to.
    pub target: String,
}

/// The output of nodes that have only one.
pub const MAIN: &str = "main";

fn main_output() -> String {
    MAIN.to_owned()
}

/// A fraction of a unit, should one ever be kept, is rounded away.
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    f64::deserialize(deserializer).map(|number| number.round() as i64)
}

impl Document {
    /// Reads what the app kept, or says why it cannot be read.
    pub fn read(value: &Value) -> Result<Self, String> {
        Self::deserialize(value).map_err(|why| format!("the document cannot be read: {why}"))
    }

    /// The document as the app keeps it.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).expect("a document has nothing that JSON lacks")
    }

    /// The workflow with this id.
    pub fn workflow(&self, id: &str) -> Option<&Workflow> {
        self.workflows.iter().find(|workflow| workflow.id == id)
    }

    /// The workflow with this id, to be changed.
    pub fn workflow_mut(&mut self, id: &str) -> Option<&mut Workflow> {
        self.workflows.iter_mut().find(|workflow| workflow.id == id)
    }

    /// The id that the app gives next: the letter and one more than the greatest number in use anywhere in the
    /// document. The letter is `w` for workflows, `n` for nodes and `e` for edges.
    pub fn next_id(&self, letter: char) -> String {
        let ids = self.workflows.iter().flat_map(|workflow| {
            let inner = workflow.nodes.iter().map(|node| &node.id).chain(workflow.edges.iter().map(|edge| &edge.id));
            inner.chain([&workflow.id])
        });
        let numbers = ids.filter_map(|id| id.strip_prefix(letter)?.parse::<u64>().ok());
        format!("{letter}{}", numbers.max().unwrap_or(0) + 1)
    }

    /// What is unsound about the document, in sentences; nothing for one the app could have written.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut ids = BTreeSet::new();
        for workflow in &self.workflows {
            claim(&mut ids, &workflow.id, &mut problems);
            workflow.node_problems(&mut ids, &mut problems);
            workflow.edge_problems(&mut ids, &mut problems);
        }
        if let Some(open) = self.open.as_deref().filter(|open| self.workflow(open).is_none()) {
            problems.push(format!("the open workflow `{open}` is not there"));
        }
        problems
    }
}

impl Workflow {
    /// The node with this id.
    pub fn node(&self, id: &str) -> Option<&WorkflowNode> {
        self.nodes.iter().find(|node| node.id == id)
    }

    /// The node with this id, to be changed.
    pub fn node_mut(&mut self, id: &str) -> Option<&mut WorkflowNode> {
        self.nodes.iter_mut().find(|node| node.id == id)
    }

    fn node_problems(&self, ids: &mut BTreeSet<String>, problems: &mut Vec<String>) {
        for node in &self.nodes {
            claim(ids, &node.id, problems);
            let Some(kind) = NodeCatalogue::shared().kind(&node.kind) else {
                problems.push(format!("node `{}` is of the unknown kind `{}`", node.id, node.kind));
                continue;
            };
            let unknown = node.settings.keys().filter(|key| kind.setting(key).is_none());
            problems.extend(unknown.map(|key| format!("node `{}` has the unknown setting `{key}`", node.id)));
            let mut outputs = BTreeSet::new();
            let twice = kind.outputs_of(node).into_iter().filter(|output| !outputs.insert(output.clone()));
            problems.extend(twice.map(|output| format!("node `{}` has the output `{output}` twice", node.id)));
        }
    }

    fn edge_problems(&self, ids: &mut BTreeSet<String>, problems: &mut Vec<String>) {
        let mut seen = BTreeSet::new();
        for edge in &self.edges {
            let Edge { id, source, output, target } = edge;
            claim(ids, id, problems);
            if !seen.insert((source, output, target)) {
                problems.push(format!("edge `{id}` repeats another"));
            }
            problems.extend(self.source_problem(edge));
            match self.node(target).map(|node| NodeCatalogue::shared().kind(&node.kind)) {
                None => problems.push(format!("edge `{id}` ends at `{target}`, which is not there")),
                Some(Some(kind)) if !kind.input => {
                    problems.push(format!("edge `{id}` ends at `{target}`, which has no input"));
                }
                Some(_) => {}
            }
        }
    }

    fn source_problem(&self, edge: &Edge) -> Option<String> {
        let Edge { id, source, output, .. } = edge;
        let Some(node) = self.node(source) else {
            return Some(format!("edge `{id}` starts at `{source}`, which is not there"));
        };
        let outputs = NodeCatalogue::shared().kind(&node.kind)?.outputs_of(node);
        (!outputs.contains(output)).then(|| format!("edge `{id}` leaves `{source}` by `{output}`, which it lacks"))
    }
}

fn claim(ids: &mut BTreeSet<String>, id: &str, problems: &mut Vec<String>) {
    if !ids.insert(id.to_owned()) {
        problems.push(format!("the id `{id}` is used twice"));
    }
}
