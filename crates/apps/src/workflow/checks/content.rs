//! What counts of a node besides its edges, in a form in which equal means the same.

use std::collections::BTreeMap;

use quintain_checks::fold::Folding;
use quintain_checks::value;
use serde_json::{Number, Value};

use crate::workflow::model::expression::{OutcomeReading, normalised};
use crate::workflow::model::{NodeCatalogue, NodeSetting, SettingContent, WorkflowNode};

/// What counts of a node: its kind, the name somebody gave it, and its settings. Ids and positions do not.
///
/// A setting that is not there has the default of its kind. Each is compared as what the catalogue says it holds:
/// expressions by meaning, numbers by value even where written as text, texts but for white space at their ends,
/// cases and fields in any order, choices and toggles as they stand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Content {
    pub(super) kind: String,
    pub(super) name: Option<String>,
    pub(super) settings: BTreeMap<String, String>,
}

impl Content {
    pub(super) fn of(node: &WorkflowNode) -> Self {
        let kind = NodeCatalogue::shared().kind(&node.kind);
        let mut settings: BTreeMap<String, String> = kind
            .into_iter()
            .flat_map(|kind| &kind.settings)
            .map(|setting| (setting.key.clone(), key(setting, node.settings.get(&setting.key))))
            .collect();
        for (name, value) in &node.settings {
            settings.entry(name.clone()).or_insert_with(|| value::key(value, Folding::default()));
        }
        let given = text(&node.name);
        let is_given = !given.is_empty() && kind.is_none_or(|kind| kind.name != given);
        Self { kind: node.kind.clone(), name: is_given.then_some(given), settings }
    }

    /// The keys of the settings that differ. Both nodes are of one kind.
    pub(super) fn differing<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a str> {
        let extra = other.settings.keys().filter(|key| !self.settings.contains_key(*key));
        let changed = self.settings.iter().filter(|(key, value)| other.settings.get(*key) != Some(value));
        changed.map(|(key, _)| key).chain(extra).map(String::as_str)
    }

    /// How many things differ: settings and the name. Both nodes are of one kind.
    pub(super) fn n_differing(&self, other: &Self) -> usize {
        self.differing(other).count() + usize::from(self.name != other.name)
    }

    /// How many things there are that could differ.
    pub(super) fn n_things(&self) -> usize {
        self.settings.len() + 1
    }
}

/// A text as it is compared: without white space at its ends, letters composed, lines ended in one way.
pub(super) fn text(text: &str) -> String {
    Folding::default().fold(text.replace("\r\n", "\n").trim())
}

/// Whether an expression decides something, so that only its truth counts.
pub(super) fn reading(setting: &NodeSetting) -> OutcomeReading {
    if setting.key == "condition" { OutcomeReading::Truth } else { OutcomeReading::Value }
}

fn key(setting: &NodeSetting, value: Option<&Value>) -> String {
    let value = value.unwrap_or(&setting.default);
    match setting.holds {
        SettingContent::Text | SettingContent::Long => text(&words(value)),
        SettingContent::Expression => normalised(&text(&words(value)), reading(setting)),
        SettingContent::Number => number(value),
        SettingContent::Choice | SettingContent::Toggle => value::key(value, Folding::default()),
        SettingContent::Cases => list(value, "label", "expr"),
        SettingContent::Fields => list(value, "name", "value"),
    }
}

/// A value as text, however it is kept; nothing is an empty text.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => value::key(other, Folding::default()),
    }
}

fn number(value: &Value) -> String {
    let from_text = |text: &str| text.trim().parse().ok().and_then(Number::from_f64).map(Value::Number);
    let number = value.as_str().and_then(from_text);
    value::key(number.as_ref().unwrap_or(value), Folding::default())
}

/// Named entries with an expression each, in any order; only those of one name keep theirs. An empty expression is none.
fn list(value: &Value, name: &str, expression: &str) -> String {
    let Some(entries) = value.as_array() else { return value::key(value, Folding::default()) };
    let part = |entry: &Value, part: &str| text(&words(entry.get(part).unwrap_or(&Value::Null)));
    let entry = |entry: &Value| (part(entry, name), normalised(&part(entry, expression), OutcomeReading::Value));
    let mut entries: Vec<(String, String)> = entries.iter().map(entry).collect();
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    format!("{entries:?}")
}
