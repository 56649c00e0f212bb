//! The kinds of nodes the Workflow Builder has, read from the very file the app shows them from.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::document::WorkflowNode;

const TEXT: &str = include_str!("../../../../../web/apps/workflow-builder/src/catalogue.json");

static SHARED: LazyLock<NodeCatalogue> =
    LazyLock::new(|| NodeCatalogue::read(TEXT).expect("the app's own catalogue is sound: a test reads it"));

/// The output a switch has while its setting `default` is on.
pub const DEFAULT_OUTPUT: &str = "default";

/// The kinds of nodes, and the categories the library shows them in.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct NodeCatalogue {
    /// The categories, in the order of the library.
    pub categories: Vec<NodeCategory>,
    /// The kinds, in the order of the library.
    pub kinds: Vec<NodeKind>,
}

/// A heading of the library.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct NodeCategory {
    /// The id that kinds name.
    pub id: String,
    /// The heading.
    pub name: String,
}

/// One kind of node.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct NodeKind {
    /// The word for it in documents: `httpRequest`.
    pub kind: String,
    /// The display name, which new nodes bear: `HTTP Request`.
    pub name: String,
    /// The id of its category.
    pub category: String,
    /// What it is for, in a sentence.
    pub about: String,
    /// Whether edges may end at it.
    pub input: bool,
    /// The outputs every node of the kind has. A switch has its cases besides.
    pub outputs: Vec<String>,
    /// The settings, in the order of the panel.
    pub settings: Vec<NodeSetting>,
}

/// One setting of a kind.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct NodeSetting {
    /// The key in a node's settings.
    pub key: String,
    /// What the panel calls it.
    pub label: String,
    /// What it holds.
    #[serde(rename = "type")]
    pub holds: SettingContent,
    /// What a new node has.
    pub default: Value,
    /// What there is to choose from, for a choice.
    #[serde(default)]
    pub options: Vec<String>,
}

/// What a setting holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SettingContent {
    /// One line of text.
    Text,
    /// Several lines of text.
    Long,
    /// An expression over `item`.
    Expression,
    /// A number.
    Number,
    /// One of the setting's options.
    Choice,
    /// On or off.
    Toggle,
    /// Cases of a switch: `{"label": ..., "expr": ...}`, the expression left out where there is none.
    Cases,
    /// Fields to set: `{"name": ..., "value": ...}`, the value an expression.
    Fields,
}

impl NodeCatalogue {
    /// The catalogue the app is built with.
    pub fn shared() -> &'static Self {
        &SHARED
    }

    fn read(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The kind with this word.
    pub fn kind(&self, kind: &str) -> Option<&NodeKind> {
        self.kinds.iter().find(|known| known.kind == kind)
    }

    /// The kind with this display name.
    pub fn named(&self, name: &str) -> Option<&NodeKind> {
        self.kinds.iter().find(|known| known.name == name)
    }
}

impl NodeKind {
    /// The setting with this key.
    pub fn setting(&self, key: &str) -> Option<&NodeSetting> {
        self.settings.iter().find(|setting| setting.key == key)
    }

    /// The settings of a new node.
    pub fn default_settings(&self) -> Map<String, Value> {
        self.settings.iter().map(|setting| (setting.key.clone(), setting.default.clone())).collect()
    }

    /// The outputs of a node of this kind. For a switch these are its cases, then `default` while that is on.
    pub fn outputs_of(&self, node: &WorkflowNode) -> Vec<String> {
        let Some(cases) = self.settings.iter().find(|setting| setting.holds == SettingContent::Cases) else {
            return self.outputs.clone();
        };
        let cases = node.settings.get(&cases.key).and_then(Value::as_array).into_iter().flatten();
        let labels = cases.filter_map(|case| case.get("label")?.as_str()).map(str::to_owned);
        let default = self.setting(DEFAULT_OUTPUT).map(|setting| &setting.default);
        let default = node.settings.get(DEFAULT_OUTPUT).or(default).and_then(Value::as_bool).unwrap_or(false);
        labels.chain(default.then(|| DEFAULT_OUTPUT.to_owned())).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_has_a_category_a_name_of_its_own_and_notes() {
        let catalogue = NodeCatalogue::shared();
        let categories: BTreeSet<&str> = catalogue.categories.iter().map(|category| category.id.as_str()).collect();
        let names: BTreeSet<&str> = catalogue.kinds.iter().map(|kind| kind.name.as_str()).collect();
        assert_eq!(names.len(), catalogue.kinds.len(), "two kinds have the same name");
        for kind in &catalogue.kinds {
            assert!(categories.contains(kind.category.as_str()), "{} is in no category", kind.kind);
            assert_eq!(kind.setting("notes").map(|setting| setting.holds), Some(SettingContent::Long), "{}", kind.kind);
            assert_eq!(catalogue.kind(&kind.kind), Some(kind));
            assert_eq!(catalogue.named(&kind.name), Some(kind));
        }
    }

    #[test]
    fn defaults_are_what_their_settings_hold() {
        let settings =
            NodeCatalogue::shared().kinds.iter().flat_map(|kind| kind.settings.iter().map(move |s| (kind, s)));
        for (kind, setting) in settings {
            let place = format!("{}.{} is {}", kind.kind, setting.key, setting.default);
            let options: Vec<&str> = setting.options.iter().map(String::as_str).collect();
            match setting.holds {
                SettingContent::Text | SettingContent::Long | SettingContent::Expression => {
                    assert!(setting.default.is_string(), "{place}");
                }
                SettingContent::Number => assert!(setting.default.is_number(), "{place}"),
                SettingContent::Choice => {
                    assert!(setting.default.as_str().is_some_and(|chosen| options.contains(&chosen)), "{place}");
                }
                SettingContent::Toggle => assert!(setting.default.is_boolean(), "{place}"),
                SettingContent::Cases | SettingContent::Fields => assert!(setting.default.is_array(), "{place}"),
            }
        }
    }
}
