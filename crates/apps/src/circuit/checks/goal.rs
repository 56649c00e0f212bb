//! The check `circuit-logic`: a circuit of gates has the wanted truth table and is built as the task says.
//!
//! Its options are told in [`CheckKind::manual`].
//!
//! Exactly these inputs and outputs must be there, and every row of the table is compared. Labels are compared without
//! regard to case and to blanks around them. Besides gates, terminals and what `constants` allows no part may be there, and
//! nothing may be left open. [`CircuitGoal::told`] says the same in the words of an instruction.

pub(crate) mod alter;
mod constants;
mod declared;
mod judge;
mod restrictions;
mod shared;
mod steps;
#[cfg(test)]
mod tests;
mod told;
mod twists;

use quintain_checks::options;
use quintain_core::check::{
    AlteredState, BrokenJudge, Case, Check, CheckKind, CheckManual, Clause, ClauseSwitch, Finding,
};
use quintain_core::task::CheckSpec;
use serde_json::Value;

pub use self::declared::{CircuitGoal, ConstructionStep, GoalOutput, SharedTerm};
use crate::circuit::model::Circuit;

/// A circuit of gates has the wanted truth table and keeps to the wanted gates.
#[derive(Clone, Copy, Debug)]
pub struct CircuitLogic;

const OPTIONS: &[(&str, &str)] = &[
    ("inputs", "The label of each logic input, by the name that expressions use for it: `{ a = \"A\" }`."),
    (
        "outputs",
        "By name: the `label` of a logic output, what it `is`, and where it is `free` to be anything, both as expressions.",
    ),
    (
        "constants",
        "The names of the outputs that a ground (low) or a one-terminal DC source of exactly 5 V (high) may drive, wired to such an output and to no gate; none unless told.",
    ),
    ("only", "The kinds of gates that may be used; all unless told."),
    ("exactly", "How many gates of a kind there are: `{ nand = 4 }`."),
    ("at_most", "How many gates of a kind there are at most."),
    ("gate_inputs", "How many inputs every gate but NOT has; any number unless told."),
    ("all_used", "`true`: from every gate a way leads to an output, so that none is a decoy."),
    ("chain", "So many gates stand one after the other on a way to an output."),
    (
        "steps",
        "The gates of a construction, in order: `{ step = \"first\", gate = \"xor\", of = [\"a\", \"b\"] }`. Exactly one gate of this kind has exactly these inputs and earlier steps at its inputs, in any order.",
    ),
    (
        "shared",
        "Terms that are worked out once: `gate` and its `gate_inputs`, what it `is`, to how many gates it `feeds` at least, and the outputs it `reaches`, each through a gate of its own and on a way around the nets of the others.",
    ),
];

impl CheckKind for CircuitLogic {
    fn kind(&self) -> &'static str {
        "circuit-logic"
    }

    fn manual(&self) -> CheckManual {
        CheckManual {
            says: "A circuit of gates has the wanted truth table, compared row by row, and is built as the task says.",
            selector: Some("Where the circuit is: `documents/circuit-designer`."),
            options: OPTIONS,
            ..CheckManual::default()
        }
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        options::refuse_others(spec, &self.manual())?;
        for name in ["inputs", "outputs"] {
            if !spec.options.contains_key(name) {
                return Err(format!("`{name}` is missing"));
            }
        }
        let options = Value::Object(spec.options.clone().into_iter().collect());
        Ok(Box::new(LogicCheck { name: spec.name.clone(), selector: options::selector(spec)?, options }))
    }
}

/// A label as it is compared.
fn folded(label: &str) -> String {
    label.trim().to_lowercase()
}

struct LogicCheck {
    name: String,
    selector: String,
    options: Value,
}

impl LogicCheck {
    fn goal(&self, case: Case<'_>) -> Result<CircuitGoal, BrokenJudge> {
        let goal = CircuitGoal::of(&self.options, &case.reference.parameters);
        goal.map_err(|why| BrokenJudge { check: self.name.clone(), why })
    }

    /// The right case with other circuits in place of its own.
    fn altered(
        &self,
        case: Case<'_>,
        twists: impl Fn(&CircuitGoal, &Circuit) -> Vec<(String, Circuit)>,
    ) -> Vec<AlteredState> {
        let document = case.evidence.select(&self.selector);
        let circuit = document.and_then(|document| Circuit::read(&document).ok());
        let (Ok(goal), Some(circuit)) = (self.goal(case), circuit) else { return Vec::new() };
        let twists = twists(&goal, &circuit).into_iter();
        twists
            .filter_map(|(how, circuit)| {
                let document = serde_json::to_value(circuit).ok()?;
                Some(AlteredState { how, evidence: case.evidence.with(&self.selector, document)? })
            })
            .collect()
    }

    fn judge_with(&self, case: Case<'_>, clauses: ClauseSwitch<'_>) -> Result<Finding, BrokenJudge> {
        let goal = self.goal(case)?;
        let Some(document) = case.evidence.select(&self.selector) else {
            return Ok(Finding::of(&self.name, false, format!("there is nothing at `{}`", self.selector)));
        };
        match Circuit::read(&document) {
            Ok(circuit) => Ok(judge::judge(&self.name, &goal, &circuit, clauses)),
            Err(why) => Ok(Finding::of(&self.name, false, why)),
        }
    }
}

impl Check for LogicCheck {
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge> {
        self.judge_with(case, ClauseSwitch::ALL)
    }

    fn clauses(&self, case: Case<'_>) -> Vec<Clause> {
        self.goal(case).map(|goal| judge::clauses(&goal)).unwrap_or_default()
    }

    fn judge_without(&self, case: Case<'_>, clause: &str) -> Result<Finding, BrokenJudge> {
        self.judge_with(case, ClauseSwitch::without(clause))
    }

    fn near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        self.altered(case, |goal, circuit| twists::near_misses(goal, circuit, twists::MOST))
    }

    fn all_near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        self.altered(case, |goal, circuit| twists::near_misses(goal, circuit, usize::MAX))
    }

    fn variations(&self, case: Case<'_>) -> Vec<AlteredState> {
        self.altered(case, twists::variations)
    }

    fn disguises(&self, case: Case<'_>) -> Vec<AlteredState> {
        self.altered(case, |_, circuit| twists::disguises(circuit))
    }
}
