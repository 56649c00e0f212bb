//! What ngspice is given: all combinations of a filter beside each other, written anew from what was read.

use std::fmt::Write as _;

use super::corners::FilterCorner;
use super::mask::STEPS_PER_DECADE;
use super::netlist::{FilterNetlist, GROUND, INPUT, OUTPUT, PassiveKind};
use super::order::FilterOrder;

/// The files that it leaves.
pub(super) const PASS: &str = "pass.txt";
pub(super) const STOP: &str = "stop.txt";
pub(super) const STEP: &str = "step.txt";
/// How long a step is followed, in periods of the edge of the pass band, and how much of that is looked at.
const STEP_PERIODS: f64 = 60.0;
const LOOKED_AT: f64 = 0.1;
/// How many names stand on a line.
const NAMES_A_LINE: usize = 8;

/// The deck.
pub(super) fn written(order: &FilterOrder, corners: &[FilterCorner]) -> String {
    let mut deck = format!("filter in its bench\n{}V1 src 0 dc 0 ac 1 pulse(0 1 0 1n 1n 1 2)\n", order.opamp.written());
    for (copy, corner) in corners.iter().enumerate() {
        bench(&mut deck, order, copy);
        elements(&mut deck, order, copy, &corner.netlist);
    }
    deck.push_str(&commands(order, corners.len()));
    deck
}

/// When the last moment of the step is, in seconds.
pub(super) fn step_end_s(order: &FilterOrder) -> f64 {
    STEP_PERIODS / order.mask.pass_edge_hz
}

fn node(copy: usize, node: usize) -> String {
    if node == GROUND { "0".to_owned() } else { format!("n{copy}_{node}") }
}

fn bench(deck: &mut String, order: &FilterOrder, copy: usize) {
    let (input, output) = (node(copy, INPUT), node(copy, OUTPUT));
    let lines = format!(
        "Rs{copy} src {input} {:e}\nRl{copy} {output} 0 {:e}\nCl{copy} {output} 0 {:e}\n",
        order.source_ohm, order.load_ohm, order.load_f
    );
    deck.push_str(&lines);
}

fn elements(deck: &mut String, order: &FilterOrder, copy: usize, netlist: &FilterNetlist) {
    let mut line = |text: String| {
        deck.push_str(&text);
        deck.push('\n');
    };
    for (at, part) in netlist.passives.iter().enumerate() {
        let letter = if part.kind == PassiveKind::Resistor { 'R' } else { 'C' };
        let [a, b] = part.nodes.map(|at| node(copy, at));
        line(format!("{letter}{copy}_{at} {a} {b} {:e}", part.value));
    }
    for (at, place) in netlist.opamps.iter().enumerate() {
        let [plus, minus, output] = [place.plus, place.minus, place.output].map(|at| node(copy, at));
        line(format!("X{copy}_{at} {plus} {minus} {output} {}", order.opamp.name));
    }
}

fn commands(order: &FilterOrder, n_copies: usize) -> String {
    let names: Vec<String> = (0..n_copies).map(|copy| format!("v({})", node(copy, OUTPUT))).collect();
    let saved: Vec<String> = names.chunks(NAMES_A_LINE).map(|some| format!("save {}\n", some.join(" "))).collect();
    let names = names.join(" ");
    let mut text = format!(".control\nset numdgt=9\nset wr_singlescale\n{}", saved.concat());
    let bands = [(PASS, order.mask.pass_ends_hz()), (STOP, order.mask.stop_ends_hz())];
    for (file, (from_hz, to_hz)) in bands {
        write!(text, "ac dec {STEPS_PER_DECADE} {from_hz:e} {to_hz:e}\nwrdata {file} {names}\n")
            .expect("a text can be written to");
    }
    let end_s = step_end_s(order);
    let (step_s, from_s) = (0.02 / order.mask.pass_edge_hz, end_s * (1.0 - LOOKED_AT));
    write!(text, "tran {step_s:e} {end_s:e} {from_s:e} {step_s:e}\nwrdata {STEP} {names}\nquit 0\n.endc\n.end\n")
        .expect("a text can be written to");
    text
}
