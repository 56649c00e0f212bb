//! Fills the parameters of an instance into what a task declares: `{{ name }}`, `{{ name.key }}`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// The value with every placeholder in its texts and keys filled in. A text that is one placeholder becomes the
/// parameter's value, whatever its type.
pub(crate) fn filled(value: &Value, parameters: &BTreeMap<String, Value>) -> Result<Value, String> {
    match value {
        Value::String(text) => filled_text(text, parameters),
        Value::Array(items) => items.iter().map(|item| filled(item, parameters)).collect(),
        Value::Object(fields) => {
            let mut done = Map::new();
            for (key, value) in fields {
                done.insert(said(&filled_text(key, parameters)?), filled(value, parameters)?);
            }
            Ok(Value::Object(done))
        }
        other => Ok(other.clone()),
    }
}

fn filled_text(text: &str, parameters: &BTreeMap<String, Value>) -> Result<Value, String> {
    let mut done = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").ok_or_else(|| format!("`{text}` lacks a `}}}}`"))?;
        let value = found(name.trim(), parameters)?;
        if before.trim().is_empty() && after.trim().is_empty() && done.is_empty() {
            return Ok(value.clone());
        }
        done.push_str(before);
        done.push_str(&said(value));
        rest = after;
    }
    done.push_str(rest);
    Ok(Value::String(done))
}

fn found<'a>(path: &str, parameters: &'a BTreeMap<String, Value>) -> Result<&'a Value, String> {
    let mut names = path.split('.');
    let first = names.next().and_then(|name| parameters.get(name));
    let found = names.try_fold(first, |value, name| value.map(|value| value.get(name)));
    found.flatten().ok_or_else(|| format!("`{path}` is no parameter of the instance"))
}

fn said(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_keys_and_whole_values_are_filled() {
        let parameters = [
            ("names".to_owned(), json!({"a": "X", "n": 2})),
            ("gates".to_owned(), json!({"xor": 2})),
            ("gate".to_owned(), json!("nand")),
        ]
        .into();
        let fill =
            |value: Value| filled(&value, &parameters).map_or_else(|why| format!("? {why}"), |it| it.to_string());
        let all = [
            fill(json!("{{ names.a }}_GT_{{ names.n }}")),
            fill(json!({"{{ gate }}": "{{ names.n }}", "all": ["{{ gates }}", 1]})),
            fill(json!("{{ names.b }}")),
            fill(json!("{{ names.a")),
            fill(json!("{{ nothing.at.all }}")),
        ];
        insta::assert_snapshot!(all.join("\n"), @r#"
        "X_GT_2"
        {"all":[{"xor":2},1],"nand":2}
        ? `names.b` is no parameter of the instance
        ? `{{ names.a` lacks a `}}`
        ? `nothing.at.all` is no parameter of the instance
        "#);
    }
}
