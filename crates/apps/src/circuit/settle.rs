//! The simulated time at which values are settled: the oracle reads them then, and the verifier measures.

use quintain_core::Reference;
use quintain_core::task::DeriveSpec;
use serde_json::Value;

/// When a circuit counts as settled where the task does not say, in simulated seconds.
pub(super) const SETTLED: f64 = 0.2;

/// When a verifier measures, in simulated seconds: its option `settle`, as it stands or as `{{ parameter }}`.
pub(super) fn settle_at(verifier: &DeriveSpec, reference: &Reference) -> Result<f64, String> {
    let Some(written) = verifier.options.get("settle") else { return Ok(SETTLED) };
    let value = reference.resolve(written).ok();
    let seconds = value.as_ref().and_then(Value::as_f64).filter(|seconds| *seconds > 0.0);
    seconds.ok_or_else(|| format!("`{}` has no time to settle at: {written}", verifier.name))
}
