//! Which units have an outcome, for those who need to know besides the overseer.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use super::bits::UnitBits;

/// Units with outcomes, by run.
#[derive(Debug, Default)]
pub(super) struct DoneUnits {
    runs: Mutex<BTreeMap<String, UnitBits>>,
}

impl DoneUnits {
    /// Adds units.
    pub(super) fn put<'a>(&self, units: impl IntoIterator<Item = (&'a str, u32)>) {
        let mut runs = self.runs();
        for (run, idx) in units {
            match runs.get_mut(run) {
                Some(done) => done.put(idx),
                None => runs.entry(run.to_owned()).or_default().put(idx),
            };
        }
    }

    /// Whether the unit has an outcome.
    pub(super) fn has(&self, run: &str, idx: u32) -> bool {
        self.runs().get(run).is_some_and(|done| done.has(idx))
    }

    fn runs(&self) -> MutexGuard<'_, BTreeMap<String, UnitBits>> {
        self.runs.lock().expect("nobody panics while holding it")
    }
}
