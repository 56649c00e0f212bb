//! Names in any order: a table of one column, written as a list.

use serde_json::{Map, Value, json};

use super::table::SameTable;
use super::{Likeness, LikenessResult};
use crate::value::{Variant, brief};

/// The same names, in any order and by any of their aliases, none missing and none too many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SameNames;

/// The one column of the table that stands for a list of names.
const COLUMN: &str = "name";

/// The table that stands for a list of expected names.
fn table(expected: &Value) -> Result<Value, String> {
    let names = match expected {
        Value::Object(fields) => fields.get("names"),
        plain => Some(plain),
    };
    let names = names.and_then(Value::as_array);
    let names = names.ok_or_else(|| format!("a list of names is expected, not {}", brief(expected)))?;
    let rows: Vec<Value> = names.iter().map(|name| json!({ COLUMN: name })).collect();
    Ok(json!({ "columns": { COLUMN: "entity" }, "key": [COLUMN], "rows": rows }))
}

/// A list of names as rows. What is no name is a row that fits nothing.
fn rows(actual: &Value) -> Option<Value> {
    let row = |name: &Value| match name {
        Value::String(_) => json!({ COLUMN: name }),
        Value::Object(fields) => only_text(fields).map_or_else(|| json!({}), |name| json!({ COLUMN: name })),
        _ => json!({}),
    };
    Some(actual.as_array()?.iter().map(row).collect())
}

/// Whoever writes rows for names says nothing else by it.
fn only_text(fields: &Map<String, Value>) -> Option<&Value> {
    let mut values = fields.values();
    let first = values.next().filter(|value| value.is_string())?;
    values.next().is_none().then_some(first)
}

/// Rows as a list of names again.
fn list(rows: Value) -> Value {
    match rows {
        Value::Array(rows) => rows.into_iter().map(|row| row.get(COLUMN).cloned().unwrap_or(row)).collect(),
        other => other,
    }
}

fn lists(variants: Vec<Variant>) -> Vec<Variant> {
    variants.into_iter().map(|(how, rows)| (how, list(rows))).collect()
}

impl Likeness for SameNames {
    fn fits(&self, expected: &Value) -> Result<(), String> {
        SameTable.fits(&table(expected)?)
    }

    fn compare(&self, expected: &Value, actual: &Value) -> LikenessResult {
        match (table(expected), rows(actual)) {
            (Ok(table), Some(rows)) => SameTable.compare(&table, &rows),
            (Err(why), _) => LikenessResult::of(false, why),
            (_, None) => LikenessResult::of(false, format!("it is {}, not a list of names", brief(actual))),
        }
    }

    fn near(&self, expected: &Value, actual: &Value) -> Vec<Variant> {
        match (table(expected), rows(actual)) {
            (Ok(table), Some(rows)) => lists(SameTable.near(&table, &rows)),
            _ => Vec::new(),
        }
    }

    fn like(&self, expected: &Value, actual: &Value) -> Vec<Variant> {
        match (table(expected), rows(actual)) {
            (Ok(table), Some(rows)) => lists(SameTable.like(&table, &rows)),
            _ => Vec::new(),
        }
    }

    fn right(&self, expected: &Value) -> Value {
        table(expected).map_or(Value::Null, |table| list(SameTable.right(&table)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::proof::{hold_both_ways, odd_json, survive};
    use super::*;

    #[test]
    fn lists_of_names_are_compared_in_any_order() {
        let expected = json!(["Ada Byron", { "name": "Babbage & Sons", "aliases": ["Babbage"] }]);
        let why = |actual: Value| SameNames.compare(&expected, &actual).because;
        let all = [
            json!(["babbage", "ADA BYRON"]),
            json!([{ "company": "Babbage & Sons" }, { "company": "Ada Byron" }]),
            json!(["Ada Byron"]),
            json!(["Ada Byron", "Babbage", "Clement"]),
            json!(["Ada Byron", { "name": "Babbage", "also": "Clement" }]),
            json!("Ada Byron, Babbage"),
        ];
        insta::assert_snapshot!(all.map(why).join("\n"), @r#"
        all 2 rows are right
        all 2 rows are right
        2 rows are wanted and 1 are there; no row has "Babbage & Sons"
        all 2 rows are right, and 1 too many are there
        2 rows are wanted and 2 are there; no row has "Babbage & Sons"
        it is "Ada Byron, Babbage", not a list of names
        "#);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 100, ..ProptestConfig::default() })]

        #[test]
        fn near_fails_and_like_passes(names in prop::collection::btree_set("[A-Z][a-z]{3,6} [A-Z][a-z]{3,6}", 1..6)) {
            let (n_near, n_like) = hold_both_ways(&SameNames, &json!(names));
            prop_assert!(n_near >= 6 && n_like >= 1, "{n_near} {n_like}");
        }

        #[test]
        fn nothing_panics(expected in odd_json(), actual in odd_json()) {
            survive(&SameNames, &expected, &actual);
        }
    }
}
