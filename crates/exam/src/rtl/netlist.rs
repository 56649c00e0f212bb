//! A netlist of simple gates and flip-flops, evaluated for 64 runs at once.

use std::collections::BTreeMap;

use serde_json::Value;

/// No larger netlist is evaluated.
const MOST_CELLS: usize = 60_000;

/// The gates that Yosys leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GateKind {
    Buf,
    Not,
    And,
    Nand,
    Or,
    Nor,
    Xor,
    Xnor,
    AndNot,
    OrNot,
    Mux,
}

#[derive(Clone, Copy, Debug)]
struct NetGate {
    kind: GateKind,
    /// Inputs `A`, `B` and `S`, as far as it has them.
    inputs: [usize; 3],
    output: usize,
}

#[derive(Clone, Copy, Debug)]
struct NetFlop {
    data: usize,
    output: usize,
}

/// A flat netlist with one clock. Nets 0 and 1 are constant, net 2 is whatever is not defined.
#[derive(Clone, Debug)]
pub(super) struct GateNetlist {
    n_nets: usize,
    gates: Vec<NetGate>,
    flops: Vec<NetFlop>,
    inputs: Vec<usize>,
    outputs: Vec<usize>,
}

/// The ports that a design has to have, besides its clock.
pub(super) struct WantedPorts {
    pub(super) inputs: Vec<(&'static str, usize)>,
    pub(super) outputs: Vec<(&'static str, usize)>,
}

const UNDEFINED: usize = 2;

/// Takes a netlist apart.
struct NetReading {
    numbers: BTreeMap<u64, usize>,
    driven: Vec<bool>,
}

impl NetReading {
    fn net(&mut self, bit: &Value) -> Result<usize, String> {
        match bit.as_str() {
            Some("0") => return Ok(0),
            Some("1") => return Ok(1),
            Some("x") => return Ok(UNDEFINED),
            Some(other) => return Err(format!("a net is tied to `{other}`")),
            None => {}
        }
        let number = bit.as_u64().ok_or("a net has no number")?;
        let known = self.driven.len();
        let net = *self.numbers.entry(number).or_insert(known);
        if net == known {
            self.driven.push(false);
        }
        Ok(net)
    }

    fn drive(&mut self, bit: &Value) -> Result<usize, String> {
        let net = self.net(bit)?;
        if std::mem::replace(&mut self.driven[net], true) {
            return Err("a net is driven twice".to_owned());
        }
        Ok(net)
    }

    fn port(&mut self, module: &Value, name: &str, width: usize, direction: &str) -> Result<Vec<usize>, String> {
        let port = &module["ports"][name];
        let bits = port["bits"].as_array().ok_or_else(|| format!("there is no port `{name}`"))?;
        if port["direction"] != direction || bits.len() != width {
            return Err(format!("port `{name}` must be an {direction} of {width} bits"));
        }
        let is_input = direction == "input";
        bits.iter().map(|bit| if is_input { self.drive(bit) } else { self.net(bit) }).collect()
    }

    fn pin(&mut self, cell: &Value, name: &str) -> Result<usize, String> {
        let bits = cell["connections"][name].as_array().filter(|bits| bits.len() == 1);
        self.net(&bits.ok_or_else(|| format!("a cell has no pin `{name}`"))?[0])
    }

    fn gate(&mut self, cell: &Value, kind: GateKind) -> Result<NetGate, String> {
        let output = self.drive(&cell["connections"]["Y"][0])?;
        let mut inputs = [0; 3];
        for (input, name) in inputs.iter_mut().zip(["A", "B", "S"]).take(kind.n_inputs()) {
            *input = self.pin(cell, name)?;
        }
        Ok(NetGate { kind, inputs, output })
    }
}

impl GateKind {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "$_BUF_" => Self::Buf,
            "$_NOT_" => Self::Not,
            "$_AND_" => Self::And,
            "$_NAND_" => Self::Nand,
            "$_OR_" => Self::Or,
            "$_NOR_" => Self::Nor,
            "$_XOR_" => Self::Xor,
            "$_XNOR_" => Self::Xnor,
            "$_ANDNOT_" => Self::AndNot,
            "$_ORNOT_" => Self::OrNot,
            "$_MUX_" => Self::Mux,
            _ => return None,
        })
    }

    fn n_inputs(self) -> usize {
        match self {
            Self::Buf | Self::Not => 1,
            Self::Mux => 3,
            _ => 2,
        }
    }

    fn value(self, [a, b, s]: [u64; 3]) -> u64 {
        match self {
            Self::Buf => a,
            Self::Not => !a,
            Self::And => a & b,
            Self::Nand => !(a & b),
            Self::Or => a | b,
            Self::Nor => !(a | b),
            Self::Xor => a ^ b,
            Self::Xnor => !(a ^ b),
            Self::AndNot => a & !b,
            Self::OrNot => a | !b,
            Self::Mux => a & !s | b & s,
        }
    }
}

impl GateNetlist {
    /// Reads what Yosys' `write_json` wrote of a module, or tells what is wrong with the design.
    pub(super) fn read(text: &[u8], top: &str, wanted: &WantedPorts) -> Result<Self, String> {
        let document: Value = serde_json::from_slice(text).map_err(|error| format!("no netlist: {error}"))?;
        let module = &document["modules"][top];
        let mut reading = NetReading { numbers: BTreeMap::new(), driven: vec![true; 3] };
        let clock = reading.port(module, "clk", 1, "input")?[0];
        let n_ports = module["ports"].as_object().map_or(0, serde_json::Map::len);
        if n_ports != 1 + wanted.inputs.len() + wanted.outputs.len() {
            return Err("there are ports that the specification does not have".to_owned());
        }
        let mut inputs = Vec::new();
        for (name, width) in &wanted.inputs {
            inputs.extend(reading.port(module, name, *width, "input")?);
        }
        let (gates, flops) = cells(&mut reading, module, clock)?;
        let mut outputs = Vec::new();
        for (name, width) in &wanted.outputs {
            outputs.extend(reading.port(module, name, *width, "output")?);
        }
        let gates = in_order(&gates, &reading)?;
        Ok(Self { n_nets: reading.driven.len(), gates, flops, inputs, outputs })
    }

    /// What comes out, all cycles but the first one after another. Whatever is not defined, state at the beginning included,
    /// takes this value in all runs.
    pub(super) fn trace(&self, stimulus: &[Vec<u64>], undefined: u64) -> Vec<u64> {
        let mut nets = vec![undefined; self.n_nets];
        (nets[0], nets[1]) = (0, u64::MAX);
        let mut trace = Vec::with_capacity(stimulus.len() * self.outputs.len());
        let mut next = vec![0; self.flops.len()];
        for (cycle, words) in stimulus.iter().enumerate() {
            self.inputs.iter().zip(words).for_each(|(net, word)| nets[*net] = *word);
            for gate in &self.gates {
                nets[gate.output] = gate.kind.value(gate.inputs.map(|net| nets[net]));
            }
            if cycle > 0 {
                trace.extend(self.outputs.iter().map(|net| nets[*net]));
            }
            next.iter_mut().zip(&self.flops).for_each(|(next, flop)| *next = nets[flop.data]);
            next.iter().zip(&self.flops).for_each(|(next, flop)| nets[flop.output] = *next);
        }
        trace
    }
}

fn cells(reading: &mut NetReading, module: &Value, clock: usize) -> Result<(Vec<NetGate>, Vec<NetFlop>), String> {
    let cells = module["cells"].as_object().ok_or("there are no cells")?;
    if cells.len() > MOST_CELLS {
        return Err(format!("it has more than {MOST_CELLS} gates"));
    }
    let (mut gates, mut flops) = (Vec::new(), Vec::new());
    for cell in cells.values() {
        let word = cell["type"].as_str().unwrap_or_default();
        if word == "$_DFF_P_" {
            if reading.pin(cell, "C")? != clock {
                return Err("a register is not clocked by the rising edge of clk".to_owned());
            }
            let output = reading.drive(&cell["connections"]["Q"][0])?;
            flops.push(NetFlop { data: reading.pin(cell, "D")?, output });
        } else {
            let kind = GateKind::of(word).ok_or_else(|| format!("`{word}` is no gate"))?;
            gates.push(reading.gate(cell, kind)?);
        }
    }
    Ok((gates, flops))
}

/// The gates such that each comes after those that it depends on.
fn in_order(gates: &[NetGate], reading: &NetReading) -> Result<Vec<NetGate>, String> {
    let n_nets = reading.driven.len();
    let mut by_input: Vec<Vec<usize>> = vec![Vec::new(); n_nets];
    let mut comes_from_gate = vec![false; n_nets];
    for gate in gates {
        comes_from_gate[gate.output] = true;
    }
    let mut n_open = vec![0_usize; gates.len()];
    for (at, gate) in gates.iter().enumerate() {
        for net in &gate.inputs[..gate.kind.n_inputs()] {
            if comes_from_gate[*net] {
                by_input[*net].push(at);
                n_open[at] += 1;
            }
        }
    }
    let mut todo: Vec<usize> = (0..gates.len()).filter(|at| n_open[*at] == 0).collect();
    let mut ordered = Vec::with_capacity(gates.len());
    while let Some(at) = todo.pop() {
        ordered.push(gates[at]);
        for next in &by_input[gates[at].output] {
            n_open[*next] -= 1;
            if n_open[*next] == 0 {
                todo.push(*next);
            }
        }
    }
    if ordered.len() < gates.len() {
        return Err("there is a loop without a register".to_owned());
    }
    Ok(ordered)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wanted() -> WantedPorts {
        WantedPorts { inputs: vec![("a", 1)], outputs: vec![("q", 1)] }
    }

    fn read(cells: &Value) -> Result<GateNetlist, String> {
        let port = |direction: &str, bit: u64| json!({ "direction": direction, "bits": [bit] });
        let ports = json!({ "clk": port("input", 2), "a": port("input", 3), "q": port("output", 4) });
        let module = json!({ "modules": { "t": { "ports": ports, "cells": cells } } });
        GateNetlist::read(module.to_string().as_bytes(), "t", &wanted())
    }

    #[test]
    fn registers_wait_for_the_clock() {
        let toggle = json!({
            "f": { "type": "$_DFF_P_", "connections": { "C": [2], "D": [5], "Q": [4] } },
            "x": { "type": "$_XOR_", "connections": { "A": [3], "B": [4], "Y": [5] } },
        });
        let trace = read(&toggle).unwrap().trace(&[vec![1], vec![0], vec![3], vec![2]], 0);
        assert_eq!(trace, [1, 1, 2]);
    }

    #[test]
    fn what_is_no_synchronous_design_is_refused() {
        let gate = |word: &str, a: u64, y: u64| json!({ "type": word, "connections": { "A": [a], "Y": [y] } });
        let told = |cells: Value| read(&cells).map(|_| ()).unwrap_err();
        assert_eq!(told(json!({ "x": gate("$_NOT_", 4, 4) })), "there is a loop without a register");
        assert_eq!(told(json!({ "x": gate("$_NOT_", 3, 4), "y": gate("$_NOT_", 3, 4) })), "a net is driven twice");
        assert_eq!(told(json!({ "x": gate("$_DLATCH_P_", 3, 4) })), "`$_DLATCH_P_` is no gate");
        assert_eq!(told(json!({ "x": gate("$_NOT_", 3, 3) })), "a net is driven twice");
        let falling = json!({ "type": "$_DFF_P_", "connections": { "C": [3], "D": [3], "Q": [4] } });
        assert_eq!(told(json!({ "x": falling })), "a register is not clocked by the rising edge of clk");
        assert!(GateNetlist::read(b"{", "t", &wanted()).unwrap_err().starts_with("no netlist"));
        assert_eq!(GateNetlist::read(b"{}", "t", &wanted()).unwrap_err(), "there is no port `clk`");
    }
}
