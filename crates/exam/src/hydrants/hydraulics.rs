//! What is right: heads and flows of a network by the global gradient method.

use super::network::{PipeState, WaterLink, WaterNetwork};

/// Hazen-Williams in metres and cubic metres a second, and what a velocity head is of.
const HAZEN_WILLIAMS: f64 = 10.667;
const EXPONENT: f64 = 1.852;
const GRAVITY: f64 = 9.81;
/// Losses never grow more slowly than by this with the flow: below it, which is a thousandth of a litre a second and less, they are
/// taken to be proportional to it.
const LEAST_SLOPE: f64 = 0.01;
const MOST_ROUNDS: usize = 60;
/// How often valves may be opened and shut.
const MOST_TURNS: usize = 30;
/// Flows that change by less in all, in cubic metres a second, do not change.
const ENOUGH: f64 = 1e-9;

/// Heads of junctions in metres, and flows of links in cubic metres a second.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FlowState {
    pub(super) heads_m: Vec<f64>,
    pub(super) flows: Vec<f64>,
}

/// What a link does to the head.
#[derive(Clone, Copy, Debug)]
enum LinkLaw {
    /// Loses `friction·q^1.852 + minor·q²`.
    Loses {
        friction: f64,
        minor: f64,
        one_way: bool,
    },
    /// Adds `shutoff − slope·q²`.
    Adds {
        shutoff: f64,
        slope: f64,
    },
    Closed,
}

/// A network with what is drawn from it, ready to be worked out.
pub(super) struct Hydraulics<'a> {
    network: &'a WaterNetwork,
    laws: Vec<LinkLaw>,
    /// Cubic metres a second.
    pub(super) demands: Vec<f64>,
}

impl LinkLaw {
    fn of(link: &WaterLink) -> Self {
        match *link {
            WaterLink::Pipe { state: PipeState::Closed | PipeState::ClosedElsewhere, .. } => Self::Closed,
            WaterLink::Pipe { length_m, diameter_mm, roughness, minor_loss, state } => {
                let diameter = diameter_mm / 1000.0;
                let area = std::f64::consts::PI * diameter * diameter / 4.0;
                Self::Loses {
                    friction: HAZEN_WILLIAMS * length_m / (roughness.powf(EXPONENT) * diameter.powf(4.871)),
                    minor: minor_loss / (2.0 * GRAVITY * area * area),
                    one_way: state == PipeState::CheckValve,
                }
            }
            WaterLink::Pump { flow_lps, head_m } => {
                let flow = flow_lps / 1000.0;
                Self::Adds { shutoff: head_m * 4.0 / 3.0, slope: head_m / 3.0 / (flow * flow) }
            }
        }
    }

    /// The head that is lost at a flow, and how fast that grows.
    fn loss(self, flow: f64) -> (f64, f64) {
        let size = flow.abs();
        match self {
            Self::Loses { friction, minor, .. } => {
                let rubbing = friction * size.powf(EXPONENT - 1.0);
                let slope = EXPONENT * rubbing + 2.0 * minor * size;
                if slope < LEAST_SLOPE {
                    return (LEAST_SLOPE * flow, LEAST_SLOPE);
                }
                (flow * (rubbing + minor * size), slope)
            }
            Self::Adds { shutoff, slope } => (slope * flow * size - shutoff, (2.0 * slope * size).max(LEAST_SLOPE)),
            Self::Closed => (0.0, f64::INFINITY),
        }
    }

    fn is_one_way(self) -> bool {
        matches!(self, Self::Loses { one_way: true, .. } | Self::Adds { .. })
    }
}

impl<'a> Hydraulics<'a> {
    /// At the hour that is asked for.
    pub(super) fn of(network: &'a WaterNetwork) -> Self {
        let demands = (0..network.junctions.len()).map(|at| network.demand_lps(at) / 1000.0).collect();
        Self { network, laws: network.links.iter().map(|link| LinkLaw::of(&link.link)).collect(), demands }
    }

    /// Heads and flows, or nothing where they cannot be found.
    pub(super) fn solved(&self, begin: Option<&FlowState>) -> Option<FlowState> {
        let mut laws = self.laws.clone();
        let mut state = begin.cloned().unwrap_or_else(|| self.guess());
        // What lets water through one way only is shut where it would run the other way.
        for at in (0..laws.len()).filter(|at| self.laws[*at].is_one_way() && state.flows[*at] == 0.0) {
            laws[at] = LinkLaw::Closed;
        }
        for _ in 0..MOST_TURNS {
            state = self.balanced(&laws, state)?;
            let is_wrong = |at: &usize| {
                let law = self.laws[*at];
                let is_shut = matches!(laws[*at], LinkLaw::Closed);
                law.is_one_way() && if is_shut { self.push(&state, *at) > 1e-7 } else { state.flows[*at] < -1e-9 }
            };
            let Some(wrong) = (0..laws.len()).find(is_wrong) else { return Some(state) };
            let is_shut = matches!(laws[wrong], LinkLaw::Closed);
            laws[wrong] = if is_shut { self.laws[wrong] } else { LinkLaw::Closed };
            state.flows[wrong] = if is_shut { 0.001 } else { 0.0 };
        }
        None
    }

    fn guess(&self) -> FlowState {
        let flow = |law: &LinkLaw| match law {
            LinkLaw::Closed => 0.0,
            LinkLaw::Adds { shutoff, slope } => (shutoff / 4.0 / slope).sqrt(),
            LinkLaw::Loses { .. } => 0.01,
        };
        FlowState { heads_m: vec![0.0; self.demands.len()], flows: self.laws.iter().map(flow).collect() }
    }

    /// How hard the heads at its ends press a link forward.
    fn push(&self, state: &FlowState, link: usize) -> f64 {
        let ends = &self.network.links[link];
        let rise = if let LinkLaw::Adds { shutoff, .. } = self.laws[link] { shutoff } else { 0.0 };
        self.head(&state.heads_m, ends.from) - self.head(&state.heads_m, ends.to) + rise
    }

    fn head(&self, heads_m: &[f64], node: usize) -> f64 {
        let n_junctions = self.demands.len();
        heads_m.get(node).copied().unwrap_or_else(|| match node - n_junctions {
            0 => self.network.reservoir_m,
            _ => self.network.tank.bottom_m + self.network.tank.level_m,
        })
    }

    /// Newton's steps until flows do not change any more.
    fn balanced(&self, laws: &[LinkLaw], mut state: FlowState) -> Option<FlowState> {
        for _ in 0..MOST_ROUNDS {
            let (mut matrix, mut right) = self.equations(laws, &state);
            solve(&mut matrix, &mut right)?;
            let mut change = 0.0;
            for (at, law) in laws.iter().enumerate().filter(|(_, law)| !matches!(law, LinkLaw::Closed)) {
                let ends = &self.network.links[at];
                let (loss, slope) = law.loss(state.flows[at]);
                let step = (loss - (self.head(&right, ends.from) - self.head(&right, ends.to))) / slope;
                state.flows[at] -= step;
                change += step.abs();
            }
            state.heads_m = right;
            if change < ENOUGH {
                return Some(state);
            }
        }
        None
    }

    /// The equations of the heads: what flows in is what is drawn.
    fn equations(&self, laws: &[LinkLaw], state: &FlowState) -> (Vec<Vec<f64>>, Vec<f64>) {
        let n_junctions = self.demands.len();
        let mut matrix = vec![vec![0.0; n_junctions]; n_junctions];
        let mut right: Vec<f64> = self.demands.iter().map(|demand| -demand).collect();
        for (at, law) in laws.iter().enumerate().filter(|(_, law)| !matches!(law, LinkLaw::Closed)) {
            let ends = &self.network.links[at];
            let (loss, slope) = law.loss(state.flows[at]);
            let carried = state.flows[at] - loss / slope;
            let sides = [(ends.from, ends.to, -1.0), (ends.to, ends.from, 1.0)];
            for (node, other, sign) in sides.into_iter().filter(|(node, ..)| *node < n_junctions) {
                right[node] += sign * carried;
                matrix[node][node] += 1.0 / slope;
                match matrix[node].get_mut(other) {
                    Some(cell) => *cell -= 1.0 / slope,
                    None => right[node] += self.head(&[], other) / slope,
                }
            }
        }
        (matrix, right)
    }
}

/// Gauss's elimination from the last row up: ends of branches come last, and what they are joined to stays sparse. Such matrices
/// need no pivots. Nothing where a part of the network is cut off.
fn solve(matrix: &mut [Vec<f64>], right: &mut [f64]) -> Option<()> {
    for at in (0..right.len()).rev() {
        let (above, rest) = matrix.split_at_mut(at);
        let row = &rest[0];
        if row[at].is_nan() || row[at] <= 1e-12 {
            return None;
        }
        let first = row.iter().position(|cell| *cell != 0.0).unwrap_or(at);
        for (line, other) in above.iter_mut().enumerate().skip(first).filter(|(_, other)| other[at] != 0.0) {
            let share = other[at] / row[at];
            other[first..=at].iter_mut().zip(&row[first..=at]).for_each(|(cell, from)| *cell -= share * from);
            right[line] -= share * right[at];
        }
    }
    for at in 0..right.len() {
        let known: f64 = matrix[at][..at].iter().zip(&*right).map(|(cell, head)| cell * head).sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::town::WaterTown;
    use super::*;

    #[test]
    fn heads_and_flows_keep_the_laws() {
        for seed in 0..20 {
            let town = WaterTown::drawn(seed, 4, 3);
            let hydraulics = Hydraulics::of(&town.network);
            for (at, demand) in hydraulics.demands.iter().enumerate() {
                let links = town.network.links.iter().zip(&town.usual.flows);
                let comes = |node: usize| if node == at { 1.0 } else { 0.0 };
                let inflow: f64 = links.map(|(link, flow)| (comes(link.to) - comes(link.from)) * flow).sum();
                assert!((inflow - demand).abs() < 1e-9, "seed {seed}, junction {at}: {inflow} is not {demand}");
            }
            for (at, link) in town.network.links.iter().enumerate().filter(|(at, _)| town.usual.flows[*at] != 0.0) {
                let lost = LinkLaw::of(&link.link).loss(town.usual.flows[at]).0;
                let heads = &town.usual.heads_m;
                let off = hydraulics.head(heads, link.from) - hydraulics.head(heads, link.to) - lost;
                assert!(off.abs() < 1e-6, "seed {seed}, {}: {off}", link.name);
            }
        }
    }

    #[test]
    fn friction_is_that_of_the_books() {
        // 100 l/s through 1000 m of 300 mm at 100: the tables say about 10.5 m.
        let (length_m, diameter_mm, roughness, minor_loss) = (1000.0, 300.0, 100.0, 0.0);
        let pipe = WaterLink::Pipe { length_m, diameter_mm, roughness, minor_loss, state: PipeState::Open };
        assert!((LinkLaw::of(&pipe).loss(0.1).0 - 10.5).abs() < 0.3);
    }
}
