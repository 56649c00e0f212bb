//! What is told counts or does not, in the comparison as in the sentences.

use serde_json::{Value, json};

use super::super::compare::compare_since;
use super::super::part::WorkAhead;
use super::super::{near, variations};
use super::*;
use crate::workflow::model::{Document, Edge, MAIN, NodeKind, Workflow, WorkflowNode};

/// A rule, the variations that show it and the near misses that do, by parts of their names.
type ShownRule = (fn() -> String, &'static [&'static str], &'static [&'static str]);

const SHOWN_BY: [ShownRule; 5] = [
    (identity, &["other ids"], &["deleted and made again"]),
    (order, &["in another order", "other positions", "another workflow open"], &["in each other's place"]),
    (texts, &["spaces at the ends"], &["another text", "with a blank at"]),
    (numbers, &["numbers with a point"], &["one more", "as a text"]),
    (expressions, &["expressions"], &["another operator", "never", "always", "denied", "blanks for an expression"]),
];

/// Variations of how a document is written down, which nobody at the app can see.
const UNSEEN: [&str; 2] = ["names of kinds left out", "all of it at once"];

fn node(id: &str, kind: &NodeKind) -> WorkflowNode {
    let settings = kind.default_settings();
    WorkflowNode { id: id.to_owned(), kind: kind.kind.clone(), name: kind.name.clone(), settings, ..Default::default() }
}

/// A workflow with something of everything, and the start before its last node was added.
fn documents() -> (Document, Document) {
    let kinds = ["switch", "editFields", "filter", "sort", "sendEmail", "wait", "wait"];
    let kind = |name: &str| NodeCatalogue::shared().kind(name).expect("it is known");
    let mut nodes: Vec<WorkflowNode> =
        kinds.iter().enumerate().map(|(idx, name)| node(&format!("n{}", idx + 1), kind(name))).collect();
    let mut set = |node: usize, key: &str, value: Value| drop(nodes[node].settings.insert(key.to_owned(), value));
    set(0, "cases", json!([{"label": "a", "expr": "item.n > 1"}, {"label": "b", "expr": "item.n > 0"}]));
    set(1, "fields", json!([{"name": "x", "value": "item.n"}, {"name": "y", "value": "1"}]));
    set(2, "condition", json!("item.n >= 3"));
    set(3, "field", json!("n"));
    set(4, "subject", json!("Hello"));
    set(6, "amount", json!(3));
    let edge = |number: usize| Edge {
        id: format!("e{number}"),
        source: format!("n{}", number + 1),
        output: MAIN.to_owned(),
        target: format!("n{}", number + 2),
    };
    let workflow = Workflow { id: "w1".to_owned(), name: "All".to_owned(), nodes, edges: (1..6).map(edge).collect() };
    let other = Workflow { id: "w2".to_owned(), name: "Other".to_owned(), ..Workflow::default() };
    let right = Document { workflows: vec![workflow, other], open: None };
    let mut start = right.clone();
    start.workflows[0].nodes.pop();
    start.workflows[0].edges.pop();
    (start, right)
}

#[test]
fn every_rule_is_shown_by_variations_that_pass_and_near_misses_that_fail() {
    let (start, right) = documents();
    assert_eq!(right.problems(), Vec::<String>::new());
    let told: Vec<String> = RULES.iter().map(|rule| rule()).collect();
    assert_eq!(SHOWN_BY.map(|(rule, ..)| rule()).to_vec(), told);
    let like = variations::variations(&start, &right);
    let near = near::near_misses(&start, &right, &WorkAhead::default(), near::MOST);
    for (rule, alike, unlike) in SHOWN_BY {
        for (parts, all) in [(alike, &like), (unlike, &near)] {
            for part in parts {
                assert!(all.iter().any(|(how, _)| how.contains(part)), "nothing shows `{part}` of: {}", rule());
            }
        }
    }
    for (how, document) in &like {
        assert!(compare_since(&start, &right, document).is_equal(), "{how}");
        let shows = |(_, alike, _): &ShownRule| alike.iter().any(|part| how.contains(part));
        assert!(UNSEEN.contains(&how.as_str()) || SHOWN_BY.iter().any(shows), "no rule tells of: {how}");
    }
    for (how, document) in &near {
        assert!(!compare_since(&start, &right, document).is_equal(), "{how}");
    }
}

#[test]
fn blanks_count_in_the_settings_that_are_told_and_in_no_others() {
    let told = texts();
    for kind in &NodeCatalogue::shared().kinds {
        for setting in kind.settings.iter().filter(|setting| setting.default.is_string() && setting.options.is_empty())
        {
            let with = |text: &str| {
                let mut node = node("n1", kind);
                node.settings.insert(setting.key.clone(), json!(text));
                let workflow = Workflow { id: "w1".to_owned(), nodes: vec![node], ..Workflow::default() };
                Document { workflows: vec![workflow], open: None }
            };
            let is_equal = compare_since(&with("item"), &with("item"), &with("item \n")).is_equal();
            let label = format!("\"{}\"", setting.label);
            assert_eq!(is_equal, !told.contains(&label), "{} of {}", setting.label, kind.name);
        }
    }
}

#[test]
fn the_list_for_instructions() {
    let told = what_counts();
    assert_eq!(told.lines().count(), RULES.len());
    assert!(told.lines().all(|line| line.starts_with("- **") && line.ends_with('.')), "{told}");
    assert!(told.contains("the settings \"Field\" and \"Field name\"."), "{told}");
}
