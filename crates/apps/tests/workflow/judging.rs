//! What the check makes of a comparison: the score, near misses and variations.

use quintain_apps::workflow::checks::WorkflowGraph;
use quintain_apps::workflow::model::Document;
use quintain_checks::Palette;
use quintain_core::check::{Case, Check};
use quintain_core::evidence::Evidence;
use quintain_core::reference::Reference;
use quintain_core::score::Score;
use serde_json::{Value, json};

use crate::notation::{ORDERS, document, orders};

fn check() -> Box<dyn Check> {
    let spec = toml::from_str("name = 'graph'\nkind = 'workflow-graph'").expect("the example is sound");
    Palette::default().with(std::sync::Arc::new(WorkflowGraph)).make(&spec).expect("the example is sound")
}

fn reference(start: &Document, expected: &Document) -> Reference {
    Reference { start: json!({"document": start.to_value(), "expected": expected.to_value()}), ..Reference::default() }
}

fn left(document: &Document) -> Evidence {
    Evidence::document("workflow-builder", document.to_value())
}

fn judge(reference: &Reference, evidence: &Evidence) -> String {
    match check().judge(Case { evidence, reference }) {
        Ok(finding) => format!("{:.3} {}", finding.score.value(), finding.because),
        Err(broken) => broken.to_string(),
    }
}

#[test]
fn the_score_is_the_way_gone() {
    let expected = document(ORDERS);
    let start = orders("f -> i.true", "i.true");
    let reference = reference(&start, &expected);
    let worse = orders("Greetings", "Hello");
    let unsound = json!({"expected": {"workflows": [{"id": "w1", "nodes": [{"id": "n1", "kind": "x"}]}]}});
    let broken = Reference { start: unsound, ..Reference::default() };
    let said = [
        judge(&reference, &left(&expected)),
        judge(&reference, &left(&start)),
        judge(&reference, &left(&worse)),
        judge(&reference, &left(&orders("  i.false -> m\n", ""))),
        judge(&reference, &left(&Document::default())),
        judge(&reference, &Evidence::default()),
        judge(&reference, &Evidence::document("workflow-builder", json!({}))),
        judge(&broken, &left(&expected)),
        judge(&Reference::default(), &left(&expected)),
    ];
    insta::assert_snapshot!(said.join("\n"), @"
    1.000 the document is as expected
    0.000 in `Orders`: the edge from `Database Connector` by `main` to `Filter` is missing; in `Orders`: the edge from `Filter` by `main` to `If` is missing; in `Orders`: the edge from `Database Connector` by `main` to `If` is one too many
    0.667 the workflow `Greetings` is called `Hello`
    0.667 in `Orders`: the edge from `If` by `false` to `Merge` is missing
    0.000 the workflow `Orders` is missing; the workflow `Greetings` is missing
    0.000 there is nothing at `documents/workflow-builder`
    0.000 the document cannot be read: missing field `workflows`
    check `graph` cannot judge: what is expected is not sound: node `n1` is of the unknown kind `x`
    check `graph` cannot judge: nothing is expected
    ");
}

/// All near misses fail and all variations pass; gives what they are.
fn twists(start: &Document, right: &Document) -> String {
    let (reference, evidence) = (reference(start, right), left(right));
    let case = Case { evidence: &evidence, reference: &reference };
    let check = check();
    assert!(check.judge(case).expect("sound").score.is_full());
    assert_eq!(check.judge(Case { evidence: &left(start), ..case }).expect("sound").score, Score::ZERO);
    let (near, like) = (check.near_misses(case), check.variations(case));
    for altered in &near {
        let finding = check.judge(Case { evidence: &altered.evidence, ..case }).expect("sound");
        assert!(!finding.score.is_full(), "near miss passes: {}", altered.how);
    }
    for altered in &like {
        let finding = check.judge(Case { evidence: &altered.evidence, ..case }).expect("sound");
        assert!(finding.score.is_full(), "variation fails: {}: {}", altered.how, finding.because);
        assert_ne!(altered.evidence, evidence, "{} varies nothing", altered.how);
    }
    for (altered, is_right) in
        near.iter().step_by(3).map(|near| (near, false)).chain(like.iter().map(|like| (like, true)))
    {
        for disguise in check.disguises(Case { evidence: &altered.evidence, ..case }) {
            let finding = check.judge(Case { evidence: &disguise.evidence, ..case }).expect("sound");
            assert_eq!(finding.score.is_full(), is_right, "{}, then {}", altered.how, disguise.how);
        }
    }
    assert!(near.len() >= 10 && like.len() >= 5, "{} near misses, {} variations", near.len(), like.len());
    let names =
        |all: &[quintain_core::check::AlteredState]| all.iter().map(|a| a.how.clone()).collect::<Vec<_>>().join("\n");
    format!("{}\n---\n{}", names(&near), names(&like))
}

#[expect(clippy::too_many_lines, reason = "one list of all twists reads best in one piece")]
#[test]
fn near_misses_fail_and_variations_pass() {
    let start = orders("  w wait {\"amount\": 1}", "  w wait {\"amount\": 5}");
    insta::assert_snapshot!(twists(&start, &document(ORDERS)), @"
    the workflow `Orders` called otherwise
    the workflow `Orders` twice
    an empty workflow too many
    the workflow `Orders` missing
    the workflow `Orders` deleted and made again
    another workflow deleted and made again
    another workflow missing
    another workflow called otherwise
    another workflow with notes
    another workflow without a node
    the edge `e3` missing
    the edge `e4` missing
    an edge from `t` to `f` too many
    an edge too many that ends nowhere
    the edge `e3` twice
    the edge `e6` leaves by another output
    the edge `e7` leaves by another output
    the edge `e3` ends at another node
    the edge `e3` ends at another node
    the edge `e3` starts at another node
    the edge `e3` starts at another node
    the edge `e4` leads backwards
    the edge `e5` leads backwards
    `amount` of `w`: one more
    `amount` of `w`: as a text
    `query` of `d`: another text
    `condition` of `f`: another name
    `condition` of `f`: another field
    `condition` of `f`: another text
    `condition` of `f`: another operator
    `condition` of `f`: never
    `condition` of `f`: always
    `condition` of `f`: denied
    `condition` of `i`: another name
    `condition` of `i`: another field
    `condition` of `i`: another number
    `condition` of `i`: another operator
    `condition` of `i`: another name
    `condition` of `i`: another field
    `condition` of `i`: never
    `condition` of `i`: always
    `condition` of `i`: denied
    `value` of `s`: another name
    `value` of `s`: another field
    `cases` of `s`: one too many
    `cases` of `s`: the last one missing
    `cases` of `s`: the last one called otherwise
    `cases` of `s`: the last one with another expression
    `cases` of `s`: the last two in each other's place
    `cases` of `s`: the last one with a blank at the end of its label
    `cases` of `s`: the last one with blanks for an expression
    `fields` of `e1`: one too many
    `fields` of `e1`: the last one missing
    `fields` of `e1`: the last one called otherwise
    `fields` of `e1`: the last one with another expression
    `engine` of `d`: another choice
    `connection` of `d`: another text
    `default` of `s`: the other way
    `fields` of `e2`: one too many
    `unit` of `w`: another choice
    `mode` of `m`: another choice
    notes scribbled on `t`
    a setting that nobody knows on `m`
    a node too many, joined to nothing
    the node `m` twice
    the node `m` missing
    the node `m` called otherwise
    a Wait in the place of `m`
    the node `m` deleted and made again
    no document
    ---
    nodes in another order
    edges in another order
    workflows in another order
    other ids for edges
    other positions
    fields in another order
    numbers with a point
    another workflow open
    spaces at the ends of texts
    names of kinds left out
    expressions without spaces
    expressions with more spaces
    expressions in single quotes
    expressions in double quotes
    expressions with parentheses around everything
    expressions with comparisons the other way round
    all of it at once
    expressions rewritten: chosen where true is true
    expressions rewritten: and true
    expressions rewritten: or false
    expressions rewritten: chosen from true and false
    expressions rewritten: denied twice
    ");
}

#[test]
fn a_small_new_workflow_has_enough_twists() {
    let right =
        document("Old\n  o manualTrigger\nNew\n  t manualTrigger\n  h httpRequest\n  n noOperation\n  t -> h -> n");
    let start = Document { workflows: right.workflows[..1].to_vec(), open: None };
    twists(&start, &right);
}

/// The workflow of one of the app's templates, with the first of each of its choices.
fn template(text: &str) -> Document {
    let template: Value = serde_json::from_str(text).expect("a template is JSON");
    let mut workflow = template["workflow"].to_string();
    for (name, choices) in template["choices"].as_object().expect("choices") {
        let first = choices[0].to_string();
        let first = choices[0].as_str().map_or(first.as_str(), |_| &first[1..first.len() - 1]);
        workflow = workflow.replace(&format!("{{{{ {name} }}}}"), first);
    }
    let workflow: Value = serde_json::from_str(&workflow).expect("still JSON");
    Document::read(&json!({"workflows": [workflow]})).expect("a template is a workflow")
}

#[test]
fn the_twists_of_every_template_are_judged_rightly() {
    for text in [
        include_str!("../../../../web/apps/workflow-builder/src/starts/api-data-pipeline.json"),
        include_str!("../../../../web/apps/workflow-builder/src/starts/range-map-table.json"),
        include_str!("../../../../web/apps/workflow-builder/src/starts/data-categorization.json"),
        include_str!("../../../../web/apps/workflow-builder/src/starts/order-processing.json"),
        include_str!("../../../../web/apps/workflow-builder/src/starts/enterprise-data-pipeline.json"),
    ] {
        let right = template(text);
        assert_eq!(right.problems(), Vec::<String>::new());
        let mut start = right.clone();
        start.workflows[0].edges.pop();
        twists(&start, &right);
    }
}
