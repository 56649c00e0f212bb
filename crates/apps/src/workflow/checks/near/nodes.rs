//! Nodes that are missing, too many, of another kind or called otherwise.

use super::super::graph::was_there;
use super::{ChangedDocument, Focus};
use crate::workflow::model::{Document, NodeCatalogue, NodeKind, WorkflowNode};

pub(super) fn near_misses(start: &Document, focus: &Focus<'_>, most: usize) -> Vec<ChangedDocument> {
    let workflow = focus.workflow();
    let from_last = || workflow.nodes.iter().rev();
    let may_be_extra = |_: &ChangedDocument| !focus.ahead.nodes;
    let mut near: Vec<ChangedDocument> = Some(extra(focus)).filter(may_be_extra).into_iter().collect();
    for node in from_last().take(most / 2) {
        near.extend(Some(doubled(focus, node)).filter(may_be_extra));
        near.push(missing(focus, node));
        near.extend(Some(renamed(focus, node)).filter(|_| !focus.ahead.renames(&node.id)));
    }
    near.extend(from_last().filter_map(|node| other_kind(focus, node)).take(most / 2));
    let old = from_last().filter(|node| was_there(start, workflow, node));
    near.extend(old.take(most / 2).map(|node| remade(focus, node)));
    near
}

fn renamed(focus: &Focus<'_>, node: &WorkflowNode) -> ChangedDocument {
    focus.with(format!("the node `{}` called otherwise", node.id), |workflow| {
        workflow.nodes.iter_mut().filter(|other| other.id == node.id).for_each(|node| node.name.push_str(" (copy)"));
    })
}

/// A node that was there at the start under a new id, with all it had.
fn remade(focus: &Focus<'_>, node: &WorkflowNode) -> ChangedDocument {
    let fresh = focus.document.next_id('n');
    focus.with(format!("the node `{}` deleted and made again", node.id), |workflow| {
        let renew = |id: &mut String| {
            if *id == node.id {
                id.clone_from(&fresh);
            }
        };
        workflow.nodes.iter_mut().for_each(|node| renew(&mut node.id));
        workflow.edges.iter_mut().for_each(|edge| {
            renew(&mut edge.source);
            renew(&mut edge.target);
        });
    })
}

fn extra(focus: &Focus<'_>) -> ChangedDocument {
    let kind = NodeCatalogue::shared().kind("noOperation").expect("the catalogue has it");
    let node = WorkflowNode {
        id: focus.document.next_id('n'),
        kind: kind.kind.clone(),
        name: kind.name.clone(),
        settings: kind.default_settings(),
        ..WorkflowNode::default()
    };
    focus.with("a node too many, joined to nothing", |workflow| workflow.nodes.push(node))
}

fn doubled(focus: &Focus<'_>, node: &WorkflowNode) -> ChangedDocument {
    let again = WorkflowNode { id: focus.document.next_id('n'), ..node.clone() };
    focus.with(format!("the node `{}` twice", node.id), |workflow| workflow.nodes.push(again))
}

fn missing(focus: &Focus<'_>, node: &WorkflowNode) -> ChangedDocument {
    focus.with(format!("the node `{}` missing", node.id), |workflow| {
        workflow.nodes.retain(|other| other.id != node.id);
        workflow.edges.retain(|edge| edge.source != node.id && edge.target != node.id);
    })
}

/// A node of another kind in its place, with the same input and outputs.
fn other_kind(focus: &Focus<'_>, node: &WorkflowNode) -> Option<ChangedDocument> {
    let kind = NodeCatalogue::shared().kind(&node.kind)?;
    let alike = |other: &&NodeKind| *other != kind && other.input == kind.input && other.outputs == kind.outputs;
    let other = NodeCatalogue::shared().kinds.iter().filter(|_| !kind.outputs.is_empty()).find(alike)?;
    Some(focus.with(format!("a {} in the place of `{}`", other.name, node.id), |workflow| {
        for node in workflow.nodes.iter_mut().filter(|other| other.id == node.id) {
            node.kind.clone_from(&other.kind);
            node.name.clone_from(&other.name);
            node.settings = other.default_settings();
        }
    }))
}
