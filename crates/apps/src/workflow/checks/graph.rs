//! A workflow as a graph over the numbers of its nodes.

use std::collections::BTreeMap;

use super::content::{Content, ExpressionKey};
use crate::workflow::model::{Document, Edge, Workflow, WorkflowNode};

/// A workflow whose nodes are numbered in their order.
pub(super) struct NodeGraph<'a> {
    pub(super) nodes: &'a [WorkflowNode],
    pub(super) contents: Vec<Content>,
    /// The edges between nodes that are there.
    pub(super) edges: Vec<GraphEdge>,
    /// The edges that lack an end.
    pub(super) dangling: Vec<&'a Edge>,
    /// How many nodes bear each name.
    names: BTreeMap<&'a str, usize>,
}

/// An edge between numbered nodes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct GraphEdge {
    pub(super) source: usize,
    pub(super) output: String,
    pub(super) target: usize,
}

impl<'a> NodeGraph<'a> {
    /// The graph of a workflow that came of a document at the start.
    pub(super) fn of(workflow: &'a Workflow, start: &Document, expression: &mut ExpressionKey<'_>) -> Self {
        let (mut numbers, mut names) = (BTreeMap::new(), BTreeMap::new());
        for (number, node) in workflow.nodes.iter().enumerate() {
            numbers.entry(node.id.as_str()).or_insert(number);
            *names.entry(node.name.as_str()).or_default() += 1;
        }
        let (mut edges, mut dangling) = (Vec::new(), Vec::new());
        for edge in &workflow.edges {
            match (numbers.get(edge.source.as_str()), numbers.get(edge.target.as_str())) {
                (Some(&source), Some(&target)) => edges.push(GraphEdge { source, output: edge.output.clone(), target }),
                _ => dangling.push(edge),
            }
        }
        let kept = |node: &WorkflowNode| was_there(start, workflow, node).then(|| node.id.clone());
        let contents = workflow.nodes.iter().map(|node| Content::of(node, kept(node), expression)).collect();
        Self { nodes: &workflow.nodes, contents, edges, dangling, names }
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// What a node is called in a sentence: its name, and its id where others have the same name.
    pub(super) fn called(&self, number: usize) -> String {
        let node = &self.nodes[number];
        let is_only = self.names.get(node.name.as_str()) == Some(&1);
        if is_only { format!("`{}`", node.name) } else { format!("`{}` ({})", node.name, node.id) }
    }
}

/// Whether a node was there at the start: one of its id and kind, in the workflow of the same id. Nodes never change their
/// kind, so an id of another kind was given anew.
pub(super) fn was_there(start: &Document, workflow: &Workflow, node: &WorkflowNode) -> bool {
    let before = start.workflow(&workflow.id).and_then(|workflow| workflow.node(&node.id));
    before.is_some_and(|before| before.kind == node.kind)
}
