//! How finely and how far a circuit is simulated, by rules over its document.

use crate::circuit::model::catalogue::PartKind;
use crate::circuit::model::document::Circuit;

/// The furthest any circuit is simulated, in seconds.
const FURTHEST: f64 = 20.0;

/// The first stretch that is simulated, in seconds; each further one is four times as long.
const FIRST: f64 = 0.025;

/// About how many points a simulation has at most.
const MOST_POINTS: f64 = 256_000.0;

/// The fewest points of a simulation in which nothing asks for more.
const FEWEST_POINTS: f64 = 2000.0;

/// How a circuit is simulated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulationPace {
    /// The longest step in seconds that still shows what the circuit does, where something in it asks for one.
    pub finest: Option<f64>,
    /// How far it can be simulated, in seconds: further for slow circuits.
    pub furthest: f64,
}

impl SimulationPace {
    /// The pace of a circuit.
    pub fn of(circuit: &Circuit) -> Self {
        let steps = [sources(circuit), resistors_and_capacitors(circuit), coils(circuit)];
        let finest = steps.into_iter().chain([clocks(circuit).map(|period| period / 20.0)]).flatten().reduce(f64::min);
        // Every edge of a clock costs several points in each part it reaches, on top of the steps between.
        let cost = finest.into_iter().chain(clocks(circuit).map(|period| period / 80.0)).reduce(f64::min);
        Self { finest, furthest: cost.map_or(FURTHEST, |cost| (cost * MOST_POINTS).min(FURTHEST)) }
    }

    /// The longest step of a simulation that ends at that moment.
    pub fn step(&self, until: f64) -> f64 {
        let coarse = until / FEWEST_POINTS;
        self.finest.map_or(coarse, |finest| finest.min(coarse))
    }

    /// How far to simulate in order to know a moment: the first of a few fixed stretches that holds it, so that what is
    /// shown at a moment does not depend on what was asked before.
    pub fn until(&self, moment: f64) -> f64 {
        let mut until = FIRST;
        while until < moment && until < self.furthest {
            until *= 4.0;
        }
        until.min(self.furthest)
    }
}

fn least(circuit: &Circuit, kind: PartKind, key: &str) -> Option<f64> {
    circuit.of_kind(kind).map(|part| part.number(key)).reduce(f64::min)
}

fn greatest_frequency(circuit: &Circuit, kinds: [PartKind; 2]) -> Option<f64> {
    let of_kinds = circuit.parts.iter().filter(|part| kinds.contains(&part.kind));
    of_kinds.map(|part| part.number("frequency")).reduce(f64::max)
}

/// A 64th of the shortest period of a sine: its peak is then missed by 0.1 % at most.
fn sources(circuit: &Circuit) -> Option<f64> {
    greatest_frequency(circuit, [PartKind::AcSource, PartKind::AcRail]).map(|frequency| 1.0 / frequency / 64.0)
}

/// The shortest period of a clock, whose edges ngspice steps on by itself.
fn clocks(circuit: &Circuit) -> Option<f64> {
    greatest_frequency(circuit, [PartKind::Clock, PartKind::Clock]).map(|frequency| 1.0 / frequency)
}

/// Where active parts may make resistors and capacitors oscillate: a share of the least time constant.
fn resistors_and_capacitors(circuit: &Circuit) -> Option<f64> {
    let is_active = |kind: PartKind| {
        kind.is_gate() || matches!(kind, PartKind::Opamp | PartKind::Timer555 | PartKind::Npn | PartKind::Pnp)
    };
    if !circuit.parts.iter().any(|part| is_active(part.kind)) {
        return None;
    }
    let constant =
        least(circuit, PartKind::Resistor, "resistance")? * least(circuit, PartKind::Capacitor, "capacitance")?;
    let share = if circuit.of_kind(PartKind::Timer555).next().is_some() { 200.0 } else { 20.0 };
    Some((constant / share).clamp(1e-6, 1e-4))
}

/// A share of the shortest period at which a coil and a capacitor ring.
fn coils(circuit: &Circuit) -> Option<f64> {
    let product =
        least(circuit, PartKind::Inductor, "inductance")? * least(circuit, PartKind::Capacitor, "capacitance")?;
    Some((product.sqrt() / 10.0).clamp(1e-6, 1e-3))
}
