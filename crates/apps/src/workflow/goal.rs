//! What tells instances of a task apart: the workflows that are made or changed, as the check sees them.

use std::collections::BTreeSet;

use quintain_core::InstanceGoal;
use serde_json::{Value, json};

use super::model::{Document, Workflow};

/// The goal of an instance: what has to be made or changed. What only has to stay as it was, such as other workflows in
/// the hub, makes no other problem of it. Where nodes stand and what ids they have does not matter either.
pub(super) fn goal(document: &Value, expected: &Value) -> InstanceGoal {
    let (Ok(before), Ok(after)) = (Document::read(document), Document::read(expected)) else {
        return InstanceGoal::of(expected.clone());
    };
    let changed: Vec<&Workflow> =
        after.workflows.iter().filter(|workflow| !before.workflows.contains(workflow)).collect();
    let gone = before.workflows.iter().filter(|workflow| after.workflow(&workflow.id).is_none());
    let gone: Vec<Value> = gone.map(told).collect();
    let state = json!({ "changed": changed.iter().map(|workflow| told(workflow)).collect::<Vec<_>>(), "gone": gone });
    InstanceGoal { state, labels: Some(labels(&changed)) }
}

/// A workflow without ids and places: nodes are named by their order.
fn told(workflow: &Workflow) -> Value {
    let place = |id: &str| workflow.nodes.iter().position(|node| node.id == id);
    let nodes = workflow.nodes.iter().map(|node| json!([node.kind, node.name, node.settings]));
    let edges = workflow.edges.iter();
    let edges: BTreeSet<_> = edges.map(|edge| (place(&edge.source), &edge.output, place(&edge.target))).collect();
    json!({ "name": workflow.name, "nodes": nodes.collect::<Vec<_>>(), "edges": edges })
}

/// The names of the workflows and of their nodes.
fn labels(workflows: &[&Workflow]) -> BTreeSet<String> {
    let nodes = workflows.iter().flat_map(|workflow| &workflow.nodes).map(|node| node.name.clone());
    workflows.iter().map(|workflow| workflow.name.clone()).chain(nodes).collect()
}
