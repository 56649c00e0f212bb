//! Which gates a circuit may have, how many, and which must be shared.

use std::collections::BTreeSet;

use super::{CircuitGoal, SharedTerm, folded};
use crate::circuit::model::{Circuit, CircuitPart, Logic, LogicGate, PartKind, TruthTable};

/// Whether a circuit keeps to all of a goal's restrictions, or which one it breaks.
pub(super) fn kept(goal: &CircuitGoal, circuit: &Circuit, logic: &Logic) -> Result<(), String> {
    let foreign = |only: &Vec<PartKind>| logic.gates.iter().find(|gate| !only.contains(&gate.kind));
    if let Some(gate) = goal.only.as_ref().and_then(foreign) {
        return Err(format!("there is a gate of kind {}, which is not allowed", name(gate.kind)));
    }
    let count = |kind: PartKind| logic.gates.iter().filter(|gate| gate.kind == kind).count();
    for (kind, wanted) in &goal.exactly {
        let found = count(*kind);
        if found != *wanted {
            return Err(format!("there are {found} {} gates, not {wanted}", name(*kind)));
        }
    }
    for (kind, most) in &goal.at_most {
        let found = count(*kind);
        if found > *most {
            return Err(format!("there are {found} {} gates, at most {most} are allowed", name(*kind)));
        }
    }
    if goal.shared.is_empty() {
        return Ok(());
    }
    let columns = columns(goal, circuit, logic)?;
    goal.shared.iter().try_for_each(|shared| is_shared(shared, goal, logic, &columns))
}

fn name(kind: PartKind) -> &'static str {
    &kind.spec().name
}

/// What every gate puts out in every row, by the order of the gates: the circuit with a logic output on each of them.
fn columns(goal: &CircuitGoal, circuit: &Circuit, logic: &Logic) -> Result<TruthTable, String> {
    let mut watched = circuit.clone();
    for gate in &logic.gates {
        let place = circuit.part(&gate.id).and_then(|part| part.pin_place("out")).unwrap_or_default();
        watched.parts.push(CircuitPart::new(&format!("watch {}", gate.id), PartKind::LogicOutput, place));
    }
    let watched = Logic::of(&watched).map_err(|problem| problem.to_string())?;
    let place_of_input = |label: &str| watched.inputs.iter().position(|input| folded(&input.label) == folded(label));
    let inputs: Option<Vec<usize>> = goal.inputs.iter().map(|(_, label)| place_of_input(label)).collect();
    let first = logic.outputs.len();
    let outputs: Vec<usize> = (first..first + logic.gates.len()).collect();
    watched.table_of(&inputs.unwrap_or_default(), &outputs).map_err(|problem| problem.to_string())
}

fn is_shared(shared: &SharedTerm, goal: &CircuitGoal, logic: &Logic, columns: &TruthTable) -> Result<(), String> {
    let label = |input: &str| {
        let found = goal.inputs.iter().find(|(known, _)| known == input);
        found.map_or_else(|| input.to_owned(), |(_, label)| label.clone())
    };
    let term = shared.is.spoken(&label);
    let works_it_out = |gate_idx: usize| {
        (0..columns.n_rows()).all(|row| {
            let wanted = shared.is.holds(&|input: &str| goal.level(input, row));
            wanted == Ok(columns.is_high(gate_idx, row))
        })
    };
    let found: Vec<&LogicGate> =
        (0..logic.gates.len()).filter(|idx| works_it_out(*idx)).map(|idx| &logic.gates[idx]).collect();
    let [gate] = found[..] else {
        return Err(format!("{} gates work out {term}, not one", found.len()));
    };
    if gate.kind != shared.gate {
        return Err(format!("{term} is worked out by a gate of kind {}, not {}", name(gate.kind), name(shared.gate)));
    }
    let n_fed = logic.gates.iter().filter(|other| other.inputs.contains(&gate.output)).count();
    if n_fed < shared.feeds {
        return Err(format!("{term} goes to {n_fed} gates, at least {} are wanted", shared.feeds));
    }
    let reached = reached(logic, gate.output);
    let wanted = goal.outputs.iter().filter(|output| shared.reaches.contains(&output.name));
    let is_reached = |label: &str| {
        let terminal = logic.outputs.iter().find(|terminal| folded(&terminal.label) == folded(label));
        terminal.is_some_and(|terminal| reached.contains(&terminal.net))
    };
    let missed = wanted.map(|output| &output.label).find(|label| !is_reached(label));
    missed.map_or(Ok(()), |label| Err(format!("`{label}` does not make use of {term}")))
}

/// The nets that depend on a net.
fn reached(logic: &Logic, net: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::from([net]);
    // Gates come after those that drive them, so one pass finds all.
    for gate in &logic.gates {
        if gate.inputs.iter().any(|input| reached.contains(input)) {
            reached.insert(gate.output);
        }
    }
    reached
}
