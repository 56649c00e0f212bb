//! Circuits with the right levels by gates that are not allowed, one too many, or of another kind than asked for.

use super::{GoalTwist, dual, indices, is_another, worked_out};
use crate::circuit::checks::goal::alter::{self, CircuitBench};
use crate::circuit::checks::goal::{CircuitGoal, shared};
use crate::circuit::model::{Circuit, CircuitPart, GridPoint, HIGH_VOLTS, Logic, PartKind};

/// End states that break a restriction though every gate is of use. The circuit is a right one.
pub(super) fn near_misses(goal: &CircuitGoal, circuit: &Circuit, most: usize) -> Vec<GoalTwist> {
    let mut near = padded(goal, circuit);
    near.extend(misled(goal, circuit, most));
    near.extend(inverted(goal, circuit));
    near.extend(other_constants(circuit));
    near.extend(constant_to_gate(circuit));
    near.extend(other_terms(goal, circuit));
    near
}

/// Gates before an output that change nothing, wherever they are not allowed or too many.
fn padded(goal: &CircuitGoal, circuit: &Circuit) -> Vec<GoalTwist> {
    let kinds = [PartKind::Not, PartKind::And, PartKind::Or, PartKind::Nand, PartKind::Nor, PartKind::Xor];
    let broken = kinds.into_iter().filter(|kind| {
        let is_foreign = goal.only.as_ref().is_some_and(|only| !only.contains(kind));
        is_foreign || goal.exactly.contains_key(kind)
    });
    let made = broken.filter_map(|kind| Some((kind, padded_with(circuit, kind)?)));
    made.map(|(kind, altered)| (format!("{} before an output, where it changes nothing", kind.spec().name), altered))
        .collect()
}

fn padded_with(circuit: &Circuit, kind: PartKind) -> Option<Circuit> {
    let output = worked_out(circuit)?;
    let mut bench = CircuitBench::of(circuit);
    bench.put_before(output, |bench, before| match kind {
        PartKind::And | PartKind::Or => bench.add_gate(kind, before),
        PartKind::Xor => {
            let low = bench.add_gate(kind, before)?;
            bench.add_joined(kind, [before, low])
        }
        _ => {
            let inverted = bench.add_gate(kind, before)?;
            bench.add_gate(kind, inverted)
        }
    })?;
    Some(bench.circuit)
}

/// An output taken from somewhere else, wherever that makes another function.
fn misled(goal: &CircuitGoal, circuit: &Circuit, most: usize) -> Vec<GoalTwist> {
    let drivers = indices(circuit, |part| part.kind.is_gate() || part.kind == PartKind::LogicInput);
    let outputs = indices(circuit, |part| part.kind == PartKind::LogicOutput);
    let mut near = Vec::new();
    for output in outputs {
        let elsewhere = drivers.iter().filter_map(|driver| {
            let mut bench = CircuitBench::of(circuit);
            let elsewhere = bench.pin(*driver, "out")?;
            bench.put_before(output, |_, _| Some(elsewhere))?;
            let how = format!("the output {} taken from somewhere else", circuit.parts[output].label());
            is_another(goal, circuit, &bench.circuit).then_some((how, bench.circuit))
        });
        near.extend(elsewhere.take(most.min(2)));
    }
    near
}

/// One inverter before an output, of a kind that is allowed where one is.
fn inverted(goal: &CircuitGoal, circuit: &Circuit) -> Option<GoalTwist> {
    let is_allowed = |kind: &PartKind| goal.only.as_ref().is_none_or(|only| only.contains(kind));
    let kind = [PartKind::Not, PartKind::Nand, PartKind::Nor].into_iter().find(is_allowed)?;
    let output = worked_out(circuit)?;
    let mut bench = CircuitBench::of(circuit);
    bench.put_before(output, |bench, before| bench.add_gate(kind, before))?;
    is_another(goal, circuit, &bench.circuit).then(|| ("an output inverted".to_owned(), bench.circuit))
}

/// Low for high and high for low where a ground or a source drives an output.
fn other_constants(circuit: &Circuit) -> Vec<GoalTwist> {
    let other = |part: &CircuitPart| match part.kind {
        PartKind::Ground => CircuitPart::new(&part.id, PartKind::DcRail, part.at).with("voltage", HIGH_VOLTS),
        _ => CircuitPart::new(&part.id, PartKind::Ground, part.at),
    };
    let constants = indices(circuit, |part| part.kind.is_constant());
    let exchanged = |idx: usize| alter::changed(circuit, idx, |part| *part = other(part));
    constants.into_iter().map(|idx| ("the other level that never changes".to_owned(), exchanged(idx))).collect()
}

/// A level that drives its output as it should, and a gate besides, where it changes nothing.
fn constant_to_gate(circuit: &Circuit) -> Option<GoalTwist> {
    let constant = circuit.parts.iter().find(|part| part.kind.is_constant())?;
    let kind = if constant.kind == PartKind::Ground { PartKind::Or } else { PartKind::And };
    let place: GridPoint = constant.at;
    let output = worked_out(circuit)?;
    let mut bench = CircuitBench::of(circuit);
    bench.put_before(output, |bench, before| bench.add_joined(kind, [before, place]))?;
    Some(("a level that never changes at a gate, where it changes nothing".to_owned(), bench.circuit))
}

/// A shared term worked out a second time, of use and changing nothing; and one by a gate of another kind.
fn other_terms(goal: &CircuitGoal, circuit: &Circuit) -> Vec<GoalTwist> {
    let Ok(logic) = Logic::of(circuit) else { return Vec::new() };
    let gates = shared::gates(goal, circuit, &logic).into_iter().flatten();
    let gates = gates.filter_map(|gate| circuit.parts.iter().position(|part| part.id == gate.id));
    let gates: Vec<usize> = gates.collect();
    let mut near = Vec::new();
    for gate in gates {
        near.extend(
            worked_out_twice(circuit, gate).map(|altered| ("a term worked out twice, both of use".to_owned(), altered)),
        );
        let Some(dual) = dual(circuit.parts[gate].kind) else { continue };
        let mut bench = CircuitBench::of(circuit);
        let done = bench.with_inverted_inputs(gate, dual);
        near.extend(done.map(|()| ("a term by a gate of another kind".to_owned(), bench.circuit)));
    }
    near
}

/// The gate a second time; what it puts out against itself is low, which an OR before an output does not mind.
fn worked_out_twice(circuit: &Circuit, gate: usize) -> Option<Circuit> {
    let output = worked_out(circuit)?;
    let mut bench = CircuitBench::of(circuit);
    let copy = bench.copy_gate(gate)?;
    let low = bench.add_gate(PartKind::Xor, bench.pin(copy, "out")?)?;
    bench.put_before(output, |bench, before| bench.add_joined(PartKind::Or, [before, low]))?;
    Some(bench.circuit)
}
