//! An order: the mask of a filter, the parts that there are for it, and what it is measured with.

use quintain_core::Rng;
use serde::{Deserialize, Serialize};

use super::corners;
use super::design::{StageSearch, chebyshev};
use super::mask::{BandExtremes, FilterMask};
use super::netlist::{FilterNetlist, PassiveKind};
use super::nodal::{self, FilterBench};
use super::opamp::OpampModel;
use super::parts::{PartRange, PartSeries};

/// How far a design that reckons with an ideal op-amp has to miss a mask, and one that is maximally flat.
const NAIVE_MISS_DB: f64 = 0.6;
/// How often an order is drawn until there is one.
const MOST_DRAWS: usize = 60;

/// An order of a filter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct FilterOrder {
    pub(super) mask: FilterMask,
    pub(super) opamp: OpampModel,
    pub(super) most_opamps: usize,
    pub(super) resistors: PartRange,
    pub(super) capacitors: PartRange,
    pub(super) source_ohm: f64,
    pub(super) load_ohm: f64,
    pub(super) load_f: f64,
}

/// How orders of one size are drawn: from and to.
struct OrderSize {
    ripple_db: (f64, f64),
    /// The gain-bandwidth product over the edge of the pass band.
    speed: (f64, f64),
    stop_over_pass: (f64, f64),
    tolerances_percent: (f64, f64),
    pass_margin_db: f64,
    stop_margin_db: f64,
}

const SIZES: [OrderSize; 3] = [
    OrderSize {
        ripple_db: (0.3, 0.5),
        speed: (35.0, 50.0),
        stop_over_pass: (2.2, 2.8),
        tolerances_percent: (1.0, 1.0),
        pass_margin_db: 0.2,
        stop_margin_db: 1.2,
    },
    OrderSize {
        ripple_db: (0.05, 0.15),
        speed: (90.0, 140.0),
        stop_over_pass: (1.8, 2.2),
        tolerances_percent: (1.0, 1.0),
        pass_margin_db: 0.25,
        stop_margin_db: 1.5,
    },
    OrderSize {
        ripple_db: (0.02, 0.06),
        speed: (200.0, 300.0),
        stop_over_pass: (1.6, 1.9),
        tolerances_percent: (0.5, 1.0),
        pass_margin_db: 0.15,
        stop_margin_db: 1.0,
    },
];

impl FilterOrder {
    /// An order for at most this many op-amps, 2 to 4, that can be met, but not by one who takes the op-amp for ideal.
    pub(super) fn drawn(seed: u64, n_opamps: usize) -> Result<Self, String> {
        Ok(ProvenOrder::drawn(seed, n_opamps)?.order)
    }

    /// The parts of a kind that there are.
    pub(super) fn range(&self, kind: PassiveKind) -> &PartRange {
        match kind {
            PassiveKind::Resistor => &self.resistors,
            PassiveKind::Capacitor => &self.capacitors,
        }
    }

    pub(super) fn bench(&self) -> FilterBench {
        FilterBench { source_ohm: self.source_ohm, load_ohm: self.load_ohm, load_f: self.load_f }
    }

    /// What a filter reaches at the worst of all combinations; nothing if its equations have no solution.
    pub(super) fn reached(&self, netlist: &FilterNetlist, seed: u64) -> Option<BandExtremes> {
        let mut reached = BandExtremes::NONE;
        for corner in corners::of(netlist, self, seed)? {
            let levels = |hz: Vec<f64>| -> Option<Vec<f64>> {
                let gain = |hz| nodal::gain(&corner.netlist, &self.opamp, &self.bench(), hz);
                hz.into_iter().map(|hz| Some(gain(hz)?.decibels())).collect()
            };
            reached = reached.with(BandExtremes::of(&levels(self.mask.pass_hz())?, &levels(self.mask.stop_hz())?));
        }
        Some(reached)
    }

    #[cfg(test)]
    pub(super) fn example() -> Self {
        Self::drawn(1, 2).unwrap()
    }
}

/// An order with what proves that it is one: a design that meets it, and one for an ideal op-amp that does not.
pub(super) struct ProvenOrder {
    pub(super) order: FilterOrder,
    pub(super) reference: FilterNetlist,
    pub(super) naive: FilterNetlist,
}

impl ProvenOrder {
    fn drawn(seed: u64, n_opamps: usize) -> Result<Self, String> {
        let size = SIZES.get(n_opamps.wrapping_sub(2)).ok_or("there are orders for 2 to 4 op-amps")?;
        let mut rng = Rng::for_purpose(seed, "active filter: order");
        let mut tries =
            (0..MOST_DRAWS).filter_map(|_| OrderDraft::drawn(&mut rng, n_opamps, size).finished(size, seed));
        tries.next().ok_or_else(|| "no order can be met".to_owned())
    }

    /// How far both are inside the mask at the worst of all combinations.
    fn margins_db(&self, seed: u64) -> Option<[f64; 2]> {
        let margin = |netlist| Some(self.order.mask.margin_db(self.order.reached(netlist, seed)?));
        Some([margin(&self.reference)?, margin(&self.naive)?])
    }
}

/// An order whose limits are not known yet.
struct OrderDraft {
    order: FilterOrder,
    ripple_db: f64,
    gain_db: f64,
}

impl OrderDraft {
    fn drawn(rng: &mut Rng, n_opamps: usize, size: &OrderSize) -> Self {
        let mut within = |(from, to): (f64, f64)| libm::exp(rng.uniform(libm::log(from), libm::log(to)));
        let pass_edge_hz = three_digits(within((1500.0, 15_000.0)));
        let stop_edge_hz = three_digits(pass_edge_hz * within(size.stop_over_pass));
        let ripple_db = within(size.ripple_db);
        let product_hz = pass_edge_hz * within(size.speed);
        let capacitance = |hz: f64| three_digits(1e-3 / (2.0 * std::f64::consts::PI * hz));
        let (gain_f, second_f) = (capacitance(product_hz), capacitance(product_hz * within((1.6, 3.0))));
        let range = |series, (from, to), tolerance_percent, each| PartRange {
            series,
            from,
            to,
            tolerance_percent,
            most: each * n_opamps,
        };
        let opamp = OpampModel {
            name: opamp_name(rng),
            input_ohm: *rng.choose(&[1e6, 2e6, 4.7e6, 10e6]),
            input_f: *rng.choose(&[1.5e-12, 2e-12, 3e-12, 4e-12]),
            ground_f: *rng.choose(&[1e-12, 2e-12, 2.5e-12]),
            gain_ohm: *rng.choose(&[60e6, 80e6, 120e6, 200e6]),
            gain_f,
            second_f,
            output_ohm: *rng.choose(&[45.0, 60.0, 75.0, 90.0, 120.0]),
        };
        let mask = FilterMask { pass_edge_hz, stop_edge_hz, pass_min_db: 0.0, pass_max_db: 0.0, stop_max_db: 0.0 };
        let order = FilterOrder {
            mask,
            opamp,
            most_opamps: n_opamps,
            resistors: range(PartSeries::E24, (1e3, 1e5), size.tolerances_percent.0, 5),
            capacitors: range(PartSeries::E12, (47e-12, 100e-9), size.tolerances_percent.1, 3),
            source_ohm: *rng.choose(&[50.0, 100.0, 150.0]),
            load_ohm: *rng.choose(&[4.7e3, 10e3, 22e3]),
            load_f: *rng.choose(&[47e-12, 100e-12, 220e-12]),
        };
        Self { order, ripple_db, gain_db: rng.between(0, 10) as f64 }
    }

    /// The order with the limits that a reference design meets with some margin; nothing if there is no such design, or if one
    /// for an ideal op-amp or a maximally flat one would do.
    fn finished(self, size: &OrderSize, seed: u64) -> Option<ProvenOrder> {
        let mut order = self.order;
        let widened = 1.0 + 0.015 * (size.tolerances_percent.0 + size.tolerances_percent.1);
        let poles = chebyshev(order.most_opamps, self.ripple_db, order.mask.pass_edge_hz * widened);
        let gain = libm::pow(10.0, self.gain_db / 20.0 / order.most_opamps as f64);
        let ideal = order.opamp.idealised();
        let search = |opamp| StageSearch { order: &order, opamp, gain }.best(&poles);
        let (reference, naive) = (search(&order.opamp)?, search(&ideal)?);
        let reached = order.reached(&reference, seed)?;
        let middle = tenths(f64::midpoint(reached.pass_lowest, reached.pass_highest));
        let half = (reached.pass_highest - middle).max(middle - reached.pass_lowest) + size.pass_margin_db;
        let half = (half * 20.0).ceil() / 20.0;
        order.mask.pass_min_db = middle - half;
        order.mask.pass_max_db = middle + half;
        order.mask.stop_max_db = ((reached.stop_highest + size.stop_margin_db) * 2.0).ceil() / 2.0;
        let proven = ProvenOrder { order, reference, naive };
        let [met, missed] = proven.margins_db(seed)?;
        let flat_db = proven.order.mask.flat_stop_db(proven.order.most_opamps);
        let is_hard = missed < -NAIVE_MISS_DB && flat_db > proven.order.mask.stop_max_db + NAIVE_MISS_DB;
        (met > 0.0 && is_hard).then_some(proven)
    }
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn three_digits(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// A name that no maker uses.
fn opamp_name(rng: &mut Rng) -> String {
    let maker = *rng.choose(&["KQ", "VZ", "QX", "ZR", "YK", "XV"]);
    format!("{maker}{}", rng.between(1000, 9999))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every order can be met with margin, and one who takes the op-amp for ideal misses it by more than is forgiven.
    #[test]
    fn orders_can_be_met_but_not_by_the_textbook() {
        for (n_opamps, size) in (2..).zip(&SIZES) {
            for seed in 0..4 {
                let proven = ProvenOrder::drawn(seed, n_opamps).unwrap();
                let [met, missed] = proven.margins_db(seed).unwrap();
                assert!(met >= size.pass_margin_db - 1e-6, "{n_opamps} op-amps, seed {seed}: {met} dB");
                assert!(missed < -NAIVE_MISS_DB, "{n_opamps} op-amps, seed {seed}: {missed} dB");
            }
        }
    }
}
