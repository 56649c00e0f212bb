//! Whether two graphs are the same but for the order and the ids of their nodes.
//!
//! Nodes are coloured by content and neighbourhood until nothing more can be told apart. Where several nodes still share
//! a colour, one of the left graph is taken to be each of the right graph's in turn, and colouring goes on. Graphs with
//! so much symmetry that this would take more than [`MAX_COLOURINGS`] are given up, which no workflow that people
//! draw comes near: equal nodes that are interchangeable are settled at the first attempt.

use super::colours::{Colours, GraphPair};
use super::graph::NodeGraph;

/// How many colourings are tried, besides one for each node.
const MAX_COLOURINGS: usize = 500;

/// For each node of the left graph the node of the right one that it is, if the graphs are the same.
pub(super) fn identity(left: &NodeGraph<'_>, right: &NodeGraph<'_>) -> Option<Vec<usize>> {
    search(left, right, GraphPair::by_content(left, right))
}

/// For each node of the left graph a node of the right one in its place, if the graphs are the same but for settings
/// and names.
pub(super) fn same_shape(left: &NodeGraph<'_>, right: &NodeGraph<'_>) -> Option<Vec<usize>> {
    search(left, right, GraphPair::by_kind(left, right))
}

fn search(left: &NodeGraph<'_>, right: &NodeGraph<'_>, colours: Colours) -> Option<Vec<usize>> {
    let same_size = left.n_nodes() == right.n_nodes() && left.edges.len() == right.edges.len();
    if !same_size || !left.dangling.is_empty() || !right.dangling.is_empty() {
        return None;
    }
    let pair = GraphPair::of(left, right);
    IdentitySearch { pair: &pair, n_left: MAX_COLOURINGS + left.n_nodes() }.settle(colours)
}

struct IdentitySearch<'a> {
    pair: &'a GraphPair,
    n_left: usize,
}

impl IdentitySearch<'_> {
    fn settle(&mut self, colours: Colours) -> Option<Vec<usize>> {
        self.n_left = self.n_left.checked_sub(1)?;
        let colours = self.pair.refined(colours);
        let classes = colours.classes();
        if classes.iter().any(|(left, right)| left.len() != right.len()) {
            return None;
        }
        let open = classes.iter().filter(|(left, _)| left.len() > 1).min_by_key(|(left, _)| left.len());
        let Some((left, right)) = open else { return Some(settled(&classes)) };
        right.iter().find_map(|&candidate| self.settle(colours.with_pair(left[0], candidate)))
    }
}

fn settled(classes: &[(Vec<usize>, Vec<usize>)]) -> Vec<usize> {
    let mut identity = vec![0; classes.len()];
    for (left, right) in classes {
        if let (Some(&left), Some(&right)) = (left.first(), right.first()) {
            identity[left] = right;
        }
    }
    identity
}
