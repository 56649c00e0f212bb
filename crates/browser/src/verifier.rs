//! Simulates the circuit an agent left and the one that was wanted, and measures both.

use std::collections::BTreeMap;

use quintain_checks::circuit::{Circuit, Measured, Pace};
use quintain_core::task::DeriveSpec;
use quintain_core::{Derive, Evidence, Reference};
use serde_json::{Value, json};

use crate::simulation::simulate;

/// The kind of verifier that this is, in `task.toml`.
pub const CIRCUIT_VERIFIER: &str = "ngspice";
/// The document it looks at.
const DOCUMENT: &str = "circuit-designer";
/// When a circuit counts as settled where the task does not say, in simulated seconds.
const SETTLED: f64 = 0.2;

/// Measures circuits with ngspice after the agent has stopped. Stores `{"actual": M, "expected": M}`, as
/// [`quintain_checks::circuit`] says.
#[derive(Clone, Debug, PartialEq)]
pub struct CircuitVerifier {
    name: String,
    options: BTreeMap<String, Value>,
}

impl CircuitVerifier {
    /// The verifier that a task declares. Its option `settle` is the simulated time at which is measured, in seconds.
    pub fn new(spec: &DeriveSpec) -> Self {
        Self { name: spec.name.clone(), options: spec.options.clone() }
    }

    fn settled(&self, reference: &Reference) -> Result<f64, String> {
        let Some(written) = self.options.get("settle") else { return Ok(SETTLED) };
        let value = reference.resolve(written);
        let seconds = value.as_ref().and_then(Value::as_f64).filter(|seconds| *seconds > 0.0);
        seconds.ok_or_else(|| format!("`{}` has no time to settle at: {written}", self.name))
    }
}

impl Derive for CircuitVerifier {
    fn derive(&self, evidence: &Evidence, reference: &Reference) -> Result<Vec<(String, Value)>, String> {
        let settled = self.settled(reference)?;
        let actual = match evidence.documents.get(DOCUMENT).map(Circuit::read) {
            Some(Ok(circuit)) => measured(&circuit, settled)?,
            Some(Err(problem)) => Measured::problem(problem),
            None => Measured::problem("there is no circuit"),
        };
        let wanted = Circuit::read(&reference.start["expected"]["circuit"])
            .map_err(|problem| format!("the reference of `{}` is broken: {problem}", self.name))?;
        let expected = measured(&wanted, settled)?;
        Ok(vec![(self.name.clone(), json!({"actual": actual, "expected": expected}))])
    }
}

fn measured(circuit: &Circuit, settled: f64) -> Result<Measured, String> {
    let moment = settled.min(Pace::of(circuit).furthest);
    let simulated = simulate(circuit, moment).map_err(|failure| failure.to_string())?;
    Ok(match simulated.problem {
        Some(problem) => Measured::problem(problem),
        None => Measured::of(circuit, &simulated.waves, moment),
    })
}

#[cfg(test)]
mod tests;
