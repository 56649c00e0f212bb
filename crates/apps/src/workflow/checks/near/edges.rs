//! Edges that are missing, too many, or lead elsewhere.

use super::{ChangedDocument, Focus};
use crate::workflow::model::{Document, Edge, NodeCatalogue, Workflow, WorkflowNode};

pub(super) fn near_misses(start: &Document, focus: &Focus<'_>, most: usize) -> Vec<ChangedDocument> {
    let edges = new_first(start, focus.workflow());
    let mut near: Vec<ChangedDocument> = edges.iter().take(most).map(|edge| missing(focus, edge)).collect();
    let n_extra = if focus.ahead.edges { 0 } else { most };
    near.extend(extra(focus, n_extra));
    near.extend(edges.first().map(|edge| loose(focus, edge)));
    near.extend(edges.iter().take(n_extra / 2).map(|edge| repeated(focus, edge)));
    for (how, others) in REWIRINGS {
        let rewired =
            edges.iter().flat_map(|edge| others(focus.workflow(), edge).into_iter().map(move |to| (edge, to)));
        let told = rewired.filter_map(|(edge, to)| rewire(focus, how, edge, &to));
        near.extend(told.take(most));
    }
    near
}

/// Ways to lead an edge elsewhere: all that come into question, for one edge.
type Rewire = fn(&Workflow, &Edge) -> Vec<Edge>;

const REWIRINGS: [(&str, Rewire); 4] = [
    ("leaves by another output", other_outputs),
    ("ends at another node", other_targets),
    ("starts at another node", other_sources),
    ("leads backwards", backwards),
];

/// The edges, those that were not there at the start first.
fn new_first<'a>(start: &Document, workflow: &'a Workflow) -> Vec<&'a Edge> {
    let before = start.workflow(&workflow.id).map(|workflow| workflow.edges.as_slice()).unwrap_or_default();
    let mut edges: Vec<&Edge> = workflow.edges.iter().collect();
    edges.sort_by_key(|edge| before.iter().any(|old| joins_alike(old, edge)));
    edges
}

fn joins_alike(a: &Edge, b: &Edge) -> bool {
    (&a.source, &a.output, &a.target) == (&b.source, &b.output, &b.target)
}

fn missing(focus: &Focus<'_>, edge: &Edge) -> ChangedDocument {
    focus.with(format!("the edge `{}` missing", edge.id), |workflow| workflow.edges.retain(|other| other.id != edge.id))
}

fn repeated(focus: &Focus<'_>, edge: &Edge) -> ChangedDocument {
    let id = focus.document.next_id('e');
    let again = Edge { id, ..edge.clone() };
    focus.with(format!("the edge `{}` twice", edge.id), |workflow| workflow.edges.push(again))
}

/// An edge too many that ends at no node.
fn loose(focus: &Focus<'_>, edge: &Edge) -> ChangedDocument {
    let (id, target) = (focus.document.next_id('e'), focus.document.next_id('n'));
    let loose = Edge { id, target, ..edge.clone() };
    focus.with("an edge too many that ends nowhere", |workflow| workflow.edges.push(loose))
}

fn extra(focus: &Focus<'_>, most: usize) -> Vec<ChangedDocument> {
    let workflow = focus.workflow();
    let id = focus.document.next_id('e');
    let candidates = workflow.nodes.iter().flat_map(|source| {
        let outputs = outputs(source).into_iter();
        outputs.flat_map(move |output| workflow.nodes.iter().map(move |target| (source, output.clone(), target)))
    });
    let edges = candidates
        .filter(|(source, _, target)| source.id != target.id && has_input(target))
        .map(|(source, output, target)| Edge {
            id: id.clone(),
            source: source.id.clone(),
            output,
            target: target.id.clone(),
        })
        .filter(|edge| !workflow.edges.iter().any(|other| joins_alike(other, edge)));
    let added = edges.take(most / 2).map(|edge| {
        let how = format!("an edge from `{}` to `{}` too many", edge.source, edge.target);
        focus.with(how, |workflow| workflow.edges.push(edge))
    });
    added.collect()
}

fn rewire(focus: &Focus<'_>, how: &str, edge: &Edge, to: &Edge) -> Option<ChangedDocument> {
    let is_there = focus.workflow().edges.iter().any(|other| joins_alike(other, to));
    let (how, document) = focus.with(format!("the edge `{}` {how}", edge.id), |workflow| {
        workflow.edges.iter_mut().filter(|other| other.id == edge.id).for_each(|other| *other = to.clone());
    });
    let differs = joins(&document.workflows[focus.idx]) != joins(focus.workflow());
    (differs && !is_there).then_some((how, document))
}

/// One end of an edge at a node: whether it leaves the node, the output, the kind at its other end.
type Join = (bool, String, String);

/// The kinds that edges join, and those at the ends of each node: workflows that differ in them differ, whatever
/// nodes are taken for whatever others.
fn joins(workflow: &Workflow) -> Vec<(String, Vec<Join>)> {
    let kind = |id: &str| workflow.node(id).map(|node| node.kind.clone()).unwrap_or_default();
    let mut joins: Vec<_> = workflow
        .nodes
        .iter()
        .map(|node| {
            let leaving = workflow.edges.iter().filter(|edge| edge.source == node.id);
            let arriving = workflow.edges.iter().filter(|edge| edge.target == node.id);
            let leaving = leaving.map(|edge| (true, edge.output.clone(), kind(&edge.target)));
            let mut at: Vec<Join> =
                leaving.chain(arriving.map(|edge| (false, edge.output.clone(), kind(&edge.source)))).collect();
            at.sort();
            (node.kind.clone(), at)
        })
        .collect();
    joins.sort();
    joins
}

fn other_outputs(workflow: &Workflow, edge: &Edge) -> Vec<Edge> {
    let outputs = workflow.node(&edge.source).map(outputs).unwrap_or_default();
    let others = outputs.into_iter().filter(|output| *output != edge.output);
    others.map(|output| Edge { output, ..edge.clone() }).collect()
}

fn other_targets(workflow: &Workflow, edge: &Edge) -> Vec<Edge> {
    let others =
        workflow.nodes.iter().filter(|node| has_input(node) && node.id != edge.target && node.id != edge.source);
    others.map(|node| Edge { target: node.id.clone(), ..edge.clone() }).collect()
}

fn other_sources(workflow: &Workflow, edge: &Edge) -> Vec<Edge> {
    let others = workflow.nodes.iter().filter(|node| node.id != edge.target && node.id != edge.source);
    let by_first = |node: &WorkflowNode| outputs(node).into_iter().next().map(|output| (node.id.clone(), output));
    others.filter_map(by_first).map(|(source, output)| Edge { source, output, ..edge.clone() }).collect()
}

fn backwards(workflow: &Workflow, edge: &Edge) -> Vec<Edge> {
    let (Some(source), Some(target)) = (workflow.node(&edge.source), workflow.node(&edge.target)) else {
        return Vec::new();
    };
    let Some(output) = outputs(target).into_iter().next().filter(|_| has_input(source)) else { return Vec::new() };
    vec![Edge { id: edge.id.clone(), source: target.id.clone(), output, target: source.id.clone() }]
}

fn outputs(node: &WorkflowNode) -> Vec<String> {
    NodeCatalogue::shared().kind(&node.kind).map(|kind| kind.outputs_of(node)).unwrap_or_default()
}

fn has_input(node: &WorkflowNode) -> bool {
    NodeCatalogue::shared().kind(&node.kind).is_some_and(|kind| kind.input)
}
