//! Which providers are not reached just now. The first call that fails so is told at once, not after the last of many tries.

use std::collections::BTreeSet;
use std::sync::Mutex;

use quintain_core::Notices;
use quintain_core::lock::LockAlways as _;

use super::http::CallFailure;

/// What is known of all providers of a run.
#[derive(Debug, Default)]
pub(super) struct ProviderReach {
    /// The addresses that nobody answers at.
    silent: Mutex<BTreeSet<String>>,
    /// Where that is said.
    pub(super) notices: Notices,
}

impl ProviderReach {
    /// A call failed; it is told if it is the first that did not even reach its provider.
    pub(super) fn failed(&self, model: &str, address: &str, failure: &CallFailure, mend: Option<&str>) {
        let CallFailure::Unreached(why) = failure else { return };
        if self.silent.lock().always().insert(address.to_owned()) {
            let mend = mend.map(|mend| format!("\n{mend}")).unwrap_or_default();
            self.notices.say(&format!(
                "`{model}` is not reached at {address}: {why}; it is asked again, longer and longer after{mend}"
            ));
        }
    }

    /// A provider answered, whatever it said.
    pub(super) fn answered(&self, model: &str, address: &str) {
        if self.silent.lock().always().remove(address) {
            self.notices.say(&format!("`{model}` answers again"));
        }
    }
}
