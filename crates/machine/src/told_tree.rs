//! What programs show as text, with numbers on what can be acted on.

use std::fmt::Write as _;

use quintain_screen::{ElementTree, MAX_MARKS, clipped, words_of};
use serde_json::Value;

use crate::accessibility::{AccessibleElement, AccessibleState};

/// At most so many lines are told.
const MAX_LINES: usize = 2000;
/// Roles that people act on.
const ACTIVE: [&str; 20] = [
    "button",
    "push button",
    "toggle button",
    "check box",
    "radio button",
    "combo box",
    "menu",
    "menu item",
    "check menu item",
    "radio menu item",
    "page tab",
    "entry",
    "text",
    "spin button",
    "slider",
    "link",
    "list item",
    "table cell",
    "tree item",
    "terminal",
];
/// Roles that say nothing by themselves.
const SILENT: [&str; 9] =
    ["filler", "panel", "layered pane", "separator", "viewport", "scroll pane", "split pane", "section", "grouping"];
/// States worth telling, and their words.
const STATES: [(AccessibleState, &str); 5] = [
    (AccessibleState::Checked, "checked"),
    (AccessibleState::Expanded, "expanded"),
    (AccessibleState::Focused, "focused"),
    (AccessibleState::Selected, "selected"),
    (AccessibleState::Active, "active"),
];

/// The tree of all programs on a screen of this size. What is not shown is not told.
pub(crate) fn told(programs: &[AccessibleElement], size: (u32, u32)) -> ElementTree {
    let has_question = programs.iter().flat_map(AccessibleElement::all).any(is_question);
    let mut telling = Telling { size, has_question, tree: ElementTree::default(), n_lines: 0 };
    for program in programs {
        telling.inside(program, 0, !has_question);
    }
    if telling.n_lines >= MAX_LINES {
        telling.tree.text.push_str("[... more is not told ...]\n");
    }
    telling.tree
}

/// Whether nothing else can be used while it is shown.
fn is_question(element: &AccessibleElement) -> bool {
    element.is_shown() && element.is(AccessibleState::Modal)
}

struct Telling {
    size: (u32, u32),
    has_question: bool,
    tree: ElementTree,
    n_lines: usize,
}

impl Telling {
    fn inside(&mut self, element: &AccessibleElement, depth: usize, is_usable: bool) {
        for child in &element.children {
            self.one(child, depth, is_usable);
        }
    }

    fn one(&mut self, element: &AccessibleElement, depth: usize, is_usable: bool) {
        if !element.is_shown() || self.n_lines >= MAX_LINES {
            return;
        }
        let is_usable = is_usable || (self.has_question && is_question(element));
        let is_told = !(SILENT.contains(&element.role.as_str()) && element.name.is_empty());
        if is_told {
            let mark = self.mark(element, is_usable);
            let _infallible = writeln!(self.tree.text, "{}{mark}{}", "  ".repeat(depth), line(element));
            self.n_lines += 1;
        }
        self.inside(element, if is_told { depth + 1 } else { depth }, is_usable);
    }

    fn mark(&mut self, element: &AccessibleElement, is_usable: bool) -> String {
        let is_active = is_usable && ACTIVE.contains(&element.role.as_str()) && self.tree.marks.len() < MAX_MARKS;
        let place = element.bounds.filter(|_| is_active).and_then(|found| clipped(found.map(f64::from), self.size));
        place.map(|place| self.tree.mark(place)).unwrap_or_default()
    }
}

/// Role, name, what is written in it, and states on one line.
fn line(element: &AccessibleElement) -> String {
    let mut line = element.role.clone();
    if !element.name.is_empty() {
        let _infallible = write!(line, " {}", quoted(&element.name));
    }
    if let Some(value) = element.value.as_ref().filter(|value| !value.is_empty() && **value != element.name) {
        let _infallible = write!(line, " value={}", quoted(value));
    }
    if !element.is(AccessibleState::Enabled) && ACTIVE.contains(&element.role.as_str()) {
        line.push_str(" disabled");
    }
    for (_, word) in STATES.iter().filter(|(state, _)| element.is(*state)) {
        line.extend([" ", word]);
    }
    line
}

fn quoted(text: &str) -> Value {
    Value::from(words_of(text))
}
