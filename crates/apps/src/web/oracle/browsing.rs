//! What a page offers, by the table of places: what is in view, what has to be scrolled to.

use quintain_core::action::{Action, Button, Place};

use crate::oracle::{PlaceTable, Rectangle};

/// Rows at the edges of the view that are kept clear: what lies there is half seen.
const EDGE: f64 = 12.0;

/// The page that is open, as the table of places tells it.
pub(super) struct OpenPage<'a>(pub(super) &'a PlaceTable);

impl OpenPage<'_> {
    /// What can be seen of the page.
    fn view(&self) -> Rectangle {
        self.0.place("page:view").unwrap_or([0.0, 0.0, 1280.0, 720.0])
    }

    /// The first thing whose key begins so: nothing where the page has none.
    pub(super) fn thing(&self, beginning: &str) -> Option<String> {
        let mut names: Vec<&str> = self.0.names().filter(|name| name.starts_with(beginning)).collect();
        names.sort_by_key(|name| name.len());
        names.first().map(|name| (*name).to_owned())
    }

    /// The smallest thing that holds a text.
    pub(super) fn text(&self, shown: &str) -> Option<String> {
        let shown = shown.replace('\u{a0}', " ");
        let holds = |name: &&str| {
            let words = name.splitn(3, '|').nth(2).unwrap_or_default();
            words.replace('\u{a0}', " ").contains(&shown)
        };
        self.0.names().filter(holds).min_by_key(|name| name.len()).map(str::to_owned)
    }

    /// Whether a thing lies within the view.
    pub(super) fn is_in_view(&self, name: &str) -> bool {
        let [_, view_top, _, view_height] = self.view();
        let Some([_, top, _, height]) = self.0.place(name) else { return false };
        let middle = top + height / 2.0;
        middle >= view_top + EDGE && middle <= view_top + view_height - EDGE
    }

    /// Brings a thing to the middle of the view. The options of a list that is longer than the view scroll by themselves,
    /// where the pointer is over one of them.
    pub(super) fn scroll_to(&self, name: &str) -> Option<Action> {
        let [left, view_top, width, height] = self.view();
        let middle = view_top + height / 2.0;
        let middle_of_view = || Place::from(((left + width / 2.0).round(), middle.round()));
        let at = self.option_in_view(name).unwrap_or_else(middle_of_view);
        let [_, top, _, thing_height] = self.0.place(name)?;
        Some(Action::Scroll { at: Some(at), dx: 0.0, dy: (top + thing_height / 2.0 - middle).round() })
    }

    /// Where an option can be seen of the list that one is in; nothing where it is none.
    fn option_in_view(&self, name: &str) -> Option<Place> {
        let list = name.strip_prefix("option|")?.split_once('=')?.0;
        let of_list = format!("option|{list}=");
        let shown = self.0.names().find(|other| other.starts_with(&of_list) && self.is_in_view(other))?;
        self.0.middle(shown)
    }

    /// Goes on by most of a screen; nothing where the page ends.
    pub(super) fn leaf(&self) -> Option<Action> {
        let [left, view_top, width, height] = self.view();
        let [_, top, _, whole] = self.0.place("page:all")?;
        let at = Place::from(((left + width / 2.0).round(), (view_top + height / 2.0).round()));
        let is_end = top + whole <= view_top + height + 1.0;
        (!is_end).then_some(Action::Scroll { at: Some(at), dx: 0.0, dy: (height * 0.8).round() })
    }

    /// A click on a thing.
    pub(super) fn click(&self, name: &str) -> Option<Action> {
        let at = self.0.middle(name)?;
        Some(Action::Click { at: Some(at), button: Button::default(), held: Vec::new() })
    }
}
