//! What counts of a node besides its edges, in a form in which equal means the same.

use std::collections::BTreeMap;

use quintain_checks::fold::Folding;
use quintain_checks::value;
use serde_json::Value;

use super::tolerance::{keeps_blanks, text};
use crate::workflow::model::expression::OutcomeReading;
use crate::workflow::model::{NodeCatalogue, NodeSetting, SettingContent, WorkflowNode};

/// What counts of a node: its kind, the name somebody gave it, its settings, and which of the nodes at the start it is.
/// Positions do not, and neither do the ids of nodes that are new.
///
/// A setting that is not there has the default of its kind. Each is compared as what the catalogue says it holds:
/// expressions by meaning, numbers by value, texts but for white space at their ends unless the app minds that too,
/// cases in their order, fields in any, choices and toggles as they stand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Content {
    pub(super) kind: String,
    pub(super) name: Option<String>,
    /// The id, where the node was there at the start.
    pub(super) kept: Option<String>,
    pub(super) settings: BTreeMap<String, String>,
}

/// Gives a text that is the same for expressions of the same meaning.
pub(super) type ExpressionKey<'a> = dyn FnMut(&str, OutcomeReading) -> String + 'a;

impl Content {
    /// The content of a node, with its id where it was there at the start.
    pub(super) fn of(node: &WorkflowNode, kept: Option<String>, expression: &mut ExpressionKey<'_>) -> Self {
        let kind = NodeCatalogue::shared().kind(&node.kind);
        let mut settings: BTreeMap<String, String> = kind
            .into_iter()
            .flat_map(|kind| &kind.settings)
            .map(|setting| (setting.key.clone(), key(setting, node.settings.get(&setting.key), expression)))
            .collect();
        for (name, value) in &node.settings {
            settings.entry(name.clone()).or_insert_with(|| value::key(value, Folding::default()));
        }
        let given = text(&node.name);
        let is_given = !given.is_empty() && kind.is_none_or(|kind| kind.name != given);
        Self { kind: node.kind.clone(), name: is_given.then_some(given), kept, settings }
    }

    /// The keys of the settings that differ. Both nodes are of one kind.
    pub(super) fn differing<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a str> {
        let extra = other.settings.keys().filter(|key| !self.settings.contains_key(*key));
        let changed = self.settings.iter().filter(|(key, value)| other.settings.get(*key) != Some(value));
        changed.map(|(key, _)| key).chain(extra).map(String::as_str)
    }

    /// How many things differ: settings, the name and which node it is. Both nodes are of one kind.
    pub(super) fn n_differing(&self, other: &Self) -> usize {
        self.differing(other).count() + usize::from(self.name != other.name) + usize::from(self.kept != other.kept)
    }

    /// How many things there are that could differ.
    pub(super) fn n_things(&self) -> usize {
        self.settings.len() + 1
    }
}

/// Whether an expression decides something, so that only its truth counts. The cases of a switch do, too.
pub(super) fn reading(setting: &NodeSetting) -> OutcomeReading {
    let decides = setting.key == "condition" || setting.holds == SettingContent::Cases;
    if decides { OutcomeReading::Truth } else { OutcomeReading::Value }
}

fn key(setting: &NodeSetting, value: Option<&Value>, expression: &mut ExpressionKey<'_>) -> String {
    let value = value.unwrap_or(&setting.default);
    match setting.holds {
        SettingContent::Text | SettingContent::Long if keeps_blanks(setting) => Folding::default().fold(&words(value)),
        SettingContent::Text | SettingContent::Long => text(&words(value)),
        SettingContent::Expression => expression(&text(&words(value)), reading(setting)),
        SettingContent::Number | SettingContent::Choice | SettingContent::Toggle => {
            value::key(value, Folding::default())
        }
        SettingContent::Cases => cases(value, expression),
        SettingContent::Fields => fields(value, expression),
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

/// The cases of a switch, in their order: the app takes the first that matches.
fn cases(value: &Value, expression: &mut ExpressionKey<'_>) -> String {
    entries(value, ("label", "expr"), OutcomeReading::Truth, expression)
        .map_or_else(|| value::key(value, Folding::default()), |cases| format!("{cases:?}"))
}

/// Fields to set, in any order, since each value is computed from the item as it came; only those of one name keep their
/// order, since the last one counts.
fn fields(value: &Value, expression: &mut ExpressionKey<'_>) -> String {
    let Some(mut fields) = entries(value, ("name", "value"), OutcomeReading::Value, expression) else {
        return value::key(value, Folding::default());
    };
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    format!("{fields:?}")
}

/// Named entries with an expression each. Names count letter by letter, as they do in the app. An empty expression is
/// none; one of blanks is there, and the app cannot read it.
fn entries(
    value: &Value,
    (name, part): (&str, &str),
    reading: OutcomeReading,
    expression: &mut ExpressionKey<'_>,
) -> Option<Vec<(String, Option<String>)>> {
    let words_of = |entry: &Value, part: &str| words(entry.get(part).unwrap_or(&Value::Null));
    let entry = |entry: &Value| {
        let written = words_of(entry, part);
        let key = (!written.is_empty()).then(|| expression(&text(&written), reading));
        (Folding::default().fold(&words_of(entry, name)), key)
    };
    Some(value.as_array()?.iter().map(entry).collect())
}
