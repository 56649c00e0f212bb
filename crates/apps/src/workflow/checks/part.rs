//! What is asked of a document after the first edits of a solution: a part of what is expected at the end.
//!
//! What those edits made and no later one changes has to be there. What later edits do is not looked at yet, neither
//! done nor undone; nor is what is too many, as long as a later edit makes or takes away things of its sort.

use std::collections::{BTreeMap, BTreeSet};

use crate::workflow::model::{Document, Edge, Workflow, WorkflowNode};

/// A document that has to be there, as far as nothing is left for later edits.
pub(super) struct AskedDocument {
    pub(super) document: Document,
    pub(super) ahead: WorkAhead,
}

/// What later edits do. By default there are none.
#[derive(Default)]
pub(super) struct WorkAhead {
    /// They make workflows.
    pub(super) workflows: bool,
    within: BTreeMap<String, WorkflowAhead>,
}

/// What later edits do to one workflow.
#[derive(Default, PartialEq)]
pub(super) struct WorkflowAhead {
    /// They add or delete nodes.
    pub(super) nodes: bool,
    /// They draw or delete edges.
    pub(super) edges: bool,
    /// The settings that they change, by the id of the node.
    settings: BTreeSet<(String, String)>,
    /// The nodes that they rename.
    names: BTreeSet<String>,
}

static NOTHING: WorkflowAhead =
    WorkflowAhead { nodes: false, edges: false, settings: BTreeSet::new(), names: BTreeSet::new() };

impl WorkAhead {
    /// What they do to the workflow of an id.
    pub(super) fn within(&self, workflow: &str) -> &WorkflowAhead {
        self.within.get(workflow).unwrap_or(&NOTHING)
    }
}

impl WorkflowAhead {
    /// Whether there is anything that they do.
    pub(super) fn has_any(&self) -> bool {
        *self != NOTHING
    }

    /// Whether they change a setting of a node.
    pub(super) fn sets(&self, node: &str, key: &str) -> bool {
        self.settings.iter().any(|(id, known)| id == node && known == key)
    }

    /// Whether they rename a node.
    pub(super) fn renames(&self, node: &str) -> bool {
        self.names.contains(node)
    }
}

impl AskedDocument {
    /// All of a document.
    pub(super) fn whole(document: Document) -> Self {
        Self { document, ahead: WorkAhead::default() }
    }

    /// What is asked after the first edits, from the document that they give and that at the end, which has the same ids.
    pub(super) fn after_some(after: &Document, end: &Document) -> Self {
        let mut asked = Self::whole(Document { workflows: Vec::new(), ..after.clone() });
        asked.ahead.workflows = after.workflows.len() != end.workflows.len();
        for workflow in &after.workflows {
            let Some(later) = end.workflow(&workflow.id) else { continue };
            asked.document.workflows.push(kept(workflow, later));
            asked.ahead.within.insert(workflow.id.clone(), ahead(workflow, later));
        }
        asked
    }
}

/// A workflow without the nodes and edges that are gone later.
fn kept(workflow: &Workflow, later: &Workflow) -> Workflow {
    let nodes = workflow.nodes.iter().filter(|node| later.node(&node.id).is_some()).cloned();
    let joined = joins(later);
    let edges = workflow.edges.iter().filter(|edge| joined.contains(&join(edge))).cloned();
    Workflow { nodes: nodes.collect(), edges: edges.collect(), ..workflow.clone() }
}

fn ahead(workflow: &Workflow, later: &Workflow) -> WorkflowAhead {
    let ids = |workflow: &Workflow| workflow.nodes.iter().map(|node| node.id.clone()).collect::<BTreeSet<_>>();
    let mut ahead = WorkflowAhead {
        nodes: ids(workflow) != ids(later),
        edges: joins(workflow) != joins(later),
        ..WorkflowAhead::default()
    };
    for (node, later) in workflow.nodes.iter().filter_map(|node| Some((node, later.node(&node.id)?))) {
        ahead.settings.extend(changed(node, later).map(|key| (node.id.clone(), key)));
        if node.name != later.name {
            ahead.names.insert(node.id.clone());
        }
    }
    ahead
}

/// The settings of a node that are others later.
fn changed<'a>(node: &'a WorkflowNode, later: &'a WorkflowNode) -> impl Iterator<Item = String> + 'a {
    let keys: BTreeSet<&String> = node.settings.keys().chain(later.settings.keys()).collect();
    keys.into_iter().filter(|key| node.settings.get(*key) != later.settings.get(*key)).cloned()
}

/// What an edge joins.
type EdgeEnds<'a> = (&'a str, &'a str, &'a str);

fn join(edge: &Edge) -> EdgeEnds<'_> {
    (&edge.source, &edge.output, &edge.target)
}

fn joins(workflow: &Workflow) -> BTreeSet<EdgeEnds<'_>> {
    workflow.edges.iter().map(join).collect()
}

#[cfg(test)]
mod tests;
