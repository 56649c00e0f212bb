//! A circuit as a deck for ngspice. Nothing a user wrote enters the deck: nodes and elements are numbered, and numbers
//! are written by us.

use std::fmt::Write as _;

use super::catalogue::PartKind;
use super::document::{Circuit, CircuitPart};
use super::nets::{GROUND, Nets, Sets};
use super::wave::Waves;

mod chips;
mod pace;

pub use pace::SimulationPace;

/// The shunt gives nets without a path to ground a voltage.
const OPTIONS: &str = ".options rshunt=1e12";

/// A deck, and where its vectors belong.
#[derive(Clone, Debug, PartialEq)]
pub struct Deck {
    /// What ngspice reads.
    pub text: String,
    /// The names of the saved vectors in the raw file, besides the time.
    pub vectors: Vec<String>,
    /// The moment it simulates until, in seconds.
    pub until: f64,
    n_nets: usize,
    currents: Vec<Current>,
}

/// Where the current of a part comes from.
#[derive(Clone, Debug, PartialEq)]
enum Current {
    /// It has not two terminals.
    None,
    /// A saved vector, by name, times a sign.
    Vector(String, f64),
    /// The voltage between two nets over ohms.
    Ohm { from: usize, to: usize, ohms: f64 },
}

/// Why a circuit cannot be simulated. Each reads as a sentence on a screen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsimulable {
    /// Nothing says where zero volts are.
    #[error("there is no ground: add one, so that voltages have a zero")]
    NoGround,
    /// A source whose ends are one net.
    #[error("{part} is short-circuited")]
    Shorted {
        /// What the part is called.
        part: String,
    },
    /// Two ideal sources that fix the same voltage twice.
    #[error("{one} and {other} are joined without any resistance between them")]
    Joined {
        /// What the first is called.
        one: String,
        /// What the second is called.
        other: String,
    },
}

impl Deck {
    /// The deck of a circuit, simulated from rest (or from the initial values it gives) until a moment.
    pub fn of(circuit: &Circuit, until: f64) -> Result<Self, Unsimulable> {
        let nets = Nets::of(circuit);
        if !circuit.parts.iter().any(|part| part.kind.is_grounded()) {
            return Err(Unsimulable::NoGround);
        }
        let redundant = redundant(circuit, &nets)?;
        let mut writer = DeckWriter::default();
        let mut currents = vec![Current::None; circuit.parts.len()];
        for (idx, part) in circuit.parts.iter().enumerate().filter(|(idx, _)| !redundant[*idx]) {
            currents[idx] = writer.part(idx, part, &nets.pins[idx]);
        }
        for net in untouched(circuit, &nets) {
            writer.line(&format!("rn{net} {} 0 1e12", node(net)));
        }
        let vectors = vectors(&nets, &currents);
        let text = writer.finish(&vectors, SimulationPace::of(circuit).step(until), until);
        Ok(Self { text, vectors, until, n_nets: nets.count, currents })
    }

    /// The same deck with settings that find a solution more often, and a little less exactly.
    pub fn sturdier(&self) -> String {
        self.text.replace(OPTIONS, &format!("{OPTIONS} method=gear itl4=200 reltol=1e-2"))
    }

    /// The waves of a run of this deck, from its times and, in the order of [`Deck::vectors`], its vectors.
    pub fn waves(&self, times: Vec<f64>, mut vectors: Vec<Vec<f64>>) -> Waves {
        let rest = vectors.split_off((self.n_nets - 1).min(vectors.len()));
        let mut volts = vec![vec![0.0; times.len()]];
        volts.append(&mut vectors);
        let names = &self.vectors[self.n_nets - 1..];
        let current = |current: &Current| match current {
            Current::None => None,
            Current::Ohm { from, to, ohms } => {
                Some(volts[*from].iter().zip(&volts[*to]).map(|(from, to)| (from - to) / ohms).collect())
            }
            Current::Vector(name, sign) => {
                let idx = names.iter().position(|candidate| candidate == name)?;
                Some(rest.get(idx)?.iter().map(|amps| amps * sign).collect())
            }
        };
        let currents = self.currents.iter().map(current).collect();
        Waves { times, volts, currents }
    }
}

fn vectors(nets: &Nets, currents: &[Current]) -> Vec<String> {
    let volts = (1..nets.count).map(|net| format!("v({})", node(net)));
    let amps = currents.iter().filter_map(|current| match current {
        Current::Vector(name, _) => Some(name.clone()),
        _ => None,
    });
    volts.chain(amps).collect()
}

/// The nets that no element of the deck would name.
fn untouched(circuit: &Circuit, nets: &Nets) -> Vec<usize> {
    let mut is_touched = vec![false; nets.count];
    is_touched[GROUND] = true;
    for (_, pins) in circuit.parts.iter().zip(&nets.pins).filter(|(part, _)| part.kind != PartKind::LogicOutput) {
        for net in pins {
            is_touched[*net] = true;
        }
    }
    (0..nets.count).filter(|net| !is_touched[*net]).collect()
}

/// The name of a net in the deck.
fn node(net: usize) -> String {
    if net == GROUND { "0".to_owned() } else { format!("n{net}") }
}

/// Which parts say what another has said already (the same DC voltage on the same net), after making sure that no two
/// ideal sources contradict each other.
fn redundant(circuit: &Circuit, nets: &Nets) -> Result<Vec<bool>, Unsimulable> {
    let mut sets = Sets::of(nets.count);
    let mut joined: Vec<(usize, usize, &CircuitPart)> = Vec::new();
    let mut redundant = vec![false; circuit.parts.len()];
    for (idx, part) in circuit.parts.iter().enumerate() {
        for (from, to) in fixed(part, &nets.pins[idx]) {
            if from == to {
                return Err(Unsimulable::Shorted { part: part.called().to_owned() });
            }
            if sets.join(from, to) {
                joined.push((from, to, part));
            } else if joined.iter().any(|(a, b, other)| (*a, *b) == (from, to) && is_same_rail(other, part)) {
                redundant[idx] = true;
            } else {
                let touches =
                    |(a, b, _): &&(usize, usize, &CircuitPart)| *a != GROUND && *a == to || *b == to || *b == from;
                let other = joined.iter().find(touches).or(joined.first()).map_or(part, |(.., other)| *other);
                let (one, other) = (other.called().to_owned(), part.called().to_owned());
                return Err(Unsimulable::Joined { one, other });
            }
        }
    }
    Ok(redundant)
}

/// The pairs of nets between which a part fixes the voltage.
fn fixed(part: &CircuitPart, pins: &[usize]) -> Vec<(usize, usize)> {
    match part.kind {
        PartKind::DcSource | PartKind::AcSource => vec![(pins[0], pins[1])],
        PartKind::DcRail | PartKind::AcRail | PartKind::Clock | PartKind::LogicInput => vec![(GROUND, pins[0])],
        PartKind::Opamp => vec![(GROUND, pins[2])],
        PartKind::JkFlipFlop => vec![(GROUND, pins[3]), (GROUND, pins[4])],
        kind if kind.is_gate() => pins.last().map(|out| (GROUND, *out)).into_iter().collect(),
        _ => vec![],
    }
}

fn is_same_rail(one: &CircuitPart, other: &CircuitPart) -> bool {
    let is_same_kind = one.kind == other.kind && one.kind == PartKind::DcRail;
    is_same_kind && one.number("voltage").total_cmp(&other.number("voltage")).is_eq()
}

/// Collects the lines of a deck.
#[derive(Default)]
struct DeckWriter {
    lines: String,
    /// The nets that something digital reads.
    digital: Vec<usize>,
    has_digital: bool,
}

impl DeckWriter {
    fn line(&mut self, line: &str) {
        self.lines.push_str(line);
        self.lines.push('\n');
    }

    fn part(&mut self, idx: usize, part: &CircuitPart, pins: &[usize]) -> Current {
        let at: Vec<String> = pins.iter().map(|net| node(*net)).collect();
        let value = |key: &str| part.number(key);
        match part.kind {
            PartKind::Ground | PartKind::LogicOutput => {}
            PartKind::Resistor => {
                let ohms = value("resistance");
                self.line(&format!("r{idx} {} {} {ohms:e}", at[0], at[1]));
                return Current::Ohm { from: pins[0], to: pins[1], ohms };
            }
            PartKind::Capacitor => {
                let (farads, volts) = (value("capacitance"), value("initial_voltage"));
                self.line(&format!("c{idx} {} m{idx} {farads:e} ic={volts:e}", at[0]));
                return self.ammeter(idx, &at[1]);
            }
            PartKind::Inductor => {
                let (henries, amps) = (value("inductance"), value("initial_current"));
                self.line(&format!("l{idx} {} {} {henries:e} ic={amps:e}", at[0], at[1]));
                return Current::Vector(format!("i(l{idx})"), 1.0);
            }
            PartKind::Diode => {
                self.line(&format!("d{idx} {} m{idx} diode", at[0]));
                return self.ammeter(idx, &at[1]);
            }
            PartKind::Npn | PartKind::Pnp => {
                self.line(&format!("q{idx} {} {} {} q{idx}", at[1], at[0], at[2]));
                let polarity = if part.kind == PartKind::Npn { "npn" } else { "pnp" };
                self.line(&format!(".model q{idx} {polarity}(is=1e-13 bf={:e} br=1)", value("beta")));
            }
            PartKind::DcSource | PartKind::AcSource => {
                self.line(&format!("v{idx} {} {} {}", at[1], at[0], waveform(part)));
                return Current::Vector(format!("i(v{idx})"), -1.0);
            }
            PartKind::DcRail | PartKind::AcRail | PartKind::Clock | PartKind::LogicInput => {
                self.line(&format!("v{idx} {} 0 {}", at[0], waveform(part)));
            }
            PartKind::Opamp => {
                let (most, least) = (value("max").max(value("min")), value("min").min(value("max")));
                let wanted = format!("{:e}*(v({})-v({}))", value("gain"), at[1], at[0]);
                self.line(&format!("b{idx} {} 0 v=max({least:e},min({most:e},{wanted}))", at[2]));
            }
            PartKind::Timer555 => self.timer(idx, &at),
            PartKind::JkFlipFlop => self.flip_flop(idx, pins),
            _ => self.gate(idx, part.kind, pins),
        }
        Current::None
    }

    /// Measures the current that leaves the part's inner node.
    fn ammeter(&mut self, idx: usize, to: &str) -> Current {
        self.line(&format!("vm{idx} m{idx} {to} 0"));
        Current::Vector(format!("i(vm{idx})"), 1.0)
    }

    fn finish(mut self, vectors: &[String], step: f64, until: f64) -> String {
        self.bridges();
        let mut text = format!("* circuit\n{}", self.lines);
        // A diode that drops 0.806 V at 1 A.
        text += ".model diode d(is=1.7143528192808883e-7 n=2)\n";
        writeln!(text, "{OPTIONS}").expect("a string takes what is written");
        // A few names a line: ngspice bounds the length of lines.
        for names in vectors.chunks(8) {
            writeln!(text, ".save {}", names.join(" ")).expect("a string takes what is written");
        }
        writeln!(text, ".tran {step:e} {until:e} 0 {step:e} uic\n.end").expect("a string takes what is written");
        text
    }
}

fn waveform(part: &CircuitPart) -> String {
    let value = |key: &str| part.number(key);
    match part.kind {
        PartKind::AcSource | PartKind::AcRail => {
            let (offset, amplitude, frequency) = (value("offset"), value("amplitude"), value("frequency"));
            format!("sin({offset:e} {amplitude:e} {frequency:e} 0 0 {:e})", value("phase"))
        }
        PartKind::Clock => {
            let period = 1.0 / value("frequency");
            let (edge, high_for) = (1e-8_f64.min(period / 1000.0), period * value("duty") / 100.0);
            let low_for = period - high_for - edge;
            // It begins high, so the pulse is the low part.
            let (high, low) = (value("high"), value("low"));
            format!("pulse({high:e} {low:e} {high_for:e} {edge:e} {edge:e} {low_for:e} {period:e})")
        }
        PartKind::LogicInput => if part.is_high() { "5" } else { "0" }.to_owned(),
        _ => format!("{:e}", value("voltage")),
    }
}

#[cfg(test)]
mod tests;
