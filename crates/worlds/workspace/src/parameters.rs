//! The parameters of a task, as assignments read them.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde_json::Value;

/// The parameters of an instance.
#[derive(Clone, Copy, Debug)]
pub struct WorkParameters<'a>(pub(crate) &'a BTreeMap<String, Value>);

impl WorkParameters<'_> {
    /// A whole number within limits.
    pub fn number(&self, name: &str, within: RangeInclusive<u64>) -> Result<u64, String> {
        let given = self.0.get(name).and_then(Value::as_u64).filter(|n| within.contains(n));
        given.ok_or_else(|| format!("`{name}` must be from {} to {}", within.start(), within.end()))
    }
}
