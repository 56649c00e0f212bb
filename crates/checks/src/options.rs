//! Reads what a task declares about a check, and says what is wrong with it.

use quintain_core::check::CheckManual;
use quintain_core::suggest;
use quintain_core::task::CheckSpec;
use serde_json::Value;

/// The option that every kind understands: the file a check belongs to, for `pairwise-files`.
pub const FILE: &str = "file";

/// What `selector` says, of most kinds.
pub const SELECTOR_SAYS: &str = "Where it looks: `answer/total`, `documents/puzzle/agent`, `derived/simulation`; slashes lead into what lies within.";
/// What `expect` says, of most kinds.
pub const EXPECT_SAYS: &str = "What should be there, a template: `\"{{ total }}\"` is the parameter with its type, `\"{{ total }} apples\"` a text.";
/// What `ignore` says.
pub const IGNORE_SAYS: &str = "A list of what does not count in texts: `case`, `space`, `punctuation`.";

/// What `types` says.
pub const TYPES_SAYS: &str = "The types of fields, by name: `{ born = \"date\", growth = { type = \"percent\", digits = 1 } }`; see [answer types](tasks.md#answer-types). Fields without one are compared by the type of what is expected.";
/// What `type` says.
pub const TYPE_SAYS: &str = "`date`, `quantity`, `money`, `percent`, `number`, `entity`, `names`, `table`, `record`, `limits`, `text` or `exact`, or such a word with what holds for the expectation: `{ type = \"percent\", digits = 1 }`; see [answer types](tasks.md#answer-types).";

/// Refuses what a kind does not understand: a setting without effect is a mistake.
pub fn refuse_others(spec: &CheckSpec, understood: &CheckManual) -> Result<(), String> {
    let kind = &spec.kind;
    if spec.tolerance.is_some() && understood.tolerance.is_none() {
        return Err(format!("a check of kind `{kind}` takes no tolerance"));
    }
    if spec.expect.is_some() && understood.expect.is_none() {
        return Err(format!("a check of kind `{kind}` takes no `expect`"));
    }
    let known = || understood.options.iter().map(|(name, _)| *name).chain([FILE]);
    match spec.options.keys().find(|name| known().all(|known| known != name.as_str())) {
        Some(name) => {
            let hint = suggest::hint(name, known());
            Err(format!("a check of kind `{kind}` has no option `{name}`; {hint}"))
        }
        None => Ok(()),
    }
}

/// The tolerance; nothing declared means none.
pub fn tolerance(spec: &CheckSpec) -> Result<f64, String> {
    match spec.tolerance {
        None => Ok(0.0),
        Some(tolerance) => not_negative("tolerance", tolerance),
    }
}

/// An option that is a finite number.
pub fn number(spec: &CheckSpec, name: &str) -> Result<Option<f64>, String> {
    let Some(value) = spec.options.get(name) else { return Ok(None) };
    let number = value.as_f64().filter(|number| number.is_finite());
    number.map(Some).ok_or_else(|| format!("`{name}` must be a finite number, not {value}"))
}

/// An option that is a finite number of 0 or more; nothing declared means 0.
pub fn amount(spec: &CheckSpec, name: &str) -> Result<f64, String> {
    number(spec, name)?.map_or(Ok(0.0), |number| not_negative(name, number))
}

/// Refuses what is no finite number of 0 or more.
pub fn not_negative(name: &str, number: f64) -> Result<f64, String> {
    if number.is_finite() && number >= 0.0 {
        return Ok(number);
    }
    Err(format!("`{name}` must be a finite number of 0 or more, not {number}"))
}

/// An option that is true or false; nothing declared means false.
pub fn flag(spec: &CheckSpec, name: &str) -> Result<bool, String> {
    match spec.options.get(name) {
        None => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(other) => Err(format!("`{name}` must be true or false, not {other}")),
    }
}

/// An option that is a text.
pub fn text(spec: &CheckSpec, name: &str) -> Result<Option<String>, String> {
    match spec.options.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(format!("`{name}` must be a text, not {other}")),
    }
}

/// An option that is a list of texts.
pub fn words(spec: &CheckSpec, name: &str) -> Result<Option<Vec<String>>, String> {
    let Some(value) = spec.options.get(name) else { return Ok(None) };
    let wrong = || format!("`{name}` must be a list of texts, not {value}");
    let items = value.as_array().ok_or_else(wrong)?;
    items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<_>>().map(Some).ok_or_else(wrong)
}

/// Where the check looks. Only places that evidence can have are accepted.
pub fn selector(spec: &CheckSpec) -> Result<String, String> {
    let example = "for example `answer/total` or `documents/puzzle`";
    let selector = spec.selector.as_ref().ok_or_else(|| format!("`selector` is missing; {example}"))?;
    let (root, rest) = selector.split_once('/').unwrap_or((selector, ""));
    match root {
        "answer" => Ok(selector.clone()),
        "documents" | "derived" if !rest.is_empty() => Ok(selector.clone()),
        "documents" | "derived" => Err(format!("`{selector}` names no document; {example}")),
        _ => Err(format!(
            "`{selector}` is no place in the evidence; {}",
            suggest::hint(root, ["answer", "documents", "derived"])
        )),
    }
}

/// What should be there.
pub fn expected(spec: &CheckSpec) -> Result<Value, String> {
    spec.expect.clone().ok_or_else(|| "`expect` is missing".to_owned())
}
