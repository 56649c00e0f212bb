//! The provider's own books: every call that was billed, and whether whoever made it was told.

use std::sync::Mutex;

use quintain_core::lock::LockAlways as _;
use serde::{Deserialize, Serialize};

use super::wire::BilledTokens;

/// Every call that was billed, in order.
#[derive(Debug, Default)]
pub struct BillingLedger(Mutex<Vec<BilledCall>>);

/// One call that was billed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BilledCall {
    /// The call, as its maker named it.
    pub call: String,
    /// In which format it came.
    pub api: String,
    /// The model.
    pub model: String,
    /// The instance that the base URL named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// What it used.
    pub tokens: BilledTokens,
    /// What it costs, in US dollars.
    pub cost_usd: f64,
    /// Whether the answer was sent to its end, so that its maker knows what it used.
    pub told: bool,
}

impl BillingLedger {
    /// Bills a call, and returns its place.
    pub(super) fn add(&self, billed: BilledCall) -> usize {
        let mut entries = self.0.lock().always();
        entries.push(billed);
        entries.len() - 1
    }

    /// The answer to the call at this place was sent to its end.
    pub(super) fn told(&self, place: usize) {
        self.0.lock().always()[place].told = true;
    }

    /// All of it.
    pub fn entries(&self) -> Vec<BilledCall> {
        self.0.lock().always().clone()
    }

    /// What all calls cost, and what those cost of which their makers were told.
    pub fn total_usd(&self) -> (f64, f64) {
        let entries = self.entries();
        let all = |told: bool| entries.iter().filter(move |billed| billed.told || !told).map(|billed| billed.cost_usd);
        let sum = |told: bool| all(told).fold(0.0, |sum, cost| sum + cost); // `sum` makes -0 of nothing.
        (sum(false), sum(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_billed_is_zero_and_not_minus_zero() {
        assert_eq!(format!("{:?}", BillingLedger::default().total_usd()), "(0.0, 0.0)");
    }
}
