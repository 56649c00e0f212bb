//! Simulates the circuit an agent left and the one that was wanted, and measures both.

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::{VerifierCase, VerifierRunner};
use serde_json::{Value, json};

use super::service::simulate;
use super::settle::settle_at;
use crate::circuit::model::{Circuit, MeasuredCircuit, SimulationPace};

/// The kind of verifier that this is, in `task.toml`.
pub const CIRCUIT_VERIFIER: &str = "ngspice";
/// The document it looks at.
const DOCUMENT: &str = "circuit-designer";

/// Measures circuits with ngspice after the agent has stopped. Stores `{"actual": M, "expected": M}`, as
/// [`crate::circuit::model`] says.
#[derive(Clone, Debug, PartialEq)]
pub struct CircuitVerifier {
    spec: DeriveSpec,
}

/// The kind `ngspice`.
#[derive(Clone, Copy, Debug)]
pub struct CircuitVerifying;

impl VerifierKind for CircuitVerifying {
    fn kind(&self) -> &'static str {
        CIRCUIT_VERIFIER
    }

    fn make(&self, spec: &DeriveSpec) -> Result<VerifierHook, String> {
        Ok(Box::new(CircuitVerifier::new(spec)))
    }
}

impl CircuitVerifier {
    /// The verifier that a task declares. Its option `settle` is the simulated time at which is measured, in seconds.
    pub fn new(spec: &DeriveSpec) -> Self {
        Self { spec: spec.clone() }
    }
}

impl VerifierRunner for CircuitVerifier {
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let VerifierCase { evidence, reference, .. } = case;
        let settled = settle_at(&self.spec, reference)?;
        let actual = match evidence.documents.get(DOCUMENT).map(Circuit::read) {
            Some(Ok(circuit)) => measured(&circuit, settled)?,
            Some(Err(problem)) => MeasuredCircuit::problem(problem),
            None => MeasuredCircuit::problem("there is no circuit"),
        };
        let wanted = Circuit::read(&reference.start["expected"]["circuit"])
            .map_err(|problem| format!("the reference of `{}` is broken: {problem}", self.spec.name))?;
        let expected = measured(&wanted, settled)?;
        Ok(vec![(self.spec.name.clone(), json!({"actual": actual, "expected": expected}))])
    }
}

fn measured(circuit: &Circuit, settled: f64) -> Result<MeasuredCircuit, String> {
    let moment = settled.min(SimulationPace::of(circuit).furthest);
    let simulated = simulate(circuit, moment).map_err(|failure| failure.to_string())?;
    Ok(match simulated.problem {
        Some(problem) => MeasuredCircuit::problem(problem),
        None => MeasuredCircuit::of(circuit, &simulated.waves, moment),
    })
}

#[cfg(test)]
mod tests;
