//! The parameters of an instance, as scenarios read them.

use std::collections::BTreeMap;

use serde_json::Value;

/// The parameters of an instance by name.
pub(crate) type Parameters = BTreeMap<String, Value>;

/// A text.
pub(crate) fn text<'a>(parameters: &'a Parameters, name: &str) -> Result<&'a str, String> {
    parameters.get(name).and_then(Value::as_str).ok_or_else(|| format!("`{name}` must be a text"))
}

/// A whole number within limits.
pub(crate) fn whole(parameters: &Parameters, name: &str, within: std::ops::RangeInclusive<i64>) -> Result<i64, String> {
    let given = parameters.get(name).and_then(Value::as_i64).filter(|number| within.contains(number));
    given.ok_or_else(|| format!("`{name}` must be a whole number from {} to {}", within.start(), within.end()))
}

/// Three rows of three whole numbers: the fields `a` to `i` of an object.
pub(crate) fn square(parameters: &Parameters, name: &str) -> Result<Vec<Vec<i64>>, String> {
    let cell = |field: &str| parameters.get(name).and_then(|cells| cells.get(field)).and_then(Value::as_i64);
    let row = |fields: [&str; 3]| fields.map(cell).into_iter().collect::<Option<Vec<i64>>>();
    let rows: Option<Vec<Vec<i64>>> =
        [["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]].map(row).into_iter().collect();
    rows.ok_or_else(|| format!("`{name}` must hold whole numbers from `a` to `i`"))
}
