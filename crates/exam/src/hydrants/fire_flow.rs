//! How much water a hydrant gives before pressure fails somewhere.

use super::hydraulics::{FlowState, Hydraulics};
use super::network::WaterNetwork;

/// A pressure that is so near to what is kept is that, and how often it is tried.
const ENOUGH_M: f64 = 1e-5;
const MOST_STEPS: usize = 60;

/// Pressures that have to be kept while a hydrant runs, in metres: at the hydrant, and at all other junctions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct KeptPressures {
    pub(super) hydrant_m: f64,
    pub(super) others_m: f64,
}

/// What a hydrant gives, and where pressure fails first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FireFlow {
    pub(super) flow_lps: f64,
    pub(super) limiting: usize,
    /// How much more pressure there is at the junction that would fail next.
    pub(super) next_m: f64,
}

/// The most that one hydrant gives while everything else goes on.
pub(super) fn of(network: &WaterNetwork, hydrant: usize, kept: KeptPressures) -> Option<FireFlow> {
    let mut hydraulics = Hydraulics::of(network);
    let usual = hydraulics.demands[hydrant];
    let mut state = hydraulics.solved(None)?;
    let mut margin = |flow: f64, state: &mut FlowState| {
        hydraulics.demands[hydrant] = usual + flow;
        *state = hydraulics.solved(Some(state))?;
        margins(network, state, hydrant, kept).into_iter().min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let mut low = (0.0, margin(0.0, &mut state)?.0);
    let mut high = (0.02, margin(0.02, &mut state)?.0);
    while high.1 > 0.0 && high.0 < 0.4 {
        low = high;
        high = (2.0 * high.0, margin(2.0 * high.0, &mut state)?.0);
    }
    if low.1 <= 0.0 || high.1 >= 0.0 {
        return None;
    }
    // False position, with the end that stays counted half, until pressure is known to a hair.
    for _ in 0..MOST_STEPS {
        let flow = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        let found = margin(flow, &mut state)?.0;
        if found.abs() < ENOUGH_M {
            let mut all = margins(network, &state, hydrant, kept);
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            return Some(FireFlow { flow_lps: flow * 1000.0, limiting: all[0].1, next_m: all[1].0 });
        }
        if found > 0.0 {
            low = (flow, found);
            high.1 /= 2.0;
        } else {
            high = (flow, found);
            low.1 /= 2.0;
        }
    }
    None
}

/// By how much each junction has more pressure than it must.
fn margins(network: &WaterNetwork, state: &FlowState, hydrant: usize, kept: KeptPressures) -> Vec<(f64, usize)> {
    let least = |at: usize| if at == hydrant { kept.hydrant_m } else { kept.others_m };
    let junctions = network.junctions.iter().enumerate();
    junctions.map(|(at, junction)| (state.heads_m[at] - junction.elevation_m - least(at), at)).collect()
}
