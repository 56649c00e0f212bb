//! What sets one workflow document apart from another, in sentences.

use std::collections::{BTreeMap, BTreeSet};

use quintain_checks::value::brief;
use serde_json::Value;

use super::clause;
use super::content::Content;
use super::embedding::embedding;
use super::graph::{GraphEdge, NodeGraph};
use super::identity::{identity, same_shape};
use super::pairing::pairing;
use super::part::{WorkAhead, WorkflowAhead};
use super::tolerance::text;
use crate::workflow::model::expression::KnownExpressions;
use crate::workflow::model::{Document, NodeCatalogue, Workflow, WorkflowNode};

/// What sets an actual document apart from the expected one. Nothing where they say the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DocumentComparison {
    /// Everything that is missing, too much or other than expected.
    pub mistakes: Vec<Mistake>,
}

/// One thing that is missing, too much or other than expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// What it is, in a sentence without a full stop.
    pub sentence: String,
    /// How much it counts: 1 for a node or an edge, part of that for a setting, more for a whole workflow.
    pub weight: f64,
    /// The clause that it offends.
    pub clause: &'static str,
}

impl DocumentComparison {
    /// Whether the documents say the same.
    pub fn is_equal(&self) -> bool {
        self.mistakes.is_empty()
    }

    /// How much all mistakes count together.
    pub fn weight(&self) -> f64 {
        self.mistakes.iter().map(|mistake| mistake.weight).sum()
    }

    fn add(&mut self, clause: &'static str, weight: f64, sentence: String) {
        self.mistakes.push(Mistake { sentence, weight, clause });
    }
}

/// Compares two documents of which nothing was there before. Ids, positions, the order of nodes, edges and workflows and
/// which workflow is open do not count; everything else does.
pub fn compare(expected: &Document, actual: &Document) -> DocumentComparison {
    compare_since(&Document::default(), expected, actual)
}

/// Compares two documents that came of one at the start. As [`compare`] does, but what was there at the start keeps its
/// id: a workflow or node with another one was made anew.
///
/// Workflows that were there are paired by id, new ones by name, then by id; what is left over by name. Nodes of paired
/// workflows are paired so that all agree, if there is any such way, or else so that few settings and edges differ; edges
/// are compared through these pairs.
pub fn compare_since(start: &Document, expected: &Document, actual: &Document) -> DocumentComparison {
    compare_until(start, expected, &WorkAhead::default(), actual)
}

/// Compares two documents that came of one at the start, where some of what is expected is left for later edits.
pub(super) fn compare_until(
    start: &Document,
    expected: &Document,
    ahead: &WorkAhead,
    actual: &Document,
) -> DocumentComparison {
    let mut comparison = DocumentComparison::default();
    let (pairs, extra) = paired(start, &expected.workflows, &actual.workflows);
    for (expected, actual) in pairs {
        match actual {
            Some(actual) => {
                compare_workflows(start, (expected, ahead.within(&expected.id)), actual, &mut comparison);
            }
            None => comparison.add(
                clause::MISSING_WORKFLOW,
                size(expected),
                format!("the workflow `{}` is missing", expected.name),
            ),
        }
    }
    for workflow in extra.into_iter().filter(|_| !ahead.workflows) {
        let sentence = format!("the workflow `{}` ({}) is one too many", workflow.name, workflow.id);
        comparison.add(clause::EXTRA_WORKFLOW, size(workflow), sentence);
    }
    comparison
}

fn size(workflow: &Workflow) -> f64 {
    (1 + workflow.nodes.len() + workflow.edges.len()) as f64
}

/// A workflow that is expected, and the actual one it is compared with.
type WorkflowPair<'a> = (&'a Workflow, Option<&'a Workflow>);

/// Whether two workflows are to be compared with each other.
type PairRule<'a> = &'a dyn Fn(&Workflow, &Workflow) -> bool;

/// The pairs of workflows, and the actual ones that are left over.
fn paired<'a>(
    start: &Document,
    expected: &'a [Workflow],
    actual: &'a [Workflow],
) -> (Vec<WorkflowPair<'a>>, Vec<&'a Workflow>) {
    let mut pairs: Vec<WorkflowPair<'a>> = expected.iter().map(|workflow| (workflow, None)).collect();
    let mut rest: Vec<&Workflow> = actual.iter().collect();
    let was_there = |workflow: &Workflow| start.workflow(&workflow.id).is_some();
    let both_new = |a: &Workflow, b: &Workflow| !was_there(a) && !was_there(b);
    let rules: [PairRule<'_>; 5] = [
        &|a, b| was_there(a) && same_id(a, b),
        &|a, b| both_new(a, b) && same_id(a, b) && same_name(a, b),
        &|a, b| both_new(a, b) && same_name(a, b),
        &|a, b| both_new(a, b) && same_id(a, b),
        &same_name,
    ];
    for fits in rules {
        for (workflow, partner) in pairs.iter_mut().filter(|(_, partner)| partner.is_none()) {
            *partner = rest.iter().position(|actual| fits(workflow, actual)).map(|at| rest.remove(at));
        }
    }
    (pairs, rest)
}

fn same_id(a: &Workflow, b: &Workflow) -> bool {
    a.id == b.id
}

fn same_name(a: &Workflow, b: &Workflow) -> bool {
    text(&a.name) == text(&b.name)
}

fn compare_workflows(
    start: &Document,
    (expected, ahead): (&Workflow, &WorkflowAhead),
    actual: &Workflow,
    comparison: &mut DocumentComparison,
) {
    let was_there = |workflow: &Workflow| start.workflow(&workflow.id).is_some();
    let is_other = expected.id != actual.id && (was_there(expected) || was_there(actual));
    if is_other {
        let (name, wanted, id) = (&expected.name, &expected.id, &actual.id);
        let sentence = format!("the workflow `{name}` is {id}, another one than {wanted}");
        comparison.add(clause::SAME_WORKFLOW, 1.0, sentence);
    }
    if !same_name(expected, actual) {
        let sentence = format!("the workflow `{}` is called `{}`", expected.name, actual.name);
        comparison.add(clause::WORKFLOW_NAME, 1.0, sentence);
    }
    let mut known = KnownExpressions::default();
    let left = NodeGraph::of(expected, start, &mut |text, reading| known.expect(text, reading));
    let right = NodeGraph::of(actual, start, &mut |text, reading| known.key(text, reading));
    for Mistake { sentence, weight, clause } in compare_graphs(&left, &right, ahead).mistakes {
        // The nodes of a workflow that was made anew were made anew with it.
        let clause = if is_other && clause == clause::SAME_NODE { clause::SAME_WORKFLOW } else { clause };
        comparison.add(clause, weight, format!("in `{}`: {sentence}", expected.name));
    }
}

/// Compares two graphs through the best of the pairings that come into question.
fn compare_graphs(left: &NodeGraph<'_>, right: &NodeGraph<'_>, ahead: &WorkflowAhead) -> DocumentComparison {
    let all = |identity: Vec<usize>| identity.into_iter().map(Some).collect::<Vec<_>>();
    let within = || ahead.has_any().then(|| embedding(left, right, ahead)).flatten();
    if let Some(partners) = identity(left, right).or_else(within).map(all) {
        return compare_through(&partners, (left, ahead), right);
    }
    let candidates = [Some(pairing(left, right)), same_shape(left, right).map(all)];
    let compared = candidates.into_iter().flatten().map(|partners| compare_through(&partners, (left, ahead), right));
    compared.min_by(|a, b| a.weight().total_cmp(&b.weight())).expect("there is a pairing at least")
}

/// A graph that is asked for, and what of it is left for later.
type AskedGraph<'a> = (&'a NodeGraph<'a>, &'a WorkflowAhead);

fn compare_through(partners: &[Option<usize>], left: AskedGraph<'_>, right: &NodeGraph<'_>) -> DocumentComparison {
    let mut comparison = DocumentComparison::default();
    compare_nodes(left, right, partners, &mut comparison);
    compare_edges(left, right, partners, &mut comparison);
    comparison
}

fn compare_nodes(
    (left, ahead): AskedGraph<'_>,
    right: &NodeGraph<'_>,
    partners: &[Option<usize>],
    comparison: &mut DocumentComparison,
) {
    for (node, partner) in partners.iter().enumerate() {
        match partner {
            Some(partner) => compare_contents((left, node, ahead), (right, *partner), comparison),
            None => comparison.add(clause::MISSING_NODE, 1.0, format!("the node {} is missing", left.called(node))),
        }
    }
    let taken: BTreeSet<usize> = partners.iter().flatten().copied().collect();
    for extra in (0..right.n_nodes()).filter(|node| !ahead.nodes && !taken.contains(node)) {
        comparison.add(clause::EXTRA_NODE, 1.0, format!("the node {} is one too many", right.called(extra)));
    }
}

fn compare_contents(
    (left, node, ahead): (&NodeGraph<'_>, usize, &WorkflowAhead),
    (right, other): (&NodeGraph<'_>, usize),
    found: &mut DocumentComparison,
) {
    let (expected, actual) = (&left.contents[node], &right.contents[other]);
    let weight = 1.0 / expected.n_things().max(actual.n_things()) as f64;
    let called = right.called(other);
    let id = left.nodes[node].id.as_str();
    if expected.name != actual.name && !ahead.renames(id) {
        found.add(clause::NODE_NAME, weight, format!("the node {} is called {called}", left.called(node)));
    }
    if expected.kept != actual.kept {
        found.add(clause::SAME_NODE, weight, strange(&called, actual));
    }
    for key in expected.differing(actual).filter(|key| !ahead.sets(id, key)) {
        let (wanted, found_value) = (setting(&left.nodes[node], key), setting(&right.nodes[other], key));
        let clause = clause::of_setting(&expected.kind, key);
        found.add(clause, weight, format!("the node {called} has {found_value} for `{key}`, not {wanted}"));
    }
}

/// What is wrong with a node that is not the one it should be.
fn strange(called: &str, actual: &Content) -> String {
    match &actual.kept {
        Some(id) => format!("the node {called} is {id}, which was there at the start for something else"),
        None => format!("the node {called} was made anew, the one that was there is gone"),
    }
}

/// A setting in few words, its default where the node has none.
fn setting(node: &WorkflowNode, key: &str) -> String {
    let default = || NodeCatalogue::shared().kind(&node.kind)?.setting(key).map(|setting| &setting.default);
    brief(node.settings.get(key).or_else(default).unwrap_or(&Value::Null))
}

fn compare_edges(
    (left, ahead): AskedGraph<'_>,
    right: &NodeGraph<'_>,
    partners: &[Option<usize>],
    comparison: &mut DocumentComparison,
) {
    let mut counts: BTreeMap<&GraphEdge, usize> = BTreeMap::new();
    for edge in &right.edges {
        *counts.entry(edge).or_default() += 1;
    }
    for edge in &left.edges {
        let through = partners[edge.source].zip(partners[edge.target]);
        let wanted = through.map(|(source, target)| GraphEdge { source, output: edge.output.clone(), target });
        if let Some(count) = wanted.and_then(|wanted| counts.get_mut(&wanted).filter(|count| **count > 0)) {
            *count -= 1;
            continue;
        }
        // An edge of a node that is missing is missing because of it.
        let clause = if through.is_some() { clause::MISSING_EDGE } else { clause::MISSING_NODE };
        comparison.add(clause, 1.0, format!("the edge {} is missing", described(left, edge)));
    }
    let has_partner = |node: &usize| partners.contains(&Some(*node));
    for (edge, count) in counts.into_iter().filter(|_| !ahead.edges) {
        let is_between = has_partner(&edge.source) && has_partner(&edge.target);
        let clause = if is_between { clause::EXTRA_EDGE } else { clause::EXTRA_NODE };
        for _ in 0..count {
            comparison.add(clause, 1.0, format!("the edge {} is one too many", described(right, edge)));
        }
    }
    for edge in &right.dangling {
        comparison.add(clause::LOOSE_EDGE, 1.0, format!("the edge `{}` lacks an end", edge.id));
    }
}

fn described(graph: &NodeGraph<'_>, edge: &GraphEdge) -> String {
    format!("from {} by `{}` to {}", graph.called(edge.source), edge.output, graph.called(edge.target))
}
