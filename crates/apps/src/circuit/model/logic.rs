//! Circuits of logic alone: truth tables over many rows at once, and the levels that the app shows.
//!
//! A logic circuit holds logic inputs and outputs and gates; grounds and one-terminal DC sources are constants in it.

mod ways;

use super::catalogue::PartKind;
use super::document::{Circuit, CircuitPart};
use super::nets::Nets;

/// What is high from here on, in volts.
pub const THRESHOLD_VOLTS: f64 = 2.5;

/// The volts of a high level.
pub const HIGH_VOLTS: f64 = 5.0;

/// The most inputs a truth table is made of.
pub const MOST_INPUTS: usize = 16;

/// Why a circuit of logic cannot be evaluated. Each reads as a sentence on a screen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A part that is neither gate nor logic terminal.
    #[error("{part} is not a part of logic circuits")]
    NotLogic {
        /// What the part is called.
        part: String,
    },
    /// An input that nothing drives.
    #[error("{part}: input {pin} is not connected to anything that drives it")]
    Floating {
        /// What the part is called.
        part: String,
        /// The pin.
        pin: String,
        /// The part's id.
        id: String,
    },
    /// Two outputs on one net.
    #[error("the outputs of {one} and {other} are joined")]
    Conflict {
        /// What the first is called.
        one: String,
        /// What the second is called.
        other: String,
    },
    /// A gate whose output comes back to its own inputs.
    #[error("{part} feeds itself")]
    FeedsItself {
        /// What the gate is called.
        part: String,
    },
    /// Feedback that never comes to rest.
    #[error("the levels never come to rest: there is a loop of gates")]
    Restless,
    /// No terminal has the label, or several have.
    #[error("{count} {terminal}s are labelled `{label}`, not one")]
    Label {
        /// `input` or `output`.
        terminal: &'static str,
        /// The label.
        label: String,
        /// How many have it.
        count: usize,
    },
    /// More rows than anyone would want.
    #[error("a truth table of {count} inputs is too large: the most is {MOST_INPUTS}")]
    TooLarge {
        /// How many inputs.
        count: usize,
    },
}

/// A circuit of logic, ready to be evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct Logic {
    /// The logic inputs, in the order of the document.
    pub inputs: Vec<LogicTerminal>,
    /// The logic outputs, in the order of the document.
    pub outputs: Vec<LogicTerminal>,
    /// The gates, each after those that drive it where nothing feeds itself.
    pub gates: Vec<LogicGate>,
    /// The net and level of each constant.
    constants: Vec<(usize, bool)>,
    n_nets: usize,
}

/// A logic input or output.
#[derive(Clone, Debug, PartialEq)]
pub struct LogicTerminal {
    /// The part's id.
    pub id: String,
    /// Its label, without blanks around it.
    pub label: String,
    /// Its net.
    pub net: usize,
    /// The level it gives now; false for outputs.
    pub is_high: bool,
}

/// A gate.
#[derive(Clone, Debug, PartialEq)]
pub struct LogicGate {
    /// The part's id.
    pub id: String,
    /// What to call it in a sentence.
    pub called: String,
    /// What it computes.
    pub kind: PartKind,
    /// The nets of its inputs.
    pub inputs: Vec<usize>,
    /// The net of its output.
    pub output: usize,
}

/// What every output of a circuit is for every row of its inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TruthTable {
    /// How many inputs vary. Row r gives the first input the most significant bit of r.
    pub n_inputs: usize,
    /// The rows of each output, 64 to a word, row 0 in the lowest bit; bits past the last row are clear.
    pub outputs: Vec<Vec<u64>>,
}

impl TruthTable {
    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        1 << self.n_inputs
    }

    /// Whether an output is high in a row.
    pub fn is_high(&self, output_idx: usize, row: usize) -> bool {
        self.outputs[output_idx][row / 64] >> (row % 64) & 1 == 1
    }
}

impl Logic {
    /// Whether a circuit is one of logic alone.
    pub fn is_logic(circuit: &Circuit) -> bool {
        let has_terminal = circuit.parts.iter().any(|part| part.kind.is_logic());
        has_terminal && circuit.parts.iter().all(|part| is_logic(part.kind))
    }

    /// Reads a circuit of logic in which every input is driven by exactly one output and nothing feeds itself.
    pub fn of(circuit: &Circuit) -> Result<Self, Problem> {
        if let Some(part) = circuit.parts.iter().find(|part| !is_logic(part.kind)) {
            return Err(Problem::NotLogic { part: part.called().to_owned() });
        }
        let (logic, problem) = Self::lenient(circuit);
        if let Some(problem) = problem {
            return Err(problem);
        }
        match logic.loops() {
            Some(gate) => Err(Problem::FeedsItself { part: gate.called.clone() }),
            None => Ok(logic),
        }
    }

    /// Reads as much of a circuit as is logic, with the first thing that is wrong. What nothing drives counts as low; of
    /// joined outputs the last evaluated wins; loops are left in.
    pub fn lenient(circuit: &Circuit) -> (Self, Option<Problem>) {
        let nets = Nets::of(circuit);
        let mut logic = Self { inputs: vec![], outputs: vec![], gates: vec![], constants: vec![], n_nets: nets.count };
        for (part, pins) in circuit.parts.iter().zip(&nets.pins).filter(|(part, _)| is_logic(part.kind)) {
            logic.add(part, pins);
        }
        let problem = conflict(circuit, &nets).or_else(|| floating(circuit, &nets));
        logic.sort();
        (logic, problem)
    }

    fn add(&mut self, part: &CircuitPart, pins: &[usize]) {
        let terminal = || LogicTerminal {
            id: part.id.clone(),
            label: part.label().to_owned(),
            net: pins[0],
            is_high: part.kind == PartKind::LogicInput && part.is_high(),
        };
        match part.kind {
            PartKind::LogicInput => self.inputs.push(terminal()),
            PartKind::LogicOutput => self.outputs.push(terminal()),
            PartKind::Ground => self.constants.push((pins[0], false)),
            PartKind::DcRail => self.constants.push((pins[0], part.number("voltage") >= THRESHOLD_VOLTS)),
            kind => {
                let (output, inputs) = pins.split_last().expect("a gate has an output, its last pin");
                let (id, called) = (part.id.clone(), part.called().to_owned());
                self.gates.push(LogicGate { id, called, kind, inputs: inputs.to_vec(), output: *output });
            }
        }
    }

    /// Puts every gate after those that drive it. Gates of a loop, and what follows them, go last.
    fn sort(&mut self) {
        let mut rest = std::mem::take(&mut self.gates);
        loop {
            let driven: Vec<usize> = rest.iter().map(|gate| gate.output).collect();
            let ready = |gate: &LogicGate| !gate.inputs.iter().any(|net| driven.contains(net));
            let (mut now, later): (Vec<LogicGate>, Vec<LogicGate>) = rest.into_iter().partition(ready);
            rest = later;
            if now.is_empty() {
                break;
            }
            self.gates.append(&mut now);
        }
        self.gates.append(&mut rest);
    }

    /// A gate that feeds itself, through others or at once.
    fn loops(&self) -> Option<&LogicGate> {
        self.gates.iter().find(|gate| {
            let mut reached = vec![gate.output];
            let mut n_followed = 0;
            while n_followed < reached.len() {
                let net = reached[n_followed];
                let onward = self.gates.iter().filter(|gate| gate.inputs.contains(&net)).map(|gate| gate.output);
                let fresh: Vec<usize> = onward.filter(|net| !reached.contains(net)).collect();
                reached.extend(fresh);
                n_followed += 1;
            }
            gate.inputs.iter().any(|net| reached.contains(net))
        })
    }

    /// The truth table over inputs and outputs given by label. Inputs that are not named keep the level they have.
    pub fn table(&self, inputs: &[&str], outputs: &[&str]) -> Result<TruthTable, Problem> {
        let find = |among: &[LogicTerminal], terminal: &'static str, label: &str| {
            let found: Vec<usize> = (0..among.len()).filter(|idx| among[*idx].label == label).collect();
            match found[..] {
                [only] => Ok(only),
                _ => Err(Problem::Label { terminal, label: label.to_owned(), count: found.len() }),
            }
        };
        let inputs: Result<Vec<usize>, Problem> =
            inputs.iter().map(|label| find(&self.inputs, "input", label)).collect();
        let outputs: Result<Vec<usize>, Problem> =
            outputs.iter().map(|label| find(&self.outputs, "output", label)).collect();
        self.table_of(&inputs?, &outputs?)
    }

    /// The truth table over inputs and outputs given by their places in [`Logic::inputs`] and [`Logic::outputs`].
    pub fn table_of(&self, inputs: &[usize], outputs: &[usize]) -> Result<TruthTable, Problem> {
        let n_inputs = inputs.len();
        if n_inputs > MOST_INPUTS {
            return Err(Problem::TooLarge { count: n_inputs });
        }
        let n_words = (1_usize << n_inputs).div_ceil(64);
        let mut table = TruthTable { n_inputs, outputs: vec![Vec::with_capacity(n_words); outputs.len()] };
        let last_rows = if n_inputs < 6 { (1_u64 << (1 << n_inputs)) - 1 } else { u64::MAX };
        for word_idx in 0..n_words {
            let mut nets = self.start();
            for (place, input_idx) in inputs.iter().enumerate() {
                nets[self.inputs[*input_idx].net] = pattern(n_inputs - 1 - place, word_idx);
            }
            self.pass(&mut nets);
            for (rows, output_idx) in table.outputs.iter_mut().zip(outputs) {
                rows.push(nets[self.outputs[*output_idx].net] & last_rows);
            }
        }
        Ok(table)
    }

    /// The level of every net now, by the levels the inputs give. Feedback is followed gate by gate until it rests.
    pub fn levels(&self) -> Result<Vec<bool>, Problem> {
        let mut nets = self.start();
        // Without loops the second pass changes nothing; a latch takes a few; what takes longer goes round for ever.
        for _ in 0..2 * self.gates.len() + 2 {
            let before = nets.clone();
            self.pass(&mut nets);
            if nets == before {
                return Ok(nets.into_iter().map(|word| word & 1 == 1).collect());
            }
        }
        Err(Problem::Restless)
    }

    fn start(&self) -> Vec<u64> {
        let mut nets = vec![0; self.n_nets];
        for (net, is_high) in self.constants.iter().copied().chain(self.inputs.iter().map(|it| (it.net, it.is_high))) {
            nets[net] = if is_high { u64::MAX } else { 0 };
        }
        nets
    }

    fn pass(&self, nets: &mut [u64]) {
        for gate in &self.gates {
            nets[gate.output] = gate.rows(nets);
        }
    }
}

impl LogicGate {
    fn rows(&self, nets: &[u64]) -> u64 {
        let mut inputs = self.inputs.iter().map(|net| nets[*net]);
        match self.kind {
            PartKind::And => inputs.fold(u64::MAX, |rows, input| rows & input),
            PartKind::Nand => !inputs.fold(u64::MAX, |rows, input| rows & input),
            PartKind::Or => inputs.fold(0, |rows, input| rows | input),
            PartKind::Nor => !inputs.fold(0, |rows, input| rows | input),
            PartKind::Xor => inputs.fold(0, |rows, input| rows ^ input),
            PartKind::Xnor => !inputs.fold(0, |rows, input| rows ^ input),
            _ => !inputs.next().unwrap_or_default(),
        }
    }
}

/// The bit of that significance, for the 64 rows of a word.
fn pattern(bit: usize, word_idx: usize) -> u64 {
    const WITHIN: [u64; 6] = [
        0xAAAA_AAAA_AAAA_AAAA,
        0xCCCC_CCCC_CCCC_CCCC,
        0xF0F0_F0F0_F0F0_F0F0,
        0xFF00_FF00_FF00_FF00,
        0xFFFF_0000_FFFF_0000,
        0xFFFF_FFFF_0000_0000,
    ];
    match WITHIN.get(bit) {
        Some(rows) => *rows,
        None if word_idx >> (bit - WITHIN.len()) & 1 == 1 => u64::MAX,
        None => 0,
    }
}

fn is_logic(kind: PartKind) -> bool {
    kind.is_logic() || kind.is_constant()
}

/// Whether the part drives the net at that pin.
fn drives(part: &CircuitPart, pin: &str) -> bool {
    pin == "out" || part.kind == PartKind::Ground
}

fn conflict(circuit: &Circuit, nets: &Nets) -> Option<Problem> {
    let mut drivers: Vec<Option<&CircuitPart>> = vec![None; nets.count];
    for (part, pins) in circuit.parts.iter().zip(&nets.pins) {
        for (_, net) in part.pins().iter().zip(pins).filter(|(pin, _)| drives(part, &pin.name)) {
            match drivers[*net] {
                Some(other) if !agree(other, part) => {
                    let (one, other) = (other.called().to_owned(), part.called().to_owned());
                    return Some(Problem::Conflict { one, other });
                }
                _ => drivers[*net] = Some(part),
            }
        }
    }
    None
}

/// Whether two drivers of one net are the same constant.
fn agree(one: &CircuitPart, other: &CircuitPart) -> bool {
    let grounds = one.kind == PartKind::Ground && other.kind == PartKind::Ground;
    let rails = one.kind == PartKind::DcRail && other.kind == PartKind::DcRail;
    grounds || rails && one.number("voltage").total_cmp(&other.number("voltage")).is_eq()
}

fn floating(circuit: &Circuit, nets: &Nets) -> Option<Problem> {
    let mut driven = vec![false; nets.count];
    let pins = || {
        let with_pins = circuit.parts.iter().zip(&nets.pins);
        with_pins.flat_map(|(part, pins)| part.pins().iter().zip(pins).map(move |(pin, net)| (part, pin, *net)))
    };
    for (.., net) in pins().filter(|(part, pin, _)| drives(part, &pin.name)) {
        driven[net] = true;
    }
    let (part, pin, _) =
        pins().find(|(part, pin, net)| is_logic(part.kind) && !drives(part, &pin.name) && !driven[*net])?;
    Some(Problem::Floating { part: part.called().to_owned(), pin: pin.name.clone(), id: part.id.clone() })
}

#[cfg(test)]
mod tests;
