//! The check `circuit-reading`: a value was read off the wanted circuit, which is really there and simulates to it.
//!
//! Three things must hold, each with its own sentence: the document holds the expected circuit, part by part and net by
//! net; simulated by the verifier it gives the expected value where it was to be read; and the answer says that value.
//! Measured values agree within `tolerance`, as a share of the expected value (0.05 unless told); the values of parts are
//! exact. [`told`] says the same in the words of an instruction.
//!
//! Its options are told in [`CheckKind::manual`].
//!
//! What is expected stands in the start state: `expected/circuit`, and `expected/readings/<field>` with `quantity`, `part`
//! (a label) and `pin`.

pub mod pairing;
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

use self::pairing::{Pairing, PartPair};
pub use self::told::told;
use crate::circuit::model::quantity::{self, ValueUnit};
use crate::circuit::model::recipe::FieldReading;
use crate::circuit::model::{Circuit, CircuitQuantity, MeasuredCircuit};

/// A value was read off the wanted circuit.
#[derive(Clone, Copy, Debug)]
pub struct CircuitReading;

/// The clauses besides those about the circuit's parts.
const SIMULATES: &str = "simulates to the value";
const ANSWER: &str = "answer";

/// How far a reading may be off, as a share.
const USUAL_TOLERANCE: f64 = 0.05;
/// The verifier's output.
const USUAL_DERIVE: &str = "simulation";

impl CheckKind for CircuitReading {
    fn kind(&self) -> &'static str {
        "circuit-reading"
    }

    fn manual(&self) -> CheckManual {
        CheckManual {
            says: "A value was read off the circuit asked for, which is really there and simulates to it.",
            selector: Some("Where the circuit is: `documents/circuit-designer`."),
            tolerance: Some("How far off the value may be, as a share of the expected one; 0.05 unless told."),
            options: &[
                ("field", "The field of the answer; `[[reading]]` of `oracle.toml` says where it is read."),
                ("derive", "The name of the verifier's output; `simulation` unless told."),
            ],
            ..CheckManual::default()
        }
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        Ok(Box::new(ReadingCheck::of(spec)?))
    }
}

struct ReadingCheck {
    name: String,
    selector: String,
    field: String,
    derive: String,
    tolerance: f64,
}

/// What is expected of one reading.
struct ExpectedReading {
    circuit: Circuit,
    reading: FieldReading,
    /// The part it is read at, by its place in the circuit.
    part_idx: usize,
}

impl ReadingCheck {
    fn of(spec: &CheckSpec) -> Result<Self, String> {
        options::refuse_others(spec, &CircuitReading.manual())?;
        let tolerance = spec.tolerance.map_or(Ok(USUAL_TOLERANCE), |_| options::tolerance(spec))?;
        Ok(Self {
            name: spec.name.clone(),
            selector: options::selector(spec)?,
            field: options::text(spec, "field")?.ok_or("`field` is missing")?,
            derive: options::text(spec, "derive")?.unwrap_or_else(|| USUAL_DERIVE.to_owned()),
            tolerance,
        })
    }

    fn broken(&self, why: impl Into<String>) -> BrokenJudge {
        BrokenJudge { check: self.name.clone(), why: why.into() }
    }

    fn expected(&self, case: Case<'_>) -> Result<ExpectedReading, BrokenJudge> {
        let expected = &case.reference.start["expected"];
        let circuit = Circuit::read(&expected["circuit"]).map_err(|why| self.broken(why))?;
        let mut reading = expected["readings"][&self.field].clone();
        if let Some(fields) = reading.as_object_mut() {
            fields.insert("field".to_owned(), self.field.clone().into());
        }
        let reading: FieldReading = serde_json::from_value(reading)
            .map_err(|error| self.broken(format!("no reading is expected for `{}`: {error}", self.field)))?;
        let part_idx = circuit.parts.iter().position(|part| part.label() == reading.part);
        let part_idx = part_idx.ok_or_else(|| self.broken(format!("no part is labelled `{}`", reading.part)))?;
        Ok(ExpectedReading { circuit, reading, part_idx })
    }

    /// What the verifier measured of one of the two circuits; nothing where it did not run.
    fn derived(&self, case: Case<'_>, which: &str) -> Option<MeasuredCircuit> {
        let derived = case.evidence.derived.get(&self.derive)?;
        serde_json::from_value(derived.get(which)?.clone()).ok()
    }

    /// The value that the expected circuit gives; nothing where the verifier did not run.
    fn wanted(&self, case: Case<'_>, expected: &ExpectedReading) -> Result<Option<f64>, BrokenJudge> {
        let Some(measured) = self.derived(case, "expected") else { return Ok(None) };
        let part = &expected.circuit.parts[expected.part_idx].id;
        let pin = expected.reading.pin.as_deref().unwrap_or_default();
        let why = || {
            let problem = measured.problem.as_deref().unwrap_or("it was not measured");
            self.broken(format!("the expected circuit gives no value for `{}`: {problem}", self.field))
        };
        let value = measured.quantity(part, pin, expected.reading.quantity).ok_or_else(why)?;
        Ok(Some(as_shown(value, expected.reading.quantity)))
    }

    /// Whether a value is the wanted one.
    fn agrees(&self, value: f64, wanted: f64) -> bool {
        (value - wanted).abs() <= self.tolerance * wanted.abs()
    }

    /// What holds, or the sentence of the first thing that does not.
    fn holds(
        &self,
        case: Case<'_>,
        (expected, wanted): (&ExpectedReading, Option<f64>),
        on: ClauseSwitch<'_>,
    ) -> Result<String, String> {
        let document = case.evidence.select(&self.selector);
        let document = document.ok_or_else(|| format!("there is nothing at `{}`", self.selector))?;
        let circuit = Circuit::read(&document)?;
        let pairing = Pairing::with(&expected.circuit, &circuit, on);
        let pairing = pairing.map_err(|why| format!("the circuit is not the one asked for: {why}"))?;
        let pair = pairing.pair(expected.part_idx).ok_or("the part to read at is not there")?;
        let wanted = wanted.ok_or("nothing was simulated")?;
        let quantity = expected.reading.quantity;
        let own = self.own(case, &circuit, expected, pair)?;
        if on.holds(SIMULATES) && !self.agrees(own, wanted) {
            return Err(format!(
                "the circuit simulates to {}, not {}",
                spoken(own, quantity),
                spoken(wanted, quantity)
            ));
        }
        if !on.holds(ANSWER) {
            return Ok("no answer is asked for".to_owned());
        }
        let answer = self.answer(case, quantity)?;
        let (answer, wanted, agrees) =
            (spoken(answer, quantity), spoken(wanted, quantity), self.agrees(answer, wanted));
        if agrees { Ok(format!("{answer} is near {wanted}")) } else { Err(format!("{answer} is not {wanted}")) }
    }

    /// What the verifier measured of the agent's circuit, where it corresponds to the expected place.
    fn own(
        &self,
        case: Case<'_>,
        circuit: &Circuit,
        expected: &ExpectedReading,
        pair: &PartPair,
    ) -> Result<f64, String> {
        let measured = self.derived(case, "actual").ok_or("nothing was simulated")?;
        if let Some(problem) = &measured.problem {
            return Err(format!("the circuit cannot be simulated: {problem}"));
        }
        let part = &circuit.parts[pair.actual_idx];
        let pin = expected.reading.pin.as_deref().and_then(|pin| pair.pin(&expected.circuit, part, pin));
        let value = measured.quantity(&part.id, pin.unwrap_or_default(), expected.reading.quantity);
        let value = value.ok_or("the circuit has no such value where it is to be read")?;
        Ok(as_shown(value, expected.reading.quantity))
    }

    fn answer(&self, case: Case<'_>, quantity: CircuitQuantity) -> Result<f64, String> {
        let answer = case.evidence.answer.as_ref().and_then(|answer| answer.get(&self.field));
        match answer {
            Some(Value::String(text)) => quantity::read(text, ValueUnit::of(quantity)),
            Some(Value::Number(number)) => quantity::read(&number.to_string(), ValueUnit::of(quantity)),
            _ => Err(format!("the answer has no `{}`", self.field)),
        }
    }
}

/// A value as the app shows it: a drop has no sign, since the direction of a part is not seen.
fn as_shown(value: f64, quantity: CircuitQuantity) -> f64 {
    if quantity == CircuitQuantity::Drop { value.abs() } else { value }
}

/// A value as a sentence says it.
fn spoken(value: f64, quantity: CircuitQuantity) -> String {
    let value = if quantity == CircuitQuantity::Duty { value * 100.0 } else { value };
    let digits = if value.abs() >= 100.0 { 1 } else { 4 };
    format!("{value:.digits$} {}", ValueUnit::of(quantity).symbol())
}

impl ReadingCheck {
    fn judge_with(&self, case: Case<'_>, clauses: ClauseSwitch<'_>) -> Result<Finding, BrokenJudge> {
        let expected = self.expected(case)?;
        let wanted = self.wanted(case, &expected)?;
        Ok(match self.holds(case, (&expected, wanted), clauses) {
            Ok(because) => Finding::of(&self.name, true, because),
            Err(because) => Finding::of(&self.name, false, because),
        })
    }
}

impl Check for ReadingCheck {
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge> {
        self.judge_with(case, ClauseSwitch::ALL)
    }

    fn clauses(&self, _case: Case<'_>) -> Vec<Clause> {
        let needed = [pairing::NO_OTHER_PART, pairing::COUNTS, pairing::JOINTS, ANSWER].map(Clause::needed);
        let spare =
            Clause::spare(SIMULATES, "circuits that are the same part by part and joint by joint simulate alike");
        needed.into_iter().chain([spare]).collect()
    }

    fn judge_without(&self, case: Case<'_>, clause: &str) -> Result<Finding, BrokenJudge> {
        self.judge_with(case, ClauseSwitch::without(clause))
    }

    fn near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        twists::near_misses(self, case, twists::MOST)
    }

    fn all_near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        twists::near_misses(self, case, usize::MAX)
    }

    fn variations(&self, case: Case<'_>) -> Vec<AlteredState> {
        twists::variations(self, case)
    }

    fn disguises(&self, case: Case<'_>) -> Vec<AlteredState> {
        twists::disguises(self, case)
    }
}
