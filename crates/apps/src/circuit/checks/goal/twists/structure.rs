//! Circuits that work out the right levels in a way that is not allowed, and parts that must not be there.

use std::collections::BTreeSet;

use super::{GoalTwist, indices, is_another};
use crate::circuit::checks::goal::alter::{self, CircuitBench};
use crate::circuit::checks::goal::{CircuitGoal, ConstructionStep, folded, shared};
use crate::circuit::model::{Circuit, CircuitPart, GridPoint, HIGH_VOLTS, Logic, PartKind};

/// End states whose structure is wrong. The circuit is a right one.
pub(super) fn near_misses(goal: &CircuitGoal, circuit: &Circuit, most: usize) -> Vec<GoalTwist> {
    let mut near = foreign_parts(circuit);
    near.extend(other_levels(circuit, most));
    near.extend(other_inputs(circuit, most));
    near.extend(other_widths(goal, circuit, most));
    near.extend(decoys(goal, circuit));
    near.extend(permuted(goal, circuit));
    near.extend(shortcuts(goal, circuit, most));
    near.extend(inverted(goal, circuit));
    near
}

/// A ground and a source that drive nothing.
fn foreign_parts(circuit: &Circuit) -> Vec<GoalTwist> {
    let beside = |kind: PartKind| {
        let mut bench = CircuitBench::of(circuit);
        bench.add(kind, "");
        (format!("{} beside it", kind.spec().name), bench.circuit)
    };
    [PartKind::Ground, PartKind::DcRail, PartKind::DcSource].map(beside).into()
}

/// Sources of other voltages where a ground or a source drives an output.
fn other_levels(circuit: &Circuit, most: usize) -> Vec<GoalTwist> {
    let mut near = Vec::new();
    for idx in indices(circuit, |part| part.kind.is_constant()).into_iter().take(most) {
        let is_ground = circuit.parts[idx].kind == PartKind::Ground;
        for volts in if is_ground { [-HIGH_VOLTS, 0.0, 1.0] } else { [HIGH_VOLTS - 0.1, 3.3, 12.0] } {
            let rail =
                |part: &CircuitPart| CircuitPart::new(&part.id, PartKind::DcRail, part.at).with("voltage", volts);
            let altered = alter::changed(circuit, idx, |part| *part = rail(part));
            near.push((format!("a source of {volts} V for a level"), altered));
        }
    }
    near
}

/// A gate with an input more, which is open or held at a level that changes nothing.
fn other_inputs(circuit: &Circuit, most: usize) -> Vec<GoalTwist> {
    let gates = indices(circuit, |part| part.kind.is_gate() && (3..5).contains(&part.pins().len()));
    let mut near = Vec::new();
    for gate in gates.into_iter().take(most) {
        let n_inputs = circuit.parts[gate].pins().len();
        let mut open = CircuitBench::of(circuit);
        let done = open.widen(gate, n_inputs, None);
        near.extend(done.map(|()| ("an open input of a gate".to_owned(), open.circuit)));
        let mut held = CircuitBench::of(circuit);
        let needs_high = matches!(circuit.parts[gate].kind, PartKind::And | PartKind::Nand);
        let constant = held.add(if needs_high { PartKind::DcRail } else { PartKind::Ground }, "");
        let place = held.circuit.parts[constant].at;
        let done = held.widen(gate, n_inputs, Some(place));
        near.extend(done.map(|()| ("an input of a gate held at a level".to_owned(), held.circuit)));
    }
    near
}

/// Gates of four inputs that do the same, where two are asked for.
fn other_widths(goal: &CircuitGoal, circuit: &Circuit, most: usize) -> Vec<GoalTwist> {
    let is_narrow = |part: &CircuitPart| part.kind.is_gate() && part.pins().len() == 3;
    let gates: Vec<usize> = match goal.gate_inputs {
        Some(_) => indices(circuit, is_narrow),
        None => shared_gates(goal, circuit).into_iter().filter(|idx| is_narrow(&circuit.parts[*idx])).collect(),
    };
    let widened = gates.into_iter().take(most).filter_map(|gate| {
        let mut bench = CircuitBench::of(circuit);
        let first = bench.pin(gate, "in1");
        bench.widen(gate, 4, first)?;
        Some(("a gate of four inputs for one of two".to_owned(), bench.circuit))
    });
    widened.collect()
}

/// The gates of shared terms whose number of inputs is asked for, by their place in the document.
fn shared_gates(goal: &CircuitGoal, circuit: &Circuit) -> Vec<usize> {
    let Ok(logic) = Logic::of(circuit) else { return Vec::new() };
    let gates = shared::gates(goal, circuit, &logic).into_iter().zip(&goal.shared);
    let bound = gates.filter(|(_, shared)| shared.gate_inputs.is_some()).filter_map(|(gate, _)| gate);
    bound.filter_map(|gate| circuit.parts.iter().position(|part| part.id == gate.id)).collect()
}

/// Gates that lead nowhere, one and two in a row.
fn decoys(goal: &CircuitGoal, circuit: &Circuit) -> Vec<GoalTwist> {
    let source = circuit.parts.iter().find(|part| part.kind == PartKind::LogicInput);
    let Some(source) = source.and_then(|part| part.pin_place("out")).filter(|_| goal.all_used) else {
        return Vec::new();
    };
    let kind = goal.only.as_ref().and_then(|only| only.first()).copied().unwrap_or(PartKind::Not);
    let mut one = CircuitBench::of(circuit);
    one.add_gate(kind, source);
    let mut two = CircuitBench::of(circuit);
    if let Some(out) = two.add_gate(kind, source) {
        two.add_gate(kind, out);
    }
    vec![("a gate that leads nowhere".to_owned(), one.circuit), ("two gates that lead nowhere".to_owned(), two.circuit)]
}

/// Inputs exchanged where a step tells them apart, even if the levels stay the same.
fn permuted(goal: &CircuitGoal, circuit: &Circuit) -> Vec<GoalTwist> {
    let place = |label: &str| {
        let is_it = |part: &CircuitPart| part.kind == PartKind::LogicInput && folded(part.label()) == folded(label);
        circuit.parts.iter().position(is_it)
    };
    let mut near = Vec::new();
    for (idx, (one, one_label)) in goal.inputs.iter().enumerate() {
        for (other, other_label) in &goal.inputs[idx + 1..] {
            let (Some(first), Some(second)) = (place(one_label), place(other_label)) else { continue };
            let altered = alter::relabelled(circuit, first, second);
            let as_told = forms(goal, [one, one]);
            if as_told != forms(goal, [one, other]) || is_another(goal, circuit, &altered) {
                near.push((format!("{one_label} and {other_label} exchanged"), altered));
            }
        }
    }
    near
}

/// The steps of a goal, written out, with two names exchanged.
fn forms(goal: &CircuitGoal, exchanged: [&String; 2]) -> BTreeSet<String> {
    goal.steps.iter().map(|step| form(goal, step, exchanged)).collect()
}

fn form(goal: &CircuitGoal, step: &ConstructionStep, exchanged @ [one, other]: [&String; 2]) -> String {
    let part = |name: &String| match goal.steps.iter().find(|earlier| earlier.step == *name) {
        Some(earlier) => form(goal, earlier, exchanged),
        None if name == one => other.clone(),
        None if name == other => one.clone(),
        None => name.clone(),
    };
    let mut parts: Vec<String> = step.of.iter().map(part).collect();
    parts.sort_unstable();
    format!("{:?}({})", step.gate, parts.join(" "))
}

/// Outputs taken from an earlier gate of a chain, the rest of which leads nowhere then.
fn shortcuts(goal: &CircuitGoal, circuit: &Circuit, most: usize) -> Vec<GoalTwist> {
    if goal.chain < 2 {
        return Vec::new();
    }
    let gates = indices(circuit, |part| part.kind.is_gate());
    let outputs = indices(circuit, |part| part.kind == PartKind::LogicOutput);
    let pairs = gates.iter().flat_map(|gate| outputs.iter().map(move |output| (*gate, *output)));
    let taken = pairs.filter_map(|(gate, output)| {
        let mut bench = CircuitBench::of(circuit);
        bench.take_away(output)?;
        bench.wire(bench.pin(gate, "out")?, bench.pin(output, "in")?);
        let is_shorter = Logic::of(&bench.circuit).is_ok_and(|logic| logic.longest_chain() < goal.chain);
        is_shorter.then(|| ("an output taken from an earlier gate".to_owned(), bench.circuit))
    });
    taken.take(most).collect()
}

/// One output made by inverting another, though both should be made from the same terms.
fn inverted(goal: &CircuitGoal, circuit: &Circuit) -> Vec<GoalTwist> {
    let mut near = Vec::new();
    for one in &goal.outputs {
        for other in goal.outputs.iter().filter(|other| other.name != one.name) {
            let n_rows = 1_usize << goal.inputs.len();
            let is_opposite = (0..n_rows).all(|row| match (goal.wanted(one, row), goal.wanted(other, row)) {
                (Some(one), Some(other)) => one != other,
                _ => false,
            });
            if !is_opposite || goal.only.is_some() || goal.shared.is_empty() {
                continue;
            }
            let labels = [one.label.as_str(), other.label.as_str()];
            let how = |what: &str| format!("{} made by inverting {}{what}", other.label, one.label);
            near.extend(plainly_inverted(circuit, labels).map(|altered| (how(""), altered)));
            near.extend(covertly_inverted(goal, circuit, labels).map(|altered| (how(", every gate used"), altered)));
        }
    }
    near
}

fn place_of_output(circuit: &Circuit, label: &str) -> Option<usize> {
    let is_it = |part: &CircuitPart| part.kind == PartKind::LogicOutput && folded(part.label()) == folded(label);
    circuit.parts.iter().position(is_it)
}

/// The second output from an inverter behind the first, and what drove it before leads nowhere.
fn plainly_inverted(circuit: &Circuit, [one, other]: [&str; 2]) -> Option<Circuit> {
    let (one, other) = (place_of_output(circuit, one)?, place_of_output(circuit, other)?);
    let mut bench = CircuitBench::of(circuit);
    bench.take_away(other)?;
    let inverse = bench.add_gate(PartKind::Not, bench.pin(one, "in")?)?;
    bench.wire(inverse, bench.pin(other, "in")?);
    Some(bench.circuit)
}

/// The same without a gate that leads nowhere: every term goes to a second gate on its way to the first output.
fn covertly_inverted(goal: &CircuitGoal, circuit: &Circuit, [one, other]: [&str; 2]) -> Option<Circuit> {
    let logic = Logic::of(circuit).ok()?;
    let terms: Option<Vec<GridPoint>> = shared::gates(goal, circuit, &logic)
        .into_iter()
        .map(|gate| circuit.part(&gate?.id)?.pin_place("out"))
        .collect();
    let (one, other) = (place_of_output(circuit, one)?, place_of_output(circuit, other)?);
    let mut bench = CircuitBench::of(circuit);
    bench.take_away(other)?;
    let mut last = bench.take_away(one)?;
    for term in terms? {
        // A term against itself is always low, which adds nothing to what is there.
        let low = bench.add_gate(PartKind::Xor, term)?;
        last = bench.add_joined(PartKind::Or, [last, low])?;
    }
    bench.wire(last, bench.pin(one, "in")?);
    let inverse = bench.add_gate(PartKind::Not, last)?;
    bench.wire(inverse, bench.pin(other, "in")?);
    let altered = bench.circuit;
    let unused: Vec<String> = Logic::of(&altered).ok()?.unused().iter().map(|gate| gate.id.clone()).collect();
    let parts = altered.parts.iter().filter(|part| !unused.contains(&part.id)).cloned().collect();
    Some(Circuit { parts, ..altered })
}
