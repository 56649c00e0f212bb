//! Reading JSON that others wrote: what is missing or of another type reads as nothing.

use serde_json::{Map, Value, json};

use super::StreamError;

/// The data of an event: a JSON object.
pub(in crate::providers) fn event(data: &str) -> Result<Value, StreamError> {
    match serde_json::from_str(data) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err(StreamError::Malformed("an event is no object".to_owned())),
        Err(error) => Err(StreamError::Malformed(format!("an event is no JSON: {error}"))),
    }
}

/// The text at a JSON pointer.
pub(in crate::providers) fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// The number at a JSON pointer, where there is one.
pub(in crate::providers) fn count(value: &Value, pointer: &str) -> Option<u64> {
    value.pointer(pointer).and_then(Value::as_u64)
}

/// The list at a JSON pointer.
pub(in crate::providers) fn list<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The arguments of a call as a model wrote them. What is no JSON is kept as text: it is the model's slip, not the
/// stream's, and whoever reads the call says so.
pub(in crate::providers) fn arguments(written: &str) -> Value {
    if written.trim().is_empty() {
        return json!({});
    }
    serde_json::from_str(written).unwrap_or_else(|_| Value::String(written.to_owned()))
}

/// Arguments as an object, for formats that take nothing else back.
pub(in crate::providers) fn object(arguments: &Value) -> Value {
    match arguments {
        Value::Object(_) => arguments.clone(),
        Value::Null => json!({}),
        other => json!({ "unreadable": other }),
    }
}

/// The fields of an object.
pub(in crate::providers) fn fields(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}
