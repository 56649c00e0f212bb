//! A place in the body of a request, so that whatever is wrong can be named as `OpenAI` names it.

use serde_json::Value;

use crate::wire::WrongRequest;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(in crate::wire) struct PlacedValue<'a> {
    path: String,
    value: &'a Value,
}

impl<'a> PlacedValue<'a> {
    /// The whole body.
    pub(in crate::wire) fn body(value: &'a Value) -> Self {
        Self { path: String::new(), value }
    }

    /// Where it stands: `input[2].call_id`.
    pub(in crate::wire) fn path(&self) -> &str {
        &self.path
    }

    /// What stands there.
    pub(in crate::wire) fn value(&self) -> &'a Value {
        self.value
    }

    /// The field of this name, if it is there and not null.
    pub(in crate::wire) fn maybe(&self, name: &str) -> Option<Self> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(Self { path: self.inside(name), value })
    }

    /// The field of this name.
    pub(in crate::wire) fn field(&self, name: &str) -> Result<Self, WrongRequest> {
        self.maybe(name)
            .ok_or_else(|| WrongRequest::request(format!("Missing required parameter: '{}'.", self.inside(name))))
    }

    /// The text of this field.
    pub(in crate::wire) fn text_of(&self, name: &str) -> Result<&'a str, WrongRequest> {
        self.field(name)?.text()
    }

    /// The values of this field, which is not there at all if there are none.
    pub(in crate::wire) fn list_of(&self, name: &str) -> Result<Vec<Self>, WrongRequest> {
        self.maybe(name).map_or(Ok(Vec::new()), |at| at.list())
    }

    /// Whether this field says yes.
    pub(in crate::wire) fn truth_of(&self, name: &str) -> Result<Option<bool>, WrongRequest> {
        self.maybe(name).map(|at| at.truth()).transpose()
    }

    /// It as a text.
    pub(in crate::wire) fn text(&self) -> Result<&'a str, WrongRequest> {
        self.value.as_str().ok_or_else(|| self.not("a string"))
    }

    /// It as yes or no.
    pub(in crate::wire) fn truth(&self) -> Result<bool, WrongRequest> {
        self.value.as_bool().ok_or_else(|| self.not("a boolean"))
    }

    /// It as a count that is at least this much.
    pub(in crate::wire) fn at_least(&self, least: u64) -> Result<u64, WrongRequest> {
        let count = self.value.as_u64().ok_or_else(|| self.not("an integer"))?;
        if count < least {
            let path = &self.path;
            return Err(WrongRequest::request(format!(
                "Invalid '{path}': integer below minimum value. Expected a value >= {least}, but got {count} instead."
            )));
        }
        Ok(count)
    }

    /// It as an array.
    pub(in crate::wire) fn list(&self) -> Result<Vec<Self>, WrongRequest> {
        let values = self.value.as_array().ok_or_else(|| self.not("an array"))?;
        let at = |(idx, value)| Self { path: format!("{}[{idx}]", self.path), value };
        Ok(values.iter().enumerate().map(at).collect())
    }

    /// It as one of these words.
    pub(in crate::wire) fn one_of(&self, words: &[&str]) -> Result<&'a str, WrongRequest> {
        let word = self.text()?;
        if words.contains(&word) {
            return Ok(word);
        }
        let words: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        let path = &self.path;
        Err(WrongRequest::request(format!(
            "Invalid value: '{word}' in '{path}'. Supported values are: {}.",
            words.join(", ")
        )))
    }

    /// It as an object.
    pub(in crate::wire) fn object(&self) -> Result<&'a serde_json::Map<String, Value>, WrongRequest> {
        self.value.as_object().ok_or_else(|| self.not("an object"))
    }

    /// That it is an object with no other fields than these.
    pub(in crate::wire) fn only(&self, names: &[&str]) -> Result<(), WrongRequest> {
        match self.object()?.keys().find(|name| !names.contains(&name.as_str())) {
            Some(name) => Err(WrongRequest::request(format!("Unknown parameter: '{}'.", self.inside(name)))),
            None => Ok(()),
        }
    }

    fn inside(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    fn not(&self, wanted: &str) -> WrongRequest {
        let found = match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(number) if number.is_f64() => "a decimal",
            Value::Number(_) => "an integer",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        };
        let path = &self.path;
        WrongRequest::request(format!("Invalid type for '{path}': expected {wanted}, but got {found} instead."))
    }
}
