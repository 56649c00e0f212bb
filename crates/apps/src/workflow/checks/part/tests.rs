use serde_json::json;

use super::super::compare::compare_until;
use super::*;
use crate::workflow::model::edit::{DocumentDraft, Edit};

/// A tree of two decisions: so many of the edits that make it.
fn made(edits: impl IntoIterator<Item = usize>) -> Document {
    let set = |node: &str, condition: &str| json!({"do": "set", "node": node, "key": "condition", "value": condition});
    let all = [
        json!({"do": "create", "name": "Tree"}),
        json!({"do": "add", "kind": "if", "as": "root"}),
        set("root", "item.a > 1"),
        json!({"do": "add", "kind": "if", "as": "leaf"}),
        json!({"do": "connect", "from": "root", "output": "true", "to": "leaf"}),
        set("leaf", "item.a > 9"),
        json!({"do": "connect", "from": "leaf", "output": "false", "to": "root"}),
        json!({"do": "create", "name": "Another"}),
    ];
    let mut draft = DocumentDraft::new(Document::default());
    for idx in edits {
        let edit: Edit = serde_json::from_value(all[idx].clone()).expect("it is an edit");
        draft.make(&edit).expect("the edit can be made");
    }
    draft.document
}

/// What is wrong with a document of which the first edits are asked.
fn told(n_edits: usize, actual: &Document) -> String {
    let asked = AskedDocument::after_some(&made(0..n_edits), &made(0..7));
    let comparison = compare_until(&Document::default(), &asked.document, &asked.ahead, actual);
    let sentences: Vec<String> = comparison.mistakes.into_iter().map(|mistake| mistake.sentence).collect();
    if sentences.is_empty() { "nothing".to_owned() } else { sentences.join("; ") }
}

#[test]
fn what_the_first_edits_make_has_to_be_there_and_later_ones_are_not_looked_at() {
    let rows = [
        ("the root, after all edits", told(3, &made(0..7))),
        ("the root, alone", told(3, &made(0..3))),
        ("the root, without its condition", told(3, &made(0..2))),
        ("the root, where only the other has a condition", told(3, &made([0, 1, 3, 5]))),
        ("the root, with a workflow too many", told(3, &made([0, 1, 2, 7]))),
        ("the edge, before the condition", told(5, &made(0..5))),
        ("the edge, after all edits", told(5, &made(0..7))),
        ("the edge, not drawn", told(5, &made([0, 1, 2, 3, 5]))),
        ("the edge, without one of the nodes", told(5, &made(0..3))),
        ("all of it, before the last edge", told(7, &made(0..6))),
    ];
    let lines: Vec<String> = rows.iter().map(|(what, told)| format!("{what}: {told}")).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    the root, after all edits: nothing
    the root, alone: nothing
    the root, without its condition: in `Tree`: the node `If` has "" for `condition`, not "item.a > 1"
    the root, where only the other has a condition: in `Tree`: the node `If` (n1) has "" for `condition`, not "item.a > 1"
    the root, with a workflow too many: the workflow `Another` (w2) is one too many
    the edge, before the condition: nothing
    the edge, after all edits: nothing
    the edge, not drawn: in `Tree`: the edge from `If` (n1) by `true` to `If` (n2) is missing
    the edge, without one of the nodes: in `Tree`: the node `If` (n2) is missing; in `Tree`: the edge from `If` (n1) by `true` to `If` (n2) is missing
    all of it, before the last edge: in `Tree`: the edge from `If` (n2) by `false` to `If` (n1) is missing
    "#);
}

#[test]
fn which_of_several_nodes_is_meant_is_found_whatever_their_order() {
    let mut actual = made(0..5);
    actual.workflows[0].nodes.reverse();
    assert_eq!(told(5, &actual), "nothing");
    assert_eq!(told(3, &actual), "nothing");
}

#[test]
fn what_is_too_many_counts_once_no_later_edit_makes_such() {
    let with_a_node = |mut document: Document| {
        let workflow = &mut document.workflows[0];
        let again = WorkflowNode { id: "n9".to_owned(), ..workflow.nodes[0].clone() };
        workflow.nodes.push(again);
        document
    };
    assert_eq!(told(3, &with_a_node(made(0..3))), "nothing");
    assert!(told(5, &with_a_node(made(0..5))).contains("one too many"));
}
