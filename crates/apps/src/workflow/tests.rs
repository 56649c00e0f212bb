//! All tasks of the app: what their canonical instances ask for, and that every seed gives a sound twin.

use std::collections::{BTreeMap, BTreeSet};

use insta::assert_snapshot;
use quintain_browser::PreparedApp;
use quintain_core::check::{Case, CheckKind};
use quintain_core::evidence::Evidence;
use quintain_core::reference::Reference;
use quintain_core::{Pick, Task};
use serde_json::{Value, json};

use super::WorkflowBuilder;
use crate::tests;
use crate::workflow::checks::{WorkflowGraph, compare, what_counts};
use crate::workflow::model::{Document, Workflow};

/// The tasks of the app.
pub(super) fn tasks() -> Vec<Task> {
    tests::tasks("workflow-")
}

/// An instance of a task, and its instruction.
pub(super) fn prepared(task: &Task, seed: Option<u64>) -> (PreparedApp, String) {
    let (prepared, _, instruction) = tests::prepared(&WorkflowBuilder, task, seed);
    (prepared, instruction)
}

fn document(value: &Value) -> Document {
    Document::read(value).expect("it is a document")
}

/// A workflow line by line: what is the same before and after gives the same lines.
fn lines(workflow: &Workflow) -> Vec<String> {
    let called = |id: &str| workflow.node(id).map_or_else(|| id.to_owned(), |node| format!("{} {id}", node.name));
    let nodes = workflow.nodes.iter().map(|node| {
        let kept = node.settings.iter().filter(|(key, _)| *key != "notes");
        let settings: Vec<String> = kept.map(|(key, value)| format!("{key}={value}")).collect();
        format!("{} {} {}", node.name, node.id, settings.join(" ")).trim_end().to_owned()
    });
    let edges = workflow.edges.iter().map(|edge| {
        let output = if edge.output == "main" { String::new() } else { format!(" {}", edge.output) };
        format!("{}{output} -> {}", called(&edge.source), called(&edge.target))
    });
    nodes.chain(edges).collect()
}

/// What an instance asks for: the lines that go and the lines that come.
fn asked(prepared: &PreparedApp) -> String {
    let (before, after) = (document(&prepared.document), document(&prepared.expected));
    let mut told = Vec::new();
    for workflow in &after.workflows {
        let old = before.workflow(&workflow.id).map(lines).unwrap_or_default();
        let new = lines(workflow);
        if old == new {
            continue;
        }
        told.push(format!("  {} `{}`, of {}", workflow.id, workflow.name, after.workflows.len()));
        told.extend(old.iter().filter(|line| !new.contains(line)).map(|line| format!("  - {line}")));
        told.extend(new.iter().filter(|line| !old.contains(line)).map(|line| format!("  + {line}")));
    }
    told.join("\n")
}

#[expect(clippy::too_many_lines, reason = "one list of what all tasks ask for reads best in one piece")]
#[test]
fn the_canonical_instances_ask_for_what_the_paper_asks_for() {
    let told: Vec<String> =
        tasks().iter().map(|task| format!("{}\n{}", task.id.name(), asked(&prepared(task, None).0))).collect();
    assert_snapshot!(told.join("\n"), @r#"
    workflow-add-by-search
      w1 `API Data Pipeline`, of 3
      + Send Email n16 body="" from="" subject="Users list" to=""
      + Sort n4 -> Send Email n16
    workflow-branch-and-merge
      w3 `ICML Project`, of 3
      + Manual Trigger n9
      + Database Connector n10 connection="main" engine="PostgreSQL" query=""
      + If n11 condition="item.country == \"UK\""
      + Crypto n12 algorithm="SHA-256" field=""
      + Guardrails n13 policy="personal data"
      + Merge n14 mode="append"
      + Manual Trigger n9 -> Database Connector n10
      + Database Connector n10 -> If n11
      + If n11 true -> Crypto n12
      + If n11 false -> Guardrails n13
      + Crypto n12 -> Merge n14
      + Guardrails n13 -> Merge n14
    workflow-conditional-email
      w3 `ICML Project`, of 3
      + Chat Trigger n9 greeting="Hi! How can I help?"
      + Database Connector n10 connection="main" engine="PostgreSQL" query=""
      + If n11 condition="item.country == \"FR\""
      + Send Email n12 body="" from="" subject="ICML Project notification" to=""
      + Send Email n13 body="" from="" subject="Notification de projet ICML" to=""
      + Chat Trigger n9 -> Database Connector n10
      + Database Connector n10 -> If n11
      + If n11 false -> Send Email n12
      + If n11 true -> Send Email n13
    workflow-decision-tree
      w3 `Simple Decision Tree Pipeline`, of 3
      + Manual Trigger n9
      + If n10 condition="item.score >= 50"
      + If n11 condition="item.score >= 80"
      + If n12 condition="item.score >= 20"
      + Data Table n13 mode="insert" table="records"
      + Data Table n14 mode="insert" table="records"
      + Manual Trigger n9 -> If n10
      + If n10 true -> If n11
      + If n10 false -> If n12
      + If n11 true -> Data Table n13
      + If n11 false -> Data Table n14
      + If n12 true -> Data Table n13
      + If n12 false -> Data Table n14
    workflow-drop-default
      w1 `Data Categorization Pipeline`, of 3
      - Switch n3 cases=[{"expr":"item.category === 'electronics'","label":"electronics"},{"expr":"item.category === 'clothing'","label":"clothing"}] default=true value="item.category"
      - Edit Fields (Set) n6 fields=[{"name":"bucket","value":"'other'"},{"name":"reviewed","value":"false"}]
      - Switch n3 default -> Edit Fields (Set) n6
      - Edit Fields (Set) n6 -> Merge n7
      + Switch n3 cases=[{"expr":"item.category === 'electronics'","label":"electronics"},{"expr":"item.category === 'clothing'","label":"clothing"}] default=false value="item.category"
    workflow-end-with-filter
      w1 `Range -> Map -> Table (scaffolding)`, of 3
      - Table Preview n3 rows=10
      - Map n2 -> Table Preview n3
      + Filter n16 condition="item.value > 10"
      + Map n2 -> Filter n16
    workflow-filter-and-sort
      w1 `API Data Pipeline`, of 3
      - Sort n4 direction="asc" field="name"
      - Limit n5 count=5 keep="first"
      - Map n3 -> Sort n4
      - Sort n4 -> Limit n5
      + Sort n4 direction="desc" field="email"
      + Filter n16 condition="item.email.includes(\".org\")"
      + Map n3 -> Filter n16
      + Filter n16 -> Sort n4
    workflow-insert-filter
      w1 `Order Processing Pipeline`, of 3
      - Database Connector n2 -> If n3
      + Filter n16 condition="item.status === 'completed'"
      + Database Connector n2 -> Filter n16
      + Filter n16 -> If n3
    workflow-insert-formula
      w1 `Range -> Map -> Table (scaffolding)`, of 3
      - Map n2 -> Table Preview n3
      + Formula n16 expression="item.value * 2" field="double"
      + Map n2 -> Formula n16
      + Formula n16 -> Table Preview n3
    workflow-insert-wait
      w1 `Range -> Map -> Table (scaffolding)`, of 3
      - Map n2 -> Table Preview n3
      + Wait n16 amount=1 unit="seconds"
      + Map n2 -> Wait n16
      + Wait n16 -> Table Preview n3
    workflow-loop
      w3 `Simple Loop Pipeline`, of 3
      + Manual Trigger n9
      + Map n10 expression="(item.counter || 0) + 1" field="counter"
      + If n11 condition="item.counter < 3"
      + Data Table n12 mode="insert" table="records"
      + Manual Trigger n9 -> Map n10
      + Map n10 -> If n11
      + If n11 true -> Map n10
      + If n11 false -> Data Table n12
    workflow-new-case
      w1 `Enterprise Data Pipeline`, of 3
      - Switch n9 cases=[{"expr":"item.priority === 1","label":"priority_high"},{"expr":"item.priority === 2","label":"priority_medium"},{"expr":"item.priority === 3","label":"priority_low"}] default=true value="item.priority"
      + Switch n9 cases=[{"expr":"item.priority === 1","label":"priority_high"},{"expr":"item.priority === 2","label":"priority_medium"},{"expr":"item.priority === 3","label":"priority_low"},{"label":"priority_urgent"}] default=true value="item.priority"
      + Switch n9 priority_urgent -> Edit Fields (Set) n11
    workflow-newsletter
      w3 `Newsletter System`, of 3
      + Manual Trigger n9
      + HTTP Request n10 body="" headers="" method="GET" url="https://jsonplaceholder.typicode.com/users"
      + Map n11 expression="item" field="value"
      + Filter n12 condition="item.address?.city === \"Gwenborough\""
      + Send Email n13 body="" from="newsletter@example.com" subject="Local Newsletter" to="local-subscribers@example.com"
      + Manual Trigger n9 -> HTTP Request n10
      + HTTP Request n10 -> Map n11
      + Map n11 -> Filter n12
      + Filter n12 -> Send Email n13
    workflow-priority-branch
      w1 `Enterprise Data Pipeline`, of 3
      - Switch n9 cases=[{"expr":"item.priority === 1","label":"priority_high"},{"expr":"item.priority === 2","label":"priority_medium"},{"expr":"item.priority === 3","label":"priority_low"}] default=true value="item.priority"
      + Switch n9 cases=[{"expr":"item.priority === 1","label":"priority_high"},{"expr":"item.priority === 2","label":"priority_medium"},{"expr":"item.priority === 3","label":"priority_low"},{"label":"priority_urgent"}] default=true value="item.priority"
      + Edit Fields (Set) n28 fields=[]
      + Switch n9 priority_urgent -> Edit Fields (Set) n28
      + Edit Fields (Set) n28 -> Data Table n12
    workflow-remove-node
      w1 `API Data Pipeline`, of 3
      - Sort n4 direction="asc" field="name"
      - Map n3 -> Sort n4
      - Sort n4 -> Limit n5
      + Map n3 -> Limit n5
    workflow-rewire-branch
      w1 `Enterprise Data Pipeline`, of 3
      - Edit Fields (Set) n11 -> Data Table n12
      + Edit Fields (Set) n11 -> HTTP Request n13
    workflow-rewire-edges
      w1 `Enterprise Data Pipeline`, of 3
      - No Operation n4 -> Merge n5
      - Switch n9 priority_low -> Edit Fields (Set) n10
      + No Operation n4 -> Switch n9
      + Switch n9 priority_low -> Edit Fields (Set) n11
    workflow-side-branch
      w1 `Order Processing Pipeline`, of 3
      + No Operation n16
      + Data Table n17 mode="insert" table="records"
      + Merge n6 -> No Operation n16
      + No Operation n16 -> Data Table n17
    workflow-split-branches
      w1 `API Data Pipeline`, of 3
      - Map n3 -> Sort n4
      + If n16 condition="item.active === true"
      + Send Email n17 body="" from="" subject="Active user report" to=""
      + Map n3 -> If n16
      + If n16 true -> Send Email n17
      + If n16 false -> Sort n4
    workflow-three-nodes
      w3 `Example Todo Fetch`, of 3
      + Manual Trigger n9
      + HTTP Request n10 body="" headers="" method="GET" url="https://jsonplaceholder.typicode.com/todos/1"
      + No Operation n11
      + Manual Trigger n9 -> HTTP Request n10
      + HTTP Request n10 -> No Operation n11
    "#);
}

#[test]
fn there_are_twenty_tasks_two_of_them_easy_and_nine_hard() {
    let difficulty = |task: &Task| task.difficulty(&Pick::default()).to_string();
    let mut counts = BTreeMap::new();
    for task in tasks() {
        *counts.entry(difficulty(&task)).or_insert(0) += 1;
        let reason = task.spec.metadata.get("difficulty_reason").and_then(Value::as_str);
        assert!(reason.is_some_and(|reason| reason.len() > 20), "{} does not say why it is as hard as it is", task.id);
    }
    assert_eq!(counts, BTreeMap::from([("easy".to_owned(), 2), ("hard".to_owned(), 9), ("medium".to_owned(), 9)]));
}

#[test]
fn every_seed_gives_a_sound_twin_and_at_least_six_differ() {
    for task in tasks() {
        let mut twins = BTreeSet::new();
        let (canonical, _) = prepared(&task, None);
        for seed in 0..=20 {
            let (twin, instruction) = prepared(&task, Some(seed));
            assert_eq!(
                prepared(&task, Some(seed)),
                (twin.clone(), instruction.clone()),
                "{}#{seed} is drawn anew",
                task.id
            );
            assert_ne!(twin.document, twin.expected, "{}#{seed} asks for nothing", task.id);
            let is_same = compare(&document(&twin.expected), &document(&canonical.expected)).is_equal();
            assert!(!is_same, "{}#{seed} is solved by the canonical solution", task.id);
            assert_eq!(document(&twin.expected).problems(), Vec::<String>::new(), "{}#{seed}", task.id);
            assert!(
                !instruction.contains("{{") && !instruction.contains("undefined"),
                "{}#{seed}: {instruction}",
                task.id
            );
            twins.insert(instruction);
        }
        assert!(twins.len() >= 6, "{} has only {} twins", task.id, twins.len());
    }
}

/// The workflow that an instance is about as it is to be at the end, with nodes numbered as they stand in it, so that the
/// other workflows of the hub make no difference.
fn right_end(prepared: &PreparedApp) -> String {
    let (before, after) = (document(&prepared.document), document(&prepared.expected));
    let is_meant = |workflow: &&Workflow| before.workflow(&workflow.id).map(lines) != Some(lines(workflow));
    let mut meant = after.workflows.iter().find(is_meant).expect("something is asked for").clone();
    let ids: Vec<String> = meant.nodes.iter().map(|node| node.id.clone()).collect();
    let number = |id: &str| ids.iter().position(|known| known == id).map_or_else(String::new, |at| at.to_string());
    for edge in &mut meant.edges {
        (edge.source, edge.target) = (number(&edge.source), number(&edge.target));
    }
    meant.nodes.iter_mut().for_each(|node| node.id = number(&node.id));
    let mut told = lines(&meant);
    told.sort();
    format!("{}\n{}", meant.name, told.join("\n"))
}

/// Seeds are drawn for training: hardly two of them may come to the same end.
#[test]
fn of_a_hundred_seeds_hardly_two_have_the_same_right_end() {
    for task in tasks() {
        let ends: BTreeSet<String> = (0..100).map(|seed| right_end(&prepared(&task, Some(seed)).0)).collect();
        assert!(ends.len() >= 97, "{}: 100 seeds have {} right ends", task.id, ends.len());
    }
}

#[test]
fn the_pause_is_put_into_either_gap() {
    let task = tasks().into_iter().find(|task| task.id.name() == "workflow-insert-wait").expect("it is there");
    let gaps: BTreeSet<String> = (0..20)
        .map(|seed| prepared(&task, Some(seed)).1)
        .filter_map(|text| Some(text.lines().find(|line| line.starts_with("2. Add"))?.to_owned()))
        .collect();
    assert_eq!(gaps.len(), 2, "{gaps:?}");
}

#[test]
fn every_instruction_tells_what_counts() {
    for task in tasks() {
        let (_, instruction) = prepared(&task, None);
        assert!(instruction.contains(&what_counts()), "{}", task.id);
    }
}

/// The right end of every task and of some twins: what looks nearly like it is refused, what says the same is not.
#[test]
fn the_twists_of_every_task_are_judged_rightly() {
    for task in tasks() {
        for seed in [None, Some(1)] {
            let (prepared, _) = prepared(&task, seed);
            let reference = Reference {
                start: json!({"document": prepared.document, "expected": prepared.expected}),
                ..Reference::default()
            };
            let evidence = Evidence::document("workflow-builder", prepared.expected.clone());
            let case = Case { evidence: &evidence, reference: &reference };
            let spec = toml::from_str("name = 'graph'\nkind = 'workflow-graph'").expect("the example is sound");
            let check = WorkflowGraph.make(&spec).expect("the example is sound");
            let is_full = |evidence: &Evidence| check.judge(Case { evidence, ..case }).expect("sound").score.is_full();
            assert!(is_full(&evidence), "{} with seed {seed:?}", task.id);
            for near in check.near_misses(case) {
                assert!(!is_full(&near.evidence), "{} with seed {seed:?}: {}", task.id, near.how);
            }
            for like in check.variations(case) {
                assert!(is_full(&like.evidence), "{} with seed {seed:?}: {}", task.id, like.how);
            }
        }
    }
}
