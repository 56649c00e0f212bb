//! Which gates a circuit may have, how many and how wide, and how they are joined.

use super::{CircuitGoal, constants, shared, steps};
use crate::circuit::model::{Circuit, Logic, PartKind};

/// Whether a circuit keeps to all of a goal's restrictions, or which one it breaks.
pub(super) fn kept(goal: &CircuitGoal, circuit: &Circuit, logic: &Logic) -> Result<(), String> {
    constants::kept(goal, circuit)?;
    kinds(goal, logic)?;
    counts(goal, logic)?;
    widths(goal, logic)?;
    uses(goal, logic)?;
    steps::kept(goal, logic)?;
    shared::kept(goal, circuit, logic)
}

fn kinds(goal: &CircuitGoal, logic: &Logic) -> Result<(), String> {
    let foreign = |only: &Vec<PartKind>| logic.gates.iter().find(|gate| !only.contains(&gate.kind));
    match goal.only.as_ref().and_then(foreign) {
        Some(gate) => Err(format!("there is a gate of kind {}, which is not allowed", name(gate.kind))),
        None => Ok(()),
    }
}

fn counts(goal: &CircuitGoal, logic: &Logic) -> Result<(), String> {
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
    Ok(())
}

fn widths(goal: &CircuitGoal, logic: &Logic) -> Result<(), String> {
    let Some(wanted) = goal.gate_inputs else { return Ok(()) };
    let other = logic.gates.iter().find(|gate| gate.kind != PartKind::Not && gate.inputs.len() != wanted);
    match other {
        Some(gate) => Err(format!("{} has {} inputs, not {wanted}", gate.called, gate.inputs.len())),
        None => Ok(()),
    }
}

fn uses(goal: &CircuitGoal, logic: &Logic) -> Result<(), String> {
    if let Some(gate) = logic.unused().first().filter(|_| goal.all_used) {
        return Err(format!("from {} no way leads to an output", gate.called));
    }
    let longest = logic.longest_chain();
    if longest < goal.chain {
        return Err(format!("{longest} gates stand one after the other, not {}", goal.chain));
    }
    Ok(())
}

fn name(kind: PartKind) -> &'static str {
    &kind.spec().name
}
