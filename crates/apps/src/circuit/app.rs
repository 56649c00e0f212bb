//! The Circuit Designer's instances, and what it brings to the browser.

use std::collections::BTreeMap;
use std::sync::Arc;

use quintain_browser::{App, Bundle, PreparedApp, Service};
use quintain_core::check::CheckKind;
use quintain_core::manual::ManualChapter;
use quintain_core::offering::{NeedScope, WorldNeed};
use quintain_core::template::fill_text;
use quintain_core::verifier::VerifierKind;
use quintain_core::world::OracleStyle;
use quintain_core::{Agent, Digest, Instance, InstanceGoal, Pick, Reference, Rng, Task};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::manual;
use super::ngspice::find as find_ngspice;
use super::service::Simulation;
use super::settle::{SETTLED, settle_at};
use super::verifier::{CIRCUIT_VERIFIER, CircuitVerifying};
use crate::bundle::{bundle, code};
use crate::circuit::checks::goal::CircuitGoal;
use crate::circuit::checks::{CircuitLogic, CircuitReading, reading};
use crate::circuit::model::Circuit;
use crate::circuit::model::recipe::{AddingWay, CircuitRecipe, FieldReading, lay_out};
use crate::oracle::AppOracle;

/// What every task of the app tells first.
const BACKGROUND: &str = include_str!("background.md");

/// The app: parts and wires on a canvas, simulated as they are drawn.
pub struct CircuitDesigner;

/// What the oracle carries out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CircuitPlan {
    /// From where parts are added.
    pub(super) menu: AddingWay,
    /// The circuit to draw.
    pub(super) circuit: Circuit,
    /// What to read off it.
    pub(super) readings: Vec<FieldReading>,
    /// When values are settled, in simulated seconds.
    pub(super) settle: f64,
}

impl App for CircuitDesigner {
    fn name(&self) -> &'static str {
        "circuit-designer"
    }

    fn version(&self) -> u32 {
        1
    }

    fn bundle(&self) -> Bundle {
        bundle(self.name())
    }

    fn code(&self) -> Option<Digest> {
        code("circuit")
    }

    fn prepare(
        &self,
        task: &Task,
        _pick: &Pick,
        parameters: &BTreeMap<String, Value>,
        _rng: Option<&mut Rng>,
    ) -> Result<PreparedApp, String> {
        let recipe = recipe(task, parameters)?;
        let circuit = lay_out(&recipe).map_err(|why| format!("oracle.toml: {why}"))?;
        let readings: Map<String, Value> = recipe.readings.iter().map(place_of).collect();
        let settle = settled(task, parameters)?;
        let goals = goals(task, parameters)?;
        let counts = counts(task, &goals, &recipe.readings)?;
        let plan = CircuitPlan { menu: recipe.menu, circuit: circuit.clone(), readings: recipe.readings, settle };
        let words =
            [("background", BACKGROUND.trim_end().into()), ("formula", formulas(&goals)), ("counts", counts.into())];
        Ok(PreparedApp {
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
        Ok(Box::new(AppOracle(super::oracle::CircuitPlayer::new(instance, style)?)))
    }

    fn right_document(&self, instance: &Instance) -> Option<Value> {
        instance.start["expected"].get("circuit").cloned()
    }

    /// The circuit that is right, and where it is measured. The labels of its parts are given.
    fn goal(&self, _document: &Value, expected: &Value) -> InstanceGoal {
        let circuit = Circuit::deserialize(&expected["circuit"]);
        let named = |circuit: Circuit| circuit.parts.iter().map(|part| part.label().to_owned()).collect();
        InstanceGoal { state: expected.clone(), labels: circuit.ok().map(named) }
    }

    fn blank(&self) -> Value {
        json!({"parts": [], "wires": [], "scopes": [], "speed": 0.1})
    }

    fn checks(&self) -> Vec<Arc<dyn CheckKind>> {
        vec![Arc::new(CircuitLogic), Arc::new(CircuitReading)]
    }

    fn manual(&self) -> Vec<ManualChapter> {
        manual::chapters()
    }

    fn verifiers(&self) -> Vec<Arc<dyn VerifierKind>> {
        vec![Arc::new(CircuitVerifying)]
    }

    fn needs(&self) -> Vec<WorldNeed> {
        vec![ngspice()]
    }
}

/// Every task needs the simulator: circuits of gates alone are evaluated by logic, but nothing keeps an agent from drawing
/// other parts, and what it does must not turn into a fault of the host.
fn ngspice() -> WorldNeed {
    let is_circuit = |task: &Task| task.spec.world.app == CircuitDesigner.name();
    let look = || match find_ngspice() {
        Some(path) => Ok(path.display().to_string()),
        None => Err("no ngspice is found".to_owned()),
    };
    WorldNeed {
        name: "ngspice",
        label: "ngspice",
        purpose: "for the Circuit Designer",
        look: Arc::new(look),
        mend: "apt install ngspice",
        scope: NeedScope::Tasks(is_circuit),
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
fn recipe(task: &Task, parameters: &BTreeMap<String, Value>) -> Result<CircuitRecipe, String> {
    let text = task.solution.as_deref().ok_or("the task has no oracle.toml")?;
    CircuitRecipe::read(&fill_text(text, parameters).map_err(|why| format!("oracle.toml: {why}"))?)
}

/// Where a field of the answer is read, as the check wants to know it.
fn place_of(reading: &FieldReading) -> (String, Value) {
    let mut place = json!({"quantity": reading.quantity, "part": reading.part});
    if let Some(pin) = &reading.pin {
        place["pin"] = pin.as_str().into();
    }
    (reading.field.clone(), place)
}

/// The time at which the task's verifier measures.
pub(super) fn settled(task: &Task, parameters: &BTreeMap<String, Value>) -> Result<f64, String> {
    let reference = Reference { parameters: parameters.clone(), ..Reference::default() };
    let verifier = task.spec.derive.iter().find(|spec| spec.kind == CIRCUIT_VERIFIER);
    verifier.map_or(Ok(SETTLED), |spec| settle_at(spec, &reference))
}

/// The goals of the task's truth tables.
fn goals(task: &Task, parameters: &BTreeMap<String, Value>) -> Result<Vec<CircuitGoal>, String> {
    let checks = task.spec.checks.iter().filter(|check| check.kind == CircuitLogic.kind());
    let goals = checks.map(|check| {
        let options = Value::Object(check.options.clone().into_iter().collect());
        CircuitGoal::of(&options, parameters).map_err(|why| format!("check `{}`: {why}", check.name))
    });
    goals.collect()
}

/// What the outputs are, in the words of an instruction.
fn formulas(goals: &[CircuitGoal]) -> Value {
    let formulas = goals.iter().flat_map(CircuitGoal::formulas);
    formulas.map(|(name, formula)| (name, Value::from(formula))).collect::<Map<_, _>>().into()
}

/// What counts, in the words of an instruction: told by the checks themselves.
fn counts(task: &Task, goals: &[CircuitGoal], readings: &[FieldReading]) -> Result<String, String> {
    let read: Vec<_> = task.spec.checks.iter().filter(|check| check.kind == CircuitReading.kind()).collect();
    let mut told: Vec<String> = goals.iter().map(CircuitGoal::told).collect();
    if !read.is_empty() {
        told.push(reading::told(&read, readings)?);
    }
    Ok(told.join("\n"))
}
