//! Answers what the Circuit Designer asks while it runs: what the circuit in the document does at a moment.

use std::sync::Arc;

use quintain_browser::Service;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::ngspice;
use super::ngspice::SpiceFailure;
use crate::circuit::model::{Circuit, Deck, HIGH_VOLTS, Logic, Nets, PartKind, SimulationPace, Wave, Waves};

/// The most columns a scope is answered with.
const MOST_COLUMNS: usize = 4096;

/// A circuit that is simulated as far as it was asked for.
pub(crate) struct SimulatedCircuit {
    /// Its waves. Nothing but zeros where it cannot be simulated.
    pub(crate) waves: Arc<Waves>,
    /// What is wrong with it, as a sentence.
    pub(crate) problem: Option<String>,
}

/// Simulates a circuit far enough to know a moment. The same circuit and moment give the same waves, whatever was asked
/// before. Fails only where this machine cannot simulate.
pub(crate) fn simulate(circuit: &Circuit, moment: f64) -> Result<SimulatedCircuit, SpiceFailure> {
    let nets = Nets::of(circuit);
    if Logic::is_logic(circuit) {
        return Ok(by_logic(circuit, &nets));
    }
    let still = |problem: Option<String>| {
        let waves = Arc::new(Waves::still(&vec![0.0; nets.count], circuit.parts.len()));
        Ok(SimulatedCircuit { waves, problem })
    };
    // An empty canvas has nothing wrong with it.
    if circuit.parts.is_empty() {
        return still(None);
    }
    let deck = match Deck::of(circuit, SimulationPace::of(circuit).until(moment)) {
        Ok(deck) => deck,
        Err(problem) => return still(Some(problem.to_string())),
    };
    if nets.count == 1 {
        return still(None);
    }
    match ngspice::waves(&deck) {
        Ok(waves) => Ok(SimulatedCircuit { waves, problem: None }),
        Err(failure) if failure.is_of_the_circuit() => still(Some(failure.to_string())),
        Err(failure) => Err(failure),
    }
}

/// Levels as volts. Constants keep the volts they have.
fn by_logic(circuit: &Circuit, nets: &Nets) -> SimulatedCircuit {
    let (logic, problem) = Logic::lenient(circuit);
    let (levels, problem) = match logic.levels() {
        Ok(levels) => (levels, problem),
        Err(restless) => (vec![false; nets.count], Some(problem.unwrap_or(restless))),
    };
    let mut volts: Vec<f64> = levels.into_iter().map(|is_high| if is_high { HIGH_VOLTS } else { 0.0 }).collect();
    for (part, pins) in circuit.parts.iter().zip(&nets.pins).filter(|(part, _)| part.kind == PartKind::DcRail) {
        volts[pins[0]] = part.number("voltage");
    }
    let waves = Arc::new(Waves::still(&volts, circuit.parts.len()));
    SimulatedCircuit { waves, problem: problem.map(|problem| problem.to_string()) }
}

/// The simulation behind an open page.
#[derive(Default)]
pub(crate) struct Simulation {
    seen: Option<SeenDocument>,
}

/// What is known about the document last seen.
struct SeenDocument {
    document: Value,
    circuit: Circuit,
    nets: Nets,
    /// How finely and how far the circuit is simulated.
    pace: SimulationPace,
    /// The pins and wires with their nets, as the page wants them.
    table: Value,
    /// The last waves, and until when they are those to show.
    shown: Option<(f64, SimulatedCircuit)>,
}

/// What the page asks.
#[derive(Deserialize)]
struct ServiceQuestion {
    /// Simulated seconds since the last edit.
    time: f64,
    #[serde(default)]
    scopes: Vec<ScopeQuestion>,
}

#[derive(Deserialize)]
struct ScopeQuestion {
    id: String,
    /// The seconds it shows.
    window: f64,
    columns: usize,
}

impl Service for Simulation {
    fn answer(&mut self, what: &str, body: &Value, document: &Value) -> Result<Value, String> {
        if what != "simulate" {
            return Err(format!("the Circuit Designer has no answer to `{what}`"));
        }
        let question: ServiceQuestion =
            ServiceQuestion::deserialize(body).map_err(|error| format!("the question makes no sense: {error}"))?;
        if self.seen.as_ref().is_none_or(|seen| seen.document != *document) {
            self.seen = None;
            match Circuit::read(document) {
                Ok(circuit) => self.seen = Some(SeenDocument::of(document, circuit)),
                Err(problem) => return Ok(nothing(&problem)),
            }
        }
        let seen = self.seen.as_mut().expect("it was just looked at");
        seen.answer(&question)
    }
}

/// The answer to what is no circuit.
fn nothing(problem: &str) -> Value {
    json!({"problem": problem, "nets": {}, "volts": [0.0], "currents": {}, "scopes": []})
}

impl SeenDocument {
    fn of(document: &Value, circuit: Circuit) -> Self {
        let nets = Nets::of(&circuit);
        let mut table = Map::new();
        for (part, pins) in circuit.parts.iter().zip(&nets.pins) {
            let entries =
                part.pins().iter().zip(pins).map(|(pin, net)| (format!("{}.{}", part.id, pin.name), json!(net)));
            table.extend(entries);
        }
        table.extend(circuit.wires.iter().zip(&nets.wires).map(|(wire, net)| (wire.id.clone(), json!(net))));
        let pace = SimulationPace::of(&circuit);
        Self { document: document.clone(), circuit, nets, pace, table: Value::Object(table), shown: None }
    }

    fn answer(&mut self, question: &ServiceQuestion) -> Result<Value, String> {
        let moment = if question.time.is_finite() { question.time.clamp(0.0, self.pace.furthest) } else { 0.0 };
        let until = self.pace.until(moment);
        if self.shown.as_ref().is_none_or(|(shown_until, _)| shown_until.total_cmp(&until).is_ne()) {
            // Where the machine cannot simulate, the trial cannot go on: that is no mistake of the user.
            let simulated = simulate(&self.circuit, moment).map_err(|failure| failure.to_string())?;
            self.shown = Some((until, simulated));
        }
        let (_, simulated) = self.shown.as_ref().expect("it was just simulated");
        let waves = &simulated.waves;
        let volts: Vec<f64> = (0..self.nets.count).map(|net| waves.net(net).at(moment)).collect();
        let current = |(idx, part): (usize, &crate::circuit::model::CircuitPart)| {
            waves.current(idx).map(|wave| (part.id.clone(), json!(wave.at(moment))))
        };
        let currents: Map<String, Value> = self.circuit.parts.iter().enumerate().filter_map(current).collect();
        let scopes: Vec<Value> = question.scopes.iter().filter_map(|scope| self.scope(scope, waves, moment)).collect();
        Ok(json!({
            "problem": simulated.problem, "nets": self.table, "volts": volts, "currents": currents, "scopes": scopes,
        }))
    }

    fn scope(&self, question: &ScopeQuestion, waves: &Waves, moment: f64) -> Option<Value> {
        let scope = self.circuit.scopes.iter().find(|scope| scope.id == question.id)?;
        let net = self.nets.probe(&self.circuit, &scope.probe)?;
        Some(picture(question, waves.net(net), moment))
    }
}

fn picture(question: &ScopeQuestion, wave: Wave<'_>, moment: f64) -> Value {
    let window = if question.window > 0.0 && question.window.is_finite() { question.window } else { 0.02 };
    let from = moment - window;
    let envelope = wave.envelope(from, moment, question.columns.min(MOST_COLUMNS));
    let measures = wave.measures(moment, window);
    json!({
        "id": question.id, "from": from, "until": moment, "low": envelope.low, "high": envelope.high,
        "min": measures.min, "max": measures.max, "peak_to_peak": measures.peak_to_peak(),
        "frequency": measures.frequency, "duty": measures.duty,
    })
}

#[cfg(test)]
mod tests;
