//! Goes the way of a chain, one action a turn.

use std::collections::VecDeque;

use quintain_chains::{FormEntry, ShownForm, Waypoint};
use quintain_core::Screen;
use quintain_core::action::Action;
use serde_json::{Map, Value};

use super::browsing::OpenPage;
use super::way::{noted, way_of};
use crate::oracle::{PlaceTable, PlanPlayer};

/// The way, cut into what can be done in a turn or two.
#[derive(Clone)]
enum Move {
    /// Keys are pressed.
    Press(Vec<String>),
    /// A text is typed.
    Write(String),
    /// A link is clicked, wherever it stands on the page.
    Link(String),
    /// Something is clicked whose key begins so.
    Control(String),
    /// A text is brought into view.
    Look(String),
    /// The page is scrolled on by most of a screen.
    Leaf,
    /// Fields are noted.
    Note(Map<String, Value>),
}

/// Goes the way of a chain.
pub(super) struct WebPlayer {
    moves: VecDeque<Move>,
    /// Whether the page has been scrolled for the move at hand: once has to be enough.
    has_scrolled: bool,
}

impl WebPlayer {
    /// Works out the way from the start of an instance.
    pub(super) fn new(start: &Value) -> Result<Self, String> {
        let sheet = &start["plan"]["sheet"];
        let moves = way_of(start)?.into_iter().flat_map(|waypoint| moves_of(waypoint, sheet)).collect();
        Ok(Self { moves, has_scrolled: false })
    }

    /// What is done for the move at hand, and whether it is done with.
    fn act(&self, page: &OpenPage<'_>) -> Result<(Option<Action>, Progress), String> {
        let Some(next) = self.moves.front() else { return Ok((Some(Action::Done), Progress::Over)) };
        match next {
            Move::Press(keys) => Ok((Some(Action::Key { keys: keys.clone() }), Progress::Over)),
            Move::Write(text) => Ok((Some(Action::Type { text: text.clone() }), Progress::Over)),
            Move::Note(fields) => Ok((Some(Action::Note { fields: fields.clone() }), Progress::Over)),
            Move::Link(to) => {
                let name = page.thing(&format!("a|{to}|")).ok_or_else(|| format!("there is no link to {to}"))?;
                self.click(page, &name)
            }
            Move::Control(beginning) => {
                let name = page.thing(beginning).ok_or_else(|| format!("there is no `{beginning}`"))?;
                self.click(page, &name)
            }
            Move::Leaf => Ok((page.leaf(), Progress::Over)),
            Move::Look(shown) => {
                // Some texts have no place of their own in the table: the page is read on.
                let Some(name) = page.text(shown) else { return Ok((page.leaf(), Progress::Over)) };
                let is_seen = page.is_in_view(&name) || self.has_scrolled;
                if is_seen { Ok((None, Progress::Over)) } else { Ok((page.scroll_to(&name), Progress::Scrolled)) }
            }
        }
    }

    fn click(&self, page: &OpenPage<'_>, name: &str) -> Result<(Option<Action>, Progress), String> {
        if page.is_in_view(name) {
            return Ok((page.click(name), Progress::Over));
        }
        if self.has_scrolled {
            return Err(format!("`{name}` cannot be brought into view"));
        }
        Ok((page.scroll_to(name), Progress::Scrolled))
    }
}

/// What became of a move.
enum Progress {
    /// It is done.
    Over,
    /// It goes on after the page was scrolled.
    Scrolled,
}

impl PlanPlayer for WebPlayer {
    fn decide(&mut self, table: &PlaceTable, _screen: Option<&Screen>) -> Result<Action, String> {
        let page = OpenPage(table);
        loop {
            let (action, progress) = self.act(&page)?;
            match progress {
                Progress::Over => {
                    self.moves.pop_front();
                    self.has_scrolled = false;
                }
                Progress::Scrolled => self.has_scrolled = true,
            }
            if let Some(action) = action {
                return Ok(action);
            }
        }
    }
}

/// A waypoint as moves.
fn moves_of(waypoint: Waypoint, sheet: &Value) -> Vec<Move> {
    match waypoint {
        Waypoint::Visit { address } => typed_address(address),
        Waypoint::Search { words, opens } => [typed_address(words), vec![Move::Link(opens)]].concat(),
        Waypoint::Follow { to } => vec![Move::Link(to)],
        Waypoint::Fill { entries, button, nth, .. } => {
            let mut moves: Vec<Move> = entries.into_iter().flat_map(entered).collect();
            let which = if nth > 1 { format!("#{nth}") } else { String::new() };
            moves.push(Move::Control(format!("button||{button}{which}")));
            moves
        }
        Waypoint::See { shown, form: ShownForm::Written } => vec![Move::Look(shown)],
        // A picture is looked at from top to bottom.
        Waypoint::See { form: ShownForm::Drawn, .. } => vec![Move::Leaf, Move::Leaf],
        Waypoint::Note { fields } => vec![Move::Note(noted(fields, sheet))],
    }
}

/// What is typed into the address field: an address, or words to be looked up.
fn typed_address(text: String) -> Vec<Move> {
    let keys = |keys: &[&str]| Move::Press(keys.iter().map(|key| (*key).to_owned()).collect());
    vec![keys(&["ctrl", "l"]), Move::Write(text), keys(&["Enter"])]
}

/// A field is set: an option is chosen, a box ticked, or a text typed over what stands there.
fn entered(entry: FormEntry) -> Vec<Move> {
    match entry {
        FormEntry::Choose { name, value } => {
            vec![Move::Control(format!("select|{name}|")), Move::Control(format!("option|{name}={value}|"))]
        }
        FormEntry::Tick { name, value } => vec![Move::Control(format!("input|{name}={value}|"))],
        FormEntry::Write { name, text } => vec![
            Move::Control(format!("input|{name}|")),
            Move::Press(vec!["ctrl".to_owned(), "a".to_owned()]),
            Move::Write(text),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instances are drawn by how many deeds their ways take; looking at what is in view is none.
    #[test]
    fn a_waypoint_is_cut_into_as_many_deeds_as_it_says() {
        let [name, value] = ["kind", "company"].map(str::to_owned);
        let entries = vec![
            FormEntry::Choose { name: name.clone(), value: value.clone() },
            FormEntry::Write { name: name.clone(), text: value.clone() },
            FormEntry::Tick { name: name.clone(), value: value.clone() },
        ];
        let waypoints = [
            Waypoint::Visit { address: value.clone() },
            Waypoint::Search { words: value.clone(), opens: value.clone() },
            Waypoint::Follow { to: value.clone() },
            Waypoint::Fill { form: 1, entries, button: name.clone(), nth: 1 },
            Waypoint::See { shown: value.clone(), form: ShownForm::Written },
            Waypoint::See { shown: value, form: ShownForm::Drawn },
            Waypoint::Note { fields: vec![name] },
        ];
        for waypoint in waypoints {
            let moves = moves_of(waypoint.clone(), &Value::Null);
            let n_deeds = moves.iter().filter(|one| !matches!(one, Move::Look(_))).count();
            assert_eq!(n_deeds, waypoint.n_deeds(), "{waypoint:?}");
        }
    }
}
