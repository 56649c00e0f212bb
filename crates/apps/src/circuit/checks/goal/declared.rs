//! What a task declares about a circuit of gates, filled in for one instance.

use std::collections::BTreeMap;

use quintain_core::template;
use serde::Deserialize;
use serde_json::Value;

use super::folded;
use crate::circuit::model::expression::Expression;
use crate::circuit::model::{Logic, PartKind};

/// What a circuit of gates has to do, in one instance.
#[derive(Clone, Debug, PartialEq)]
pub struct CircuitGoal {
    /// The logic inputs: the name in expressions, the label.
    pub inputs: Vec<(String, String)>,
    /// The logic outputs.
    pub outputs: Vec<GoalOutput>,
    /// The outputs that a ground or a source may drive, by name.
    pub constants: Vec<String>,
    /// The kinds of gates that may be used; nothing means all.
    pub only: Option<Vec<PartKind>>,
    /// How many gates of a kind there are.
    pub exactly: BTreeMap<PartKind, usize>,
    /// How many gates of a kind there are at most.
    pub at_most: BTreeMap<PartKind, usize>,
    /// How many inputs every gate but NOT has; nothing means any number.
    pub gate_inputs: Option<usize>,
    /// Whether from every gate a way leads to an output.
    pub all_used: bool,
    /// So many gates stand one after the other on a way to an output.
    pub chain: usize,
    /// The gates of a construction, each after those it rests on.
    pub steps: Vec<ConstructionStep>,
    /// Terms that one gate works out for several.
    pub shared: Vec<SharedTerm>,
}

/// One logic output of a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalOutput {
    /// Its name in `reaches` and `constants`, and among the formulas of an instruction.
    pub name: String,
    /// Its label.
    pub label: String,
    /// When it is high.
    pub is: Expression,
    /// When it may be anything.
    pub free: Option<Expression>,
}

/// One gate of a construction that the task prescribes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstructionStep {
    /// Its name in later steps.
    pub step: String,
    /// The kind of gate.
    pub gate: PartKind,
    /// What its inputs are joined to, in any order: inputs of the circuit and earlier steps.
    pub of: Vec<String>,
}

/// A term that one gate works out for several.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedTerm {
    /// The kind of gate.
    pub gate: PartKind,
    /// How many inputs this gate has; nothing means any number.
    pub gate_inputs: Option<usize>,
    /// What it works out.
    pub is: Expression,
    /// At least so many gates take it as an input.
    pub feeds: usize,
    /// The outputs that make use of it, by name, each through a gate of its own and around the other outputs.
    pub reaches: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoalSpec {
    inputs: BTreeMap<String, String>,
    outputs: BTreeMap<String, OutputSpec>,
    #[serde(default)]
    constants: Vec<String>,
    #[serde(default)]
    only: Option<Vec<PartKind>>,
    #[serde(default)]
    exactly: BTreeMap<PartKind, usize>,
    #[serde(default)]
    at_most: BTreeMap<PartKind, usize>,
    #[serde(default)]
    gate_inputs: Option<usize>,
    #[serde(default)]
    all_used: bool,
    #[serde(default)]
    chain: usize,
    #[serde(default)]
    steps: Vec<ConstructionStep>,
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
    #[serde(default)]
    gate_inputs: Option<usize>,
    is: String,
    feeds: usize,
    #[serde(default)]
    reaches: Vec<String>,
}

impl GoalSpec {
    fn read(self) -> Result<CircuitGoal, String> {
        let outputs = self.outputs.into_iter().map(|(name, output)| {
            let free = output.free.as_deref().map(Expression::read).transpose()?;
            Ok(GoalOutput { name, label: output.label, is: Expression::read(&output.is)?, free })
        });
        Ok(CircuitGoal {
            inputs: self.inputs.into_iter().collect(),
            outputs: outputs.collect::<Result<_, String>>()?,
            constants: self.constants,
            only: self.only,
            exactly: self.exactly,
            at_most: self.at_most,
            gate_inputs: self.gate_inputs,
            all_used: self.all_used,
            chain: self.chain,
            steps: self.steps,
            shared: self.shared.into_iter().map(SharedSpec::read).collect::<Result<_, String>>()?,
        })
    }
}

impl SharedSpec {
    fn read(self) -> Result<SharedTerm, String> {
        let is = Expression::read(&self.is)?;
        let Self { gate, gate_inputs, feeds, reaches, .. } = self;
        Ok(SharedTerm { gate, gate_inputs, is, feeds, reaches })
    }
}

impl CircuitGoal {
    /// The goal that the options of a check declare, for the parameters of an instance.
    pub fn of(options: &Value, parameters: &BTreeMap<String, Value>) -> Result<Self, String> {
        let filled = template::fill(options, parameters).map_err(|error| error.to_string())?;
        let spec: GoalSpec = serde_json::from_value(filled).map_err(|error| error.to_string())?;
        let goal = spec.read()?;
        goal.problem().map_or(Ok(goal), Err)
    }

    /// What makes no sense about it.
    fn problem(&self) -> Option<String> {
        let known = |name: &str| self.inputs.iter().any(|(known, _)| known == name);
        let used = self.outputs.iter().flat_map(|output| [Some(&output.is), output.free.as_ref()]).flatten();
        let used = used.chain(self.shared.iter().map(|shared| &shared.is));
        let unknown = used.flat_map(Expression::names).find(|name| !known(name));
        let named = self.shared.iter().flat_map(|shared| &shared.reaches).chain(&self.constants);
        let missing = named.into_iter().find(|name| !self.outputs.iter().any(|output| output.name == **name));
        let labels = self.inputs.iter().map(|(_, label)| label).chain(self.outputs.iter().map(|output| &output.label));
        let mut labels: Vec<String> = labels.map(|label| folded(label)).collect();
        labels.sort_unstable();
        let twice = labels.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone());
        None.or_else(|| unknown.map(|name| format!("`{name}` is not one of the inputs")))
            .or_else(|| missing.map(|name| format!("`{name}` is not one of the outputs")))
            .or_else(|| twice.map(|label| format!("two terminals are labelled `{label}`")))
            .or_else(|| self.misstep())
    }

    /// The first step that cannot be taken.
    fn misstep(&self) -> Option<String> {
        let mut known: Vec<&String> = self.inputs.iter().map(|(name, _)| name).collect();
        for step in &self.steps {
            let name = &step.step;
            if !step.gate.is_gate() {
                return Some(format!("step `{name}` names no kind of gate"));
            }
            if let Some(unknown) = step.of.iter().find(|name| !known.contains(name)) {
                return Some(format!(
                    "step `{name}` rests on `{unknown}`, which is neither an input nor an earlier step"
                ));
            }
            if known.contains(&name) {
                return Some(format!("step `{name}` has a name that is taken"));
            }
            known.push(name);
        }
        None
    }

    /// The label of an input, or the name itself where it is none.
    pub(super) fn label(&self, name: &str) -> String {
        let found = self.inputs.iter().find(|(known, _)| known == name);
        found.map_or_else(|| name.to_owned(), |(_, label)| label.clone())
    }

    /// The net of an input, by name.
    pub(super) fn input_net(&self, logic: &Logic, name: &str) -> Option<usize> {
        let label = folded(&self.label(name));
        logic.inputs.iter().find(|input| folded(&input.label) == label).map(|input| input.net)
    }

    /// The net of an output, by name.
    pub(super) fn output_net(&self, logic: &Logic, name: &str) -> Option<usize> {
        let label = folded(&self.outputs.iter().find(|output| output.name == name)?.label);
        logic.outputs.iter().find(|output| folded(&output.label) == label).map(|output| output.net)
    }

    /// The expression of each output in the labels of the inputs, for instructions: `NOT A AND B`.
    pub fn formulas(&self) -> BTreeMap<String, String> {
        let label = |name: &str| self.label(name);
        self.outputs.iter().map(|output| (output.name.clone(), output.is.spoken(&label))).collect()
    }
}
