//! Documents that look different from a right one and say the same.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::content::reading;
use super::graph::was_there;
use super::tolerance::{keeps_blanks, text};
use crate::workflow::model::expression::{OutcomeReading, respelled, rewritten};
use crate::workflow::model::{Document, NodeCatalogue, NodeSetting, Position, SettingContent, WorkflowNode};

type DocumentVariation = fn(&mut Document);

const VARIATIONS: [(&str, DocumentVariation); 10] = [
    ("nodes in another order", reverse_nodes),
    ("edges in another order", reverse_edges),
    ("workflows in another order", |document| document.workflows.reverse()),
    ("other ids for edges", renumber_edges),
    ("other positions", rearrange),
    ("fields in another order", reverse_fields),
    ("numbers with a point", numbers_with_a_point),
    ("another workflow open", open_another),
    ("spaces at the ends of texts", pad_texts),
    ("names of kinds left out", leave_out_names),
];

const SPELLINGS: [&str; 6] = [
    "without spaces",
    "with more spaces",
    "in single quotes",
    "in double quotes",
    "with parentheses around everything",
    "with comparisons the other way round",
];

const REWRITINGS: [&str; 5] =
    ["chosen where true is true", "and true", "or false", "chosen from true and false", "denied twice"];

/// Documents that say the same as a right one, and how each was made. Those that vary nothing are left out.
pub(super) fn variations(start: &Document, right: &Document) -> Vec<(String, Document)> {
    let mut all = disguises(start, right);
    let mut rewritings = Rewritings::default();
    for how in REWRITINGS {
        let mut document = right.clone();
        rewritings.rewrite(&mut document, how);
        all.push((format!("expressions rewritten: {how}"), document));
    }
    all.retain(|(_, document)| document != right);
    all
}

/// A document, right or wrong, with nothing in it changed that counts.
pub(super) fn disguises(start: &Document, given: &Document) -> Vec<(String, Document)> {
    let made = |how: String, vary: &dyn Fn(&mut Document)| {
        let mut document = given.clone();
        vary(&mut document);
        (how, document)
    };
    let mut all: Vec<(String, Document)> =
        VARIATIONS.into_iter().map(|(how, vary)| made(how.to_owned(), &vary)).collect();
    for how in SPELLINGS {
        all.push(made(format!("expressions {how}"), &|document| respell(document, how)));
    }
    all.push(made("other ids for new workflows".to_owned(), &|document| renumber_new(start, document)));
    all.push(made("other ids for new nodes".to_owned(), &|document| renumber_nodes(start, document)));
    all.push(made("all of it at once".to_owned(), &|document| {
        for (_, vary) in VARIATIONS {
            vary(document);
        }
        renumber_nodes(start, document);
        respell(document, SPELLINGS[5]);
        respell(document, SPELLINGS[0]);
    }));
    all.retain(|(_, document)| document != given);
    all
}

fn reverse_nodes(document: &mut Document) {
    document.workflows.iter_mut().for_each(|workflow| workflow.nodes.reverse());
}

fn reverse_edges(document: &mut Document) {
    document.workflows.iter_mut().for_each(|workflow| workflow.edges.reverse());
}

/// Gives edges other ids, as if they had been deleted and drawn again.
fn renumber_edges(document: &mut Document) {
    let edges = document.workflows.iter_mut().flat_map(|workflow| &mut workflow.edges);
    edges.for_each(|edge| edge.id = other_id(&edge.id));
}

/// Gives nodes that were not there at the start other ids, as if others had been added and deleted before.
fn renumber_nodes(start: &Document, document: &mut Document) {
    for workflow in &mut document.workflows {
        let is_new = |node: &&WorkflowNode| !was_there(start, workflow, node);
        let new: BTreeSet<String> = workflow.nodes.iter().filter(is_new).map(|node| node.id.clone()).collect();
        let ends = workflow.edges.iter_mut().flat_map(|edge| [&mut edge.source, &mut edge.target]);
        let ids = workflow.nodes.iter_mut().map(|node| &mut node.id).chain(ends);
        ids.filter(|id| new.contains(*id)).for_each(|id| *id = other_id(id));
    }
}

fn other_id(id: &str) -> String {
    format!("{id}0{}", id.len())
}

/// Gives workflows other ids that were not there at the start, unless two share a name.
fn renumber_new(start: &Document, document: &mut Document) {
    let names: Vec<String> = document.workflows.iter().map(|workflow| text(&workflow.name)).collect();
    for workflow in &mut document.workflows {
        let is_only = names.iter().filter(|name| **name == text(&workflow.name)).count() == 1;
        if !is_only || start.workflow(&workflow.id).is_some() {
            continue;
        }
        let other = other_id(&workflow.id);
        if document.open.as_ref() == Some(&workflow.id) {
            document.open = Some(other.clone());
        }
        workflow.id = other;
    }
}

fn rearrange(document: &mut Document) {
    for node in document.workflows.iter_mut().flat_map(|workflow| &mut workflow.nodes) {
        node.position = Position { x: 1000 - node.position.y, y: node.position.x + 40 };
    }
}

fn open_another(document: &mut Document) {
    let others = document.workflows.iter().map(|workflow| Some(workflow.id.clone())).chain([None]);
    let other = others.into_iter().find(|id| *id != document.open);
    document.open = other.flatten();
}

fn leave_out_names(document: &mut Document) {
    for node in document.workflows.iter_mut().flat_map(|workflow| &mut workflow.nodes) {
        if NodeCatalogue::shared().kind(&node.kind).is_some_and(|kind| kind.name == node.name) {
            node.name.clear();
        }
    }
}

/// Changes every setting in the document that is there.
fn change_settings(document: &mut Document, mut change: impl FnMut(&NodeSetting, &mut Value)) {
    for node in document.workflows.iter_mut().flat_map(|workflow| &mut workflow.nodes) {
        let Some(kind) = NodeCatalogue::shared().kind(&node.kind) else { continue };
        for setting in &kind.settings {
            if let Some(value) = node.settings.get_mut(&setting.key) {
                change(setting, value);
            }
        }
    }
}

fn numbers_with_a_point(document: &mut Document) {
    change_settings(document, |setting, value| {
        if let Some(number) = value.as_f64().filter(|_| setting.holds == SettingContent::Number) {
            *value = json!(number);
        }
    });
}

fn pad_texts(document: &mut Document) {
    change_settings(document, |setting, value| {
        let is_text = matches!(setting.holds, SettingContent::Text | SettingContent::Long | SettingContent::Expression);
        let may_be_padded = |text: &&str| is_text && !keeps_blanks(setting) && !text.is_empty();
        if let Some(text) = value.as_str().filter(may_be_padded) {
            *value = json!(format!("{text}  "));
        }
    });
}

fn reverse_fields(document: &mut Document) {
    change_settings(document, |setting, value| {
        if setting.holds == SettingContent::Fields {
            reverse_named(value, "name");
        }
    });
}

/// Reverses a list of named things, unless two have one name: their order would mean something.
fn reverse_named(value: &mut Value, name: &str) {
    let Some(entries) = value.as_array_mut() else { return };
    let name_of = |entry: &Value| text(entry.get(name).and_then(Value::as_str).unwrap_or_default());
    let names: BTreeSet<String> = entries.iter().map(name_of).collect();
    if names.len() == entries.len() {
        entries.reverse();
    }
}

/// Spells every expression in one other way.
fn respell(document: &mut Document, how: &str) {
    change_expressions(document, |text, _| respelled(text).into_iter().find(|(other, _)| *other == how));
}

/// Other words for each expression, found once.
#[derive(Default)]
struct Rewritings(BTreeMap<(String, OutcomeReading), Vec<(&'static str, String)>>);

impl Rewritings {
    /// Puts every expression in other words.
    fn rewrite(&mut self, document: &mut Document, how: &str) {
        change_expressions(document, |text, reading| {
            let words = self.0.entry((text.to_owned(), reading)).or_insert_with(|| rewritten(text, reading));
            words.iter().find(|(other, _)| *other == how).cloned()
        });
    }
}

/// Another text of an expression, and what is other about it.
type OtherWords = Option<(&'static str, String)>;

fn change_expressions(document: &mut Document, mut other: impl FnMut(&str, OutcomeReading) -> OtherWords) {
    let mut change = |value: &mut Value, reading| {
        if let Some((_, written)) = value.as_str().and_then(|text| other(text, reading)) {
            *value = json!(written);
        }
    };
    change_settings(document, |setting, value| match setting.holds {
        SettingContent::Expression => change(value, reading(setting)),
        SettingContent::Cases | SettingContent::Fields => {
            let part = if setting.holds == SettingContent::Cases { "expr" } else { "value" };
            let entries = value.as_array_mut().into_iter().flatten();
            entries.filter_map(|entry| entry.get_mut(part)).for_each(|value| change(value, reading(setting)));
        }
        _ => {}
    });
}
