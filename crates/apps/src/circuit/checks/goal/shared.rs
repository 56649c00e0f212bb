//! Whether terms are worked out once and used by several outputs, each in its own way.

use quintain_core::check::{Clause, ClauseSwitch};

use super::{CircuitGoal, SharedTerm, folded};
use crate::circuit::model::{Circuit, CircuitPart, Logic, LogicGate, PartKind, TruthTable};

/// What is demanded of a shared term.
const ONE_GATE: &str = "shared: one gate";
const KIND: &str = "shared: kind of gate";
const INPUTS: &str = "shared: number of inputs";
const FEEDS: &str = "shared: feeds gates";
const REACHES: &str = "shared: reaches outputs";

/// What is demanded of shared terms.
pub(super) fn clauses(goal: &CircuitGoal) -> Vec<Clause> {
    let any = |has: fn(&SharedTerm) -> bool| goal.shared.iter().any(has);
    let demanded = [
        (ONE_GATE, true),
        (KIND, true),
        (INPUTS, any(|shared| shared.gate_inputs.is_some())),
        (FEEDS, any(|shared| shared.feeds > 0)),
        (REACHES, any(|shared| !shared.reaches.is_empty())),
    ];
    let all_reach = goal.shared.iter().all(|shared| shared.reaches.len() >= shared.feeds);
    let clause = |name: &str| match name {
        FEEDS if all_reach => {
            Clause::spare(FEEDS, "each output is reached through a gate of its own, which are as many")
        }
        name => Clause::needed(name),
    };
    demanded.into_iter().filter(|(_, is_demanded)| *is_demanded).map(|(name, _)| clause(name)).collect()
}

/// Whether every shared term is worked out by one gate and goes on to every output that should make use of it.
pub(super) fn kept(goal: &CircuitGoal, circuit: &Circuit, logic: &Logic, on: ClauseSwitch<'_>) -> Result<(), String> {
    if goal.shared.is_empty() {
        return Ok(());
    }
    let columns = columns(goal, circuit, logic)?;
    goal.shared.iter().try_for_each(|shared| is_shared(shared, goal, (logic, &columns), on))
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

/// The gates that work out a term.
fn working_out<'a>(
    shared: &SharedTerm,
    goal: &CircuitGoal,
    logic: &'a Logic,
    columns: &TruthTable,
) -> Vec<&'a LogicGate> {
    let works_it_out = |gate_idx: usize| {
        (0..columns.n_rows()).all(|row| {
            let wanted = shared.is.holds(&|input: &str| goal.level(input, row));
            wanted == Ok(columns.is_high(gate_idx, row))
        })
    };
    (0..logic.gates.len()).filter(|idx| works_it_out(*idx)).map(|idx| &logic.gates[idx]).collect()
}

/// The one gate that works out each shared term, in the order of the goal; nothing where a term has not one.
pub(super) fn gates<'a>(goal: &CircuitGoal, circuit: &Circuit, logic: &'a Logic) -> Vec<Option<&'a LogicGate>> {
    let Ok(columns) = columns(goal, circuit, logic) else { return Vec::new() };
    let only = |shared: &SharedTerm| match working_out(shared, goal, logic, &columns)[..] {
        [gate] => Some(gate),
        _ => None,
    };
    goal.shared.iter().map(only).collect()
}

fn is_shared(
    shared: &SharedTerm,
    goal: &CircuitGoal,
    (logic, columns): (&Logic, &TruthTable),
    on: ClauseSwitch<'_>,
) -> Result<(), String> {
    let term = shared.is.spoken(&|name: &str| goal.label(name));
    let found = working_out(shared, goal, logic, columns);
    if on.holds(ONE_GATE) && found.len() != 1 {
        return Err(format!("{} gates work out {term}, not one", found.len()));
    }
    let Some(gate) = found.first() else { return Ok(()) };
    let (kind, wanted) = (&gate.kind.spec().name, &shared.gate.spec().name);
    if on.holds(KIND) && gate.kind != shared.gate {
        return Err(format!("{term} is worked out by a gate of kind {kind}, not {wanted}"));
    }
    if let Some(wanted) = shared.gate_inputs.filter(|wanted| on.holds(INPUTS) && *wanted != gate.inputs.len()) {
        return Err(format!("{term} is worked out by a gate of {} inputs, not {wanted}", gate.inputs.len()));
    }
    let fed: Vec<&LogicGate> = logic.gates.iter().filter(|other| other.inputs.contains(&gate.output)).collect();
    if on.holds(FEEDS) && fed.len() < shared.feeds {
        return Err(format!("{term} goes to {} gates, at least {} are wanted", fed.len(), shared.feeds));
    }
    if !on.holds(REACHES) {
        return Ok(());
    }
    reaches_all(shared, goal, logic, &fed).map_err(|label| {
        format!("{term} goes to no gate of its own from which a way leads to `{label}` without the other outputs")
    })
}

/// Whether the fed gates can be shared out so that each output has one that leads to it around the other outputs; or the
/// label of the first output that has none.
fn reaches_all(shared: &SharedTerm, goal: &CircuitGoal, logic: &Logic, fed: &[&LogicGate]) -> Result<(), String> {
    let nets: Vec<usize> = shared.reaches.iter().filter_map(|name| goal.output_net(logic, name)).collect();
    let leading_to = |target: &usize| -> Vec<usize> {
        let others: Vec<usize> = nets.iter().copied().filter(|net| net != target).collect();
        let leads = |idx: &usize| logic.reached(fed[*idx].output, &others).contains(target);
        (0..fed.len()).filter(leads).collect()
    };
    let candidates: Vec<Vec<usize>> = nets.iter().map(leading_to).collect();
    let n_served = (0..=candidates.len()).rev().find(|count| can_share(&candidates[..*count], &mut Vec::new()));
    let missed = shared.reaches.get(n_served.unwrap_or_default());
    let label = |name: &String| goal.outputs.iter().find(|output| output.name == *name).map(|it| it.label.clone());
    missed.map_or(Ok(()), |name| Err(label(name).unwrap_or_default()))
}

/// Whether everyone can be given one of their candidates such that nobody has another's.
fn can_share(candidates: &[Vec<usize>], taken: &mut Vec<usize>) -> bool {
    let Some((first, rest)) = candidates.split_first() else { return true };
    first.iter().any(|candidate| {
        if taken.contains(candidate) {
            return false;
        }
        taken.push(*candidate);
        let fits = can_share(rest, taken);
        taken.pop();
        fits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_given_what_another_has() {
        let can = |candidates: &[Vec<usize>]| can_share(candidates, &mut Vec::new());
        assert!(can(&[]) && can(&[vec![0], vec![1]]) && can(&[vec![0, 1], vec![0]]));
        assert!(can(&[vec![0, 1], vec![0, 2], vec![0]]));
        assert!(!can(&[vec![0], vec![0]]) && !can(&[vec![]]) && !can(&[vec![0, 1], vec![0, 1], vec![0, 1]]));
    }
}
