//! What the names of a template stand for.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

use crate::reference::EXPECTED;

/// Words that are values themselves, whatever else is called so.
const CONSTANTS: [&str; 6] = ["true", "True", "false", "False", "none", "None"];

/// Values by name.
pub trait NamedValues {
    /// What a name stands for.
    fn get(&self, name: &str) -> Option<&Value>;

    /// All names with what they stand for.
    fn all(&self) -> Cow<'_, BTreeMap<String, Value>>;
}

impl NamedValues for BTreeMap<String, Value> {
    fn get(&self, name: &str) -> Option<&Value> {
        self.get(name)
    }

    fn all(&self) -> Cow<'_, BTreeMap<String, Value>> {
        Cow::Borrowed(self)
    }
}

/// What can be filled into what a task expects: the parameters, and what the world worked out where it did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownValues<'a> {
    parameters: &'a BTreeMap<String, Value>,
    expected: Option<&'a Value>,
}

impl<'a> KnownValues<'a> {
    /// Those of an instance with this start. A parameter of that name stands before what was worked out.
    pub(crate) fn of(parameters: &'a BTreeMap<String, Value>, start: &'a Value) -> Self {
        Self { parameters, expected: start.get(EXPECTED).filter(|_| !parameters.contains_key(EXPECTED)) }
    }
}

impl NamedValues for KnownValues<'_> {
    fn get(&self, name: &str) -> Option<&Value> {
        self.parameters.get(name).or_else(|| self.expected.filter(|_| name == EXPECTED))
    }

    fn all(&self) -> Cow<'_, BTreeMap<String, Value>> {
        let Some(expected) = self.expected else { return Cow::Borrowed(self.parameters) };
        let mut values = self.parameters.clone();
        values.insert(EXPECTED.to_owned(), expected.clone());
        Cow::Owned(values)
    }
}

/// What an expression names, where it is a name alone, such as `total` or `expected.rows`, and there is such a value.
pub(super) fn named<'a>(expression: &str, values: &'a impl NamedValues) -> Option<&'a Value> {
    let mut words = expression.split('.');
    let first = words.next().filter(|word| is_name(word) && !CONSTANTS.contains(word))?;
    words.try_fold(values.get(first)?, |value, word| value.as_object()?.get(word).filter(|_| is_name(word)))
}

/// Whether a word is one that names are written with.
fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::template::environment;

    const WORDS: [&str; 14] =
        ["n", "size", "far", "none", "gone", "word_2", "gates", "xor", "items", "keys", "values", "deep", "0", " n"];

    fn values() -> BTreeMap<String, Value> {
        let values = json!({
            "n": 3, "size": 1.0, "far": u64::MAX, "none": "no constant", "gone": null, "word_2": "a \"b\"",
            "gates": {"xor": 2, "items": [1, {"deep": true}], "keys": {"values": 0.1}},
        });
        serde_json::from_value(values).expect("an object")
    }

    /// What the engine of templates makes of an expression.
    fn evaluated(expression: &str) -> Option<Value> {
        let environment = environment();
        let compiled = environment.compile_expression(expression).ok()?;
        let value = compiled.eval(minijinja::value::Serde(&values())).ok()?;
        if value.is_undefined() { None } else { serde_json::to_value(value).ok() }
    }

    #[test]
    fn a_name_is_found_without_the_engine_of_templates() {
        let told =
            ["n", "gates.xor", "gates.keys.values", "gates.items.0", "gates.none", "none", "n + 1", "gates['xor']"]
                .map(|name| format!("{name}: {:?}", named(name, &values())));
        insta::assert_snapshot!(told.join("\n"), @"
        n: Some(Number(3))
        gates.xor: Some(Number(2))
        gates.keys.values: Some(Number(0.1))
        gates.items.0: None
        gates.none: None
        none: None
        n + 1: None
        gates['xor']: None
        ");
    }

    proptest! {
        #[test]
        fn a_name_stands_for_what_the_engine_of_templates_says(
            words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 1..4)
        ) {
            let expression = words.join(".");
            if let Some(named) = named(&expression, &values()) {
                prop_assert_eq!(Some(named.clone()), evaluated(&expression), "{}", expression);
            }
        }
    }

    #[test]
    fn what_was_worked_out_is_known_beside_the_parameters() {
        let (parameters, start) = (values(), json!({"expected": {"rows": [1, 2]}}));
        let known = KnownValues::of(&parameters, &start);
        assert_eq!(named("expected.rows", &known), Some(&json!([1, 2])));
        assert_eq!(known.all()["expected"], start["expected"]);
        let own = BTreeMap::from([("expected".to_owned(), json!(7))]);
        assert_eq!(named("expected", &KnownValues::of(&own, &start)), Some(&json!(7)));
    }
}
