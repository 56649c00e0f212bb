//! Circuits of gates that are right, though they look different.

use super::{GoalTwist, MOST, dual, indices, worked_out};
use crate::circuit::checks::goal::CircuitGoal;
use crate::circuit::checks::goal::alter::{self, CircuitBench};
use crate::circuit::model::{Circuit, CircuitPart, PartKind};

/// End states that look different and must pass. The circuit is a right one.
pub(in crate::circuit::checks::goal) fn variations(goal: &CircuitGoal, circuit: &Circuit) -> Vec<GoalTwist> {
    let mut like = disguises(circuit);
    like.extend(other_constants(goal, circuit));
    let is_counted = goal.only.is_some() || !goal.exactly.is_empty() || !goal.at_most.is_empty();
    if is_counted || goal.chain > 0 || !goal.steps.is_empty() {
        return like;
    }
    like.extend(doubly_negated(circuit));
    if goal.shared.is_empty() {
        like.extend(rewritten(circuit));
        like.extend(widened(goal, circuit));
    }
    like
}

/// The same parts and joints, right or wrong, drawn in another way.
pub(in crate::circuit::checks::goal) fn disguises(circuit: &Circuit) -> Vec<GoalTwist> {
    let mut like = vec![
        ("drawn elsewhere".to_owned(), alter::shifted(circuit, [7, -5])),
        ("other ids and order".to_owned(), alter::renumbered(circuit)),
        ("labels in small letters, with blanks".to_owned(), with_small_labels(circuit)),
        ("switches the other way, a scope less".to_owned(), with_switches_turned(circuit)),
    ];
    like.extend(other_wires(circuit));
    like.extend(other_turns(circuit));
    like
}

/// The same joints by other wires.
fn other_wires(circuit: &Circuit) -> Vec<GoalTwist> {
    let mut loose = CircuitBench::of(circuit);
    loose.loose_wire();
    let mut like = vec![("a loose wire".to_owned(), loose.circuit)];
    like.extend(alter::cornered(circuit, 0).map(|circuit| ("a wire around a corner".to_owned(), circuit)));
    if let Some(first) = circuit.wires.first() {
        let mut twice = CircuitBench::of(circuit);
        twice.wire(first.to, first.from);
        like.push(("a wire drawn twice".to_owned(), twice.circuit));
        let mut open = CircuitBench::of(circuit);
        let nowhere = open.spot();
        open.wire(first.from, nowhere);
        like.push(("a wire with an end that leads nowhere".to_owned(), open.circuit));
    }
    like
}

/// Gates turned and flipped, and with their inputs in another order.
fn other_turns(circuit: &Circuit) -> Vec<GoalTwist> {
    let gates = indices(circuit, |part| part.kind.is_gate());
    let mut like = Vec::new();
    if let Some(gate) = gates.first() {
        let mut turned = CircuitBench::of(circuit);
        let done = turned.relocate(*gate, 1, str::to_owned);
        like.extend(done.map(|()| ("a gate turned and flipped".to_owned(), turned.circuit)));
    }
    let mut turned = CircuitBench::of(circuit);
    let done: Option<Vec<()>> = gates.iter().map(|gate| turned.relocate(*gate, 2, str::to_owned)).collect();
    like.extend(done.map(|_| ("every gate turned around".to_owned(), turned.circuit)));
    let swapped = |pin: &str| match pin {
        "in1" => "in2".to_owned(),
        "in2" => "in1".to_owned(),
        other => other.to_owned(),
    };
    for gate in gates.into_iter().filter(|gate| circuit.parts[*gate].kind != PartKind::Not).take(MOST) {
        let mut bench = CircuitBench::of(circuit);
        let done = bench.relocate(gate, 0, swapped);
        like.extend(done.map(|()| ("the inputs of a gate exchanged".to_owned(), bench.circuit)));
    }
    like
}

/// An output that never changes, driven by two grounds or sources, or by a gate.
fn other_constants(goal: &CircuitGoal, circuit: &Circuit) -> Vec<GoalTwist> {
    let Some(constant) = circuit.parts.iter().position(|part| part.kind.is_constant()) else { return Vec::new() };
    let (kind, place) = (circuit.parts[constant].kind, circuit.parts[constant].at);
    let mut twice = CircuitBench::of(circuit);
    let second = twice.add(kind, "");
    let second = twice.circuit.parts[second].at;
    twice.wire(place, second);
    let mut like = vec![(format!("a second {}", kind.spec().name), twice.circuit)];
    let source = circuit.parts.iter().find(|part| part.kind == PartKind::LogicInput);
    if let Some(source) = source.and_then(|part| part.pin_place("out")).filter(|_| goal.only.is_none()) {
        let mut bench = CircuitBench::of(circuit);
        let gate = if kind == PartKind::Ground { PartKind::Xor } else { PartKind::Xnor };
        let out = bench.add_gate(gate, source);
        if let Some(out) = out {
            bench.wire(out, place);
            bench.circuit.parts.remove(constant);
            like.push(("a level that never changes by a gate".to_owned(), bench.circuit));
        }
    }
    like
}

/// A gate of four inputs in place of one of two.
fn widened(goal: &CircuitGoal, circuit: &Circuit) -> Option<GoalTwist> {
    let is_narrow = |part: &CircuitPart| part.kind.is_gate() && part.pins().len() == 3;
    let gate = *indices(circuit, is_narrow).first().filter(|_| goal.gate_inputs.is_none())?;
    let mut bench = CircuitBench::of(circuit);
    let first = bench.pin(gate, "in1");
    bench.widen(gate, 4, first)?;
    Some(("a gate of four inputs for one of two".to_owned(), bench.circuit))
}

fn with_small_labels(circuit: &Circuit) -> Circuit {
    let mut circuit = circuit.clone();
    for part in &mut circuit.parts {
        *part = part.clone().with("label", format!(" {} ", part.label().to_lowercase()));
    }
    circuit
}

fn with_switches_turned(circuit: &Circuit) -> Circuit {
    let mut circuit = circuit.clone();
    circuit.scopes.pop();
    for part in circuit.parts.iter_mut().filter(|part| part.kind == PartKind::LogicInput) {
        let other = if part.is_high() { "low" } else { "high" };
        *part = part.clone().with("level", other);
    }
    circuit
}

/// The same functions in other gates, by De Morgan's laws.
fn rewritten(circuit: &Circuit) -> Vec<GoalTwist> {
    let mut like = Vec::new();
    for idx in 0..circuit.parts.len() {
        let Some(kind) = dual(circuit.parts[idx].kind) else { continue };
        let mut bench = CircuitBench::of(circuit);
        if bench.with_inverted_inputs(idx, kind).is_some() {
            like.push((format!("{} rewritten by De Morgan", circuit.parts[idx].kind.spec().name), bench.circuit));
        }
        if like.len() >= MOST {
            break;
        }
    }
    like
}

/// Two inverters before an output that gates work out.
fn doubly_negated(circuit: &Circuit) -> Option<GoalTwist> {
    let output = worked_out(circuit)?;
    let mut bench = CircuitBench::of(circuit);
    bench.with_double_negation(output)?;
    Some(("two inverters before an output".to_owned(), bench.circuit))
}
