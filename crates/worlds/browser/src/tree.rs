//! The accessibility tree of a page as text, with numbers on the elements that can be acted on.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use quintain_screen::{ElementTree, MAX_MARKS, clipped, words_of};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::cdp::{CdpDeadline, CdpError, SentCommand};
use crate::page::{Page, PageError};

/// Roles that people act on.
const ACTIVE: [&str; 19] = [
    "button",
    "checkbox",
    "combobox",
    "gridcell",
    "link",
    "listbox",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "radio",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "textbox",
    "treeitem",
    "ColorWell",
];
/// Roles that say nothing by themselves.
const SILENT: [&str; 8] =
    ["none", "generic", "InlineTextBox", "LineBreak", "presentation", "paragraph", "SvgRoot", "image"];
/// States worth telling.
const STATES: [&str; 9] =
    ["checked", "disabled", "expanded", "focused", "invalid", "pressed", "readonly", "required", "selected"];

#[derive(Deserialize)]
struct AxTree {
    nodes: Vec<AxNode>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AxNode {
    node_id: String,
    #[serde(default)]
    ignored: bool,
    role: Option<AxValue>,
    name: Option<AxValue>,
    value: Option<AxValue>,
    #[serde(default)]
    properties: Vec<AxProperty>,
    #[serde(default)]
    child_ids: Vec<String>,
    parent_id: Option<String>,
    #[serde(rename = "backendDOMNodeId")]
    dom: Option<u64>,
}

#[derive(Deserialize)]
struct AxValue {
    #[serde(default)]
    value: Value,
}

#[derive(Deserialize)]
struct AxProperty {
    name: String,
    value: AxValue,
}

impl AxNode {
    fn role(&self) -> &str {
        self.role.as_ref().and_then(|role| role.value.as_str()).unwrap_or_default()
    }

    fn name(&self) -> String {
        self.name.as_ref().map(|name| plain(&name.value)).unwrap_or_default()
    }

    fn is_active(&self) -> bool {
        !self.ignored && ACTIVE.contains(&self.role())
    }

    fn is_silent(&self) -> bool {
        self.ignored || SILENT.contains(&self.role()) && self.name().is_empty()
    }

    /// Role, name, value and states on one line.
    fn line(&self) -> String {
        let mut line = match self.role() {
            "StaticText" => "text".to_owned(),
            role => role.to_owned(),
        };
        let name = self.name();
        if !name.is_empty() {
            let _infallible = write!(line, " {}", Value::from(name));
        }
        if let Some(value) = self.value.as_ref().map(|value| plain(&value.value)).filter(|value| !value.is_empty()) {
            let _infallible = write!(line, " value={}", Value::from(value));
        }
        for state in self.properties.iter().filter(|state| STATES.contains(&state.name.as_str())) {
            match &state.value.value {
                Value::Bool(false) | Value::Null => {}
                Value::String(text) if text == "false" => {}
                Value::Bool(true) => line.extend([" ", &state.name]),
                other => {
                    let _infallible = write!(line, " {}={}", state.name, plain(other));
                }
            }
        }
        line
    }
}

fn plain(value: &Value) -> String {
    let text =
        value.as_str().map_or_else(|| if value.is_null() { String::new() } else { value.to_string() }, str::to_owned);
    words_of(&text)
}

/// Reads the tree of a page. Looking changes nothing.
pub(crate) fn read(page: &mut Page, viewport: (u32, u32), deadline: CdpDeadline) -> Result<ElementTree, PageError> {
    read_below(ElementTree::default(), 0.0, page, viewport, deadline)
}

/// Reads the tree of a page that is shown so many pixels below the screen's upper edge, and adds it to the tree of what is
/// shown above it.
pub(crate) fn read_below(
    above: ElementTree,
    top: f64,
    page: &mut Page,
    viewport: (u32, u32),
    deadline: CdpDeadline,
) -> Result<ElementTree, PageError> {
    let tree: AxTree = page.call("Accessibility.getFullAXTree", json!({}), deadline)?;
    let mut boxes = visible_boxes(page, &tree, viewport, deadline)?;
    for [_, y, ..] in boxes.values_mut() {
        *y += top;
    }
    Ok(written(above, &tree, &boxes))
}

/// The boxes of the active elements that are to be seen and not covered, by DOM node.
fn visible_boxes(
    page: &mut Page,
    tree: &AxTree,
    viewport: (u32, u32),
    deadline: CdpDeadline,
) -> Result<BTreeMap<u64, [f64; 4]>, PageError> {
    let active = tree.nodes.iter().filter(|node| node.is_active()).filter_map(|node| node.dom).take(MAX_MARKS);
    let asked: Vec<(u64, SentCommand)> = active
        .map(|dom| Ok((dom, page.send("DOM.getContentQuads", json!({ "backendNodeId": dom }))?)))
        .collect::<Result<_, PageError>>()?;
    let mut boxes = BTreeMap::new();
    for (dom, sent) in asked {
        let quads: Option<Value> = unless_refused(page.answer(sent, deadline))?;
        let found = quads.and_then(|quads| bounds(&quads["quads"][0])).and_then(|found| clipped(found, viewport));
        boxes.extend(found.map(|found| (dom, found)));
    }
    keep_uncovered(page, tree, boxes, deadline)
}

fn keep_uncovered(
    page: &mut Page,
    tree: &AxTree,
    boxes: BTreeMap<u64, [f64; 4]>,
    deadline: CdpDeadline,
) -> Result<BTreeMap<u64, [f64; 4]>, PageError> {
    let asked: Vec<(u64, [f64; 4], SentCommand)> = boxes
        .into_iter()
        .map(|(dom, found)| {
            let [x, y, width, height] = found;
            let middle = json!({ "x": (x + width / 2.0).round(), "y": (y + height / 2.0).round() });
            Ok((dom, found, page.send("DOM.getNodeForLocation", middle)?))
        })
        .collect::<Result<_, PageError>>()?;
    let lineage = Lineage::of(tree);
    let mut kept = BTreeMap::new();
    for (dom, found, sent) in asked {
        let hit: Option<Value> = unless_refused(page.answer(sent, deadline))?;
        let hit = hit.and_then(|hit| hit["backendNodeId"].as_u64());
        if hit.is_some_and(|hit| lineage.may_be_within(hit, dom)) {
            kept.insert(dom, found);
        }
    }
    Ok(kept)
}

/// Who is whose child, by DOM node.
struct Lineage<'a> {
    parent_of: BTreeMap<&'a str, &'a str>,
    id_of: BTreeMap<u64, &'a str>,
}

impl<'a> Lineage<'a> {
    fn of(tree: &'a AxTree) -> Self {
        let parents = tree.nodes.iter().filter_map(|node| Some((node.node_id.as_str(), node.parent_id.as_deref()?)));
        let ids = tree.nodes.iter().filter_map(|node| Some((node.dom?, node.node_id.as_str())));
        Self { parent_of: parents.collect(), id_of: ids.collect() }
    }

    /// Whether one node lies in another. Nodes that the tree does not know are parts of what they are drawn on.
    fn may_be_within(&self, inner: u64, outer: u64) -> bool {
        let (Some(mut id), Some(outer)) = (self.id_of.get(&inner).copied(), self.id_of.get(&outer)) else {
            return true;
        };
        loop {
            if id == *outer {
                return true;
            }
            match self.parent_of.get(id) {
                Some(parent) => id = parent,
                None => return false,
            }
        }
    }
}

fn unless_refused<T>(answer: Result<T, PageError>) -> Result<Option<T>, PageError> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(PageError::Browser(CdpError::Refused { .. })) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The upright box around a quad of eight numbers: left, top, width, height.
fn bounds(quad: &Value) -> Option<[f64; 4]> {
    let numbers: Vec<f64> = quad.as_array()?.iter().filter_map(Value::as_f64).collect();
    let xs = || numbers.iter().step_by(2).copied();
    let ys = || numbers.iter().skip(1).step_by(2).copied();
    let (left, right) = (xs().reduce(f64::min)?, xs().reduce(f64::max)?);
    let (top, bottom) = (ys().reduce(f64::min)?, ys().reduce(f64::max)?);
    Some([left, top, right - left, bottom - top])
}

fn written(above: ElementTree, tree: &AxTree, boxes: &BTreeMap<u64, [f64; 4]>) -> ElementTree {
    let by_id: BTreeMap<&str, &AxNode> = tree.nodes.iter().map(|node| (node.node_id.as_str(), node)).collect();
    let mut out = above;
    let mut seen = BTreeSet::new();
    let roots = tree.nodes.iter().filter(|node| node.parent_id.is_none());
    let mut todo: Vec<(&AxNode, usize, String)> = roots.map(|root| (root, 0, String::new())).collect();
    while let Some((node, depth, above)) = todo.pop() {
        if !seen.insert(node.node_id.as_str()) {
            continue;
        }
        let name = node.name();
        // A text that only repeats the name of what it stands in says nothing new.
        let repeats = node.role() == "StaticText" && name == above;
        let is_told = !node.is_silent() && !repeats && node.role() != "InlineTextBox";
        if is_told {
            let place = node.dom.filter(|_| node.is_active()).and_then(|dom| boxes.get(&dom));
            let mark = place.map(|place| out.mark(*place)).unwrap_or_default();
            let _infallible = writeln!(out.text, "{}{mark}{}", "  ".repeat(depth), node.line());
        }
        let (depth, above) = if is_told { (depth + 1, name) } else { (depth, above) };
        let children = node.child_ids.iter().rev().filter_map(|id| by_id.get(id.as_str()));
        todo.extend(children.map(|child| (*child, depth, above.clone())));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_told_in_reading_order_with_numbers_on_what_can_be_used() {
        let tree: AxTree = serde_json::from_value(json!({ "nodes": [
            {"nodeId": "1", "role": {"value": "RootWebArea"}, "name": {"value": "App"}, "childIds": ["2", "3", "6"]},
            {"nodeId": "2", "parentId": "1", "role": {"value": "generic"}, "childIds": ["4"]},
            {"nodeId": "4", "parentId": "2", "role": {"value": "button"}, "name": {"value": "Save"},
             "backendDOMNodeId": 40, "childIds": ["5"],
             "properties": [{"name": "focused", "value": {"value": true}}, {"name": "disabled", "value": {"value": false}}]},
            {"nodeId": "5", "parentId": "4", "role": {"value": "StaticText"}, "name": {"value": "Save"}},
            {"nodeId": "3", "parentId": "1", "role": {"value": "textbox"}, "name": {"value": "Name"},
             "value": {"value": "a \"b\""}, "backendDOMNodeId": 30},
            {"nodeId": "6", "parentId": "1", "role": {"value": "button"}, "name": {"value": "Hidden"}, "backendDOMNodeId": 60},
        ]}))
        .expect("a tree");
        let boxes = BTreeMap::from([(40, [1.0, 2.0, 3.0, 4.0]), (30, [5.0, 6.0, 7.0, 8.0])]);
        let told = written(ElementTree::default(), &tree, &boxes);
        insta::assert_snapshot!(told.text, @r#"
        RootWebArea "App"
          [1] button "Save" focused
          [2] textbox "Name" value="a \"b\""
          button "Hidden"
        "#);
        assert_eq!(told.marks, [(1, [1.0, 2.0, 3.0, 4.0]), (2, [5.0, 6.0, 7.0, 8.0])]);
    }

    #[test]
    fn quads_have_upright_boxes() {
        assert_eq!(bounds(&json!([10, 20, 30, 20, 30, 40, 10, 40])), Some([10.0, 20.0, 20.0, 20.0]));
    }
}
