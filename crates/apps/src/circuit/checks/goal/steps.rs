//! Whether a circuit is built step by step as a goal prescribes.

use std::collections::BTreeMap;

use super::{CircuitGoal, ConstructionStep};
use crate::circuit::model::{Logic, LogicGate};

/// Whether each step is taken by exactly one gate, of its kind and with its inputs in any order.
pub(super) fn kept(goal: &CircuitGoal, logic: &Logic) -> Result<(), String> {
    let inputs = goal.inputs.iter().filter_map(|(name, _)| Some((name.as_str(), goal.input_net(logic, name)?)));
    let mut nets: BTreeMap<&str, usize> = inputs.collect();
    for step in &goal.steps {
        let mut wanted: Vec<usize> = step.of.iter().filter_map(|name| nets.get(name.as_str()).copied()).collect();
        wanted.sort_unstable();
        let takes = |gate: &&LogicGate| gate.kind == step.gate && sorted(&gate.inputs) == wanted;
        let found: Vec<&LogicGate> = logic.gates.iter().filter(takes).collect();
        let [gate] = found[..] else {
            return Err(format!("{} gates are {}, not one", found.len(), spoken(goal, step)));
        };
        nets.insert(&step.step, gate.output);
    }
    Ok(())
}

fn sorted(nets: &[usize]) -> Vec<usize> {
    let mut nets = nets.to_vec();
    nets.sort_unstable();
    nets
}

/// A step in words: `XOR of A and B`. A step that it rests on is said by what it is.
pub(super) fn spoken(goal: &CircuitGoal, step: &ConstructionStep) -> String {
    let part = |name: &String| match goal.steps.iter().find(|other| other.step == *name) {
        Some(other) => format!("({})", spoken(goal, other)),
        None => goal.label(name),
    };
    let parts: Vec<String> = step.of.iter().map(part).collect();
    format!("{} of {}", step.gate.spec().name, parts.join(" and "))
}
