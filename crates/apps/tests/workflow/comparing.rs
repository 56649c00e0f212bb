//! When two documents say the same.

use proptest::prelude::*;
use quintain_apps::workflow::checks::{compare, compare_since};
use quintain_apps::workflow::model::{Document, Edge, Workflow, WorkflowNode};
use quintain_core::Rng;
use serde_json::{Value, json};

use crate::notation::{ORDERS, document, orders};

fn sentences(expected: &Document, actual: &Document) -> String {
    let comparison = compare(expected, actual);
    if comparison.is_equal() {
        return "equal".to_owned();
    }
    comparison.mistakes.iter().map(|mistake| mistake.sentence.as_str()).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_sets_two_documents_apart() {
    let cases = [
        ("  w = Cool down\n", ""),
        ("  w wait {\"amount\": 1}", "  w wait {\"amount\": 2, \"unit\": \"hours\"}"),
        ("item.total >= 50", "item.total > 50"),
        ("{\"label\": \"a\"}", "{\"label\": \"a\", \"expr\": \"1\"}"),
        ("  i.false -> m\n", ""),
        ("  i.false -> m\n", "  i.false -> e2\n"),
        ("  s.b -> e2 -> m", "  s.b -> w\n  e2 -> m"),
        ("f -> i.true", "i.true"),
        ("  e2 editFields\n", "  e2 noOperation\n"),
        ("Greetings", "Greeting"),
        ("  c -> a", "  x noOperation\n  c -> a\n  x -> a"),
        (&ORDERS[ORDERS.find("Greetings").expect("it is there")..], "Another\n  n noOperation\n"),
    ];
    let all = cases.map(|(line, by)| sentences(&document(ORDERS), &orders(line, by))).join("\n---\n");
    insta::assert_snapshot!(all, @r#"
    in `Orders`: the node `Cool down` is called `Wait`
    ---
    in `Orders`: the node `Cool down` has 2 for `amount`, not 1
    in `Orders`: the node `Cool down` has "hours" for `unit`, not "seconds"
    ---
    in `Orders`: the node `If` has "item.total > 50 && item.country == \"UK\"" for `condition`, not "item.total >= 50 && item.country == \"UK\""
    ---
    in `Orders`: the node `Switch` has [{"expr":"1","label":"a"},{"expr":"item.kind === 'b'","label":"b"}] for `cases`, not [{"label":"a"},{"expr":"item.kind === 'b'","label":"b"}]
    ---
    in `Orders`: the edge from `If` by `false` to `Merge` is missing
    ---
    in `Orders`: the edge from `If` by `false` to `Merge` is missing
    in `Orders`: the edge from `If` by `false` to `Edit Fields (Set)` (e2) is one too many
    ---
    in `Orders`: the edge from `Switch` by `b` to `Edit Fields (Set)` (e2) is missing
    in `Orders`: the edge from `Switch` by `b` to `Cool down` is one too many
    ---
    in `Orders`: the edge from `Database Connector` by `main` to `Filter` is missing
    in `Orders`: the edge from `Filter` by `main` to `If` is missing
    in `Orders`: the edge from `Database Connector` by `main` to `If` is one too many
    ---
    in `Orders`: the node `Edit Fields (Set)` (e2) is missing
    in `Orders`: the node `No Operation` is one too many
    in `Orders`: the edge from `Switch` by `b` to `Edit Fields (Set)` (e2) is missing
    in `Orders`: the edge from `Edit Fields (Set)` (e2) by `main` to `Merge` is missing
    in `Orders`: the edge from `Switch` by `b` to `No Operation` is one too many
    in `Orders`: the edge from `No Operation` by `main` to `Merge` is one too many
    ---
    the workflow `Greetings` is called `Greeting`
    ---
    in `Greetings`: the node `No Operation` is one too many
    in `Greetings`: the edge from `No Operation` by `main` to `AI Agent` is one too many
    ---
    the workflow `Greetings` is called `Another`
    in `Greetings`: the node `Chat Trigger` is missing
    in `Greetings`: the node `AI Agent` is missing
    in `Greetings`: the node `No Operation` is one too many
    in `Greetings`: the edge from `Chat Trigger` by `main` to `AI Agent` is missing
    "#);
}

#[test]
fn what_does_not_count() {
    let expected = document(ORDERS);
    for (line, by) in [
        ("item.status === 'completed'", " item.status==\\\"completed\\\" "),
        ("item.status === 'completed'", "item.status === 'completed' ? true : false"),
        ("item.total >= 50 && item.country == \\\"UK\\\"", "(item.country === 'UK') && 50.0 <= item.total"),
        ("item.kind === 'b'", "'b' == item.kind && true"),
        ("{\"amount\": 1}", "{\"amount\": 1.0, \"notes\": \"  \"}"),
        (
            "{\"name\": \"x\", \"value\": \"item.y * 2\"}, {\"name\": \"z\", \"value\": \"1\"}",
            "{\"name\": \"z\", \"value\": \"1\"}, {\"name\": \"x\", \"value\": \"2*item.y\"}",
        ),
        ("\"SELECT * FROM orders\"", "\" SELECT * FROM orders\\n\""),
        ("{\"label\": \"a\"}", "{\"label\": \"a\", \"expr\": \"\"}"),
        ("e2 ", "e5 "),
    ] {
        assert_eq!(sentences(&expected, &orders(line, by)), "equal", "{by}");
    }
}

#[test]
fn what_counts_to_the_letter() {
    let expected = document(ORDERS);
    let cases = "[{\"label\": \"a\"}, {\"label\": \"b\", \"expr\": \"item.kind === 'b'\"}]";
    for (line, by) in [
        (cases, "[{\"label\": \"b\", \"expr\": \"item.kind === 'b'\"}, {\"label\": \"a\"}]"),
        (cases, "[{\"label\": \"a\"}, {\"label\": \"b\", \"expr\": \"item.kind === 'b' // as told\"}]"),
        ("{\"label\": \"a\"}", "{\"label\": \"a\", \"expr\": \"  \"}"),
        ("{\"name\": \"x\", ", "{\"name\": \"x \", "),
        ("{\"amount\": 1}", "{\"amount\": \"1\"}"),
        ("{\"amount\": 1}", "{\"amount\": \"1 s\"}"),
        ("{\"amount\": 1}", "{\"amount\": 1.001}"),
        ("SELECT * FROM orders", "SELECT  * FROM orders"),
        ("SELECT * FROM orders", "select * from orders"),
        ("item.status === 'completed'", "item.status === 'completed';"),
        ("item.status === 'completed'", "item.status === `completed`"),
        ("item.total >= 50", "item.total >= 0b110010"),
    ] {
        assert_ne!(sentences(&expected, &orders(line, by)), "equal", "{by}");
    }
    let labelled = |label: &str| document(&format!("One\n  s switch {{\"cases\": [{{\"label\": \"{label}\"}}]}}"));
    assert_ne!(sentences(&labelled("a"), &labelled("a ")), "equal");
    let sorted = |field: &str| document(&format!("One\n  s sort {{\"field\": \"{field}\"}}"));
    assert_ne!(sentences(&sorted("a"), &sorted("a ")), "equal");
}

/// Cases in all orders: only the one that is asked for is right.
#[test]
fn cases_are_tried_from_top_to_bottom() {
    let switch = |order: &[usize]| {
        let cases = [
            json!({"label": "large", "expr": "item.n > 100"}),
            json!({"label": "middle", "expr": "item.n > 10"}),
            json!({"label": "small", "expr": "item.n > 1"}),
            json!({"label": "rest"}),
        ];
        let cases: Vec<&Value> = order.iter().map(|idx| &cases[*idx]).collect();
        document(&format!("One\n  s switch {}\n  m merge\n  s.small -> m", json!({ "cases": cases })))
    };
    for order in permutations(4) {
        let is_right = order == [0, 1, 2, 3];
        assert_eq!(compare(&switch(&[0, 1, 2, 3]), &switch(&order)).is_equal(), is_right, "{order:?}");
    }
}

/// The orders, with another id for a workflow or for a node wherever it stands.
fn with_id(id: &str, other: &str) -> Document {
    let mut document = document(ORDERS);
    for workflow in &mut document.workflows {
        let edges = workflow.edges.iter_mut().flat_map(|edge| [&mut edge.source, &mut edge.target]);
        let ids = workflow.nodes.iter_mut().map(|node| &mut node.id).chain([&mut workflow.id]).chain(edges);
        ids.filter(|known| *known == id).for_each(|known| other.clone_into(known));
    }
    document
}

#[test]
fn what_was_there_at_the_start_keeps_its_id() {
    let expected = document(ORDERS);
    let mut start = expected.clone();
    start.workflows[0].nodes.retain(|node| node.id != "e2");
    start.workflows[0].edges.retain(|edge| edge.source != "e2" && edge.target != "e2");
    let said = |actual: &Document| match compare_since(&start, &expected, actual).mistakes.first() {
        Some(mistake) => mistake.sentence.clone(),
        None => "equal".to_owned(),
    };
    let mut redrawn = expected.clone();
    redrawn.workflows[0].edges.iter_mut().for_each(|edge| edge.id = format!("{}0", edge.id));
    let mut named = expected.clone();
    named.workflows[1].id = "w7".to_owned();
    named.workflows[1].nodes.iter_mut().for_each(|node| node.id = format!("{}7", node.id));
    named.workflows[1].edges.clear();
    let all = [
        said(&expected),
        said(&redrawn),
        said(&with_id("e2", "n30")),
        said(&with_id("f", "n30")),
        said(&with_id("m", "n30")),
        said(&with_id("a", "n30")),
        said(&with_id("w1", "w3")),
        said(&with_id("w2", "w3")),
        said(&named),
    ];
    insta::assert_snapshot!(all.join("\n"), @"
    equal
    equal
    equal
    in `Orders`: the node `Filter` was made anew, the one that was there is gone
    in `Orders`: the node `Merge` was made anew, the one that was there is gone
    in `Greetings`: the node `AI Agent` was made anew, the one that was there is gone
    the workflow `Orders` is w3, another one than w1
    the workflow `Greetings` is w3, another one than w2
    the workflow `Greetings` is w7, another one than w2
    ");
}

#[test]
fn a_new_thing_is_not_an_old_one_put_to_another_use() {
    let start = document("Old\n  a wait\n  b wait\nNew one\n  c map");
    let expected = document("Old\n  a wait\n  b wait\n  x wait\n  a -> x\nNew one\n  c map");
    let told = |text: &str| compare_since(&start, &expected, &document(text)).is_equal();
    assert!(told("Old\n  a wait\n  b wait\n  y wait\n  a -> y\nNew one\n  c map"));
    assert!(told("Old\n  y wait\n  b wait\n  a wait\n  a -> y\nNew one\n  c map"));
    assert!(!told("Old\n  a wait\n  b wait\n  y wait\n  a -> b\nNew one\n  c map"));
    assert!(!told("Old\n  a wait\n  b wait\n  y wait\n  b -> y\nNew one\n  c map"));
    assert!(!told("Old\n  a wait\n  y wait\n  z wait\n  a -> y\nNew one\n  c map"));
}

#[test]
fn a_document_may_be_unsound() {
    let value = json!({"workflows": [{"id": "w1", "nodes": [
        {"id": "n1", "kind": "switch", "settings": {"cases": [{"label": "a"}, {"label": "a"}], "default": false, "colour": 1}},
        {"id": "n1", "kind": "teleport", "position": {"x": 1.5}},
        {"id": "n2", "kind": "manualTrigger", "zoom": 3},
    ], "edges": [
        {"id": "e1", "source": "n1", "output": "default", "target": "n9"},
        {"id": "e2", "source": "n8", "target": "n2"},
    ]}], "open": "w7", "theme": "dark"});
    insta::assert_snapshot!(Document::read(&value).expect("it can be read").problems().join("\n"), @"
    node `n1` has the unknown setting `colour`
    node `n1` has the output `a` twice
    the id `n1` is used twice
    node `n1` is of the unknown kind `teleport`
    edge `e1` leaves `n1` by `default`, which it lacks
    edge `e1` ends at `n9`, which is not there
    edge `e2` starts at `n8`, which is not there
    edge `e2` ends at `n2`, which has no input
    the open workflow `w7` is not there
    ");
    let refused = [json!(null), json!({}), json!({"workflows": [{"name": "no id"}]}), json!([])];
    insta::assert_snapshot!(refused.map(|value| Document::read(&value).expect_err("unreadable")).join("\n"), @"
    the document cannot be read: invalid type: null, expected struct Document
    the document cannot be read: missing field `workflows`
    the document cannot be read: missing field `id`
    the document cannot be read: invalid length 0, expected struct Document with 2 elements
    ");
}

/// A tree of equal nodes: a trigger, then `if`s in levels, then tables, 2 to the power of `depth` of them.
fn tree(depth: u32) -> Document {
    let mut lines = vec!["Tree".to_owned(), "  t manualTrigger".to_owned()];
    let n_ifs = 2_usize.pow(depth) - 1;
    let kind = |idx: usize| if idx < n_ifs { "if" } else { "dataTable" };
    lines.extend((0..=2 * n_ifs).map(|idx| format!("  x{idx} {}", kind(idx))));
    lines.push("  t -> x0".to_owned());
    for idx in 0..n_ifs {
        lines.push(format!("  x{idx}.true -> x{}", 2 * idx + 1));
        lines.push(format!("  x{idx}.false -> x{}", 2 * idx + 2));
    }
    document(&lines.join("\n"))
}

/// The same document with other ids, nodes and edges in another order.
fn shuffled(document: &Document, seed: u64) -> Document {
    let mut rng = Rng::new(seed);
    let mut document = document.clone();
    for workflow in &mut document.workflows {
        let mut ids: Vec<usize> = (0..workflow.nodes.len()).collect();
        rng.shuffle(&mut ids);
        let numbers: std::collections::BTreeMap<String, String> =
            workflow.nodes.iter().zip(&ids).map(|(node, id)| (node.id.clone(), format!("n{id}"))).collect();
        workflow.nodes.iter_mut().for_each(|node| node.id = numbers[&node.id].clone());
        for edge in &mut workflow.edges {
            edge.source = numbers[&edge.source].clone();
            edge.target = numbers[&edge.target].clone();
        }
        rng.shuffle(&mut workflow.nodes);
        rng.shuffle(&mut workflow.edges);
    }
    document
}

#[test]
fn equal_nodes_are_told_apart_by_their_edges() {
    let tree = tree(3);
    for seed in 0..20 {
        let mut other = shuffled(&tree, seed);
        assert_eq!(sentences(&tree, &other), "equal");
        let edges = &mut other.workflows[0].edges;
        let at = edges.iter().position(|edge| edge.output == "true").expect("there are some");
        edges[at].output = "false".to_owned();
        assert_ne!(sentences(&tree, &other), "equal");
    }
    let ring = |arcs: &str| document(&format!("Ring\n  a map\n  b map\n  c map\n  d map\n  e map\n  f map\n{arcs}"));
    let (one, two) = (ring("  a -> b -> c -> d -> e -> f -> a"), ring("  a -> b -> c -> a\n  d -> e -> f -> d"));
    assert_eq!(sentences(&one, &shuffled(&one, 3)), "equal");
    assert_eq!(sentences(&two, &shuffled(&two, 3)), "equal");
    insta::assert_snapshot!(sentences(&one, &two), @"
    in `Ring`: the edge from `Map` (c) by `main` to `Map` (d) is missing
    in `Ring`: the edge from `Map` (f) by `main` to `Map` (a) is missing
    in `Ring`: the edge from `Map` (c) by `main` to `Map` (a) is one too many
    in `Ring`: the edge from `Map` (f) by `main` to `Map` (d) is one too many
    ");
}

#[test]
fn many_equal_nodes_take_no_long_time() {
    let nodes: Vec<String> = (0..60).map(|n| format!("  n{n} map")).collect();
    let isolated = document(&format!("Many\n{}", nodes.join("\n")));
    let tree = tree(5);
    for document in [&isolated, &tree] {
        let mut other = shuffled(document, 1);
        assert_eq!(sentences(document, &other), "equal");
        other.workflows[0].nodes[7].settings.insert("notes".to_owned(), json!("x"));
        assert_eq!(compare(document, &other).mistakes.len(), 1);
    }
    let mut flood = tree.clone();
    let extra = flood.workflows[0].nodes[0].clone();
    flood.workflows[0].nodes.extend((0..20_000).map(|n| WorkflowNode { id: format!("m{n}"), ..extra.clone() }));
    assert_eq!(compare(&tree, &flood).mistakes.len(), 20_000);
}

/// Five nodes of two kinds and some edges between them.
fn any_small() -> impl Strategy<Value = (Vec<bool>, Vec<(usize, usize)>)> {
    (proptest::collection::vec(any::<bool>(), 5), proptest::collection::vec((0..5_usize, 0..5_usize), 0..8))
}

fn small((kinds, edges): &(Vec<bool>, Vec<(usize, usize)>)) -> Document {
    let node = |(idx, is_map): (usize, &bool)| format!("  n{idx} {}\n", if *is_map { "map" } else { "merge" });
    let nodes: String = kinds.iter().enumerate().map(node).collect();
    let edges: std::collections::BTreeSet<_> = edges.iter().filter(|(a, b)| a != b).collect();
    let edges: Vec<String> = edges.iter().map(|(a, b)| format!("  n{a} -> n{b}")).collect();
    document(&format!("Small\n{nodes}{}", edges.join("\n")))
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(n - 1);
    let insert = |rest: &Vec<usize>, at: usize| [&rest[..at], &[n - 1], &rest[at..]].concat();
    shorter.iter().flat_map(|rest| (0..n).map(move |at| insert(rest, at))).collect()
}

/// Whether any way to take the nodes of one for those of the other makes all agree.
fn agree_somehow(a: &Document, b: &Document) -> bool {
    let (a, b) = (&a.workflows[0], &b.workflows[0]);
    let number = |id: &str| id[1..].parse::<usize>().expect("a number");
    let edges = |workflow: &Workflow, through: &dyn Fn(usize) -> usize| {
        let pair = |edge: &Edge| (through(number(&edge.source)), through(number(&edge.target)));
        let mut edges: Vec<_> = workflow.edges.iter().map(pair).collect();
        edges.sort_unstable();
        edges
    };
    permutations(a.nodes.len()).into_iter().any(|order| {
        let kinds_agree = a.nodes.iter().enumerate().all(|(idx, node)| node.kind == b.nodes[order[idx]].kind);
        kinds_agree && edges(a, &|node| order[node]) == edges(b, &|node| node)
    })
}

proptest! {
    #[test]
    fn documents_are_equal_when_any_pairing_makes_them_so(a in any_small(), b in any_small(), seed: u64) {
        let (a, b) = (small(&a), small(&b));
        prop_assert_eq!(compare(&a, &b).is_equal(), agree_somehow(&a, &b));
        prop_assert_eq!(compare(&b, &a).is_equal(), agree_somehow(&a, &b));
        prop_assert!(compare(&a, &shuffled(&a, seed)).is_equal());
    }

    #[test]
    fn a_rewired_edge_is_equal_only_by_symmetry(a in any_small(), edge in any::<prop::sample::Index>(), to in 0..5_usize) {
        let a = small(&a);
        prop_assume!(!a.workflows[0].edges.is_empty());
        let mut b = a.clone();
        let edges = &mut b.workflows[0].edges;
        let at = edge.index(edges.len());
        edges[at].target = format!("n{to}");
        prop_assert_eq!(compare(&a, &b).is_equal(), agree_somehow(&a, &b));
    }
}
