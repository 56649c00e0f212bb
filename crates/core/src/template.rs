//! Templates: texts and data with places such as `{{ name }}` and `{{ name.key }}` that an instance's values fill.
//!
//! One set of rules holds for whatever a task writes: instructions, what checks expect, starts and oracles. Places are
//! expressions of Jinja over the values. A name that is not known is an error, never an empty place.

mod growth;
mod values;

use std::collections::BTreeMap;
use std::io;

use growth::check_growth;
use minijinja::value::Serde;
use minijinja::{Environment, ErrorKind, UndefinedBehavior};
use serde_json::{Map, Value};

pub(crate) use values::KnownValues;
pub use values::NamedValues;
use values::named;

use crate::suggest;

/// A template that cannot be filled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FillError {
    /// It names something that is not there.
    #[error("`{template}`: {why}")]
    Unknown {
        /// The template.
        template: String,
        /// What is not there, and what was probably meant.
        why: String,
    },
    /// It cannot be read, or what it asks for cannot be done.
    #[error("`{template}`: {why}")]
    Broken {
        /// The template.
        template: String,
        /// What is wrong with it.
        why: String,
    },
}

/// The most steps that filling a template may take, and the longest text that may come of it: those of a task take a few
/// hundred, and whoever is handed a suite does not want to wait for a loop without end.
const MOST_STEPS: u64 = 1_000_000;
const MOST_BYTES: usize = 4 << 20;

/// What templates are read with.
pub(crate) fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(MOST_STEPS));
    // It would let loops build up a value from turn to turn, which nobody could bound.
    environment.remove_global("namespace");
    environment
}

/// What a template makes of the values.
fn render(
    environment: &Environment<'_>,
    template: &str,
    values: &BTreeMap<String, Value>,
) -> Result<String, minijinja::Error> {
    let unsound = |why: String| minijinja::Error::new(ErrorKind::InvalidOperation, why);
    check_growth(template).map_err(unsound)?;
    let mut out = BoundedText::default();
    environment.template_from_str(template)?.render_captured_to(Serde(values), &mut out).map_err(|error| {
        if out.is_full { unsound(format!("it makes more than {} MB of text", MOST_BYTES >> 20)) } else { error }
    })?;
    String::from_utf8(out.bytes).map_err(|error| unsound(error.to_string()))
}

/// A text that takes no more than it may.
#[derive(Default)]
struct BoundedText {
    bytes: Vec<u8>,
    is_full: bool,
}

impl io::Write for BoundedText {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        self.is_full |= self.bytes.len() + more.len() > MOST_BYTES;
        if self.is_full {
            return Err(io::Error::other("the text is too long"));
        }
        self.bytes.extend_from_slice(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Fills a long text. What is wrong is told with its line, and without the text.
pub fn fill_text(template: &str, values: &BTreeMap<String, Value>) -> Result<String, String> {
    let environment = environment();
    render(&environment, template, values).map_err(|error| match error.kind() {
        ErrorKind::UndefinedError => {
            let line = error.line().map_or_else(String::new, |line| format!("line {line}: "));
            format!("{line}{}", not_there(&template_names(&environment, template), values))
        }
        _ => error.to_string(),
    })
}

/// Fills every text of a value, the keys of objects too. A text that is one place and nothing else becomes what the place
/// names, of whatever type it is, so that a number stays a number.
pub fn fill(value: &Value, values: &impl NamedValues) -> Result<Value, FillError> {
    fill_value(&environment(), value, values)
}

/// Whether a text is one place and nothing else.
pub fn is_place(text: &str) -> bool {
    place(text).is_some()
}

fn fill_value(environment: &Environment<'_>, value: &Value, values: &impl NamedValues) -> Result<Value, FillError> {
    match value {
        Value::String(text) if is_template(text) => fill_string(environment, text, values),
        Value::Array(items) => items.iter().map(|item| fill_value(environment, item, values)).collect(),
        Value::Object(entries) => {
            let mut filled = Map::new();
            for (key, value) in entries {
                let key = fill_value(environment, &Value::String(key.clone()), values)?;
                let key = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
                filled.insert(key, fill_value(environment, value, values)?);
            }
            Ok(Value::Object(filled))
        }
        other => Ok(other.clone()),
    }
}

fn fill_string(environment: &Environment<'_>, text: &str, values: &impl NamedValues) -> Result<Value, FillError> {
    let expression = place(text);
    // A name alone is most of what tasks write, and what it names may be large: nothing else is read for it.
    if let Some(named) = expression.and_then(|expression| named(expression, values)) {
        return Ok(named.clone());
    }
    let values = &*values.all();
    let unknown = || {
        let why = not_there(&template_names(environment, text), values);
        FillError::Unknown { template: text.to_owned(), why }
    };
    let broken = |error: minijinja::Error| match error.kind() {
        ErrorKind::UndefinedError => unknown(),
        _ => FillError::Broken { template: text.to_owned(), why: error.to_string() },
    };
    let Some(expression) = expression else {
        return render(environment, text, values).map(Value::String).map_err(broken);
    };
    let named = environment.compile_expression(expression).and_then(|expression| expression.eval(Serde(values)));
    let named = named.map_err(broken)?;
    if named.is_undefined() {
        return Err(unknown());
    }
    let read = serde_json::to_value(named);
    read.map_err(|error| FillError::Broken { template: text.to_owned(), why: error.to_string() })
}

/// What a template names, `names.a` as one.
fn template_names(environment: &Environment<'_>, text: &str) -> Vec<String> {
    let names = environment.template_from_str(text).map(|template| template.undeclared_variables(true));
    let mut names: Vec<String> = names.into_iter().flatten().collect();
    names.sort();
    names
}

/// Which of the names is not there, and what was probably meant.
fn not_there(names: &[String], values: &BTreeMap<String, Value>) -> String {
    let root: Map<String, Value> = values.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    names.iter().find_map(|name| missing(name, &root)).unwrap_or_else(|| "it names nothing that is known".to_owned())
}

/// The first step on the way to a name that leads nowhere.
fn missing(name: &str, root: &Map<String, Value>) -> Option<String> {
    let (mut level, mut before) = (root, String::new());
    for word in name.split('.') {
        let Some(value) = level.get(word) else {
            let hint = suggest::hint_of_many(word, level.keys().map(String::as_str));
            return Some(format!("there is no `{before}{word}`; {hint}"));
        };
        let Value::Object(inner) = value else { return None };
        level = inner;
        before = format!("{before}{word}.");
    }
    None
}

/// Whether there is anything to fill in. A text without places stands as it is, to its last line break.
pub fn is_template(text: &str) -> bool {
    ["{{", "{%", "{#"].iter().any(|mark| text.contains(mark))
}

/// What stands in the braces of a text that is one place and nothing else.
fn place(text: &str) -> Option<&str> {
    let inner = text.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    (!inner.contains("{{") && !inner.contains("}}")).then(|| inner.trim())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(value: &Value) -> String {
        let values = json!({
            "names": {"a": "X", "n": 2},
            "gates": {"xor": 2, "and": 1.0},
            "gate": "nand",
            "text": "a \"b\" -> {{ gate }}",
        });
        let values: BTreeMap<String, Value> = serde_json::from_value(values).expect("the values are an object");
        fill(value, &values).map_or_else(|why| format!("? {why}"), |filled| filled.to_string())
    }

    #[test]
    fn templates_that_never_end_or_write_without_end_are_refused() {
        let loops =
            "{% for a in range(9999) %}{% for b in range(9999) %}{% if a > b %}{% endif %}{% endfor %}{% endfor %}";
        let writes = format!("{{% for a in range(9999) %}}{}{{% endfor %}}", "x".repeat(1000));
        let carries = "{% set ns = namespace(a='x') %}{% for b in range(40) %}{% set ns.a = ns.a ~ ns.a %}{% endfor %}";
        let doubles = format!("{{% set a = 'x' %}}{}", "{% set a = a ~ a %}".repeat(36));
        let told =
            [loops, &writes, carries, &doubles].map(|template| fill_text(template, &BTreeMap::new()).unwrap_err());
        insta::assert_snapshot!(told.join("\n"), @"
        engine ran out of fuel (in <string>:1)
        invalid operation: it makes more than 4 MB of text
        unknown function: namespace is unknown (in <string>:1)
        invalid operation: `a` is made of more than 1000 values, counted through all variables
        ");
    }

    #[test]
    fn texts_keys_and_whole_values_are_filled() {
        let all = [
            told(&json!("{{ names.a }}_GT_{{ names.n }}")),
            told(&json!({"{{ gate }}": " {{ names.n }} ", "all": ["{{ gates }}", 1, true, null]})),
            told(&json!({"{{ names.n }}": "{% if names.n > 1 %}many{% endif %}"})),
            told(&json!("{{ gates['xor'] + names.n }}")),
            told(&json!("{{ text }}")),
            told(&json!("it says {{ text }}")),
            told(&json!("as it stands\n")),
        ];
        insta::assert_snapshot!(all.join("\n"), @r#"
        "X_GT_2"
        {"all":[{"and":1.0,"xor":2},1,true,null],"nand":2}
        {"2":"many"}
        4
        "a \"b\" -> {{ gate }}"
        "it says a \"b\" -> {{ gate }}"
        "as it stands\n"
        "#);
    }

    #[test]
    fn what_cannot_be_filled_is_told() {
        let all = ["{{ names.b }}", "to {{ gone }}", "{{ nothing.at.all }}", "{{ names.a", "{{ a b }}"];
        insta::assert_snapshot!(all.map(|text| told(&json!(text))).join("\n"), @"
        ? `{{ names.b }}`: there is no `names.b`; there is `a`, `n`
        ? `to {{ gone }}`: there is no `gone`; there is `gate`, `gates`, `names`, `text`
        ? `{{ nothing.at.all }}`: there is no `nothing`; there is `gate`, `gates`, `names`, `text`
        ? `{{ names.a`: syntax error: unexpected end of input, expected end of variable block (in <string>:1)
        ? `{{ a b }}`: syntax error: unexpected input after expression (in <expression>:1)
        ");
    }

    #[test]
    fn a_typo_in_a_long_text_is_named_with_its_line() {
        let values = BTreeMap::from([("width".to_owned(), json!(3)), ("height".to_owned(), json!(4))]);
        let told = fill_text("Go.\nIt is {{ wdith }} wide.", &values).expect_err("it is misspelt");
        assert_eq!(told, "line 2: there is no `wdith`; did you mean `width`?");
    }
}
