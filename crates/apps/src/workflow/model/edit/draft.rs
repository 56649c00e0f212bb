//! A document in the making: edits are made on it one by one, as the app would make them.

use std::collections::BTreeMap;

use quintain_core::suggest;
use serde_json::{Map, Value, json};

use super::super::catalogue::{DEFAULT_OUTPUT, NodeCatalogue, NodeKind, NodeSetting, SettingContent};
use super::super::document::{Document, Edge, Workflow, WorkflowNode};
use super::{Edit, EditProblem};

/// A document in the making, and what the solution calls the nodes it added.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentDraft {
    /// The document so far.
    pub document: Document,
    aliases: BTreeMap<String, String>,
}

/// The document after all the edits.
pub fn apply(document: &Document, edits: &[Edit]) -> Result<Document, EditProblem> {
    let mut draft = DocumentDraft::new(document.clone());
    for edit in edits {
        draft.make(edit)?;
    }
    Ok(draft.document)
}

impl DocumentDraft {
    /// A draft that begins with a document.
    pub fn new(document: Document) -> Self {
        Self { document, aliases: BTreeMap::new() }
    }

    /// The workflow on the canvas.
    pub fn open(&self) -> Result<&Workflow, EditProblem> {
        let open = self.document.open.as_deref().ok_or(EditProblem::NothingOpen)?;
        self.document.workflow(open).ok_or_else(|| self.no_workflow(open))
    }

    /// The node of the open workflow that an id or an alias names.
    pub fn node(&self, name: &str) -> Result<&WorkflowNode, EditProblem> {
        let id = self.aliases.get(name).map_or(name, String::as_str);
        let open = self.open()?;
        open.node(id).ok_or_else(|| {
            let known = open.nodes.iter().map(|node| node.id.as_str()).chain(self.aliases.keys().map(String::as_str));
            EditProblem::NoNode { node: name.to_owned(), hint: suggest::hint(name, known) }
        })
    }

    /// The edge of the open workflow between two nodes.
    pub fn edge(&self, from: &str, output: &str, to: &str) -> Result<&Edge, EditProblem> {
        let (source, target) = (&self.node(from)?.id, &self.node(to)?.id);
        let mut edges = self.open()?.edges.iter();
        edges.find(|edge| edge.source == *source && edge.output == output && edge.target == *target).ok_or_else(|| {
            EditProblem::NotJoined { from: from.to_owned(), output: output.to_owned(), to: to.to_owned() }
        })
    }

    /// Makes one edit, as the app would.
    pub fn make(&mut self, edit: &Edit) -> Result<(), EditProblem> {
        match edit {
            Edit::Open { workflow } => self.put_on_canvas(workflow),
            Edit::Create { name } => {
                let id = self.document.next_id('w');
                let workflow = Workflow { id: id.clone(), name: name.clone(), ..Workflow::default() };
                self.document.workflows.push(workflow);
                self.document.open = Some(id);
                Ok(())
            }
            Edit::Add { kind, alias } => self.add(kind, alias),
            Edit::Delete { node } => self.delete(node),
            Edit::Connect { from, output, to } => self.connect(from, output, to),
            Edit::Disconnect { from, output, to } => {
                let id = self.edge(from, output, to)?.id.clone();
                self.open_mut()?.edges.retain(|edge| edge.id != id);
                Ok(())
            }
            Edit::Set { node, key, value } => self.set(node, key, value),
            Edit::AddCase { node, label, expr } => self.add_case(node, label, expr.as_deref()),
            Edit::RemoveCase { node, label } => self.remove_case(node, label),
            Edit::AddField { node, name, value } => {
                let key = self.key_that_holds(node, SettingContent::Fields)?;
                list_mut(self.node_mut(node)?, &key).push(json!({"name": name, "value": value}));
                Ok(())
            }
            Edit::Rename { node, name } => {
                self.node_mut(node)?.name.clone_from(name);
                Ok(())
            }
        }
    }

    fn put_on_canvas(&mut self, name: &str) -> Result<(), EditProblem> {
        let found = self.document.workflows.iter().find(|workflow| workflow.name == name);
        self.document.open = Some(found.ok_or_else(|| self.no_workflow(name))?.id.clone());
        Ok(())
    }

    fn add(&mut self, kind: &str, alias: &str) -> Result<(), EditProblem> {
        let kind = NodeCatalogue::shared().kind(kind).ok_or_else(|| EditProblem::NoKind(kind.to_owned()))?;
        if self.aliases.contains_key(alias) || self.open()?.node(alias).is_some() {
            return Err(EditProblem::Taken(alias.to_owned()));
        }
        let id = self.document.next_id('n');
        self.aliases.insert(alias.to_owned(), id.clone());
        let settings = kind.default_settings();
        let (name, kind) = (kind.name.clone(), kind.kind.clone());
        self.open_mut()?.nodes.push(WorkflowNode { id, kind, name, settings, ..WorkflowNode::default() });
        Ok(())
    }

    fn delete(&mut self, node: &str) -> Result<(), EditProblem> {
        let id = self.node(node)?.id.clone();
        let workflow = self.open_mut()?;
        workflow.nodes.retain(|node| node.id != id);
        workflow.edges.retain(|edge| edge.source != id && edge.target != id);
        Ok(())
    }

    fn connect(&mut self, from: &str, output: &str, to: &str) -> Result<(), EditProblem> {
        let (source, target) = (self.node(from)?, self.node(to)?);
        if !kind_of(source)?.outputs_of(source).iter().any(|known| known == output) {
            return Err(EditProblem::NoOutput { node: from.to_owned(), output: output.to_owned() });
        }
        if !kind_of(target)?.input {
            return Err(EditProblem::NoInput(to.to_owned()));
        }
        if self.edge(from, output, to).is_ok() {
            let (from, output, to) = (from.to_owned(), output.to_owned(), to.to_owned());
            return Err(EditProblem::Joined { from, output, to });
        }
        let (source, target) = (source.id.clone(), target.id.clone());
        let edge = Edge { id: self.document.next_id('e'), source, output: output.to_owned(), target };
        self.open_mut()?.edges.push(edge);
        Ok(())
    }

    fn set(&mut self, node: &str, key: &str, value: &Value) -> Result<(), EditProblem> {
        let kind = kind_of(self.node(node)?)?;
        let setting = kind.setting(key).ok_or_else(|| no_setting(node, key, kind))?;
        if !can_hold(setting, value) {
            let (node, key, value) = (node.to_owned(), key.to_owned(), value.to_string());
            return Err(EditProblem::WrongValue { node, key, value });
        }
        self.node_mut(node)?.settings.insert(key.to_owned(), value.clone());
        self.drop_edges_without_output()
    }

    fn add_case(&mut self, node: &str, label: &str, expr: Option<&str>) -> Result<(), EditProblem> {
        let key = self.key_that_holds(node, SettingContent::Cases)?;
        let switch = self.node(node)?;
        let is_taken = kind_of(switch)?.outputs_of(switch).iter().any(|output| output == label);
        if is_taken || label.is_empty() || label == DEFAULT_OUTPUT {
            return Err(EditProblem::CaseTaken { node: node.to_owned(), label: label.to_owned() });
        }
        let mut case = Map::from_iter([("label".to_owned(), json!(label))]);
        case.extend(expr.map(|expr| ("expr".to_owned(), json!(expr))));
        list_mut(self.node_mut(node)?, &key).push(Value::Object(case));
        Ok(())
    }

    fn remove_case(&mut self, node: &str, label: &str) -> Result<(), EditProblem> {
        let key = self.key_that_holds(node, SettingContent::Cases)?;
        let cases = list_mut(self.node_mut(node)?, &key);
        let n_before = cases.len();
        cases.retain(|case| case["label"] != label);
        if cases.len() == n_before {
            return Err(EditProblem::NoCase { node: node.to_owned(), label: label.to_owned() });
        }
        self.drop_edges_without_output()
    }

    /// An output that goes takes its edges along.
    fn drop_edges_without_output(&mut self) -> Result<(), EditProblem> {
        let workflow = self.open_mut()?;
        let mut outputs = BTreeMap::new();
        for node in &workflow.nodes {
            outputs.insert(node.id.clone(), kind_of(node)?.outputs_of(node));
        }
        workflow.edges.retain(|edge| outputs.get(&edge.source).is_some_and(|known| known.contains(&edge.output)));
        Ok(())
    }

    fn key_that_holds(&self, node: &str, holds: SettingContent) -> Result<String, EditProblem> {
        let kind = kind_of(self.node(node)?)?;
        let setting = kind.settings.iter().find(|setting| setting.holds == holds);
        let key = setting.map(|setting| setting.key.clone());
        key.ok_or_else(|| no_setting(node, if holds == SettingContent::Cases { "cases" } else { "fields" }, kind))
    }

    fn open_mut(&mut self) -> Result<&mut Workflow, EditProblem> {
        let open = self.document.open.clone().ok_or(EditProblem::NothingOpen)?;
        let problem = self.no_workflow(&open);
        self.document.workflow_mut(&open).ok_or(problem)
    }

    fn no_workflow(&self, name: &str) -> EditProblem {
        let names = self.document.workflows.iter().map(|workflow| workflow.name.as_str());
        EditProblem::NoWorkflow { name: name.to_owned(), hint: suggest::hint(name, names) }
    }

    fn node_mut(&mut self, name: &str) -> Result<&mut WorkflowNode, EditProblem> {
        let id = self.node(name)?.id.clone();
        let problem = EditProblem::NoNode { node: name.to_owned(), hint: "it is gone".to_owned() };
        self.open_mut()?.node_mut(&id).ok_or(problem)
    }
}

fn kind_of(node: &WorkflowNode) -> Result<&'static NodeKind, EditProblem> {
    NodeCatalogue::shared().kind(&node.kind).ok_or_else(|| EditProblem::NoKind(node.kind.clone()))
}

fn no_setting(node: &str, key: &str, kind: &NodeKind) -> EditProblem {
    let hint = suggest::hint(key, kind.settings.iter().map(|setting| setting.key.as_str()));
    EditProblem::NoSetting { node: node.to_owned(), key: key.to_owned(), hint }
}

/// The list a setting holds, made if it is not there.
fn list_mut<'a>(node: &'a mut WorkflowNode, key: &str) -> &'a mut Vec<Value> {
    let value = node.settings.entry(key.to_owned()).or_insert_with(|| json!([]));
    if !value.is_array() {
        *value = json!([]);
    }
    value.as_array_mut().expect("it has just been made a list")
}

fn can_hold(setting: &NodeSetting, value: &Value) -> bool {
    match setting.holds {
        SettingContent::Text | SettingContent::Long | SettingContent::Expression => value.is_string(),
        SettingContent::Number => value.is_number(),
        SettingContent::Toggle => value.is_boolean(),
        SettingContent::Choice => {
            value.as_str().is_some_and(|chosen| setting.options.iter().any(|option| option == chosen))
        }
        SettingContent::Cases | SettingContent::Fields => false,
    }
}
