//! Documents in a short notation, and the one that most tests change.

use quintain_apps::workflow::model::{Document, Edge, MAIN, NodeCatalogue, Workflow, WorkflowNode};

/// A document in a short notation: an unindented line names a workflow, `id kind {settings}` makes a node with its
/// other settings at their defaults, `a -> b.true -> c` makes edges, `id = name` renames.
pub(crate) fn document(text: &str) -> Document {
    let mut document = Document::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if !line.starts_with(' ') {
            let id = document.next_id('w');
            document.workflows.push(Workflow { id, name: line.to_owned(), ..Workflow::default() });
            continue;
        }
        let id = document.next_id('e');
        let workflow = document.workflows.last_mut().expect("a workflow comes first");
        if line.contains("->") {
            add_edges(workflow, line, id[1..].parse().expect("a number"));
        } else if let Some((id, name)) = line.split_once(" = ") {
            name.clone_into(&mut workflow.node_mut(id.trim()).expect("a node").name);
        } else {
            workflow.nodes.push(node(line.trim()));
        }
    }
    assert_eq!(document.problems(), Vec::<String>::new());
    document
}

fn node(line: &str) -> WorkflowNode {
    let mut parts = line.splitn(3, ' ');
    let (id, kind) = (parts.next().expect("an id"), parts.next().expect("a kind"));
    let settings = parts.next().unwrap_or("{}");
    let kind = NodeCatalogue::shared().kind(kind).expect("a known kind");
    let mut node =
        WorkflowNode { id: id.to_owned(), kind: kind.kind.clone(), name: kind.name.clone(), ..WorkflowNode::default() };
    node.settings = kind.default_settings();
    node.settings.extend(serde_json::from_str::<serde_json::Map<_, _>>(settings).expect("settings"));
    node
}

fn add_edges(workflow: &mut Workflow, line: &str, first: usize) {
    let stops: Vec<&str> = line.split("->").map(str::trim).collect();
    for (idx, pair) in stops.windows(2).enumerate() {
        let (source, output) = pair[0].split_once('.').unwrap_or((pair[0], MAIN));
        let target = pair[1].split('.').next().expect("a node");
        let [source, output, target] = [source, output, target].map(str::to_owned);
        workflow.edges.push(Edge { id: format!("e{}", first + idx), source, output, target });
    }
}

pub(crate) const ORDERS: &str = r#"
Orders
  t manualTrigger
  d databaseConnector {"query": "SELECT * FROM orders"}
  f filter {"condition": "item.status === 'completed'"}
  i if {"condition": "item.total >= 50 && item.country == \"UK\""}
  s switch {"value": "item.kind", "cases": [{"label": "a"}, {"label": "b", "expr": "item.kind === 'b'"}]}
  e1 editFields {"fields": [{"name": "x", "value": "item.y * 2"}, {"name": "z", "value": "1"}]}
  e2 editFields
  w wait {"amount": 1}
  m merge
  w = Cool down
  t -> d -> f -> i.true -> s.a -> e1 -> m
  i.false -> m
  s.b -> e2 -> m
  s.default -> w -> m
Greetings
  c chatTrigger
  a aiAgent {"prompt": "Say hello."}
  c -> a
"#;

/// The orders with one line replaced, or taken out where there is nothing to replace it by.
pub(crate) fn orders(line: &str, by: &str) -> Document {
    assert!(ORDERS.contains(line), "{line}");
    document(&ORDERS.replace(line, by))
}
