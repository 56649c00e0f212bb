//! Whether a graph lies within another one, where the other may have more.

use std::collections::HashSet;

use super::content::Content;
use super::graph::{GraphEdge, NodeGraph};
use super::part::WorkflowAhead;

/// How many nodes are tried in the place of others before it is given up, which no workflow that people draw comes near.
const MAX_TRIES: usize = 20_000;

/// For each node of the left graph the node of the right one that it is, if all of it is there. What later edits do to it
/// does not count.
pub(super) fn embedding(left: &NodeGraph<'_>, right: &NodeGraph<'_>, ahead: &WorkflowAhead) -> Option<Vec<usize>> {
    let candidates = left.nodes.iter().zip(&left.contents).map(|(node, content)| {
        let fits = |other: &Content| is_like(&node.id, content, other, ahead);
        (0..right.n_nodes()).filter(|other| fits(&right.contents[*other])).collect()
    });
    let mut search = EmbeddingSearch {
        edges: &left.edges,
        candidates: candidates.collect(),
        there: right.edges.iter().collect(),
        n_left: MAX_TRIES,
        partners: Vec::new(),
    };
    search.settle().then_some(search.partners)
}

/// Whether a node says what is asked of one, but for what later edits change.
fn is_like(id: &str, asked: &Content, actual: &Content, ahead: &WorkflowAhead) -> bool {
    let same_name = asked.name == actual.name || ahead.renames(id);
    asked.kind == actual.kind
        && asked.kept == actual.kept
        && same_name
        && asked.differing(actual).all(|key| ahead.sets(id, key))
}

struct EmbeddingSearch<'a> {
    edges: &'a [GraphEdge],
    candidates: Vec<Vec<usize>>,
    there: HashSet<&'a GraphEdge>,
    n_left: usize,
    /// The partners of the first nodes.
    partners: Vec<usize>,
}

impl EmbeddingSearch<'_> {
    /// Finds a partner for the next node and for all that follow it.
    fn settle(&mut self) -> bool {
        let Some(candidates) = self.candidates.get(self.partners.len()).cloned() else { return true };
        for candidate in candidates {
            let Some(n_left) = self.n_left.checked_sub(1) else { return false };
            self.n_left = n_left;
            if self.partners.contains(&candidate) {
                continue;
            }
            self.partners.push(candidate);
            if self.edges_are_there() && self.settle() {
                return true;
            }
            self.partners.pop();
        }
        false
    }

    /// Whether the edges between the last node that has a partner and those before it are there.
    fn edges_are_there(&self) -> bool {
        let last = self.partners.len() - 1;
        self.edges.iter().filter(|edge| edge.source.max(edge.target) == last).all(|edge| {
            let (source, target) = (self.partners[edge.source], self.partners[edge.target]);
            self.there.contains(&GraphEdge { source, output: edge.output.clone(), target })
        })
    }
}
