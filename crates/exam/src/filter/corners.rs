//! Combinations of parts at the ends of their tolerances.

use quintain_core::Rng;

use super::netlist::{FilterNetlist, PassiveKind};
use super::nodal::{self, NodalLevel};
use super::order::FilterOrder;

/// How many combinations are drawn.
const N_DRAWN: usize = 8;

/// A filter with its parts as one combination has them.
#[derive(Clone, Debug)]
pub(super) struct FilterCorner {
    pub(super) name: String,
    pub(super) netlist: FilterNetlist,
}

/// The names of all combinations.
pub(super) fn names() -> Vec<String> {
    let fixed = [
        "nominal",
        "all high",
        "all low",
        "resistors high, capacitors low",
        "resistors low, capacitors high",
        "lowest in the pass band",
        "highest in the pass band",
        "highest in the stop band",
    ];
    fixed.into_iter().map(str::to_owned).chain((1..=N_DRAWN).map(|at| format!("drawn {at}"))).collect()
}

/// All combinations that a filter is measured at; nothing if its equations have no solution.
pub(super) fn of(netlist: &FilterNetlist, order: &FilterOrder, seed: u64) -> Option<Vec<FilterCorner>> {
    let n = netlist.passives.len();
    let by_kind = |resistor: f64, capacitor: f64| -> Vec<f64> {
        let sign = |kind: PassiveKind| if kind == PassiveKind::Resistor { resistor } else { capacitor };
        netlist.passives.iter().map(|part| sign(part.kind)).collect()
    };
    let mut all = vec![vec![0.0; n], vec![1.0; n], vec![-1.0; n], by_kind(1.0, -1.0), by_kind(-1.0, 1.0)];
    all.extend(worst(netlist, order)?);
    let mut rng = Rng::for_purpose(seed, "active filter: corners");
    all.extend((0..N_DRAWN).map(|_| (0..n).map(|_| if rng.chance(0.5) { 1.0 } else { -1.0 }).collect::<Vec<_>>()));
    let corner = |(name, signs): (String, Vec<f64>)| FilterCorner { name, netlist: moved(netlist, order, &signs) };
    Some(names().into_iter().zip(all).map(corner).collect())
}

/// A filter whose parts are off by their tolerances, each in the direction of its sign.
fn moved(netlist: &FilterNetlist, order: &FilterOrder, signs: &[f64]) -> FilterNetlist {
    let mut moved = netlist.clone();
    for (part, sign) in moved.passives.iter_mut().zip(signs) {
        part.value *= 1.0 + sign * order.range(part.kind).tolerance_percent / 100.0;
    }
    moved
}

/// The combinations that the slopes tell to be the worst: for the lower and the upper limit of the pass band, and for that of
/// the stop band.
fn worst(netlist: &FilterNetlist, order: &FilterOrder) -> Option<[Vec<f64>; 3]> {
    let levels = |hz: Vec<f64>| -> Option<Vec<NodalLevel>> {
        hz.into_iter().map(|hz| nodal::level(netlist, &order.opamp, &order.bench(), hz)).collect()
    };
    let (pass, stop) = (levels(order.mask.pass_hz())?, levels(order.mask.stop_hz())?);
    let spread = |level: &NodalLevel| -> f64 {
        let tolerances = netlist.passives.iter().map(|part| order.range(part.kind).tolerance_percent / 100.0);
        level.slopes_db.iter().zip(tolerances).map(|(slope, tolerance)| slope.abs() * tolerance).sum()
    };
    let signs = |levels: &[NodalLevel], side: f64| -> Vec<f64> {
        let reach = |level: &&NodalLevel| side * level.gain.decibels() + spread(level);
        let found = levels.iter().max_by(|a, b| reach(a).total_cmp(&reach(b)));
        found.map_or_else(Vec::new, |level| level.slopes_db.iter().map(|slope| side * slope.signum()).collect())
    };
    Some([signs(&pass, -1.0), signs(&pass, 1.0), signs(&stop, 1.0)])
}
