//! Circuits of gates that are nearly right, and others that are right in another way.

mod alike;
mod forbidden;
mod structure;

pub(super) use self::alike::{disguises, variations};
use super::alter::{self, CircuitBench};
use super::{CircuitGoal, folded};
use crate::circuit::model::{Circuit, CircuitPart, Logic, Nets, PartKind, TruthTable};

type GoalTwist = (String, Circuit);

/// At most so many alterations of one sort, unless all are wanted.
pub(super) const MOST: usize = 4;

/// End states that look nearly right and must fail, at most so many of one sort. The circuit is a right one.
pub(super) fn near_misses(goal: &CircuitGoal, circuit: &Circuit, most: usize) -> Vec<GoalTwist> {
    let mut near = other_gates(goal, circuit, most);
    near.extend(other_terminals(circuit, most));
    near.extend(other_joins(circuit, most));
    near.extend(broken_restrictions(goal, circuit));
    near.extend(structure::near_misses(goal, circuit, most));
    near.extend(forbidden::near_misses(goal, circuit, most));
    let mut with_resistor = CircuitBench::of(circuit);
    with_resistor.add(PartKind::Resistor, "");
    near.push(("a resistor beside it".to_owned(), with_resistor.circuit));
    near.push(("no wires".to_owned(), Circuit { wires: Vec::new(), ..circuit.clone() }));
    near.push(("no gates".to_owned(), without_gates(circuit)));
    near
}

fn without_gates(circuit: &Circuit) -> Circuit {
    let parts = circuit.parts.iter().filter(|part| !part.kind.is_gate()).cloned().collect();
    Circuit { parts, ..circuit.clone() }
}

fn indices(circuit: &Circuit, is_one: impl Fn(&CircuitPart) -> bool) -> Vec<usize> {
    (0..circuit.parts.len()).filter(|idx| is_one(&circuit.parts[*idx])).collect()
}

/// The first logic output that no ground or source drives.
fn worked_out(circuit: &Circuit) -> Option<usize> {
    let nets = Nets::of(circuit).pins;
    let constants = indices(circuit, |part| part.kind.is_constant());
    let is_worked_out = |output: &usize| constants.iter().all(|constant| nets[*constant] != nets[*output]);
    indices(circuit, |part| part.kind == PartKind::LogicOutput).into_iter().find(is_worked_out)
}

/// The kind that works out the same of inverted inputs, by De Morgan's laws.
fn dual(kind: PartKind) -> Option<PartKind> {
    match kind {
        PartKind::And => Some(PartKind::Nor),
        PartKind::Or => Some(PartKind::Nand),
        PartKind::Nand => Some(PartKind::Or),
        PartKind::Nor => Some(PartKind::And),
        _ => None,
    }
}

/// One gate of another kind, wherever that makes another function.
fn other_gates(goal: &CircuitGoal, circuit: &Circuit, most: usize) -> Vec<GoalTwist> {
    let gates = indices(circuit, |part| part.kind.is_gate() && part.kind != PartKind::Not);
    let mut near = Vec::new();
    for idx in gates.into_iter().take(most) {
        for kind in others(circuit.parts[idx].kind) {
            let altered = alter::changed(circuit, idx, |part| part.kind = kind);
            let how = format!("a gate of kind {} for {}", kind.spec().name, circuit.parts[idx].kind.spec().name);
            near.extend(is_another(goal, circuit, &altered).then_some((how, altered)));
        }
    }
    near
}

/// The kinds of gates that are easily taken for another.
fn others(kind: PartKind) -> [PartKind; 2] {
    match kind {
        PartKind::And => [PartKind::Nand, PartKind::Or],
        PartKind::Or => [PartKind::Xor, PartKind::Nor],
        PartKind::Nand => [PartKind::And, PartKind::Nor],
        PartKind::Nor => [PartKind::Or, PartKind::Nand],
        PartKind::Xor => [PartKind::Or, PartKind::Xnor],
        _ => [PartKind::Xor, PartKind::Nand],
    }
}

/// Whether two circuits have different tables where the goal is not free, terminals taken by label.
fn is_another(goal: &CircuitGoal, circuit: &Circuit, altered: &Circuit) -> bool {
    let (Some(right), Some(other)) = (table(goal, circuit), table(goal, altered)) else { return true };
    (0..right.n_rows()).any(|row| {
        let matters = |idx: &usize| goal.wanted(&goal.outputs[*idx], row).is_some();
        (0..goal.outputs.len()).filter(matters).any(|idx| right.is_high(idx, row) != other.is_high(idx, row))
    })
}

fn table(goal: &CircuitGoal, circuit: &Circuit) -> Option<TruthTable> {
    let logic = Logic::of(circuit).ok()?;
    let inputs: Option<Vec<usize>> = goal
        .inputs
        .iter()
        .map(|(_, label)| logic.inputs.iter().position(|input| folded(&input.label) == folded(label)))
        .collect();
    let outputs: Option<Vec<usize>> = goal
        .outputs
        .iter()
        .map(|wanted| logic.outputs.iter().position(|output| folded(&output.label) == folded(&wanted.label)))
        .collect();
    logic.table_of(&inputs?, &outputs?).ok()
}

/// Labels exchanged or misspelt, terminals missing or too many.
fn other_terminals(circuit: &Circuit, most: usize) -> Vec<GoalTwist> {
    let inputs = indices(circuit, |part| part.kind == PartKind::LogicInput);
    let outputs = indices(circuit, |part| part.kind == PartKind::LogicOutput);
    let mut near = Vec::new();
    for (what, terminals) in [("input", &inputs), ("output", &outputs)] {
        for terminal in terminals.iter().take(most.min(terminals.len())) {
            let label =
                |text: String| alter::changed(circuit, *terminal, |part| *part = part.clone().with("label", text));
            let right = circuit.parts[*terminal].label();
            near.push((format!("the {what} {right} mislabelled"), label(format!("{right}X"))));
            near.push((format!("the {what} {right} without a label"), label(String::new())));
            near.push((format!("the {what} {right} missing"), alter::without(circuit, *terminal)));
        }
    }
    for (what, label) in [("an input too many", "SPARE"), ("an input too many, without a label", "")] {
        let mut with_input = CircuitBench::of(circuit);
        with_input.add(PartKind::LogicInput, label);
        near.push((what.to_owned(), with_input.circuit));
    }
    if let (Some(input), Some(output)) = (inputs.first(), outputs.first()) {
        near.push(("an input and an output exchanged".to_owned(), alter::relabelled(circuit, *input, *output)));
        let mut twice = CircuitBench::of(circuit);
        let spare = twice.add(PartKind::LogicOutput, circuit.parts[*output].label());
        if let (Some(from), Some(to)) = (twice.pin(*output, "in"), twice.pin(spare, "in")) {
            twice.wire(from, to);
        }
        near.push(("an output twice".to_owned(), twice.circuit));
    }
    near
}

/// Wires that are missing, and one that is too many.
fn other_joins(circuit: &Circuit, most: usize) -> Vec<GoalTwist> {
    let needed = alter::needed_wires(circuit);
    let cut = needed.into_iter().take(most).map(|idx| (format!("wire {} cut", idx + 1), alter::cut(circuit, idx)));
    let mut near: Vec<GoalTwist> = cut.collect();
    let drivers = indices(circuit, |part| part.kind.is_gate() || part.kind == PartKind::LogicInput);
    let mut shorted = CircuitBench::of(circuit);
    let places: Vec<_> = drivers.iter().filter_map(|idx| shorted.pin(*idx, "out")).collect();
    if let [first, .., last] = places[..] {
        shorted.wire(first, last);
        near.push(("two outputs joined".to_owned(), shorted.circuit));
    }
    near
}

/// A gate that is not allowed, one too many, and a term that is worked out twice.
fn broken_restrictions(goal: &CircuitGoal, circuit: &Circuit) -> Vec<GoalTwist> {
    let Some(source) = circuit.parts.iter().find(|part| part.kind == PartKind::LogicInput) else { return Vec::new() };
    let Some(source) = source.pin_place("out") else { return Vec::new() };
    let with_idle = |kind: PartKind| {
        let mut bench = CircuitBench::of(circuit);
        bench.add_gate(kind, source);
        bench.circuit
    };
    let mut near = Vec::new();
    if let Some(only) = &goal.only {
        let foreign = [PartKind::Not, PartKind::And, PartKind::Xor].into_iter().filter(|kind| !only.contains(kind));
        near.extend(foreign.map(|kind| (format!("a gate of kind {} beside it", kind.spec().name), with_idle(kind))));
    }
    for kind in goal.exactly.keys().chain(goal.at_most.keys()) {
        near.push((format!("a gate of kind {} too many", kind.spec().name), with_idle(*kind)));
    }
    if !goal.shared.is_empty() {
        near.extend(repeated_term(circuit));
    }
    near
}

/// The first gate a second time, with the same inputs.
fn repeated_term(circuit: &Circuit) -> Option<GoalTwist> {
    let gate = *indices(circuit, |part| part.kind.is_gate() && part.kind != PartKind::Not).first()?;
    let mut bench = CircuitBench::of(circuit);
    bench.copy_gate(gate)?;
    Some(("a term worked out twice".to_owned(), bench.circuit))
}
