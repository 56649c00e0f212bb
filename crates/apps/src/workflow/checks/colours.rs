//! Colours of the nodes of two graphs: nodes of one colour cannot be told apart by their content, their edges, the
//! content of their neighbours, and so on.

use std::collections::BTreeMap;

use super::graph::NodeGraph;

/// The colours of the nodes of two graphs, from one palette.
#[derive(Clone, Debug)]
pub(super) struct Colours {
    pub(super) left: Vec<usize>,
    pub(super) right: Vec<usize>,
}

/// The edges at each node of one graph: outgoing or incoming, by which output, to which node.
pub(super) struct Neighbours(Vec<Vec<(EdgeWay, usize)>>);

/// Along or against an edge that leaves by the output of this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum EdgeWay {
    Along(usize),
    Against(usize),
}

/// Two graphs, ready to be coloured.
pub(super) struct GraphPair {
    left: Neighbours,
    right: Neighbours,
}

impl GraphPair {
    pub(super) fn of(left: &NodeGraph<'_>, right: &NodeGraph<'_>) -> Self {
        let outputs = left.edges.iter().chain(&right.edges).map(|edge| edge.output.as_str());
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        for output in outputs {
            let next = numbers.len();
            numbers.entry(output).or_insert(next);
        }
        Self { left: Neighbours::of(left, &numbers), right: Neighbours::of(right, &numbers) }
    }

    /// The colours by which nodes start: their content.
    pub(super) fn by_content(left: &NodeGraph<'_>, right: &NodeGraph<'_>) -> Colours {
        coloured(left.contents.iter(), right.contents.iter())
    }

    /// The coarser colours of their kinds alone.
    pub(super) fn by_kind(left: &NodeGraph<'_>, right: &NodeGraph<'_>) -> Colours {
        let kinds =
            |graph: &'_ NodeGraph<'_>| graph.contents.iter().map(|content| content.kind.clone()).collect::<Vec<_>>();
        coloured(kinds(left).into_iter(), kinds(right).into_iter())
    }

    /// Colours that also tell apart what has other neighbours: one step further than the given ones.
    pub(super) fn refined_once(&self, colours: &Colours) -> Colours {
        coloured(self.left.signatures(&colours.left), self.right.signatures(&colours.right))
    }

    /// Colours that no further step would tell apart.
    pub(super) fn refined(&self, mut colours: Colours) -> Colours {
        let mut n_colours = colours.n_colours();
        loop {
            colours = self.refined_once(&colours);
            let n_finer = colours.n_colours();
            if n_finer == n_colours {
                return colours;
            }
            n_colours = n_finer;
        }
    }
}

impl Colours {
    fn n_colours(&self) -> usize {
        self.left.iter().chain(&self.right).max().map_or(0, |greatest| greatest + 1)
    }

    /// The nodes of each colour, left and right.
    pub(super) fn classes(&self) -> Vec<(Vec<usize>, Vec<usize>)> {
        let mut classes = vec![(Vec::new(), Vec::new()); self.n_colours()];
        for (node, colour) in self.left.iter().enumerate() {
            classes[*colour].0.push(node);
        }
        for (node, colour) in self.right.iter().enumerate() {
            classes[*colour].1.push(node);
        }
        classes
    }

    /// The colours with one node of each side painted in a new one.
    pub(super) fn with_pair(&self, left: usize, right: usize) -> Self {
        let fresh = self.n_colours();
        let mut colours = self.clone();
        colours.left[left] = fresh;
        colours.right[right] = fresh;
        colours
    }
}

impl Neighbours {
    fn of(graph: &NodeGraph<'_>, outputs: &BTreeMap<&str, usize>) -> Self {
        let mut neighbours = vec![Vec::new(); graph.n_nodes()];
        for edge in &graph.edges {
            let output = outputs[edge.output.as_str()];
            neighbours[edge.source].push((EdgeWay::Along(output), edge.target));
            neighbours[edge.target].push((EdgeWay::Against(output), edge.source));
        }
        Self(neighbours)
    }

    fn signatures(&self, colours: &[usize]) -> impl Iterator<Item = (usize, Vec<(EdgeWay, usize)>)> {
        self.0.iter().zip(colours).map(|(neighbours, own)| {
            let mut seen: Vec<(EdgeWay, usize)> = neighbours.iter().map(|&(way, node)| (way, colours[node])).collect();
            seen.sort_unstable();
            (*own, seen)
        })
    }
}

/// A colour for each, the same for the same.
fn coloured<T: Ord>(left: impl Iterator<Item = T>, right: impl Iterator<Item = T>) -> Colours {
    let mut palette: BTreeMap<T, usize> = BTreeMap::new();
    let mut colour = |thing: T| {
        let next = palette.len();
        *palette.entry(thing).or_insert(next)
    };
    let left = left.map(&mut colour).collect();
    Colours { left, right: right.map(&mut colour).collect() }
}
