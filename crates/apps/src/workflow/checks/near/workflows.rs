//! Workflows that are missing, too many, called otherwise, or changed though nobody asked for it.

use std::collections::BTreeMap;

use serde_json::json;

use super::{ChangedDocument, Focus};
use crate::workflow::model::{Document, Edge, Workflow, WorkflowNode};

pub(super) fn near_misses(start: &Document, focus: &Focus<'_>) -> Vec<ChangedDocument> {
    let with = |how: &str, change: &dyn Fn(&mut Document)| {
        let mut document = focus.document.clone();
        change(&mut document);
        (how.to_owned(), document)
    };
    let name = focus.workflow().name.clone();
    let fresh = focus.document.next_id('w');
    let again = Workflow { id: fresh.clone(), ..focus.workflow().clone() };
    let empty = Workflow { id: fresh, name: "Untitled".to_owned(), ..Workflow::default() };
    let mut near = vec![
        with(&format!("the workflow `{name}` called otherwise"), &|document| {
            document.workflows[focus.idx].name.push_str(" 2");
        }),
        with(&format!("the workflow `{name}` twice"), &|document| document.workflows.push(again.clone())),
        with("an empty workflow too many", &|document| document.workflows.push(empty.clone())),
        with(&format!("the workflow `{name}` missing"), &|document| drop(document.workflows.remove(focus.idx))),
    ];
    if start.workflow(&focus.workflow().id).is_some() {
        near.push(with(&format!("the workflow `{name}` deleted and made again"), &|document| {
            remake(document, focus.idx);
        }));
    }
    let Some(other) = (0..focus.document.workflows.len()).find(|idx| *idx != focus.idx) else { return near };
    if start.workflow(&focus.document.workflows[other].id).is_some() {
        near.push(with("another workflow deleted and made again", &|document| remake(document, other)));
    }
    near.push(with("another workflow missing", &|document| drop(document.workflows.remove(other))));
    near.push(with("another workflow called otherwise", &|document| document.workflows[other].name.push_str(" 2")));
    if !focus.document.workflows[other].nodes.is_empty() {
        near.push(with("another workflow with notes", &|document| {
            document.workflows[other].nodes[0].settings.insert("notes".to_owned(), json!("left here by mistake"));
        }));
        near.push(with("another workflow without a node", &|document| {
            let workflow = &mut document.workflows[other];
            let gone = workflow.nodes.remove(0);
            workflow.edges.retain(|edge| edge.source != gone.id && edge.target != gone.id);
        }));
    }
    near
}

/// Gives a workflow and all that is in it new ids, as the app does with what comes from a template or an import.
fn remake(document: &mut Document, idx: usize) {
    let old = document.workflows[idx].clone();
    let id = document.next_id('w');
    document.workflows.push(Workflow { id, name: old.name.clone(), ..Workflow::default() });
    let mut ids = BTreeMap::new();
    for node in old.nodes {
        let id = document.next_id('n');
        ids.insert(node.id.clone(), id.clone());
        document.workflows.last_mut().expect("it was just added").nodes.push(WorkflowNode { id, ..node });
    }
    for Edge { source, output, target, .. } in old.edges {
        let edge =
            Edge { id: document.next_id('e'), source: ids[&source].clone(), output, target: ids[&target].clone() };
        document.workflows.last_mut().expect("it was just added").edges.push(edge);
    }
    document.workflows.remove(idx);
}
