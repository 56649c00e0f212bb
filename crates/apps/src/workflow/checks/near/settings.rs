//! Settings with another value.

use serde_json::{Value, json};

use super::{ChangedDocument, Focus};
use crate::workflow::model::expression::mistaken;
use crate::workflow::model::{
    DEFAULT_OUTPUT, Document, NodeCatalogue, NodeSetting, SettingContent, Workflow, WorkflowNode,
};

/// How many settings get another value.
const MAX_SETTINGS: usize = 16;
/// How many other values an expression or a list gets.
const MAX_VALUES: usize = 6;

pub(super) fn near_misses(start: &Document, focus: &Focus<'_>) -> Vec<ChangedDocument> {
    let mut near = Vec::new();
    for (node, setting) in telling_first(start, focus.workflow()).into_iter().take(MAX_SETTINGS) {
        let value = node.settings.get(&setting.key).unwrap_or(&setting.default);
        for (how, other) in others(setting, value) {
            let how = format!("`{}` of `{}`: {how}", setting.key, node.id);
            near.push(focus.with(how, |workflow| put(workflow, &node.id, setting, other)));
        }
    }
    let scribbled = focus.workflow().nodes.first().map(|node| {
        focus.with(format!("notes scribbled on `{}`", node.id), |workflow| {
            let node = workflow.node_mut(&node.id).expect("it was just there");
            let notes = node.settings.get("notes").and_then(Value::as_str).unwrap_or_default();
            let scribbled = json!(format!("{notes} done"));
            node.settings.insert("notes".to_owned(), scribbled);
        })
    });
    near.extend(scribbled);
    near
}

/// The settings of all nodes but their notes: first those that were changed since the start, then those that are not
/// at their default, then the rest.
fn telling_first<'a>(start: &Document, workflow: &'a Workflow) -> Vec<(&'a WorkflowNode, &'static NodeSetting)> {
    let before = start.workflow(&workflow.id);
    let mut settings: Vec<(&WorkflowNode, &'static NodeSetting)> = Vec::new();
    for node in &workflow.nodes {
        let kind = NodeCatalogue::shared().kind(&node.kind);
        let kinds = kind.into_iter().flat_map(|kind| &kind.settings).filter(|setting| setting.key != "notes");
        settings.extend(kinds.map(|setting| (node, setting)));
    }
    settings.sort_by_key(|(node, setting)| {
        let value = node.settings.get(&setting.key).unwrap_or(&setting.default);
        let old = before.and_then(|before| before.node(&node.id)).and_then(|node| node.settings.get(&setting.key));
        let is_default = *value == setting.default;
        (old == Some(value) || (old.is_none() && is_default), is_default)
    });
    settings
}

/// Other values of a setting.
fn others(setting: &NodeSetting, value: &Value) -> Vec<(String, Value)> {
    let say = |how: &str, value: Value| vec![(how.to_owned(), value)];
    match setting.holds {
        SettingContent::Text | SettingContent::Long => {
            say("another text", json!(format!("{}x", value.as_str().unwrap_or_default().trim_end())))
        }
        SettingContent::Expression => expressions(value.as_str().unwrap_or_default()),
        SettingContent::Number => say("one more", json!(number(value) + 1.0)),
        SettingContent::Toggle => say("the other way", json!(!value.as_bool().unwrap_or(false))),
        SettingContent::Choice => {
            let other = setting.options.iter().find(|option| value.as_str() != Some(option.as_str()));
            other.map(|other| ("another choice".to_owned(), json!(other))).into_iter().collect()
        }
        SettingContent::Cases => entries(value, "label", "expr"),
        SettingContent::Fields => entries(value, "name", "value"),
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok()).unwrap_or(0.0)
}

fn expressions(text: &str) -> Vec<(String, Value)> {
    let mut others: Vec<(String, Value)> = Vec::new();
    for (how, other) in mistaken(text) {
        if others.iter().filter(|(known, _)| known == how).count() < 2 {
            others.push((how.to_owned(), json!(other)));
        }
    }
    others.truncate(MAX_VALUES);
    if others.is_empty() {
        others.push(("another expression".to_owned(), json!(format!("{text} other").trim_start())));
    }
    others
}

/// A list of named expressions with one renamed, one missing, one too many or one with another expression.
fn entries(value: &Value, name: &str, expression: &str) -> Vec<(String, Value)> {
    let entries = value.as_array().cloned().unwrap_or_default();
    let with = |how: &str, change: &dyn Fn(&mut Vec<Value>)| {
        let mut changed = entries.clone();
        change(&mut changed);
        (how.to_owned(), Value::Array(changed))
    };
    let mut others = vec![with("one too many", &|entries| entries.push(json!({ name: "one_too_many" })))];
    let Some(last) = entries.last() else { return others };
    others.push(with("the last one missing", &|entries| drop(entries.pop())));
    let rename = |entry: &Value| json!(format!("{}_2", entry.get(name).and_then(Value::as_str).unwrap_or_default()));
    let text = last.get(expression).and_then(Value::as_str).unwrap_or_default();
    let changes = [("the last one called otherwise", name, rename(last))].into_iter();
    let expressions =
        expressions(text).into_iter().map(|(_, other)| ("the last one with another expression", expression, other));
    for (how, part, other) in changes.chain(expressions.take(1)) {
        others.push(with(how, &|entries| {
            if let Some(last) = entries.last_mut().and_then(Value::as_object_mut) {
                last.insert(part.to_owned(), other.clone());
            }
        }));
    }
    others
}

/// Sets a value as the app would: the edges of a case or an output that is gone go with it, renamed ones are renamed.
fn put(workflow: &mut Workflow, id: &str, setting: &NodeSetting, value: Value) {
    let Some(node) = workflow.node_mut(id) else { return };
    let outputs = |node: &WorkflowNode| {
        NodeCatalogue::shared().kind(&node.kind).map(|kind| kind.outputs_of(node)).unwrap_or_default()
    };
    let before = outputs(node);
    node.settings.insert(setting.key.clone(), value);
    let after = outputs(node);
    for edge in workflow.edges.iter_mut().filter(|edge| edge.source == id && edge.output != DEFAULT_OUTPUT) {
        let renamed = before.iter().position(|output| *output == edge.output).filter(|_| before.len() == after.len());
        if let Some(at) = renamed {
            edge.output.clone_from(&after[at]);
        }
    }
    workflow.edges.retain(|edge| edge.source != id || after.contains(&edge.output));
}
