//! A town's water network from a seed: streets in a grid, a works with a pump at one corner and a water tower at the other.

use quintain_core::Rng;

use super::fire_flow::{self, FireFlow, KeptPressures};
use super::hydraulics::{FlowState, Hydraulics};
use super::network::{Junction, NamedLink, PipeState, WaterLink, WaterNetwork, WaterTank};

const TOWNS: [&str; 8] =
    ["Aldermoor", "Brackwell", "Castlefen", "Dunholt", "Ellersby", "Farrowgate", "Greywater", "Hollin Cross"];
/// How many hydrants are asked for.
const N_HYDRANTS: usize = 8;
/// Pressures that fire services ask for, at a hydrant and elsewhere.
const AT_HYDRANT: [f64; 4] = [14.0, 15.0, 16.0, 18.0];
const ELSEWHERE: [f64; 3] = [10.0, 11.0, 12.0];

/// A network, what has to be kept while a hydrant runs, and what is right of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WaterTown {
    pub(super) network: WaterNetwork,
    pub(super) kept: KeptPressures,
    pub(super) usual: FlowState,
    /// What each hydrant gives.
    pub(super) fire_flows: Vec<FireFlow>,
}

impl WaterTown {
    /// The town of a seed, so many streets wide and deep.
    pub(super) fn drawn(seed: u64, n_wide: usize, n_deep: usize) -> Self {
        let mut rng = Rng::new(seed);
        loop {
            if let Some(town) = Self::any(&mut rng, n_wide, n_deep) {
                return town;
            }
        }
    }

    /// Nothing where a difficulty is missing or a result would hang by a hair.
    fn any(rng: &mut Rng, n_wide: usize, n_deep: usize) -> Option<Self> {
        let network = network(rng, n_wide, n_deep);
        let kept = KeptPressures { hydrant_m: *rng.choose(&AT_HYDRANT), others_m: *rng.choose(&ELSEWHERE) };
        let usual = Hydraulics::of(&network).solved(None)?;
        let pressure = |at: usize| usual.heads_m[at] - network.junctions[at].elevation_m;
        let is_supplied = (0..network.junctions.len()).all(|at| (kept.others_m + 2.0..70.0).contains(&pressure(at)));
        if !is_supplied || network.hydrants.iter().any(|at| pressure(*at) < kept.hydrant_m + 2.0) {
            return None;
        }
        if !shuts_a_valve(&network, &usual) || !pumps(&network, &usual) {
            return None;
        }
        let is_clear = |flow: &FireFlow| flow.next_m > 0.2 && (4.0..250.0).contains(&flow.flow_lps);
        let hydrants = network.hydrants.iter();
        let fire_flows = hydrants.map(|hydrant| fire_flow::of(&network, *hydrant, kept).filter(is_clear));
        let fire_flows: Vec<FireFlow> = fire_flows.collect::<Option<_>>()?;
        let limited_elsewhere = fire_flows.iter().zip(&network.hydrants).filter(|(flow, at)| flow.limiting != **at);
        let is_telling = (1..network.hydrants.len()).contains(&limited_elsewhere.count());
        is_telling.then_some(Self { network, kept, usual, fire_flows })
    }
}

/// Whether a check valve stands where water would run back.
fn shuts_a_valve(network: &WaterNetwork, usual: &FlowState) -> bool {
    let mut flows = network.links.iter().zip(&usual.flows);
    flows.any(|(link, flow)| matches!(link.link, WaterLink::Pipe { state: PipeState::CheckValve, .. }) && *flow == 0.0)
}

/// Whether the pump runs where pumps run.
fn pumps(network: &WaterNetwork, usual: &FlowState) -> bool {
    network.links.iter().zip(&usual.flows).all(|(link, flow)| match link.link {
        WaterLink::Pump { flow_lps, .. } => (0.3..1.6).contains(&(flow * 1000.0 / flow_lps)),
        WaterLink::Pipe { .. } => true,
    })
}

fn network(rng: &mut Rng, n_wide: usize, n_deep: usize) -> WaterNetwork {
    let mut junctions = junctions(rng, n_wide, n_deep);
    let n_grid = junctions.len();
    let mut links = streets(rng, n_wide, n_deep);
    branches(rng, &mut junctions, &mut links);
    let n_junctions = junctions.len();
    links.push(main_pipe("M1", n_grid - 1, n_junctions + 1, rng.between(300, 900) as f64));
    close(rng, &mut links);
    let total: f64 = junctions.iter().flat_map(|junction| &junction.demands).map(|(base, _)| base).sum();
    let pump =
        WaterLink::Pump { flow_lps: (total * rng.uniform(1.0, 1.4)).round(), head_m: rng.between(38, 48) as f64 };
    links.push(NamedLink { name: "PU1".to_owned(), from: n_junctions, to: 0, link: pump });
    let hour = rng.between(0, 23) as usize;
    let town = TOWNS[rng.below(TOWNS.len())];
    WaterNetwork {
        town,
        hydrants: hydrants(rng, n_junctions),
        junctions,
        reservoir_m: tenth(rng.uniform(8.0, 14.0)),
        tank: WaterTank { bottom_m: tenth(rng.uniform(46.0, 51.0)), level_m: tenth(rng.uniform(2.0, 5.5)) },
        links,
        patterns: patterns(rng),
        pattern_step_h: *rng.choose(&[2, 3]),
        demand_multiplier: *rng.choose(&[1.1, 1.15, 1.2, 1.25, 1.3]),
        hour,
    }
}

fn tenth(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

fn hundredth(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// Junctions at the crossings, on ground that rises to a ridge.
fn junctions(rng: &mut Rng, n_wide: usize, n_deep: usize) -> Vec<Junction> {
    let ridge = rng.uniform(0.3, 0.7) * n_wide as f64;
    let mut all = Vec::new();
    for at in 0..n_wide * n_deep {
        let (x, y) = ((at % n_wide) as f64, (at / n_wide) as f64);
        let height = 24.0 * (-(x - ridge).powi(2) / 3.0).exp() * (0.4 + 0.6 * y / n_deep as f64);
        let demand = hundredth(rng.uniform(0.3, 1.6));
        all.push(Junction {
            name: format!("J{}", 101 + at),
            elevation_m: tenth(6.0 + height + rng.uniform(-1.5, 1.5)),
            demands: vec![(demand, rng.chance(0.2).then_some(1))],
            outdated_lps: None,
            place: (x * 280.0 + rng.uniform(-25.0, 25.0), y * 260.0 + rng.uniform(-25.0, 25.0)),
        });
        if rng.chance(0.22) {
            split(rng, &mut all[at]);
        }
    }
    // Somewhere demands are told twice.
    let some = rng.below(all.len());
    split(rng, &mut all[some]);
    all
}

/// Demands in a section of their own, which replace what stands with the junction.
fn split(rng: &mut Rng, junction: &mut Junction) {
    junction.outdated_lps = Some(hundredth(rng.uniform(0.5, 2.5)));
    let works = (hundredth(rng.uniform(0.4, 1.8)), Some(1 + rng.below(2)));
    junction.demands = vec![(hundredth(rng.uniform(0.2, 1.0)), None), works];
}

/// Pipes along the streets. Some streets have none.
fn streets(rng: &mut Rng, n_wide: usize, n_deep: usize) -> Vec<NamedLink> {
    let mut links = Vec::new();
    for at in 0..n_wide * n_deep {
        let (x, y) = (at % n_wide, at / n_wide);
        let right = (x + 1 < n_wide).then_some((at + 1, y == 0 || y + 1 == n_deep));
        let down = (y + 1 < n_deep).then_some((at + n_wide, x == 0 || x + 1 == n_wide));
        for (to, is_outer) in [right, down].into_iter().flatten() {
            if is_outer || rng.chance(0.85) {
                let (from, to) = if rng.chance(0.3) { (to, at) } else { (at, to) };
                links.push(street_pipe(rng, links.len(), (from, to), is_outer));
            }
        }
    }
    links
}

fn street_pipe(rng: &mut Rng, at: usize, (from, to): (usize, usize), is_outer: bool) -> NamedLink {
    let diameter_mm = if is_outer { *rng.choose(&[150.0, 200.0]) } else { *rng.choose(&[80.0, 100.0, 100.0, 150.0]) };
    let link = WaterLink::Pipe {
        length_m: rng.between(180, 420) as f64,
        diameter_mm,
        roughness: *rng.choose(&[75.0, 90.0, 100.0, 110.0, 120.0, 130.0, 140.0]),
        minor_loss: if rng.chance(0.2) { *rng.choose(&[0.5, 1.2, 2.5, 5.0]) } else { 0.0 },
        state: PipeState::Open,
    };
    NamedLink { name: format!("P{}", 201 + at), from, to, link }
}

fn main_pipe(name: &str, from: usize, to: usize, length_m: f64) -> NamedLink {
    let link =
        WaterLink::Pipe { length_m, diameter_mm: 250.0, roughness: 130.0, minor_loss: 1.5, state: PipeState::Open };
    NamedLink { name: name.to_owned(), from, to, link }
}

/// Streets that lead nowhere.
fn branches(rng: &mut Rng, junctions: &mut Vec<Junction>, links: &mut Vec<NamedLink>) {
    for _ in 0..2 {
        let from = rng.below(junctions.len());
        let to = junctions.len();
        let beside = &junctions[from];
        let end = Junction {
            name: format!("J{}", 101 + to),
            elevation_m: tenth(beside.elevation_m + rng.uniform(-2.0, 4.0)),
            demands: vec![(hundredth(rng.uniform(0.2, 0.6)), None)],
            outdated_lps: None,
            place: (beside.place.0 + 70.0, beside.place.1 + 60.0),
        };
        junctions.push(end);
        links.push(street_pipe(rng, links.len(), (from, to), false));
    }
}

/// Shuts some valves, and lets some pipes run one way only. A part that is cut off is found out later.
fn close(rng: &mut Rng, links: &mut [NamedLink]) {
    let states = [
        PipeState::Closed,
        PipeState::Closed,
        PipeState::ClosedElsewhere,
        PipeState::ClosedElsewhere,
        PipeState::CheckValve,
        PipeState::CheckValve,
        PipeState::CheckValve,
    ];
    let n_streets = links.len() - 3;
    for state in states {
        let chosen = rng.below(n_streets);
        if let WaterLink::Pipe { state: known @ PipeState::Open, .. } = &mut links[chosen].link {
            *known = state;
        }
    }
}

/// Multipliers over the day: homes, works and a school.
fn patterns(rng: &mut Rng) -> Vec<Vec<f64>> {
    let levels: [&[f64]; 3] = [
        &[0.5, 0.45, 0.6, 1.3, 1.5, 1.1, 1.0, 0.95, 1.2, 1.6, 1.25, 0.7],
        &[0.3, 0.4, 1.2, 1.7, 1.6, 1.4, 0.9, 0.4],
        &[0.2, 0.6, 1.9, 1.3],
    ];
    levels.map(|levels| levels.iter().map(|level| hundredth(level * rng.uniform(0.9, 1.1))).collect()).into()
}

fn hydrants(rng: &mut Rng, n_junctions: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..n_junctions).collect();
    rng.shuffle(&mut all);
    all.truncate(N_HYDRANTS);
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrong_way_goes_wrong() {
        for seed in 0..20 {
            let town = WaterTown::drawn(seed, 4, 3);
            let mut other = town.network.clone();
            for link in &mut other.links {
                if let WaterLink::Pipe { state: state @ (PipeState::Closed | PipeState::ClosedElsewhere), .. } =
                    &mut link.link
                {
                    *state = PipeState::Open;
                }
            }
            let off = |other: &WaterNetwork| {
                let flows = Hydraulics::of(other).solved(None).unwrap().flows;
                let off = flows.iter().zip(&town.usual.flows).map(|(a, b)| (a - b).abs() * 1000.0);
                off.fold(0.0, f64::max)
            };
            assert!(off(&other) > 0.2, "seed {seed}: open valves make no difference");
            let mut average = town.network.clone();
            average.patterns.iter_mut().flatten().for_each(|level| *level = 1.0 / average.demand_multiplier);
            assert!(off(&average) > 0.2, "seed {seed}: the hour makes no difference");
        }
    }
}
