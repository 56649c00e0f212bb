//! Documents that look nearly like a right one and do not say the same.
//!
//! Each differs by construction: a count, the contents of the nodes, which kinds the edges join, or an id of what was
//! there at the start is another one. None is sorted out by asking the comparison that they put to the test.

mod edges;
mod nodes;
mod settings;
mod workflows;

use crate::workflow::model::{Document, Workflow};

/// A changed document, and what was changed.
type ChangedDocument = (String, Document);

/// Documents that do not say what a right one says, and what is wrong with each.
pub(super) fn near_misses(start: &Document, right: &Document) -> Vec<ChangedDocument> {
    let Some(focus) = focus(start, right) else { return Vec::new() };
    let mut near = edges::near_misses(start, &focus);
    near.extend(settings::near_misses(start, &focus));
    near.extend(nodes::near_misses(start, &focus));
    near.extend(workflows::near_misses(start, &focus));
    near
}

/// The workflow that a task is about, within its document.
struct Focus<'a> {
    document: &'a Document,
    idx: usize,
}

/// The first workflow that is not as it was at the start, or else the first with nodes.
fn focus<'a>(start: &Document, right: &'a Document) -> Option<Focus<'a>> {
    let is_changed = |workflow: &Workflow| start.workflow(&workflow.id) != Some(workflow) && !workflow.nodes.is_empty();
    let idx = right
        .workflows
        .iter()
        .position(is_changed)
        .or_else(|| right.workflows.iter().position(|workflow| !workflow.nodes.is_empty()))?;
    Some(Focus { document: right, idx })
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
