//! Settings with another value.

use serde_json::{Value, json};

use super::super::content::reading;
use super::super::tolerance::keeps_blanks;
use super::{ChangedDocument, Focus};
use crate::workflow::model::expression::{OutcomeReading, misjudged, mistaken};
use crate::workflow::model::{
    DEFAULT_OUTPUT, Document, NodeCatalogue, NodeSetting, SettingContent, Workflow, WorkflowNode,
};

/// How many settings get another value, for each one that another kind of mistake is made with.
const SETTINGS_EACH: usize = 8;
/// How many other values an expression or a list gets.
const MAX_VALUES: usize = 6;

pub(super) fn near_misses(start: &Document, focus: &Focus<'_>, most: usize) -> Vec<ChangedDocument> {
    let mut near = Vec::new();
    let is_due = |(node, setting): &(&WorkflowNode, &NodeSetting)| !focus.ahead.sets(&node.id, &setting.key);
    let settings = telling_first(start, focus.workflow()).into_iter().filter(is_due);
    for (node, setting) in settings.take(most.saturating_mul(SETTINGS_EACH)) {
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
    near.extend(focus.workflow().nodes.last().map(|node| {
        focus.with(format!("a setting that nobody knows on `{}`", node.id), |workflow| {
            let node = workflow.node_mut(&node.id).expect("it was just there");
            node.settings.insert("one-too-many".to_owned(), json!(true));
        })
    }));
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
        SettingContent::Text | SettingContent::Long => texts(setting, value.as_str().unwrap_or_default()),
        SettingContent::Expression => expressions(value.as_str().unwrap_or_default(), reading(setting)),
        SettingContent::Number => {
            vec![
                ("one more".to_owned(), json!(number(value) + 1.0)),
                ("as a text".to_owned(), json!(value.to_string())),
            ]
        }
        SettingContent::Toggle => say("the other way", json!(!value.as_bool().unwrap_or(false))),
        SettingContent::Choice => {
            let other = setting.options.iter().find(|option| value.as_str() != Some(option.as_str()));
            other.map(|other| ("another choice".to_owned(), json!(other))).into_iter().collect()
        }
        SettingContent::Cases => cases(setting, value),
        SettingContent::Fields => entries(value, ("name", "value"), reading(setting)),
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(0.0)
}

fn texts(setting: &NodeSetting, text: &str) -> Vec<(String, Value)> {
    let mut others = vec![("another text".to_owned(), json!(format!("{}x", text.trim_end())))];
    if keeps_blanks(setting) && !text.is_empty() {
        others.push(("with a blank at its end".to_owned(), json!(format!("{text} "))));
    }
    others
}

fn expressions(text: &str, reading: OutcomeReading) -> Vec<(String, Value)> {
    let mut others: Vec<(String, Value)> = Vec::new();
    for (how, other) in mistaken(text) {
        if others.iter().filter(|(known, _)| known == how).count() < 2 {
            others.push((how.to_owned(), json!(other)));
        }
    }
    others.truncate(MAX_VALUES);
    if reading == OutcomeReading::Truth {
        others.extend(misjudged(text).into_iter().map(|(how, other)| (how.to_owned(), json!(other))));
    }
    if others.is_empty() {
        others.push(("another expression".to_owned(), json!(format!("{text} other").trim_start())));
    }
    others
}

/// As [`entries`], and with two in each other's place, a blank in a label, or blanks for an expression.
fn cases(setting: &NodeSetting, value: &Value) -> Vec<(String, Value)> {
    let mut others = entries(value, ("label", "expr"), reading(setting));
    let Some(cases) = value.as_array().filter(|cases| !cases.is_empty()) else { return others };
    let last = cases.len() - 1;
    if last > 0 {
        let mut swapped = cases.clone();
        swapped.swap(last - 1, last);
        others.push(("the last two in each other's place".to_owned(), Value::Array(swapped)));
    }
    let label = cases[last].get("label").and_then(Value::as_str).unwrap_or_default();
    for (how, part, written) in [
        ("the last one with a blank at the end of its label", "label", format!("{label} ")),
        ("the last one with blanks for an expression", "expr", "  ".to_owned()),
    ] {
        let mut changed = cases.clone();
        changed[last][part] = json!(written);
        others.push((how.to_owned(), Value::Array(changed)));
    }
    others
}

/// A list of named expressions with one renamed, one missing, one too many or one with another expression.
fn entries(value: &Value, (name, expression): (&str, &str), reading: OutcomeReading) -> Vec<(String, Value)> {
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
    let expressions = expressions(text, reading)
        .into_iter()
        .map(|(_, other)| ("the last one with another expression", expression, other));
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
        let is_renamed = before.len() == after.len() && !after.contains(&edge.output);
        let renamed = before.iter().position(|output| *output == edge.output).filter(|_| is_renamed);
        if let Some(at) = renamed {
            edge.output.clone_from(&after[at]);
        }
    }
    workflow.edges.retain(|edge| edge.source != id || after.contains(&edge.output));
}
