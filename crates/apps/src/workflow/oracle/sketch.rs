//! A sketch of the app for tests: every name has a cell of the screen, and clicks and drags become edits.
//!
//! The canvas shows only a part of the workflow and the properties only the first few fields, until they are scrolled.

use quintain_core::action::{Action, Place};
use serde_json::{Value, json};

use crate::oracle::Rectangle;
use crate::workflow::model::edit::{DocumentDraft, Edit};
use crate::workflow::model::{Document, NodeCatalogue, Position, SettingContent, WorkflowNode};

/// Cells in a row, and the size of a cell in pixels.
const N_COLUMNS: usize = 40;
const CELL_PX: usize = 30;
/// Where the canvas begins, in pixels from the top.
const CANVAS_TOP: f64 = 1000.0;
/// So much of the canvas shows, in its own units, and so many entries of a panel.
const WINDOW: i64 = 1250;
const N_ENTRIES: usize = 3;

pub(super) struct CanvasSketch {
    pub(super) draft: DocumentDraft,
    left: i64,
    skipped: usize,
    chosen: Option<String>,
    field: Option<String>,
    list: Option<String>,
    dialog: Option<String>,
    is_all_marked: bool,
    pub(super) n_wrong: u32,
}

impl CanvasSketch {
    pub(super) fn new(document: Document) -> Self {
        Self {
            draft: DocumentDraft::new(document),
            left: 0,
            skipped: 0,
            chosen: None,
            field: None,
            list: None,
            dialog: None,
            is_all_marked: false,
            n_wrong: 0,
        }
    }

    /// The table of places.
    pub(super) fn geometry(&self) -> String {
        let table: serde_json::Map<String, Value> =
            self.places().into_iter().map(|(name, box_)| (name, json!(box_))).collect();
        Value::Object(table).to_string()
    }

    /// Everything that shows. Controls have a cell each; below them is the canvas at half its size.
    fn places(&self) -> Vec<(String, Rectangle)> {
        let cell = |(place, name): (usize, String)| {
            (name, [(place % N_COLUMNS * CELL_PX) as f64, (place / N_COLUMNS * CELL_PX) as f64, 20.0, 20.0])
        };
        let mut places: Vec<_> = self.controls().into_iter().enumerate().map(cell).collect();
        let Ok(workflow) = self.draft.open() else { return places };
        if self.dialog.is_some() {
            return places;
        }
        places.push(("canvas".to_owned(), [0.0, CANVAS_TOP, WINDOW as f64 / 2.0, 600.0]));
        let corner = |id: &str| {
            let position =
                workflow.node(id).filter(|node| (self.left..self.left + WINDOW).contains(&node.position.x))?.position;
            Some(((position.x - self.left) as f64 / 2.0, CANVAS_TOP + position.y as f64 / 2.0))
        };
        for node in &workflow.nodes {
            let Some((x, y)) = corner(&node.id) else { continue };
            places.push((format!("node/{}", node.id), [x, y, 60.0, 10.0]));
            places.push((format!("node/{}/in", node.id), [x - 8.0, y, 8.0, 8.0]));
            for (row, output) in kind(node).outputs_of(node).into_iter().enumerate() {
                places.push((format!("node/{}/out/{output}", node.id), [x + 62.0, y + row as f64 * 9.0, 8.0, 8.0]));
            }
        }
        for (row, edge) in workflow.edges.iter().enumerate() {
            if let (Some((x, y)), Some(_)) = (corner(&edge.source), corner(&edge.target)) {
                places.push((format!("edge/{}", edge.id), [x + 72.0, y + row as f64 * 4.0, 3.0, 3.0]));
            }
        }
        places
    }

    fn controls(&self) -> Vec<String> {
        if self.dialog.is_some() {
            return ["dialog/name", "dialog/ok", "dialog/cancel"].map(str::to_owned).to_vec();
        }
        if self.draft.open().is_err() {
            let cards = self.draft.document.workflows.iter().map(|workflow| format!("hub/workflow/{}", workflow.id));
            return cards.chain(["hub/new".to_owned()]).collect();
        }
        let fixed = ["top/hub", "zoom/fit", "zoom/in", "library/search"].map(str::to_owned);
        let kinds = NodeCatalogue::shared().kinds.iter().map(|kind| format!("library/kind/{}", kind.kind));
        fixed.into_iter().chain(kinds).chain(self.panel()).collect()
    }

    /// What the properties show of whatever is chosen.
    fn panel(&self) -> Vec<String> {
        let Some(chosen) = &self.chosen else { return Vec::new() };
        let Ok(node) = self.draft.node(chosen) else { return vec!["panel/delete".to_owned()] };
        let mut entries = Vec::new();
        for setting in &kind(node).settings {
            let n_entries = node.settings[&setting.key].as_array().map_or(0, Vec::len);
            let parts = match setting.holds {
                SettingContent::Cases => ("case", ["label", "expr", "remove"]),
                SettingContent::Fields => ("field", ["name", "value", "remove"]),
                _ => {
                    entries.push(format!("panel/set/{}", setting.key));
                    continue;
                }
            };
            for entry in 0..n_entries {
                entries.extend(parts.1.map(|part| format!("panel/{}/{entry}/{part}", parts.0)));
            }
            entries.push(format!("panel/{}/add", parts.0));
        }
        let shown = entries.into_iter().skip(self.skipped).take(N_ENTRIES);
        let list = self.list.iter().flat_map(|list| (0..5).map(move |option| format!("{list}/option/{option}")));
        let fixed = ["panel/name", "panel/delete", "panel/scroll"].map(str::to_owned);
        fixed.into_iter().chain(shown).chain(list).collect()
    }

    /// Carries out an action.
    pub(super) fn carry_out(&mut self, action: &Action) {
        match action {
            Action::Click { at: Some(at), .. } => {
                let name = self.name_at(*at);
                self.click(&name);
            }
            Action::Drag { path, .. } => {
                let ends: Vec<String> = path.iter().map(|at| self.name_at(*at)).collect();
                let from = ends[0].split('/').collect::<Vec<_>>();
                let to = ends[1].split('/').nth(1).unwrap_or_default().to_owned();
                let edit = Edit::Connect { from: from[1].to_owned(), output: from[3].to_owned(), to };
                self.make(&edit);
            }
            Action::Scroll { at: Some(at), dx, dy } => match self.name_at(*at).as_str() {
                "panel/scroll" => self.skipped = self.skipped.saturating_add_signed(*dy as isize / 160),
                _ => self.left += *dx as i64 * 2,
            },
            Action::Key { keys } => self.is_all_marked = keys == &["ctrl", "a"],
            Action::Type { text } => self.write(text),
            _ => self.n_wrong += 1,
        }
    }

    /// What lies on top at a point.
    fn name_at(&self, at: Place) -> String {
        let point = at.point().expect("the oracle names points");
        let is_hit = |[left, top, width, height]: Rectangle| {
            (left..=left + width).contains(&point.x) && (top..=top + height).contains(&point.y)
        };
        let hit = self.places().into_iter().rev().find(|(_, box_)| is_hit(*box_));
        hit.map_or_else(String::new, |(name, _)| name)
    }

    fn click(&mut self, name: &str) {
        self.field = None;
        let parts: Vec<&str> = name.split('/').collect();
        let chosen = self.chosen.clone().unwrap_or_default();
        match parts.as_slice() {
            ["hub", "workflow", id] => self.draft.document.open = Some((*id).to_owned()),
            ["hub", "new"] => self.dialog = Some("Untitled".to_owned()),
            ["dialog", "ok"] => {
                let name = self.dialog.take().unwrap_or_default();
                self.make(&Edit::Create { name });
            }
            ["top", "hub"] => self.draft.document.open = None,
            ["zoom", "fit"] => self.left = 0,
            ["library", "kind", kind] => self.add(kind),
            ["node" | "edge", id] => {
                self.skipped = 0;
                self.chosen = Some((*id).to_owned());
            }
            ["panel", "delete"] => self.delete(&chosen),
            ["panel", "case", "add"] => {
                self.make(&Edit::AddCase { node: chosen, label: "case_0".to_owned(), expr: None });
            }
            ["panel", "field", "add"] => {
                self.make(&Edit::AddField { node: chosen, name: String::new(), value: String::new() });
            }
            ["panel", "case", case, "remove"] => {
                let label = self.entry("cases", case)["label"].as_str().unwrap_or_default().to_owned();
                self.make(&Edit::RemoveCase { node: chosen, label });
            }
            ["panel", "set", key, "option", option] => {
                let node = self.draft.node(&chosen).expect("a node is chosen");
                let options = &kind(node).setting(key).expect("the setting is there").options;
                let value = options[option.parse::<usize>().expect("options are numbered")].clone().into();
                self.make(&Edit::Set { node: chosen, key: (*key).to_owned(), value });
                self.list = None;
            }
            ["panel", "set", key] => self.use_setting(&chosen, key, name),
            _ => self.field = Some(name.to_owned()),
        }
    }

    fn use_setting(&mut self, node: &str, key: &str, name: &str) {
        let node = self.draft.node(node).expect("a node is chosen");
        match kind(node).setting(key).expect("the setting is there").holds {
            SettingContent::Choice => self.list = Some(name.to_owned()),
            SettingContent::Toggle => {
                let value = json!(node.settings[key] != json!(true));
                let node = node.id.clone();
                self.make(&Edit::Set { node, key: key.to_owned(), value });
            }
            _ => self.field = Some(name.to_owned()),
        }
    }

    fn write(&mut self, text: &str) {
        let field = self.field.clone().unwrap_or_default();
        let chosen = self.chosen.clone().unwrap_or_default();
        if !std::mem::take(&mut self.is_all_marked) {
            self.n_wrong += 1;
        }
        match field.split('/').collect::<Vec<_>>().as_slice() {
            ["dialog", "name"] => self.dialog = Some(text.to_owned()),
            ["library", "search"] => {}
            ["panel", "name"] => self.make(&Edit::Rename { node: chosen, name: text.to_owned() }),
            ["panel", "set", key] => {
                let value = text.parse::<i64>().map_or_else(|_| json!(text), Value::from);
                self.make(&Edit::Set { node: chosen, key: (*key).to_owned(), value });
            }
            ["panel", "case", case, part] => self.entry("cases", case)[*part] = text.into(),
            ["panel", "field", entry, part] => self.entry("fields", entry)[*part] = text.into(),
            _ => self.n_wrong += 1,
        }
    }

    fn entry(&mut self, key: &str, entry: &str) -> &mut Value {
        let chosen = self.chosen.clone().unwrap_or_default();
        let open = self.draft.document.open.clone().expect("a workflow is open");
        let workflow = self.draft.document.workflow_mut(&open).expect("the open workflow is there");
        let node = workflow.node_mut(&chosen).expect("a node is chosen");
        &mut node.settings[key][entry.parse::<usize>().expect("entries are numbered")]
    }

    fn add(&mut self, kind: &str) {
        let id = self.draft.document.next_id('n');
        self.make(&Edit::Add { kind: kind.to_owned(), alias: id.clone() });
        let open = self.draft.document.open.clone().expect("a workflow is open");
        let workflow = self.draft.document.workflow_mut(&open).expect("the open workflow is there");
        let y = 800 + 100 * workflow.nodes.len() as i64;
        workflow.node_mut(&id).expect("the node was added").position = Position { x: self.left + 300, y };
    }

    fn delete(&mut self, id: &str) {
        let workflow = self.draft.open().expect("a workflow is open");
        let edge = workflow.edges.iter().find(|edge| edge.id == id).cloned();
        self.chosen = None;
        self.make(&match edge {
            Some(edge) => Edit::Disconnect { from: edge.source, output: edge.output, to: edge.target },
            None => Edit::Delete { node: id.to_owned() },
        });
    }

    fn make(&mut self, edit: &Edit) {
        if self.draft.make(edit).is_err() {
            self.n_wrong += 1;
        }
    }
}

fn kind(node: &WorkflowNode) -> &'static crate::workflow::model::NodeKind {
    NodeCatalogue::shared().kind(&node.kind).expect("the kind is known")
}
