//! Records: named fields, each of a type of its own.

use serde_json::{Map, Value};

use super::declared::DeclaredType;
use super::expectation::refuse_other_keys;
use super::object_parts::{ObjectPart, ObjectParts};
use crate::value::brief;

/// No record has more fields.
const MAX_FIELDS: usize = 500;

/// The fields of an expectation, `{ fields = { … }, types = { … } }`: each is compared by its type, or to the letter where
/// it has none.
pub(super) fn fields(expected: &Value) -> Result<ObjectParts, String> {
    let told =
        expected.as_object().ok_or_else(|| format!("a record is `fields` and `types`, not {}", brief(expected)))?;
    refuse_other_keys(told, ["fields", "types"])?;
    let fields =
        told.get("fields").and_then(Value::as_object).filter(|fields| (1..=MAX_FIELDS).contains(&fields.len()));
    let fields = fields.ok_or_else(|| format!("`fields` must hold 1 to {MAX_FIELDS} fields"))?;
    let none = Map::new();
    let types = match told.get("types") {
        None => &none,
        Some(types) => types.as_object().ok_or("`types` must tell the types of fields: { born = \"date\" }")?,
    };
    if let Some(unknown) = types.keys().find(|name| !fields.contains_key(*name)) {
        return Err(format!("`types` names `{unknown}`, which is no field"));
    }
    let parts = fields.iter().map(|(name, value)| field(name, value, types.get(name)));
    Ok(ObjectParts { noun: "fields", parts: parts.collect::<Result<_, _>>()? })
}

fn field(name: &str, expected: &Value, told: Option<&Value>) -> Result<ObjectPart, String> {
    let declared = told.map_or_else(|| DeclaredType::read(&"exact".into()), DeclaredType::read);
    let declared = declared.map_err(|why| format!("`{name}`: {why}"))?;
    if declared.word == "record" {
        return Err(format!("`{name}`: a record has no records in it"));
    }
    Ok(ObjectPart { name: name.to_owned(), expected: expected.clone(), likeness: Box::new(declared) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::Likeness as _;
    use super::super::object_parts::PartwiseObject;
    use super::super::proof::{hold_both_ways, odd_json, survive};
    use super::*;

    const RECORD: PartwiseObject = PartwiseObject(fields);

    fn close() -> Value {
        json!({
            "fields": { "cash": 1250.5, "firms": ["Alba", "Borea"], "closed": "2024-12-31", "entries": 17 },
            "types": { "cash": { "type": "number", "tolerance": 0.01 }, "closed": "date", "firms": "names" },
        })
    }

    #[test]
    fn fields_are_compared_by_their_types() {
        let told = |actual: Value| {
            let result = RECORD.compare(&close(), &actual);
            format!("{:.2} {}", result.score.value(), result.because)
        };
        let all = [
            json!({"cash": "1,250.504", "firms": ["borea", "Alba"], "closed": "31 Dec 2024", "entries": 17.0, "more": 1}),
            json!({"cash": 1250.52, "firms": ["Alba"], "closed": "2024-12-31", "entries": 17}),
            json!({"cash": 1250.5, "firms": ["Alba", "Borea"], "closed": "2024-12-31"}),
            json!([]),
        ];
        insta::assert_snapshot!(all.map(told).join("\n"));
        assert!(hold_both_ways(&RECORD, &close()).0 > 20);
    }

    #[test]
    fn an_expectation_that_makes_no_sense_is_refused() {
        let wrong = [
            json!({"fields": {}}),
            json!({"fields": {"a": 1}, "types": {"b": "date"}}),
            json!({"fields": {"a": "soon"}, "types": {"a": "date"}}),
            json!({"fields": {"a": {}}, "types": {"a": "record"}}),
            json!({"field": {"a": 1}}),
        ];
        insta::assert_snapshot!(wrong.map(|expected| RECORD.fits(&expected).unwrap_err()).join("\n"));
    }

    proptest! {
        #[test]
        fn nothing_panics(expected in odd_json(), actual in odd_json()) {
            survive(&RECORD, &json!({ "fields": { "a": expected }, "types": { "a": "number" } }), &json!({ "a": actual }));
        }
    }
}
