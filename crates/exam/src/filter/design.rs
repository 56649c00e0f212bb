//! A reference design: stages with multiple feedback whose poles lie, with the op-amp as it is, where a Chebyshev filter has
//! them, of parts that can be bought. It shows that a mask can be met; others may do better.

use super::netlist::{FilterNetlist, GROUND, INPUT, OUTPUT, OpampPlace, PassiveKind, PassivePart};
use super::nodal::{self, FilterBench};
use super::opamp::OpampModel;
use super::order::FilterOrder;
use super::phasor::Phasor;

/// How many of each stage are tried together.
const MOST_STAGES: usize = 120;
/// What a stage drives: about what the next one takes.
const NEXT_OHM: f64 = 8e3;

/// A pair of poles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PolePair {
    pub(super) hz: f64,
    pub(super) q: f64,
}

/// A stage with multiple feedback: the resistors at the input, in the feedback and to the op-amp, the capacitor to ground and
/// that in the feedback.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FeedbackStage {
    pub(super) ohm: [f64; 3],
    pub(super) farad: [f64; 2],
}

/// What a stage does at all frequencies of interest: its gain, and how far its tolerances together can bring it.
struct StageCurve {
    stage: FeedbackStage,
    db: Vec<f64>,
    spread_db: Vec<f64>,
}

/// The poles of a Chebyshev filter, the lowest Q first.
pub(super) fn chebyshev(n_pairs: usize, ripple_db: f64, edge_hz: f64) -> Vec<PolePair> {
    let order = 2.0 * n_pairs as f64;
    let ripple = libm::sqrt(libm::pow(10.0, ripple_db / 10.0) - 1.0);
    let u = libm::asinh(1.0 / ripple) / order;
    let pair = |at: usize| {
        let angle = std::f64::consts::PI * (2.0 * at as f64 + 1.0) / (2.0 * order);
        let (re, im) = (libm::sinh(u) * libm::sin(angle), libm::cosh(u) * libm::cos(angle));
        let size = libm::hypot(re, im);
        PolePair { hz: size * edge_hz, q: size / (2.0 * re) }
    };
    (0..n_pairs).rev().map(pair).collect()
}

/// Stages one behind the other.
pub(super) fn cascade(stages: &[FeedbackStage]) -> FilterNetlist {
    let mut netlist = FilterNetlist { n_nodes: 3, passives: Vec::new(), opamps: Vec::new() };
    let mut from = INPUT;
    for (at, stage) in stages.iter().enumerate() {
        let (middle, minus) = (netlist.n_nodes, netlist.n_nodes + 1);
        let output = if at + 1 == stages.len() { OUTPUT } else { netlist.n_nodes + 2 };
        netlist.n_nodes = (minus + 1).max(output + 1);
        let resistors = [[from, middle], [middle, output], [middle, minus]];
        let capacitors = [[middle, GROUND], [minus, output]];
        let part = |kind: PassiveKind| move |(nodes, value): ([usize; 2], f64)| PassivePart { kind, nodes, value };
        netlist.passives.extend(resistors.into_iter().zip(stage.ohm).map(part(PassiveKind::Resistor)));
        netlist.passives.extend(capacitors.into_iter().zip(stage.farad).map(part(PassiveKind::Capacitor)));
        netlist.opamps.push(OpampPlace { plus: GROUND, minus, output });
        from = output;
    }
    netlist
}

/// The poles of a stage with an op-amp as it is, from its gain at one frequency.
fn poles_of(stage: &FeedbackStage, opamp: &OpampModel, hz: f64) -> Option<PolePair> {
    let bench = FilterBench { source_ohm: 1e-3, load_ohm: NEXT_OHM, load_f: 0.0 };
    let gain = nodal::gain(&cascade(&[*stage]), opamp, &bench, hz)?;
    let flat = Phasor::real(-stage.ohm[1] / stage.ohm[0]);
    let inverse = flat / gain;
    let ratio = libm::sqrt(Some(1.0 - inverse.re).filter(|square| *square > 0.01)?);
    Some(PolePair { hz: hz / ratio, q: ratio / Some(inverse.im).filter(|im| *im > 1e-3)? })
}

/// Finds stages for poles.
pub(super) struct StageSearch<'a> {
    pub(super) order: &'a FilterOrder,
    /// The op-amp that is reckoned with.
    pub(super) opamp: &'a OpampModel,
    /// The gain that a stage should have, about.
    pub(super) gain: f64,
}

impl StageSearch<'_> {
    /// The cascade whose gain varies least in the pass band, whatever its tolerances; nothing if some poles cannot be made.
    pub(super) fn best(&self, poles: &[PolePair]) -> Option<FilterNetlist> {
        let curves = |pair: &PolePair| self.stages(*pair).iter().filter_map(|stage| self.curve(stage)).collect();
        let curves: Vec<Vec<StageCurve>> = poles.iter().map(curves).collect();
        if curves.iter().any(Vec::is_empty) {
            return None;
        }
        let chosen = (0..6).map(|start| settled(&curves, start)).min_by(|a, b| a.1.total_cmp(&b.1))?.0;
        let stages: Vec<FeedbackStage> = chosen.iter().zip(&curves).map(|(at, all)| all[*at].stage).collect();
        Some(cascade(&stages))
    }

    /// What can be bought and has these poles, the nearest first.
    fn stages(&self, poles: PolePair) -> Vec<FeedbackStage> {
        let capacitors = self.order.capacitors.values();
        let mut found: Vec<(f64, FeedbackStage)> = Vec::new();
        for to_ground in &capacitors {
            for feedback in &capacitors {
                let ratio = to_ground / feedback / (poles.q * poles.q * (1.0 + self.gain));
                let ohm = 1.0 / (2.0 * std::f64::consts::PI * poles.hz * libm::sqrt(to_ground * feedback));
                if (1.0..15.0).contains(&ratio) && (2e3..5e4).contains(&ohm) {
                    found.extend(self.with_capacitors(poles, [*to_ground, *feedback]));
                }
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found.into_iter().take(MOST_STAGES).map(|(_, stage)| stage).collect()
    }

    /// The resistors of a stage without an op-amp's faults, with these poles.
    fn exact(&self, poles: PolePair, farad: [f64; 2]) -> Option<FeedbackStage> {
        let w = 2.0 * std::f64::consts::PI * poles.hz;
        let (sum, product) = (1.0 / (w * poles.q * farad[1]), 1.0 / (w * w * farad[0] * farad[1]));
        let root = sum * sum - 4.0 * (1.0 + self.gain) * product;
        let feedback = f64::midpoint(sum, libm::sqrt(Some(root).filter(|root| *root >= 0.0)?));
        Some(FeedbackStage { ohm: [feedback / self.gain, feedback, product / feedback], farad })
    }

    /// The poles that formulas have to be given so that the real ones come out right.
    fn set_poles(&self, wanted: PolePair, farad: [f64; 2]) -> Option<PolePair> {
        let mut set = wanted;
        for _ in 0..40 {
            let real = poles_of(&self.exact(set, farad)?, self.opamp, wanted.hz)?;
            let (hz, q) = (wanted.hz / real.hz, wanted.q / real.q);
            if (hz - 1.0).abs() + (q - 1.0).abs() < 0.005 {
                return Some(set);
            }
            set = PolePair { hz: set.hz * libm::pow(hz, 0.6), q: set.q * libm::pow(q, 0.6) };
        }
        None
    }

    fn with_capacitors(&self, wanted: PolePair, farad: [f64; 2]) -> Vec<(f64, FeedbackStage)> {
        let Some(set) = self.set_poles(wanted, farad) else { return Vec::new() };
        let resistors = self.order.resistors.values();
        let w = 2.0 * std::f64::consts::PI * set.hz;
        let mut found = Vec::new();
        for feedback in &resistors {
            for inner in around(&resistors, 1.0 / (w * w * farad[0] * farad[1] * feedback)) {
                let rest = 1.0 / (w * set.q * farad[1]) - feedback - inner;
                let inputs = if rest > 0.0 { around(&resistors, feedback * inner / rest) } else { &[] };
                let stages = inputs.iter().map(|input| FeedbackStage { ohm: [*input, *feedback, *inner], farad });
                found.extend(stages.filter_map(|stage| Some((self.off(&stage, wanted)?, stage))));
            }
        }
        found
    }

    /// How far a stage is from what is wanted; nothing if it is too far.
    fn off(&self, stage: &FeedbackStage, wanted: PolePair) -> Option<f64> {
        let gain = stage.ohm[1] / stage.ohm[0] / self.gain;
        let real = poles_of(stage, self.opamp, wanted.hz).filter(|_| (0.5..2.0).contains(&gain))?;
        Some(2.0 * libm::log(real.hz / wanted.hz).abs() + libm::log(real.q / wanted.q).abs()).filter(|off| *off < 0.12)
    }

    /// What a stage does in the upper decade of the pass band.
    fn curve(&self, stage: &FeedbackStage) -> Option<StageCurve> {
        let netlist = cascade(&[*stage]);
        let bench = FilterBench { source_ohm: self.order.source_ohm, load_ohm: NEXT_OHM, load_f: 0.0 };
        let hz = self.order.mask.pass_hz().into_iter().skip(60).step_by(2);
        let levels: Vec<_> = hz.map(|hz| nodal::level(&netlist, self.opamp, &bench, hz)).collect::<Option<Vec<_>>>()?;
        let tolerance = |part: &PassivePart| self.order.range(part.kind).tolerance_percent / 100.0;
        let spread = |slopes: &[f64]| {
            slopes.iter().zip(&netlist.passives).map(|(slope, part)| slope.abs() * tolerance(part)).sum()
        };
        Some(StageCurve {
            stage: *stage,
            db: levels.iter().map(|level| level.gain.decibels()).collect(),
            spread_db: levels.iter().map(|level| spread(&level.slopes_db)).collect(),
        })
    }
}

/// The values on both sides of one; values rise.
fn around(values: &[f64], wanted: f64) -> &[f64] {
    let above = values.partition_point(|value| *value < wanted);
    &values[above.saturating_sub(1)..(above + 1).min(values.len())]
}

/// One of each list such that no other choice in one list is better, and how far their gain reaches together.
fn settled(curves: &[Vec<StageCurve>], start: usize) -> (Vec<usize>, f64) {
    let mut chosen: Vec<usize> =
        curves.iter().enumerate().map(|(at, all)| (start * (at + 1)).min(all.len() - 1)).collect();
    let mut least = reach(curves, &chosen);
    loop {
        let before = least;
        for list in 0..curves.len() {
            for at in 0..curves[list].len() {
                let kept = std::mem::replace(&mut chosen[list], at);
                let found = reach(curves, &chosen);
                if found < least {
                    least = found;
                } else {
                    chosen[list] = kept;
                }
            }
        }
        if least >= before {
            return (chosen, least);
        }
    }
}

/// From the lowest to the highest gain that stages have together in the pass band.
fn reach(curves: &[Vec<StageCurve>], chosen: &[usize]) -> f64 {
    let picked = || chosen.iter().zip(curves).map(|(at, all)| &all[*at]);
    let n = picked().next().map_or(0, |curve| curve.db.len());
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for at in 0..n {
        let db: f64 = picked().map(|curve| curve.db[at]).sum();
        let spread: f64 = picked().map(|curve| curve.spread_db[at]).sum();
        (lowest, highest) = (lowest.min(db - spread), highest.max(db + spread));
    }
    highest - lowest
}
