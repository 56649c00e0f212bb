//! Edits in, documents out.

use insta::assert_snapshot;

use serde::Deserialize;
use serde_json::Value;

use super::super::document::Document;
use super::{Edit, apply};

/// The documents the tests begin with: a trigger, a switch with a case and a default, and a merge after it.
const START: &str = r#"{"workflows": [
    {"id": "w1", "name": "Other", "nodes": [{"id": "n9", "kind": "limit"}], "edges": []},
    {"id": "w2", "name": "Router", "nodes": [
        {"id": "n1", "kind": "manualTrigger", "settings": {}},
        {"id": "n2", "kind": "switch", "settings": {"cases": [{"label": "a", "expr": "item.x"}], "default": true}},
        {"id": "n3", "kind": "merge", "settings": {"mode": "append"}}],
     "edges": [
        {"id": "e1", "source": "n1", "target": "n2"},
        {"id": "e2", "source": "n2", "output": "a", "target": "n3"},
        {"id": "e7", "source": "n2", "output": "default", "target": "n3"}]}]}"#;

#[derive(Deserialize)]
struct Solution {
    edit: Vec<Edit>,
}

/// The open workflow after the edits of a text in TOML, or why they cannot be made.
fn after(edits: &str) -> String {
    let start: Value = serde_json::from_str(START).expect("the start is JSON");
    let start = Document::read(&start).expect("the start is a document");
    let edits: Result<Solution, _> = toml::from_str(edits);
    let edits = match edits {
        Ok(solution) => solution.edit,
        Err(error) => return error.message().to_owned(),
    };
    match apply(&start, &edits) {
        Ok(document) => told(&document),
        Err(problem) => problem.to_string(),
    }
}

fn told(document: &Document) -> String {
    let open = document.open.as_deref().and_then(|open| document.workflow(open)).expect("a workflow is open");
    let nodes = open.nodes.iter().map(|node| {
        let settings: Vec<String> = node.settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
        format!("{} {} `{}` {}", node.id, node.kind, node.name, settings.join(" ")).trim_end().to_owned()
    });
    let edges = open.edges.iter().map(|edge| format!("{} {}.{} -> {}", edge.id, edge.source, edge.output, edge.target));
    let title = format!("{} {}", open.id, open.name);
    let problems = document.problems();
    [title].into_iter().chain(nodes).chain(edges).chain(problems).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_new_workflow_is_built() {
    let edits = r#"
        edit = [
            { do = "create", name = "New" },
            { do = "add", kind = "manualTrigger", as = "start" },
            { do = "add", kind = "editFields", as = "fields" },
            { do = "connect", from = "start", to = "fields" },
            { do = "add_field", node = "fields", name = "size", value = "item.a * 2" },
            { do = "add", kind = "wait", as = "pause" },
            { do = "set", node = "pause", key = "amount", value = 3 },
            { do = "set", node = "pause", key = "unit", value = "minutes" },
            { do = "rename", node = "pause", name = "Rest" },
            { do = "connect", from = "fields", to = "pause" },
        ]"#;
    assert_snapshot!(after(edits), @r#"
    w3 New
    n10 manualTrigger `Manual Trigger` notes=""
    n11 editFields `Edit Fields (Set)` fields=[{"name":"size","value":"item.a * 2"}] notes=""
    n12 wait `Rest` amount=3 notes="" unit="minutes"
    e8 n10.main -> n11
    e9 n11.main -> n12
    "#);
}

#[test]
fn outputs_that_go_take_their_edges_along() {
    let edits = r#"
        edit = [
            { do = "open", workflow = "Router" },
            { do = "add_case", node = "n2", label = "b" },
            { do = "connect", from = "n2", output = "b", to = "n3" },
            { do = "remove_case", node = "n2", label = "a" },
            { do = "set", node = "n2", key = "default", value = false },
        ]"#;
    assert_snapshot!(after(edits), @r#"
    w2 Router
    n1 manualTrigger ``
    n2 switch `` cases=[{"label":"b"}] default=false
    n3 merge `` mode="append"
    e1 n1.main -> n2
    e8 n2.b -> n3
    "#);
}

#[test]
fn a_deleted_node_takes_its_edges_along_and_ids_count_on() {
    let edits = r#"
        edit = [
            { do = "open", workflow = "Router" },
            { do = "delete", node = "n3" },
            { do = "add", kind = "limit", as = "last" },
            { do = "disconnect", from = "n1", to = "n2" },
            { do = "connect", from = "n1", to = "last" },
        ]"#;
    assert_snapshot!(after(edits), @r#"
    w2 Router
    n1 manualTrigger ``
    n2 switch `` cases=[{"expr":"item.x","label":"a"}] default=true
    n10 limit `Limit` count=10 keep="first" notes=""
    e1 n1.main -> n10
    "#);
}

#[test]
fn what_cannot_be_done_is_told() {
    let edits = [
        r#"{ do = "fold", node = "n1" }"#,
        r#"{ do = "delete", node = "n1", edge = "e1" }"#,
        r#"{ do = "open", workflow = "Gone" }"#,
        r#"{ do = "add", kind = "teleport", as = "t" }"#,
        r#"{ do = "add", kind = "wait", as = "n1" }"#,
        r#"{ do = "delete", node = "n9" }"#,
        r#"{ do = "connect", from = "n1", output = "true", to = "n3" }"#,
        r#"{ do = "connect", from = "n3", to = "n1" }"#,
        r#"{ do = "connect", from = "n1", to = "n2" }"#,
        r#"{ do = "disconnect", from = "n1", to = "n3" }"#,
        r#"{ do = "set", node = "n3", key = "speed", value = 1 }"#,
        r#"{ do = "set", node = "n3", key = "mode", value = "sideways" }"#,
        r#"{ do = "set", node = "n2", key = "cases", value = [] }"#,
        r#"{ do = "add_case", node = "n2", label = "a" }"#,
        r#"{ do = "add_case", node = "n3", label = "b" }"#,
        r#"{ do = "remove_case", node = "n2", label = "z" }"#,
        r#"{ do = "add_field", node = "n2", name = "z", value = "1" }"#,
    ];
    let told: Vec<String> = edits
        .iter()
        .map(|edit| after(&format!("edit = [{{ do = \"open\", workflow = \"Router\" }}, {edit}]")))
        .collect();
    assert_snapshot!(told.join("\n"), @r#"
    unknown variant `fold`, expected one of `open`, `create`, `add`, `delete`, `connect`, `disconnect`, `set`, `add_case`, `remove_case`, `add_field`, `rename`
    unknown field `edge`, expected `node`
    there is no workflow called `Gone`; there is `Other`, `Router`
    there is no kind of node called `teleport`; there is `loopItems`, `filter`, `removeDuplicates`, `noOperation`, `scheduleTrigger` and 24 more
    `n1` already names a node
    there is no node `n9` in the open workflow; there is `n1`, `n2`, `n3`
    node `n1` has no output `true`
    node `n1` has no input
    `n1` is already joined to `n2` by `main`
    `n1` is not joined to `n3` by `main`
    node `n3` has no setting `speed`; there is `mode`, `notes`
    `mode` of node `n3` cannot hold "sideways"
    `cases` of node `n2` cannot hold []
    node `n2` cannot have another output `a`
    node `n3` has no setting `cases`; there is `mode`, `notes`
    node `n2` has no case `z`
    node `n2` has no setting `fields`; there is `value`, `cases`, `default`, `notes`
    "#);
    assert_snapshot!(after(r#"edit = [{ do = "delete", node = "n1" }]"#), @"no workflow is open");
}
