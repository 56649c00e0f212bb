//! Reads what an expectation says beside the value itself.

use quintain_core::suggest;
use serde_json::{Map, Value};

use crate::value::{Variant, brief};

/// Refuses a key that means nothing here.
pub(super) fn refuse_other_keys<'a>(
    fields: &Map<String, Value>,
    known: impl IntoIterator<Item = &'a str> + Clone,
) -> Result<(), String> {
    match fields.keys().find(|key| !known.clone().into_iter().any(|known| known == key.as_str())) {
        Some(key) if known.clone().into_iter().next().is_none() => Err(format!("`{key}` means nothing here")),
        Some(key) => Err(format!("`{key}` means nothing here; {}", suggest::hint(key, known))),
        None => Ok(()),
    }
}

/// A text under a key.
pub(super) fn text(fields: &Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    let Some(value) = fields.get(key) else { return Ok(None) };
    let text = value.as_str().map(str::trim).filter(|text| !text.is_empty());
    text.map(|text| Some(text.to_owned())).ok_or_else(|| format!("`{key}` must be a text, not {}", brief(value)))
}

/// A list of texts under a key; nothing told means none.
pub(super) fn texts(fields: &Map<String, Value>, key: &str) -> Result<Vec<String>, String> {
    let Some(value) = fields.get(key) else { return Ok(Vec::new()) };
    let wrong = || format!("`{key}` must be a list of texts, not {}", brief(value));
    let read = |item: &Value| item.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned);
    value.as_array().ok_or_else(wrong)?.iter().map(read).collect::<Option<_>>().ok_or_else(wrong)
}

/// True or false under a key; nothing told means false.
pub(super) fn flag(fields: &Map<String, Value>, key: &str) -> Result<bool, String> {
    match fields.get(key) {
        None => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(other) => Err(format!("`{key}` must be true or false, not {}", brief(other))),
    }
}

/// What is no answer of any type.
pub(super) fn no_answers(right: &Value) -> Vec<Variant> {
    vec![
        ("nothing".to_owned(), Value::Null),
        ("no text".to_owned(), "".into()),
        ("true".to_owned(), true.into()),
        ("in a list of its own".to_owned(), vec![right.clone()].into()),
    ]
}

/// A variant that is a text.
pub(super) fn say(how: impl Into<String>, text: impl Into<String>) -> Variant {
    (how.into(), Value::String(text.into()))
}
