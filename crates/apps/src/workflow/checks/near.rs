//! Documents that look nearly like a right one and do not say the same.
//!
//! Each differs by construction: a count, the contents of the nodes, which kinds the edges join, or an id of what was
//! there at the start is another one. None is sorted out by asking the comparison that they put to the test.

mod edges;
mod nodes;
mod settings;
mod workflows;

use super::part::{WorkAhead, WorkflowAhead};
use crate::workflow::model::{Document, Workflow};

/// A changed document, and what was changed.
type ChangedDocument = (String, Document);

/// How many documents each kind of mistake gives at most, unless more are wanted.
pub(super) const MOST: usize = 2;

/// Documents that do not say what a right one says, and what is wrong with each: at most so many of each kind of mistake.
/// Where more than the usual are wanted, mistakes are made in every workflow, and not only in the one it is about. None is
/// made of what is left for later edits, nor are things too many where later edits make such.
pub(super) fn near_misses(start: &Document, right: &Document, ahead: &WorkAhead, most: usize) -> Vec<ChangedDocument> {
    let at = |idx: usize| Focus { document: right, idx, ahead: ahead.within(&right.workflows[idx].id) };
    let Some(focus) = focus(start, right).map(at) else { return Vec::new() };
    let mut near = if ahead.workflows { Vec::new() } else { workflows::near_misses(start, &focus) };
    near.extend(within(start, &focus, most));
    let has_nodes = |idx: &usize| *idx != focus.idx && !right.workflows[*idx].nodes.is_empty();
    for idx in (0..right.workflows.len()).filter(has_nodes).take(if most > MOST { most } else { 0 }) {
        near.extend(within(start, &at(idx), most));
    }
    near
}

/// Mistakes within one workflow.
fn within(start: &Document, focus: &Focus<'_>, most: usize) -> Vec<ChangedDocument> {
    let mut near = edges::near_misses(start, focus, most);
    near.extend(settings::near_misses(start, focus, most));
    near.extend(nodes::near_misses(start, focus, most));
    near
}

/// The workflow that a task is about, within its document.
struct Focus<'a> {
    document: &'a Document,
    idx: usize,
    ahead: &'a WorkflowAhead,
}

/// The first workflow that is not as it was at the start, or else the first with nodes.
fn focus(start: &Document, right: &Document) -> Option<usize> {
    let is_changed = |workflow: &Workflow| start.workflow(&workflow.id) != Some(workflow) && !workflow.nodes.is_empty();
    let changed = right.workflows.iter().position(is_changed);
    changed.or_else(|| right.workflows.iter().position(|workflow| !workflow.nodes.is_empty()))
}

impl Focus<'_> {
    fn workflow(&self) -> &Workflow {
        &self.document.workflows[self.idx]
    }

    /// The document with the workflow changed.
    fn with(&self, how: impl Into<String>, change: impl FnOnce(&mut Workflow)) -> ChangedDocument {
        let mut document = self.document.clone();
        change(&mut document.workflows[self.idx]);
        (how.into(), document)
    }
}
