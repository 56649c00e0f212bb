//! The moves that make an edit: what is clicked, dragged and typed, and what shows that it worked.

use std::collections::VecDeque;
use std::fmt;

use serde_json::Value;

use crate::oracle::PlaceTable;
use crate::workflow::model::edit::{DocumentDraft, Edit, EditProblem};
use crate::workflow::model::{NodeCatalogue, NodeSetting, SettingContent, WorkflowNode};

/// One move of mouse or keyboard.
pub(super) enum WorkflowMove {
    /// Click a thing.
    Click {
        /// Its name.
        on: String,
        /// What shows that it worked.
        until: WorkflowMoveSign,
    },
    /// Drag from one thing to another.
    Drag {
        /// Where it begins.
        from: String,
        /// Where it ends.
        to: String,
        /// What shows that it worked.
        until: WorkflowMoveSign,
    },
    /// Press keys together.
    Keys(&'static [&'static str]),
    /// Type a text.
    Write(String),
}

/// What shows that a move worked.
pub(super) enum WorkflowMoveSign {
    /// Nothing does: it is made once.
    Made,
    /// A thing is there.
    Shown(String),
    /// A thing is there, or else is hidden by others; then it is believed after a few attempts, which do no harm.
    Perhaps(String),
    /// A thing is gone.
    Gone(String),
    /// The properties of a node are shown.
    NodeChosen,
    /// The properties of an edge are shown.
    EdgeChosen,
}

impl WorkflowMoveSign {
    /// Whether it has come to that.
    pub(super) fn holds(&self, table: &PlaceTable) -> bool {
        match self {
            Self::Made => true,
            Self::Shown(name) | Self::Perhaps(name) => table.shows(name),
            Self::Gone(name) => !table.shows(name),
            Self::NodeChosen => table.shows("panel/name"),
            Self::EdgeChosen => table.shows("panel/delete") && !table.shows("panel/name"),
        }
    }
}

impl WorkflowMove {
    /// The things that have to be in view.
    pub(super) fn needs(&self) -> Vec<&str> {
        match self {
            Self::Click { on, .. } => vec![on],
            Self::Drag { from, to, .. } => vec![from, to],
            Self::Keys(_) | Self::Write(_) => Vec::new(),
        }
    }

    /// What shows that it worked.
    pub(super) fn until(&self) -> &WorkflowMoveSign {
        match self {
            Self::Click { until, .. } | Self::Drag { until, .. } => until,
            Self::Keys(_) | Self::Write(_) => &WorkflowMoveSign::Made,
        }
    }
}

impl fmt::Display for WorkflowMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Click { on, .. } => write!(f, "clicking `{on}`"),
            Self::Drag { from, to, .. } => write!(f, "dragging from `{from}` to `{to}`"),
            Self::Keys(keys) => write!(f, "pressing {}", keys.join("+")),
            Self::Write(text) => write!(f, "typing `{text}`"),
        }
    }
}

/// The moves that make an edit on the document as it is before it.
pub(super) fn of(edit: &Edit, draft: &DocumentDraft) -> Result<VecDeque<WorkflowMove>, EditProblem> {
    Ok(match edit {
        Edit::Open { workflow } => open(workflow, draft)?,
        Edit::Create { name } => {
            let mut moves = from_hub(draft);
            moves.push(click("hub/new", WorkflowMoveSign::Shown("dialog/name".to_owned())));
            moves.extend(fill("dialog/name", name));
            moves.push(click("dialog/ok", WorkflowMoveSign::Shown("canvas".to_owned())));
            moves
        }
        Edit::Add { kind, .. } => add(kind)?,
        Edit::Delete { node } => {
            let node = draft.node(node)?;
            vec![choose(node), click("panel/delete", WorkflowMoveSign::Gone(format!("node/{}", node.id)))]
        }
        Edit::Connect { from, output, to } => {
            let edge = WorkflowMoveSign::Perhaps(format!("edge/{}", draft.document.next_id('e')));
            let from = format!("node/{}/out/{output}", draft.node(from)?.id);
            vec![WorkflowMove::Drag { from, to: format!("node/{}/in", draft.node(to)?.id), until: edge }]
        }
        Edit::Disconnect { from, output, to } => {
            let edge = format!("edge/{}", draft.edge(from, output, to)?.id);
            vec![
                click(&edge, WorkflowMoveSign::EdgeChosen),
                click("panel/delete", WorkflowMoveSign::Gone(edge.clone())),
            ]
        }
        Edit::Set { node, key, value } => set(draft.node(node)?, key, value)?,
        Edit::AddCase { node, label, expr } => add_case(draft.node(node)?, label, expr.as_deref()),
        Edit::RemoveCase { node, label } => {
            let node = draft.node(node)?;
            let case = entries(node, SettingContent::Cases).iter().position(|case| case["label"] == label.as_str());
            let case = case.ok_or_else(|| EditProblem::NoCase { node: node.id.clone(), label: label.clone() })?;
            vec![choose(node), click(&format!("panel/case/{case}/remove"), WorkflowMoveSign::Made)]
        }
        Edit::AddField { node, name, value } => {
            let node = draft.node(node)?;
            let field = entries(node, SettingContent::Fields).len();
            let mut moves = vec![choose(node), click("panel/field/add", WorkflowMoveSign::Made)];
            moves.extend(fill(&format!("panel/field/{field}/name"), name));
            moves.extend(fill(&format!("panel/field/{field}/value"), value));
            moves
        }
        Edit::Rename { node, name } => {
            let mut moves = vec![choose(draft.node(node)?)];
            moves.extend(fill("panel/name", name));
            moves
        }
    }
    .into())
}

fn click(on: &str, until: WorkflowMoveSign) -> WorkflowMove {
    WorkflowMove::Click { on: on.to_owned(), until }
}

fn choose(node: &WorkflowNode) -> WorkflowMove {
    click(&format!("node/{}", node.id), WorkflowMoveSign::NodeChosen)
}

/// Puts a text into a field in place of what is there.
fn fill(field: &str, text: &str) -> [WorkflowMove; 3] {
    [click(field, WorkflowMoveSign::Made), WorkflowMove::Keys(&["ctrl", "a"]), WorkflowMove::Write(text.to_owned())]
}

/// Leaves the canvas, where one is open.
fn from_hub(draft: &DocumentDraft) -> Vec<WorkflowMove> {
    let is_open = draft.document.open.is_some();
    is_open.then(|| click("top/hub", WorkflowMoveSign::Shown("hub/new".to_owned()))).into_iter().collect()
}

fn open(workflow: &str, draft: &DocumentDraft) -> Result<Vec<WorkflowMove>, EditProblem> {
    let mut found = draft.document.workflows.iter().filter(|known| known.name == workflow);
    let id = &found
        .next()
        .ok_or_else(|| EditProblem::NoWorkflow { name: workflow.to_owned(), hint: "it is not in the hub".to_owned() })?
        .id;
    let mut moves = from_hub(draft);
    moves.push(click(&format!("hub/workflow/{id}"), WorkflowMoveSign::Shown("canvas".to_owned())));
    Ok(moves)
}

fn add(kind: &str) -> Result<Vec<WorkflowMove>, EditProblem> {
    let kind = NodeCatalogue::shared().kind(kind).ok_or_else(|| EditProblem::NoKind(kind.to_owned()))?;
    let mut moves = Vec::from(fill("library/search", &kind.name));
    moves.push(click(&format!("library/kind/{}", kind.kind), WorkflowMoveSign::Made));
    Ok(moves)
}

fn set(node: &WorkflowNode, key: &str, value: &Value) -> Result<Vec<WorkflowMove>, EditProblem> {
    let setting = NodeCatalogue::shared().kind(&node.kind).and_then(|kind| kind.setting(key));
    let setting = setting.ok_or_else(|| EditProblem::NoSetting {
        node: node.id.clone(),
        key: key.to_owned(),
        hint: "its kind lacks it".to_owned(),
    })?;
    let field = format!("panel/set/{key}");
    let mut moves = vec![choose(node)];
    match setting.holds {
        SettingContent::Choice => moves.extend(pick(&field, setting, value)),
        SettingContent::Toggle if node.settings.get(key) == Some(value) => moves.clear(),
        SettingContent::Toggle => moves.push(click(&field, WorkflowMoveSign::Made)),
        _ => moves.extend(fill(&field, &value.as_str().map_or_else(|| value.to_string(), str::to_owned))),
    }
    Ok(moves)
}

/// Opens the list of a choice and picks from it.
fn pick(field: &str, setting: &NodeSetting, value: &Value) -> [WorkflowMove; 2] {
    let place = setting.options.iter().position(|option| value == option.as_str()).unwrap_or(0);
    let option = format!("{field}/option/{place}");
    [click(field, WorkflowMoveSign::Shown(option.clone())), click(&option, WorkflowMoveSign::Gone(option.clone()))]
}

fn add_case(node: &WorkflowNode, label: &str, expr: Option<&str>) -> Vec<WorkflowMove> {
    let case = entries(node, SettingContent::Cases).len();
    let mut moves = vec![choose(node), click("panel/case/add", WorkflowMoveSign::Made)];
    moves.extend(fill(&format!("panel/case/{case}/label"), label));
    moves.extend(expr.map(|expr| fill(&format!("panel/case/{case}/expr"), expr)).into_iter().flatten());
    moves
}

/// The cases or fields that a node has.
fn entries(node: &WorkflowNode, holds: SettingContent) -> &[Value] {
    let settings = NodeCatalogue::shared().kind(&node.kind).map_or(&[][..], |kind| &kind.settings);
    let key = settings.iter().find(|setting| setting.holds == holds).map(|setting| &setting.key);
    key.and_then(|key| node.settings.get(key)?.as_array()).map_or(&[], Vec::as_slice)
}
