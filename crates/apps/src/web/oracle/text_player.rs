//! Goes the way of a chain by calls, over pages as text.

use std::collections::VecDeque;

use quintain_chains::{FormEntry, ShownForm, Waypoint};
use quintain_core::action::{Action, Call};
use serde_json::{Map, Value, json};

use super::way::{noted, way_of};

/// Goes the way of a chain by calls.
pub(super) struct TextPlayer {
    moves: VecDeque<TextMove>,
}

enum TextMove {
    Do(Action),
    /// A text is looked for, unless it can be read already.
    Look(String),
}

impl TextPlayer {
    /// Works out the way from the start of an instance.
    pub(super) fn new(start: &Value) -> Result<Self, String> {
        let sheet = &start["plan"]["sheet"];
        Ok(Self { moves: way_of(start)?.into_iter().flat_map(|waypoint| moves_of(waypoint, sheet)).collect() })
    }

    /// The next action, by what can be read.
    pub(super) fn decide(&mut self, shown: &str) -> Action {
        let shown = spaced(shown);
        loop {
            match self.moves.pop_front() {
                None => return Action::Done,
                Some(TextMove::Do(action)) => return action,
                Some(TextMove::Look(text)) if shown.contains(&spaced(&text)) => {}
                Some(TextMove::Look(text)) => return call("find", vec![text.into()]),
            }
        }
    }
}

fn spaced(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

fn call(name: &str, args: Vec<Value>) -> Action {
    Action::Call(Call { name: name.to_owned(), args })
}

fn open(address: String) -> TextMove {
    TextMove::Do(call("open", vec![address.into()]))
}

/// A waypoint as calls.
fn moves_of(waypoint: Waypoint, sheet: &Value) -> Vec<TextMove> {
    match waypoint {
        Waypoint::Visit { address } | Waypoint::Follow { to: address } => vec![open(address)],
        Waypoint::Search { words, opens } => vec![TextMove::Do(call("search", vec![words.into()])), open(opens)],
        Waypoint::Fill { form, entries, .. } => {
            let fields: Map<String, Value> = entries.into_iter().map(entered).collect();
            vec![TextMove::Do(call("submit", vec![json!(form), fields.into()]))]
        }
        Waypoint::See { shown, form: ShownForm::Written } => vec![TextMove::Look(shown)],
        Waypoint::See { form: ShownForm::Drawn, .. } => Vec::new(),
        Waypoint::Note { fields } => vec![TextMove::Do(Action::Note { fields: noted(fields, sheet) })],
    }
}

fn entered(entry: FormEntry) -> (String, Value) {
    match entry {
        FormEntry::Choose { name, value } | FormEntry::Write { name, text: value } => (name, value.into()),
        FormEntry::Tick { name, value } => (name, json!([value])),
    }
}
