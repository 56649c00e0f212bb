//! Types of answers, as a task declares them: by a word, or by a word with what holds for every expectation.

use quintain_core::suggest;
use serde_json::{Map, Value};

use super::date::SameDate;
use super::entity::SameEntity;
use super::expectation::refuse_other_keys;
use super::limits;
use super::money::SameMoney;
use super::names::SameNames;
use super::object_parts::PartwiseObject;
use super::percent::SamePercent;
use super::quantity::{SameNumber, SameQuantity};
use super::record;
use super::table::SameTable;
use super::{Likeness, LikenessResult, SameValue, Wording};
use crate::fold::Folding;
use crate::value::{Variant, brief};

/// A type that answers can have.
struct TypeEntry {
    word: &'static str,
    /// What stands in an expectation that is more than a plain value, by its key; nothing where it is always plain.
    head: Option<&'static str>,
    /// What can be told for every expectation.
    settings: &'static [&'static str],
    likeness: fn() -> Box<dyn Likeness>,
}

const TYPES: &[TypeEntry] = &[
    TypeEntry { word: "date", head: None, settings: &[], likeness: || Box::new(SameDate) },
    TypeEntry {
        word: "quantity",
        head: Some("value"),
        settings: &["unit", "digits", "tolerance", "names", "of", "bare"],
        likeness: || Box::new(SameQuantity),
    },
    TypeEntry {
        word: "money",
        head: Some("amount"),
        settings: &["currency", "names", "symbol", "digits", "tolerance", "bare"],
        likeness: || Box::new(SameMoney),
    },
    TypeEntry {
        word: "percent",
        head: Some("value"),
        settings: &["digits", "tolerance", "unit"],
        likeness: || Box::new(SamePercent),
    },
    TypeEntry {
        word: "number",
        head: Some("value"),
        settings: &["digits", "tolerance", "decimal"],
        likeness: || Box::new(SameNumber),
    },
    TypeEntry { word: "entity", head: Some("name"), settings: &["aliases", "not"], likeness: || Box::new(SameEntity) },
    TypeEntry { word: "names", head: Some("names"), settings: &[], likeness: || Box::new(SameNames) },
    TypeEntry { word: "table", head: Some("rows"), settings: &["columns", "key"], likeness: || Box::new(SameTable) },
    TypeEntry {
        word: "record",
        head: Some("fields"),
        settings: &["types"],
        likeness: || Box::new(PartwiseObject(record::fields)),
    },
    TypeEntry {
        word: "limits",
        head: Some("limits"),
        settings: &[],
        likeness: || Box::new(PartwiseObject(limits::measures)),
    },
    TypeEntry {
        word: "text",
        head: None,
        settings: &[],
        likeness: || Box::new(Wording { folding: Folding { case: true, space: true, punctuation: false } }),
    },
    TypeEntry { word: "exact", head: None, settings: &[], likeness: || Box::new(SameValue) },
];

/// A type that a task declares for a field, a column or a value. What is told with the type holds for every expectation
/// that does not say otherwise, so that an expectation can be the plain number, name or list of rows.
pub(crate) struct DeclaredType {
    /// Its word.
    pub(crate) word: &'static str,
    head: Option<&'static str>,
    settings: Map<String, Value>,
    likeness: Box<dyn Likeness>,
}

impl DeclaredType {
    /// Reads `"percent"` or `{ type = "percent", digits = 1 }`.
    pub(crate) fn read(declared: &Value) -> Result<Self, String> {
        let (word, settings) = match declared {
            Value::String(word) => (word.as_str(), Map::new()),
            Value::Object(fields) => {
                let mut settings = fields.clone();
                let word = settings.remove("type");
                let named = fields.get("type").and_then(Value::as_str).filter(|_| word.is_some());
                (named.ok_or("`type` is missing: { type = \"percent\", digits = 1 }")?, settings)
            }
            other => return Err(format!("a type is a word such as \"date\", not {}", brief(other))),
        };
        let Some(entry) = TYPES.iter().find(|entry| entry.word == word) else {
            let hint = suggest::hint(word, TYPES.iter().map(|entry| entry.word));
            return Err(format!("there is no type `{word}`; {hint}"));
        };
        refuse_other_keys(&settings, entry.settings.iter().copied())?;
        Ok(Self { word: entry.word, head: entry.head, settings, likeness: (entry.likeness)() })
    }

    /// An expectation with what is told with the type.
    fn whole(&self, expected: &Value) -> Value {
        let Some(head) = self.head.filter(|_| !self.settings.is_empty()) else { return expected.clone() };
        let mut whole = self.settings.clone();
        match expected {
            Value::Object(fields) => whole.extend(fields.clone()),
            plain => drop(whole.insert(head.to_owned(), plain.clone())),
        }
        Value::Object(whole)
    }
}

impl Likeness for DeclaredType {
    fn fits(&self, expected: &Value) -> Result<(), String> {
        self.likeness.fits(&self.whole(expected))
    }

    fn compare(&self, expected: &Value, actual: &Value) -> LikenessResult {
        self.likeness.compare(&self.whole(expected), actual)
    }

    fn near(&self, expected: &Value, actual: &Value) -> Vec<Variant> {
        self.likeness.near(&self.whole(expected), actual)
    }

    fn like(&self, expected: &Value, actual: &Value) -> Vec<Variant> {
        self.likeness.like(&self.whole(expected), actual)
    }

    fn right(&self, expected: &Value) -> Value {
        self.likeness.right(&self.whole(expected))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::proof::{hold_both_ways, odd_json, survive};
    use super::*;

    #[test]
    fn what_is_told_with_a_type_holds_for_plain_expectations() {
        let cases = [
            (json!("date"), json!("2024-12-31")),
            (json!({"type": "quantity", "unit": "km", "digits": 1}), json!(3.2)),
            (json!({"type": "quantity", "unit": "km"}), json!({"value": 3.2, "bare": true})),
            (json!({"type": "money", "currency": "KYM"}), json!(12_300_000)),
            (json!({"type": "percent", "digits": 1}), json!(12.34)),
            (json!("percent"), json!(12.3)),
            (json!({"type": "number", "digits": 0}), json!(17.2)),
            (json!({"type": "number", "digits": 2, "decimal": "point"}), json!(-1733.62)),
            (json!({"type": "number", "digits": 0, "tolerance": 0}), json!(52)),
            (json!({"type": "entity", "not": ["Ada Lace"]}), json!("Ada Lovelace")),
            (json!("text"), json!("Ada")),
            (json!("exact"), json!([1, 2])),
            (
                json!({"type": "table", "columns": {"firm": "entity", "growth": {"type": "percent", "digits": 1}}, "key": ["firm"]}),
                json!([{"firm": "A", "growth": 1.25}, {"firm": "B", "growth": -3}]),
            ),
        ];
        for (declared, expected) in cases {
            let (n_near, n_like) = hold_both_ways(&DeclaredType::read(&declared).unwrap(), &expected);
            assert!(n_near > 4 && (n_like > 0 || declared == json!("exact")), "{declared}");
        }
    }

    #[test]
    fn wrong_declarations_are_refused_with_a_hint() {
        let wrong = [
            json!("dat"),
            json!(7),
            json!({"digits": 1}),
            json!({"type": "percent", "digit": 1}),
            json!({"type": "date", "digits": 1}),
            json!({"type": "percent", "decimal": "point"}),
        ];
        insta::assert_snapshot!(wrong.map(|declared| DeclaredType::read(&declared).err().unwrap()).join("\n"), @r#"
        there is no type `dat`; did you mean `date`?
        a type is a word such as "date", not 7
        `type` is missing: { type = "percent", digits = 1 }
        `digit` means nothing here; did you mean `digits`?
        `digits` means nothing here
        `decimal` means nothing here; there is `digits`, `tolerance`, `unit`
        "#);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

        #[test]
        fn nothing_panics(
            word in prop::sample::select(TYPES.iter().map(|entry| entry.word).collect::<Vec<_>>()),
            settings in odd_json(),
            expected in odd_json(),
            actual in odd_json(),
        ) {
            let mut declared = settings.as_object().cloned().unwrap_or_default();
            declared.insert("type".to_owned(), json!(word));
            for declared in [json!(word), json!(declared)] {
                if let Ok(declared) = DeclaredType::read(&declared) {
                    // Lists and plain values have tests of their own, and texts are changed as they are given.
                    if ["text", "exact"].contains(&word) { drop(declared.compare(&expected, &actual)) } else { survive(&declared, &expected, &actual) }
                }
            }
        }
    }
}
