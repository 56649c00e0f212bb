//! Which node of one graph is which of another, where the graphs are not the same.
//!
//! Nodes of one kind are assigned to each other at the least cost: differing settings first, then differing edges, then
//! surroundings that differ a few edges away, then other ids. As the cost of an edge depends on how both its ends are
//! paired, pairs are then exchanged as long as that makes more edges agree.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use pathfinding::kuhn_munkres::kuhn_munkres_min;
use pathfinding::matrix::Matrix;

use super::colours::{Colours, GraphPair};
use super::graph::{GraphEdge, NodeGraph};

/// How many nodes of the right graph are looked at. Further ones have no partner.
const MAX_NODES: usize = 500;
/// How many edges away surroundings are looked at.
const N_HOPS: usize = 4;
/// How often all pairs are gone through to exchange some.
const MAX_ROUNDS: usize = 8;

const PER_SETTING: i64 = 10_000;
const PER_EDGE: i64 = 100;
const PER_HOP: i64 = 4;
const PER_ID: i64 = 1;

/// For each node of the left graph its partner in the right one, at the least cost.
pub(super) fn pairing(left: &NodeGraph<'_>, right: &NodeGraph<'_>) -> Vec<Option<usize>> {
    let costs = Costs::of(left, right);
    let mut partners = vec![None; left.n_nodes()];
    for (lefts, rights) in by_kind(left, right).values() {
        for (left, right) in assigned(lefts, rights, &costs) {
            partners[left] = Some(right);
        }
    }
    PartnerExchange::of(left, right, &costs).improve(&mut partners);
    partners
}

/// The nodes of each kind, left and right.
type Kinds<'a> = BTreeMap<&'a str, (Vec<usize>, Vec<usize>)>;

fn by_kind<'a>(left: &'a NodeGraph<'_>, right: &'a NodeGraph<'_>) -> Kinds<'a> {
    let mut kinds = Kinds::new();
    for (node, content) in left.contents.iter().enumerate() {
        kinds.entry(&content.kind).or_default().0.push(node);
    }
    for (node, content) in right.contents.iter().enumerate().take(MAX_NODES) {
        kinds.entry(&content.kind).or_default().1.push(node);
    }
    kinds
}

fn assigned(lefts: &[usize], rights: &[usize], costs: &Costs<'_>) -> Vec<(usize, usize)> {
    let is_swapped = lefts.len() > rights.len();
    let (rows, columns) = if is_swapped { (rights, lefts) } else { (lefts, rights) };
    if rows.is_empty() {
        return Vec::new();
    }
    let pair = |row: usize, column: usize| {
        if is_swapped { (columns[column], rows[row]) } else { (rows[row], columns[column]) }
    };
    let weights = Matrix::from_fn(rows.len(), columns.len(), |(row, column)| {
        let (left, right) = pair(row, column);
        costs.pair(left, right)
    });
    let (_, chosen) = kuhn_munkres_min(&weights);
    chosen.into_iter().enumerate().map(|(row, column)| pair(row, column)).collect()
}

/// What it costs to pair two nodes, as far as that can be told before others are paired.
struct Costs<'a> {
    left: &'a NodeGraph<'a>,
    right: &'a NodeGraph<'a>,
    /// The colours by content, and those of one, two and more steps; then the same by kind.
    hops: Vec<Colours>,
    ways: (Vec<Ways<'a>>, Vec<Ways<'a>>),
}

/// The edges at a node: whether they leave it, the output, the kind at the other end.
type Ways<'a> = BTreeMap<(bool, &'a str, &'a str), usize>;

impl<'a> Costs<'a> {
    fn of(left: &'a NodeGraph<'a>, right: &'a NodeGraph<'a>) -> Self {
        let pair = GraphPair::of(left, right);
        let mut hops = Vec::new();
        for first in [GraphPair::by_content(left, right), GraphPair::by_kind(left, right)] {
            hops.push(first);
            for _ in 0..N_HOPS {
                let next = pair.refined_once(&hops[hops.len() - 1]);
                hops.push(next);
            }
        }
        Self { left, right, hops, ways: (ways(left), ways(right)) }
    }

    fn pair(&self, left: usize, right: usize) -> i64 {
        let n_settings = self.settings(left, right);
        let n_edges = difference(&self.ways.0[left], &self.ways.1[right]);
        let n_hops = self.hops.iter().filter(|colours| colours.left[left] != colours.right[right]).count() as i64;
        let n_ids = i64::from(self.left.nodes[left].id != self.right.nodes[right].id);
        n_settings * PER_SETTING + n_edges * PER_EDGE + n_hops * PER_HOP + n_ids * PER_ID
    }

    fn settings(&self, left: usize, right: usize) -> i64 {
        if self.hops[0].left[left] == self.hops[0].right[right] {
            return 0;
        }
        self.left.contents[left].n_differing(&self.right.contents[right]) as i64
    }
}

fn ways<'a>(graph: &'a NodeGraph<'_>) -> Vec<Ways<'a>> {
    let mut ways = vec![Ways::new(); graph.n_nodes()];
    for GraphEdge { source, output, target } in &graph.edges {
        *ways[*source].entry((true, output, &graph.contents[*target].kind)).or_default() += 1;
        *ways[*target].entry((false, output, &graph.contents[*source].kind)).or_default() += 1;
    }
    ways
}

fn difference(left: &Ways<'_>, right: &Ways<'_>) -> i64 {
    let ways: BTreeSet<_> = left.keys().chain(right.keys()).collect();
    let count = |side: &Ways<'_>, way| side.get(way).copied().unwrap_or(0);
    ways.into_iter().map(|way| count(left, way).abs_diff(count(right, way)) as i64).sum()
}

/// Exchanges partners as long as that makes more edges agree or settings differ less.
struct PartnerExchange<'a> {
    costs: &'a Costs<'a>,
    /// The edges at each node of the left graph.
    at: Vec<Vec<&'a GraphEdge>>,
    there: HashSet<(usize, &'a str, usize)>,
}

impl<'a> PartnerExchange<'a> {
    fn of(left: &'a NodeGraph<'_>, right: &'a NodeGraph<'_>, costs: &'a Costs<'a>) -> Self {
        let mut at = vec![Vec::new(); left.n_nodes()];
        for edge in &left.edges {
            at[edge.source].push(edge);
            if edge.target != edge.source {
                at[edge.target].push(edge);
            }
        }
        let there = right.edges.iter().map(|edge| (edge.source, edge.output.as_str(), edge.target)).collect();
        Self { costs, at, there }
    }

    fn improve(&self, partners: &mut [Option<usize>]) {
        for _ in 0..MAX_ROUNDS {
            let mut is_better = false;
            for a in 0..partners.len() {
                if self.n_missing(a, partners) > 0 {
                    is_better |= (0..partners.len()).any(|b| self.exchanged(a, b, partners));
                    is_better |= self.replaced(a, partners);
                }
            }
            if !is_better {
                return;
            }
        }
    }

    /// Exchanges the partners of two nodes if that is better.
    fn exchanged(&self, a: usize, b: usize, partners: &mut [Option<usize>]) -> bool {
        let contents = &self.costs.left.contents;
        if a == b || contents[a].kind != contents[b].kind {
            return false;
        }
        let before = self.cost(a, b, partners);
        partners.swap(a, b);
        let is_better = self.cost(a, b, partners) < before;
        if !is_better {
            partners.swap(a, b);
        }
        is_better
    }

    /// Gives a node a partner that nobody has if that is better.
    fn replaced(&self, node: usize, partners: &mut [Option<usize>]) -> bool {
        let kind = &self.costs.left.contents[node].kind;
        let contents = &self.costs.right.contents;
        let unused = (0..contents.len().min(MAX_NODES))
            .filter(|candidate| contents[*candidate].kind == *kind && !partners.contains(&Some(*candidate)));
        let unused: Vec<usize> = unused.collect();
        unused.into_iter().any(|candidate| {
            let before = self.cost(node, node, partners);
            let old = partners[node].replace(candidate);
            let is_better = self.cost(node, node, partners) < before;
            if !is_better {
                partners[node] = old;
            }
            is_better
        })
    }

    fn cost(&self, a: usize, b: usize, partners: &[Option<usize>]) -> i64 {
        let settings = |node: usize| partners[node].map_or(0, |partner| self.costs.settings(node, partner));
        // An edge between the two is counted twice, before and after alike.
        let n_missing = (self.n_missing(a, partners) + self.n_missing(b, partners)) as i64;
        (settings(a) + settings(b)) * PER_SETTING + n_missing * PER_EDGE
    }

    fn n_missing(&self, node: usize, partners: &[Option<usize>]) -> usize {
        let is_there = |edge: &GraphEdge| match (partners[edge.source], partners[edge.target]) {
            (Some(source), Some(target)) => self.there.contains(&(source, edge.output.as_str(), target)),
            _ => false,
        };
        self.at[node].iter().filter(|edge| !is_there(edge)).count()
    }
}
