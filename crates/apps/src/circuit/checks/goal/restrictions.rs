//! Which gates a circuit may have, how many and how wide, and how they are joined.

use quintain_core::check::{Clause, ClauseSwitch};

use super::{CircuitGoal, constants, shared, steps};
use crate::circuit::model::{Circuit, Logic, PartKind};

/// One thing that a goal may demand of a circuit besides its table.
struct Restriction {
    clause: &'static str,
    is_declared: fn(&CircuitGoal) -> bool,
    kept: fn(&CircuitGoal, &Circuit, &Logic, ClauseSwitch<'_>) -> Result<(), String>,
}

const RESTRICTIONS: [Restriction; 9] = [
    Restriction {
        clause: CONSTANTS,
        is_declared: |_| true,
        kept: |goal, circuit, _, on| constants::kept(goal, circuit, on),
    },
    Restriction {
        clause: "only",
        is_declared: |goal| goal.only.is_some(),
        kept: |goal, _, logic, _| kinds(goal, logic),
    },
    Restriction {
        clause: "exactly",
        is_declared: |goal| !goal.exactly.is_empty(),
        kept: |goal, _, logic, _| exactly(goal, logic),
    },
    Restriction {
        clause: "at_most",
        is_declared: |goal| !goal.at_most.is_empty(),
        kept: |goal, _, logic, _| at_most(goal, logic),
    },
    Restriction {
        clause: "gate_inputs",
        is_declared: |goal| goal.gate_inputs.is_some(),
        kept: |goal, _, logic, _| widths(goal, logic),
    },
    Restriction { clause: "all_used", is_declared: |goal| goal.all_used, kept: |goal, _, logic, _| uses(goal, logic) },
    Restriction { clause: "chain", is_declared: |goal| goal.chain > 0, kept: |goal, _, logic, _| chain(goal, logic) },
    Restriction {
        clause: "steps",
        is_declared: |goal| !goal.steps.is_empty(),
        kept: |goal, _, logic, _| steps::kept(goal, logic),
    },
    Restriction { clause: SHARED, is_declared: |goal| !goal.shared.is_empty(), kept: shared::kept },
];

/// The clause about levels that never change, and the one about terms that are worked out once. Both have parts.
const CONSTANTS: &str = "constants";
const SHARED: &str = "shared";

/// Whether a circuit keeps to all of a goal's restrictions, or which one it breaks.
pub(super) fn kept(goal: &CircuitGoal, circuit: &Circuit, logic: &Logic, on: ClauseSwitch<'_>) -> Result<(), String> {
    let held_to = RESTRICTIONS.iter().filter(|restriction| on.holds(restriction.clause));
    held_to.into_iter().try_for_each(|restriction| (restriction.kept)(goal, circuit, logic, on))
}

/// The clauses of a goal's restrictions.
pub(super) fn clauses(goal: &CircuitGoal) -> Vec<Clause> {
    let declared = RESTRICTIONS.iter().filter(|restriction| (restriction.is_declared)(goal));
    let named = declared.flat_map(|restriction| match restriction.clause {
        CONSTANTS => constants::clauses(goal),
        SHARED => shared::clauses(goal),
        clause => {
            vec![prescribed(goal, clause).map_or_else(|| Clause::needed(clause), |why| Clause::spare(clause, why))]
        }
    });
    named.collect()
}

/// Why a clause says nothing that the steps of a construction do not say.
fn prescribed(goal: &CircuitGoal, clause: &str) -> Option<&'static str> {
    let is_counted = goal.only.as_ref().is_some_and(|only| only.iter().all(|kind| goal.exactly.contains_key(kind)));
    match clause {
        _ if goal.steps.is_empty() => None,
        "gate_inputs" => Some("the steps say what every gate takes in"),
        "all_used" if is_counted => Some("there are as many gates as steps, and each step is of use"),
        "chain" => Some("the steps stand one after the other"),
        _ => None,
    }
}

fn kinds(goal: &CircuitGoal, logic: &Logic) -> Result<(), String> {
    let foreign = |only: &Vec<PartKind>| logic.gates.iter().find(|gate| !only.contains(&gate.kind));
    match goal.only.as_ref().and_then(foreign) {
        Some(gate) => Err(format!("there is a gate of kind {}, which is not allowed", name(gate.kind))),
        None => Ok(()),
    }
}

fn count(logic: &Logic, kind: PartKind) -> usize {
    logic.gates.iter().filter(|gate| gate.kind == kind).count()
}

fn exactly(goal: &CircuitGoal, logic: &Logic) -> Result<(), String> {
    for (kind, wanted) in &goal.exactly {
        let found = count(logic, *kind);
        if found != *wanted {
            return Err(format!("there are {found} {} gates, not {wanted}", name(*kind)));
        }
    }
    Ok(())
}

fn at_most(goal: &CircuitGoal, logic: &Logic) -> Result<(), String> {
    for (kind, most) in &goal.at_most {
        let found = count(logic, *kind);
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
    match logic.unused().first().filter(|_| goal.all_used) {
        Some(gate) => Err(format!("from {} no way leads to an output", gate.called)),
        None => Ok(()),
    }
}

fn chain(goal: &CircuitGoal, logic: &Logic) -> Result<(), String> {
    let longest = logic.longest_chain();
    if longest < goal.chain {
        return Err(format!("{longest} gates stand one after the other, not {}", goal.chain));
    }
    Ok(())
}

fn name(kind: PartKind) -> &'static str {
    &kind.spec().name
}
