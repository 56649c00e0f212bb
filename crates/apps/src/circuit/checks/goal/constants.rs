//! Levels that never change: which of them a goal allows, and where.

use std::collections::BTreeSet;

use quintain_core::check::{Clause, ClauseSwitch};

use super::{CircuitGoal, GoalOutput, folded};
use crate::circuit::model::{Circuit, CircuitPart, HIGH_VOLTS, Logic, Nets, PartKind};

/// The clauses where no constant is allowed, and where some are.
const NONE: &str = "no constants";
const LEVEL: &str = "constants: the level of a gate";
const DRIVING: &str = "constants: drive an output";
const ALLOWED: &str = "constants: drive no other output";
const NO_GATE: &str = "constants: drive no gate";

/// What is demanded of grounds and sources.
pub(super) fn clauses(goal: &CircuitGoal) -> Vec<Clause> {
    if goal.constants.is_empty() {
        return vec![Clause::needed(NONE)];
    }
    let never_changes = |output: &&GoalOutput| {
        let wanted: BTreeSet<bool> = (0..1 << goal.inputs.len()).filter_map(|row| goal.wanted(output, row)).collect();
        wanted.len() < 2
    };
    let others = goal.outputs.iter().filter(|output| !goal.constants.contains(&output.name));
    let allowed = match others.into_iter().find(never_changes) {
        Some(_) => Clause::needed(ALLOWED),
        None => Clause::spare(ALLOWED, "every other output changes, and has wrong levels if it is held at one"),
    };
    [LEVEL, DRIVING, NO_GATE].into_iter().map(Clause::needed).chain([allowed]).collect()
}

/// Whether every ground and source drives nothing but outputs that it may drive, with the level of a gate.
pub(super) fn kept(goal: &CircuitGoal, circuit: &Circuit, on: ClauseSwitch<'_>) -> Result<(), String> {
    if goal.constants.is_empty() && !on.holds(NONE) {
        return Ok(());
    }
    let apart = with_grounds_apart(circuit);
    let (nets, (logic, _)) = (Nets::of(&apart), Logic::lenient(&apart));
    let placed = circuit.parts.iter().zip(&nets.pins).filter(|(part, _)| part.kind.is_constant());
    for (part, pins) in placed {
        allowed(goal, part, (&logic, pins[0]), on).map_err(|why| format!("{} {why}", part.called()))?;
    }
    Ok(())
}

/// The circuit with sources in place of grounds. All grounds are one point, wherever they stand; but what each of them
/// drives is what it is wired to.
fn with_grounds_apart(circuit: &Circuit) -> Circuit {
    let mut apart = circuit.clone();
    for part in apart.parts.iter_mut().filter(|part| part.kind == PartKind::Ground) {
        *part = CircuitPart::new(&part.id, PartKind::DcRail, part.at);
    }
    apart
}

fn allowed(
    goal: &CircuitGoal,
    part: &CircuitPart,
    (logic, net): (&Logic, usize),
    on: ClauseSwitch<'_>,
) -> Result<(), String> {
    if goal.constants.is_empty() {
        return Err("is neither a gate nor a logic input or output".to_owned());
    }
    let volts = part.number("voltage");
    if on.holds(LEVEL) && part.kind == PartKind::DcRail && volts.total_cmp(&HIGH_VOLTS).is_ne() {
        return Err(format!("gives {volts} V, not the {HIGH_VOLTS} V of a high level"));
    }
    let may_drive = |label: &str| {
        let is_it =
            |name: &String| goal.outputs.iter().any(|it| it.name == *name && folded(&it.label) == folded(label));
        goal.constants.iter().any(is_it)
    };
    let mut driven = logic.outputs.iter().filter(|output| output.net == net).peekable();
    if on.holds(DRIVING) && driven.peek().is_none() {
        return Err("drives no output".to_owned());
    }
    if let Some(output) = driven.find(|output| on.holds(ALLOWED) && !may_drive(&output.label)) {
        return Err(format!("drives `{}`, which gates have to work out", output.label));
    }
    match logic.gates.iter().find(|gate| on.holds(NO_GATE) && gate.inputs.contains(&net)) {
        Some(gate) => Err(format!("goes to an input of {}", gate.called)),
        None => Ok(()),
    }
}
