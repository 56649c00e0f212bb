//! Filling places such as `{{ name }}` in data. Draws are tried by the hundred, so nothing but plain names is understood,
//! and `{{ name.year }}` where the name is that of a day.

use quintain_atlas::Date;
use serde_json::{Value, json};

use crate::find::Variables;

/// A value with its places filled. A text that is one place and nothing else becomes what the place names, of whatever
/// type it is.
pub(crate) fn filled(value: &Value, variables: &Variables) -> Result<Value, String> {
    match value {
        Value::String(text) => filled_text(text, variables),
        Value::Array(items) => items.iter().map(|item| filled(item, variables)).collect(),
        Value::Object(entries) => {
            entries.iter().map(|(key, value)| Ok((key.clone(), filled(value, variables)?))).collect()
        }
        other => Ok(other.clone()),
    }
}

fn filled_text(text: &str, variables: &Variables) -> Result<Value, String> {
    let mut written = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, behind) = after.split_once("}}").ok_or_else(|| format!("`{text}` has a place without an end"))?;
        let name = name.trim();
        let value = named(name, variables).ok_or_else(|| format!("`{text}`: nothing is called `{name}` here"))?;
        if written.is_empty() && before.is_empty() && behind.is_empty() {
            return Ok(value);
        }
        written.push_str(before);
        written.push_str(&value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        rest = behind;
    }
    written.push_str(rest);
    Ok(Value::String(written))
}

/// What a place names.
fn named(name: &str, variables: &Variables) -> Option<Value> {
    if let Some(value) = variables.get(name) {
        return Some(value.clone());
    }
    let day = variables.get(name.strip_suffix(".year")?)?;
    Date::parse(day.as_str()?).map(|day| json!(day.year()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_keep_their_type_where_they_stand_alone() {
        let variables = Variables::from([("to".to_owned(), json!(2024)), ("firm".to_owned(), json!({ "company": 7 }))]);
        let value =
            json!({ "one": "{{ firm }}", "ask": { "follow": { "chair": "{{to}}-12-31" } }, "n": [1, "{{ to }}"] });
        let right = json!({ "one": { "company": 7 }, "ask": { "follow": { "chair": "2024-12-31" } }, "n": [1, 2024] });
        assert_eq!(filled(&value, &variables), Ok(right));
        assert_eq!(
            filled(&json!("{{ from }}"), &variables),
            Err("`{{ from }}`: nothing is called `from` here".to_owned())
        );
        assert_eq!(filled(&json!("{{ to"), &variables), Err("`{{ to` has a place without an end".to_owned()));
    }

    #[test]
    fn the_year_of_a_day_can_be_asked_about() {
        let variables = Variables::from([("issued".to_owned(), json!("2019-03-14")), ("to".to_owned(), json!(2024))]);
        assert_eq!(filled(&json!(["full", "{{ issued.year }}"]), &variables), Ok(json!(["full", 2019])));
        assert_eq!(filled(&json!("{{ issued.year }}-12-31"), &variables), Ok(json!("2019-12-31")));
        assert_eq!(
            filled(&json!("{{ to.year }}"), &variables),
            Err("`{{ to.year }}`: nothing is called `to.year` here".to_owned())
        );
    }
}
