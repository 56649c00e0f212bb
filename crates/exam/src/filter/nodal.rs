//! AC analysis by the voltages of nodes: what a filter does in its bench at one frequency, and how much each part has to do
//! with it.

use super::netlist::{FilterNetlist, GROUND, INPUT, OUTPUT, PassiveKind, PassivePart};
use super::opamp::OpampModel;
use super::phasor::Phasor;

/// Decibels per natural logarithm.
const DB_PER_NEPER: f64 = 20.0 * std::f64::consts::LOG10_E;

/// What a filter is measured with: a source with a resistance, and a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FilterBench {
    pub(super) source_ohm: f64,
    pub(super) load_ohm: f64,
    pub(super) load_f: f64,
}

/// What a filter does at one frequency.
#[derive(Clone, Debug)]
pub(super) struct NodalLevel {
    /// The voltage at its output for one volt of the source.
    pub(super) gain: Phasor,
    /// By how many decibels it rises per relative change of each passive part.
    pub(super) slopes_db: Vec<f64>,
}

/// Equations of a filter. The node of ground has no row.
struct NodalEquations {
    rows: Vec<Vec<Phasor>>,
}

impl NodalEquations {
    fn of(netlist: &FilterNetlist, opamp: &OpampModel, bench: &FilterBench, s: Phasor) -> Self {
        let n = netlist.n_nodes - 1;
        let mut all = Self { rows: vec![vec![Phasor::ZERO; n]; n] };
        all.join(INPUT, GROUND, Phasor::real(1.0 / bench.source_ohm));
        all.join(OUTPUT, GROUND, Phasor::real(1.0 / bench.load_ohm) + s * Phasor::real(bench.load_f));
        for part in &netlist.passives {
            all.join(part.nodes[0], part.nodes[1], admittance(part, s));
        }
        let output = Phasor::real(1.0 / opamp.output_ohm);
        let (driven, ground) = (output * opamp.gain(s), s * Phasor::real(opamp.ground_f));
        let between = Phasor::real(1.0 / opamp.input_ohm) + s * Phasor::real(opamp.input_f);
        for place in &netlist.opamps {
            all.join(place.plus, place.minus, between);
            all.join(place.plus, GROUND, ground);
            all.join(place.minus, GROUND, ground);
            all.join(place.output, GROUND, output);
            all.add(place.output, place.plus, -driven);
            all.add(place.output, place.minus, driven);
        }
        all
    }

    fn add(&mut self, row: usize, column: usize, value: Phasor) {
        if row != GROUND && column != GROUND {
            self.rows[row - 1][column - 1] += value;
        }
    }

    /// An admittance between two nodes.
    fn join(&mut self, a: usize, b: usize, value: Phasor) {
        self.add(a, a, value);
        self.add(b, b, value);
        self.add(a, b, -value);
        self.add(b, a, -value);
    }

    fn transposed(&self) -> Self {
        let n = self.rows.len();
        Self { rows: (0..n).map(|row| (0..n).map(|column| self.rows[column][row]).collect()).collect() }
    }

    /// The voltages of all nodes, ground first, for a current into one of them.
    fn solved(mut self, node: usize, current: f64) -> Option<Vec<Phasor>> {
        let n = self.rows.len();
        let mut right = vec![Phasor::ZERO; n];
        right[node - 1] = Phasor::real(current);
        for at in 0..n {
            let size = |row: &usize| self.rows[*row][at].size_squared();
            let pivot = (at..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
            if size(&pivot) < 1e-60 {
                return None;
            }
            self.rows.swap(at, pivot);
            right.swap(at, pivot);
            self.eliminate(at, &mut right);
        }
        for at in (0..n).rev() {
            let known = (at + 1..n).fold(right[at], |rest, column| rest - self.rows[at][column] * right[column]);
            right[at] = known / self.rows[at][at];
        }
        right.insert(GROUND, Phasor::ZERO);
        right.iter().all(|v| v.size_squared().is_finite()).then_some(right)
    }

    fn eliminate(&mut self, at: usize, right: &mut [Phasor]) {
        let (above, below) = self.rows.split_at_mut(at + 1);
        let pivot = &above[at];
        for (row, below) in below.iter_mut().enumerate().filter(|(_, below)| below[at] != Phasor::ZERO) {
            let factor = below[at] / pivot[at];
            for (cell, pivot) in below[at..].iter_mut().zip(&pivot[at..]) {
                *cell -= factor * *pivot;
            }
            let change = factor * right[at];
            right[at + 1 + row] -= change;
        }
    }
}

fn admittance(part: &PassivePart, s: Phasor) -> Phasor {
    match part.kind {
        PassiveKind::Resistor => Phasor::real(1.0 / part.value),
        PassiveKind::Capacitor => s * Phasor::real(part.value),
    }
}

fn laplace(hz: f64) -> Phasor {
    Phasor::imaginary(2.0 * std::f64::consts::PI * hz)
}

/// The gain of a filter; nothing if its equations have no solution.
pub(super) fn gain(netlist: &FilterNetlist, opamp: &OpampModel, bench: &FilterBench, hz: f64) -> Option<Phasor> {
    let equations = NodalEquations::of(netlist, opamp, bench, laplace(hz));
    Some(equations.solved(INPUT, 1.0 / bench.source_ohm)?[OUTPUT])
}

/// The gain of a filter, and how much each part has to do with it.
pub(super) fn level(netlist: &FilterNetlist, opamp: &OpampModel, bench: &FilterBench, hz: f64) -> Option<NodalLevel> {
    let s = laplace(hz);
    let equations = NodalEquations::of(netlist, opamp, bench, s);
    let adjoint = equations.transposed().solved(OUTPUT, 1.0)?;
    let voltages = equations.solved(INPUT, 1.0 / bench.source_ohm)?;
    let gain = voltages[OUTPUT];
    let slope = |part: &PassivePart| {
        let across = |v: &[Phasor]| v[part.nodes[0]] - v[part.nodes[1]];
        let per_admittance = -(across(&adjoint) * across(&voltages)) * admittance(part, s) / gain;
        let sign = if part.kind == PassiveKind::Resistor { -1.0 } else { 1.0 };
        sign * DB_PER_NEPER * per_admittance.re
    };
    Some(NodalLevel { gain, slopes_db: netlist.passives.iter().map(slope).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::design::{FeedbackStage, cascade};
    use crate::filter::order::FilterOrder;

    fn stage() -> FilterNetlist {
        cascade(&[FeedbackStage { ohm: [10e3, 20e3, 8.2e3], farad: [10e-9, 1e-9] }])
    }

    /// With an ideal op-amp, a stage does what the textbook says.
    #[test]
    fn a_stage_is_as_in_textbooks() {
        let opamp = FilterOrder::example().opamp.idealised();
        let bench = FilterBench { source_ohm: 1e-3, load_ohm: 1e6, load_f: 0.0 };
        for hz in [10.0, 1e3, 3.9e3, 2e4] {
            let w = 2.0 * std::f64::consts::PI * hz;
            let (re, im) = (1.0 - w * w * 10e-9 * 1e-9 * 20e3 * 8.2e3, w * 1e-9 * (20e3 + 8.2e3 + 20e3 * 8.2e3 / 10e3));
            let wanted = 20.0 * libm::log10(2.0 / libm::hypot(re, im));
            let found = gain(&stage(), &opamp, &bench, hz).unwrap().decibels();
            assert!((found - wanted).abs() < 1e-3, "{hz} Hz: {found} for {wanted}");
        }
    }

    #[test]
    fn slopes_are_what_small_changes_do() {
        let order = FilterOrder::example();
        let (bench, hz) = (order.bench(), 5e3);
        let at = level(&stage(), &order.opamp, &bench, hz).unwrap();
        for (part, slope) in at.slopes_db.iter().enumerate() {
            let mut moved = stage();
            moved.passives[part].value *= 1.0 + 1e-6;
            let change = gain(&moved, &order.opamp, &bench, hz).unwrap().decibels() - at.gain.decibels();
            assert!((change * 1e6 - slope).abs() < 1e-3, "part {part}: {change} {slope}");
        }
    }

    #[test]
    fn a_node_that_nothing_holds_has_no_voltage() {
        let order = FilterOrder::example();
        let loose = FilterNetlist { n_nodes: 5, ..stage() };
        assert!(gain(&FilterNetlist { n_nodes: 6, ..loose }, &order.opamp, &order.bench(), 1e3).is_none());
    }
}
