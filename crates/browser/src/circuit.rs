//! The Circuit Designer: its instances and its oracle.

mod oracle;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use quintain_checks::circuit::Circuit;
use quintain_checks::circuit::goal::Goal;
use quintain_checks::circuit::recipe::{Reading, Recipe, Way, lay_out};
use quintain_core::instance::fill;
use quintain_core::world::OracleStyle;
use quintain_core::{Agent, Instance, Rng, Task};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::app::{App, Prepared, Service};
use crate::oracle::Oracle;
use crate::simulation::Simulation;

/// What every task of the app tells first.
const BACKGROUND: &str = include_str!("circuit/background.md");
/// When a circuit counts as settled where the task does not say, in simulated seconds.
const SETTLED: f64 = 0.2;

/// The app: parts and wires on a canvas, simulated as they are drawn.
pub(crate) struct CircuitDesigner;

/// What the oracle carries out.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Plan {
    /// From where parts are added.
    menu: Way,
    /// The circuit to draw.
    circuit: Circuit,
    /// What to read off it.
    readings: Vec<Reading>,
    /// When values are settled, in simulated seconds.
    settle: f64,
}

impl App for CircuitDesigner {
    fn name(&self) -> &'static str {
        "circuit-designer"
    }

    fn version(&self) -> u32 {
        1
    }

    fn prepare(
        &self,
        task: &Task,
        parameters: &BTreeMap<String, Value>,
        _rng: &mut Rng,
        _is_canonical: bool,
    ) -> Result<Prepared, String> {
        let recipe = recipe(task, parameters).map_err(|why| format!("oracle.toml: {why}"))?;
        let circuit = lay_out(&recipe).map_err(|why| format!("oracle.toml: {why}"))?;
        let readings: Map<String, Value> = recipe.readings.iter().map(place_of).collect();
        let plan =
            Plan { menu: recipe.menu, circuit: circuit.clone(), readings: recipe.readings, settle: settled(task) };
        let words = [("background", BACKGROUND.trim_end().into()), ("formula", formulas(task, parameters)?)];
        Ok(Prepared {
            document: start(task)?,
            expected: json!({ "circuit": circuit, "readings": readings }),
            plan: serde_json::to_value(plan).map_err(|error| error.to_string())?,
            words: words.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        })
    }

    fn service(&self) -> Box<dyn Service + Send> {
        Box::new(Simulation::default())
    }

    fn oracle(&self, instance: &Instance, style: &OracleStyle) -> Result<Box<dyn Agent + Send>, String> {
        Ok(Box::new(Oracle(oracle::Draughtsman::new(instance, style)?)))
    }
}

/// The document the app opens with. Every task so far begins with an empty canvas.
fn start(task: &Task) -> Result<Value, String> {
    match task.spec.world.start.as_deref() {
        None | Some("blank") => Ok(json!({"parts": [], "wires": [], "scopes": [], "speed": 0.1})),
        Some(other) => Err(format!("the Circuit Designer cannot start with `{other}`; `blank` is what it has")),
    }
}

/// The recipe of a task's `oracle.toml`, filled in.
fn recipe(task: &Task, parameters: &BTreeMap<String, Value>) -> Result<Recipe, String> {
    let text = task.solution.as_deref().ok_or("the task has none")?;
    Recipe::read(&fill(text, parameters)?)
}

/// Where a field of the answer is read, as the check wants to know it.
fn place_of(reading: &Reading) -> (String, Value) {
    let mut place = json!({"quantity": reading.quantity, "part": reading.part});
    if let Some(pin) = &reading.pin {
        place["pin"] = pin.as_str().into();
    }
    (reading.field.clone(), place)
}

/// The time at which the task's verifier measures.
fn settled(task: &Task) -> f64 {
    task.spec.derive.iter().find_map(|spec| spec.options.get("settle")?.as_f64()).unwrap_or(SETTLED)
}

/// What the outputs of the task's truth tables are, in the words of an instruction.
fn formulas(task: &Task, parameters: &BTreeMap<String, Value>) -> Result<Value, String> {
    let mut all = Map::new();
    for check in task.spec.checks.iter().filter(|check| check.kind == "circuit-logic") {
        let options = Value::Object(check.options.clone().into_iter().collect());
        let goal = Goal::of(&options, parameters).map_err(|why| format!("check `{}`: {why}", check.name))?;
        all.extend(goal.formulas().into_iter().map(|(name, formula)| (name, Value::from(formula))));
    }
    Ok(Value::Object(all))
}
