//! The check `circuit-logic`: a circuit of gates has the wanted truth table and keeps to the wanted gates.
//!
//! | option | what it says |
//! |---|---|
//! | `inputs` | the label of each logic input, by the name that expressions use for it |
//! | `outputs` | by name: the `label` of a logic output, what it `is`, and where it is `free` to be anything |
//! | `only` | the kinds of gates that may be used |
//! | `exactly`, `at_most` | how many gates of a kind there are |
//! | `shared` | terms that one gate works out for several: `gate`, `is`, `feeds` at least so many gates, `reaches` outputs |
//!
//! Exactly these inputs and outputs must be there, and every row of the table is compared. Labels are compared without
//! regard to case and to blanks around them. Grounds and one-terminal sources are allowed as constants.

pub(crate) mod alter;
mod judge;
mod restrictions;
#[cfg(test)]
mod tests;
mod twists;

use std::collections::BTreeMap;

use quintain_checks::options::{self, UnderstoodOptions};
use quintain_core::check::{AlteredState, BrokenJudge, Case, Check, CheckKind, Finding};
use quintain_core::task::CheckSpec;
use quintain_core::template;
use serde::Deserialize;
use serde_json::Value;

use crate::circuit::model::expression::Expression;
use crate::circuit::model::{Circuit, PartKind};

/// A circuit of gates has the wanted truth table and keeps to the wanted gates.
#[derive(Clone, Copy, Debug)]
pub struct CircuitLogic;

const OPTIONS: &[&str] = &["inputs", "outputs", "only", "exactly", "at_most", "shared"];

impl CheckKind for CircuitLogic {
    fn kind(&self) -> &'static str {
        "circuit-logic"
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        options::refuse_others(spec, UnderstoodOptions { tolerance: false, expect: false, options: OPTIONS })?;
        for name in ["inputs", "outputs"] {
            if !spec.options.contains_key(name) {
                return Err(format!("`{name}` is missing"));
            }
        }
        let options = Value::Object(spec.options.clone().into_iter().collect());
        Ok(Box::new(LogicCheck { name: spec.name.clone(), selector: options::selector(spec)?, options }))
    }
}

/// What a circuit of gates has to do, in one instance.
#[derive(Clone, Debug, PartialEq)]
pub struct CircuitGoal {
    /// The logic inputs: the name in expressions, the label.
    pub inputs: Vec<(String, String)>,
    /// The logic outputs.
    pub outputs: Vec<GoalOutput>,
    /// The kinds of gates that may be used; nothing means all.
    pub only: Option<Vec<PartKind>>,
    /// How many gates of a kind there are.
    pub exactly: BTreeMap<PartKind, usize>,
    /// How many gates of a kind there are at most.
    pub at_most: BTreeMap<PartKind, usize>,
    /// Terms that one gate works out for several.
    pub shared: Vec<SharedTerm>,
}

/// One logic output of a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalOutput {
    /// Its name in `reaches`, and among the formulas of an instruction.
    pub name: String,
    /// Its label.
    pub label: String,
    /// When it is high.
    pub is: Expression,
    /// When it may be anything.
    pub free: Option<Expression>,
}

/// A term that one gate works out for several.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedTerm {
    /// The kind of gate.
    pub gate: PartKind,
    /// What it works out.
    pub is: Expression,
    /// At least so many gates take it as an input.
    pub feeds: usize,
    /// The outputs that depend on it, by name.
    pub reaches: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoalSpec {
    inputs: BTreeMap<String, String>,
    outputs: BTreeMap<String, OutputSpec>,
    #[serde(default)]
    only: Option<Vec<PartKind>>,
    #[serde(default)]
    exactly: BTreeMap<PartKind, usize>,
    #[serde(default)]
    at_most: BTreeMap<PartKind, usize>,
    #[serde(default)]
    shared: Vec<SharedSpec>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OutputSpec {
    label: String,
    is: String,
    #[serde(default)]
    free: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SharedSpec {
    gate: PartKind,
    is: String,
    feeds: usize,
    #[serde(default)]
    reaches: Vec<String>,
}

impl CircuitGoal {
    /// The goal that the options of a check declare, for the parameters of an instance.
    pub fn of(options: &Value, parameters: &BTreeMap<String, Value>) -> Result<Self, String> {
        let filled = template::fill(options, parameters).map_err(|error| error.to_string())?;
        let spec: GoalSpec = serde_json::from_value(filled).map_err(|error| error.to_string())?;
        let outputs = spec.outputs.into_iter().map(|(name, output)| {
            let free = output.free.as_deref().map(Expression::read).transpose()?;
            Ok(GoalOutput { name, label: output.label, is: Expression::read(&output.is)?, free })
        });
        let shared = spec.shared.into_iter().map(|shared| {
            let is = Expression::read(&shared.is)?;
            Ok(SharedTerm { gate: shared.gate, is, feeds: shared.feeds, reaches: shared.reaches })
        });
        let goal = Self {
            inputs: spec.inputs.into_iter().collect(),
            outputs: outputs.collect::<Result<_, String>>()?,
            only: spec.only,
            exactly: spec.exactly,
            at_most: spec.at_most,
            shared: shared.collect::<Result<_, String>>()?,
        };
        goal.problem().map_or(Ok(goal), Err)
    }

    /// What makes no sense about it.
    fn problem(&self) -> Option<String> {
        let known = |name: &str| self.inputs.iter().any(|(known, _)| known == name);
        let used = self.outputs.iter().flat_map(|output| [Some(&output.is), output.free.as_ref()]).flatten();
        let used = used.chain(self.shared.iter().map(|shared| &shared.is));
        let unknown = used.flat_map(Expression::names).find(|name| !known(name));
        let reached = self.shared.iter().flat_map(|shared| &shared.reaches);
        let mut reached = reached.filter(|name| !self.outputs.iter().any(|output| output.name == **name));
        let missing = reached.next();
        let labels = self.inputs.iter().map(|(_, label)| label).chain(self.outputs.iter().map(|output| &output.label));
        let mut labels: Vec<String> = labels.map(|label| folded(label)).collect();
        labels.sort_unstable();
        let twice = labels.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone());
        None.or_else(|| unknown.map(|name| format!("`{name}` is not one of the inputs")))
            .or_else(|| missing.map(|name| format!("`{name}` is not one of the outputs")))
            .or_else(|| twice.map(|label| format!("two terminals are labelled `{label}`")))
    }

    /// The expression of each output in the labels of the inputs, for instructions: `NOT A AND B`.
    pub fn formulas(&self) -> BTreeMap<String, String> {
        let label = |name: &str| {
            let found = self.inputs.iter().find(|(known, _)| known == name);
            found.map_or_else(|| name.to_owned(), |(_, label)| label.clone())
        };
        self.outputs.iter().map(|output| (output.name.clone(), output.is.spoken(&label))).collect()
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
}

impl Check for LogicCheck {
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge> {
        let goal = self.goal(case)?;
        let Some(document) = case.evidence.select(&self.selector) else {
            return Ok(Finding::of(&self.name, false, format!("there is nothing at `{}`", self.selector)));
        };
        match Circuit::read(&document) {
            Ok(circuit) => Ok(judge::judge(&self.name, &goal, &circuit)),
            Err(why) => Ok(Finding::of(&self.name, false, why)),
        }
    }

    fn near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        self.altered(case, twists::near_misses)
    }

    fn variations(&self, case: Case<'_>) -> Vec<AlteredState> {
        self.altered(case, twists::variations)
    }
}
