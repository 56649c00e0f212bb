//! What KAlgebra holds, as its elements tell: the table of variables, the list of functions, the console.

use std::collections::BTreeMap;

use quintain_desktop::AppProbe;
use quintain_machine::{AccessibleElement, AccessibleState};
use serde_json::{Value, json};

/// Whether its table of variables is filled.
pub(super) fn is_ready(shown: &AppProbe<'_>) -> bool {
    !pairs(shown.find("frame", "Variables")).is_empty()
}

/// What it holds.
pub(super) fn document(shown: &AppProbe<'_>) -> Value {
    let variables = pairs(shown.find("frame", "Variables"));
    let variables: BTreeMap<&str, Value> =
        variables.iter().map(|(name, value)| (name.name.as_str(), number_or_text(value))).collect();
    // The dock has a second table, of variables.
    let functions = pairs(shown.find("frame", "Functions").and_then(|dock| dock.find("tree", "")));
    let functions: Vec<Value> = functions
        .into_iter()
        .map(|(name, formula)| {
            let is_shown = name.is(AccessibleState::Checked);
            json!({ "name": name.name, "formula": formula, "is_shown": is_shown })
        })
        .collect();
    let listed: Vec<&Value> = functions.iter().map(|function| &function["formula"]).collect();
    let drawn = functions.iter().filter(|function| function["is_shown"] == true);
    let drawn: Vec<&Value> = drawn.map(|function| &function["formula"]).collect();
    json!({
        "is_running": shown.is_running,
        "variables": variables,
        "functions": functions,
        "listed": listed,
        "drawn": drawn,
        "tab": tab(shown),
    })
}

/// A value as a number, where it is one.
fn number_or_text(value: &str) -> Value {
    value
        .trim()
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
        .map_or_else(|| json!(value), |number| json!(number))
}

/// The tab that is open: the list of tabs is named by it.
fn tab<'a>(shown: &AppProbe<'a>) -> Option<&'a str> {
    let elements = shown.elements.map(AccessibleElement::all).unwrap_or_default();
    elements.into_iter().find(|element| element.role == "page tab list").map(|tabs| tabs.name.as_str())
}

/// The cells of a table in a dock, two by two: a name, and the text beside it.
fn pairs(dock: Option<&AccessibleElement>) -> Vec<(&AccessibleElement, String)> {
    let cells = dock.map(AccessibleElement::all).unwrap_or_default();
    let cells: Vec<&AccessibleElement> = cells.into_iter().filter(|element| element.role == "table cell").collect();
    cells.chunks_exact(2).map(|pair| (pair[0], pair[1].name.clone())).collect()
}
