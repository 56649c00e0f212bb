//! What a document has to keep to, one by one.

use std::collections::BTreeSet;

use quintain_core::check::Clause;

use super::graph::was_there;
use crate::workflow::model::{Document, NodeCatalogue, SettingContent};

pub(super) const MISSING_WORKFLOW: &str = "no workflow missing";
pub(super) const EXTRA_WORKFLOW: &str = "no other workflow";
pub(super) const SAME_WORKFLOW: &str = "workflows not made anew";
pub(super) const WORKFLOW_NAME: &str = "names of workflows";
pub(super) const MISSING_NODE: &str = "no node missing";
pub(super) const EXTRA_NODE: &str = "no other node";
pub(super) const SAME_NODE: &str = "nodes not made anew";
pub(super) const NODE_NAME: &str = "names of nodes";
pub(super) const MISSING_EDGE: &str = "no edge missing";
pub(super) const EXTRA_EDGE: &str = "no other edge";
pub(super) const LOOSE_EDGE: &str = "no edge without an end";
/// For settings that the catalogue does not know.
const UNKNOWN: &str = "no unknown settings";

/// The clause about a setting of a kind of node.
pub(super) fn of_setting(kind: &str, key: &str) -> &'static str {
    let setting = NodeCatalogue::shared().kind(kind).and_then(|kind| kind.setting(key));
    setting.map_or(UNKNOWN, |setting| match setting.holds {
        SettingContent::Text | SettingContent::Long => "texts",
        SettingContent::Expression => "expressions",
        SettingContent::Number => "numbers",
        SettingContent::Choice => "choices",
        SettingContent::Toggle => "toggles",
        SettingContent::Cases => "cases",
        SettingContent::Fields => "fields",
    })
}

/// What the expected document demands of one that came of the start.
pub(super) fn clauses(start: &Document, expected: &Document) -> Vec<Clause> {
    let nodes =
        || expected.workflows.iter().flat_map(|workflow| workflow.nodes.iter().map(move |node| (workflow, node)));
    let mut demanded = BTreeSet::from([MISSING_WORKFLOW, EXTRA_WORKFLOW, WORKFLOW_NAME]);
    if expected.workflows.iter().any(|workflow| start.workflow(&workflow.id).is_some()) {
        demanded.insert(SAME_WORKFLOW);
    }
    if nodes().next().is_some() {
        demanded.extend([MISSING_NODE, EXTRA_NODE, NODE_NAME, EXTRA_EDGE, LOOSE_EDGE, UNKNOWN]);
    }
    if nodes().any(|(workflow, node)| was_there(start, workflow, node)) {
        demanded.insert(SAME_NODE);
    }
    if expected.workflows.iter().any(|workflow| !workflow.edges.is_empty()) {
        demanded.insert(MISSING_EDGE);
    }
    for kind in nodes().filter_map(|(_, node)| NodeCatalogue::shared().kind(&node.kind)) {
        demanded.extend(kind.settings.iter().map(|setting| of_setting(&kind.kind, &setting.key)));
    }
    demanded.into_iter().map(Clause::needed).collect()
}
