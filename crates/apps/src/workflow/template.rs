//! Filling in the placeholders of data: JSON whose strings are templates.

use std::collections::BTreeMap;

use minijinja::{Environment, UndefinedBehavior};
use serde_json::Value;

/// Fills in every string of a value. A string that is one placeholder and nothing else becomes what the placeholder
/// names, of whatever type it is, so that a number stays a number.
pub(super) fn fill(value: &Value, words: &BTreeMap<String, Value>) -> Result<Value, String> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    fill_in(&environment, value, words)
}

fn fill_in(environment: &Environment<'_>, value: &Value, words: &BTreeMap<String, Value>) -> Result<Value, String> {
    match value {
        Value::String(text) => fill_text(environment, text, words),
        Value::Array(items) => items.iter().map(|item| fill_in(environment, item, words)).collect(),
        Value::Object(entries) => entries
            .iter()
            .map(|(key, value)| Ok((key.clone(), fill_in(environment, value, words)?)))
            .collect::<Result<_, _>>()
            .map(Value::Object),
        other => Ok(other.clone()),
    }
}

fn fill_text(environment: &Environment<'_>, text: &str, words: &BTreeMap<String, Value>) -> Result<Value, String> {
    let told = |error: minijinja::Error| format!("`{text}`: {error}");
    let words = minijinja::value::Serde(words);
    match only_placeholder(text) {
        Some(name) => {
            let expression = environment.compile_expression(name).map_err(told)?;
            let value = expression.eval(words).map_err(told)?;
            if value.is_undefined() {
                return Err(format!("`{text}` names nothing that is known"));
            }
            serde_json::to_value(value).map_err(|error| format!("`{text}`: {error}"))
        }
        None => environment.render_str(text, words).map(Value::String).map_err(told),
    }
}

/// What stands in the braces of a text that is one placeholder and nothing else.
fn only_placeholder(text: &str) -> Option<&str> {
    let inner = text.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    (!inner.contains("{{") && !inner.contains("}}")).then(|| inner.trim())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn filled(value: &Value) -> Result<Value, String> {
        let words = json!({"goal": {"n": 3, "text": "a \"b\" -> c", "key": "x"}, "start": {"x": "ex"}});
        fill(value, &serde_json::from_value(words).expect("the words are an object"))
    }

    #[test]
    fn strings_are_filled_in_and_types_kept() {
        let value = json!([{"a": "{{ goal.n }}", "b": "n is {{ goal.n }}"}, "{{ goal.text }}", "{{ start[goal.key] }}", 7, true]);
        let wanted = json!([{"a": 3, "b": "n is 3"}, "a \"b\" -> c", "ex", 7, true]);
        assert_eq!(filled(&value), Ok(wanted));
    }

    #[test]
    fn what_is_not_known_is_told() {
        assert_eq!(filled(&json!("{{ goal.gone }}")), Err("`{{ goal.gone }}` names nothing that is known".to_owned()));
        assert!(filled(&json!("to {{ gone }}")).is_err_and(|why| why.contains("undefined")));
    }
}
