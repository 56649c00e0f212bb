//! Where nodes stand that nobody placed: as the app places those that are picked from its library one after another.

use super::model::{Document, NodeCatalogue, Position, WorkflowNode};

/// Where the first node of a workflow stands.
const FIRST: Position = Position { x: 60, y: 400 };
/// From one column or row to the next.
const COLUMN: i64 = 280;
const ROW: i64 = 160;
/// A row is not wider than what the canvas can show at once.
const MAX_WIDTH: i64 = 5 * COLUMN;
/// What is left free below a node.
const CLEARANCE: i64 = 40;
/// A node without rows for its outputs, one such row, and the space around them.
const BODY: i64 = 80;
const OUTPUT_ROW: i64 = 24;
const OUTPUT_PADDING: i64 = 6;

/// The document with every node placed that was not there at the start.
pub(super) fn lay_out(start: &Document, mut document: Document) -> Document {
    for workflow in &mut document.workflows {
        let is_old = |node: &WorkflowNode| start.workflow(&workflow.id).is_some_and(|old| old.node(&node.id).is_some());
        let (mut placed, new): (Vec<_>, Vec<_>) = std::mem::take(&mut workflow.nodes).into_iter().partition(is_old);
        for mut node in new {
            node.position = place(&placed);
            placed.push(node);
        }
        workflow.nodes = placed;
    }
    document
}

/// At the end of the row that was last worked on, or else in a new one.
fn place(nodes: &[WorkflowNode]) -> Position {
    let Some(last) = nodes.last() else { return FIRST };
    let row = nodes.iter().filter(|node| (node.position.y - last.position.y).abs() < CLEARANCE);
    let end = row.map(|node| node.position.x).max().unwrap_or(last.position.x);
    let left = nodes.iter().map(|node| node.position.x).min().unwrap_or(end);
    if end + COLUMN - left <= MAX_WIDTH {
        return Position { x: end + COLUMN, y: last.position.y };
    }
    let top = nodes.iter().map(|node| node.position.y).max().unwrap_or(FIRST.y);
    let bottom = nodes.iter().map(|node| node.position.y + height(node)).max().unwrap_or(top);
    let mut below = top + ROW;
    while below < bottom + CLEARANCE {
        below += ROW;
    }
    Position { x: left, y: below }
}

fn height(node: &WorkflowNode) -> i64 {
    let outputs = NodeCatalogue::shared().kind(&node.kind).map(|kind| kind.outputs_of(node)).unwrap_or_default();
    if outputs.len() > 1 { BODY + outputs.len() as i64 * OUTPUT_ROW + OUTPUT_PADDING } else { BODY }
}
