//! One thing that a program shows.

use atspi::{Role, State, StateSet};

/// One thing that a program shows, and what is in it.
#[derive(Clone, Debug, PartialEq)]
pub struct AccessibleElement {
    /// What it is: `button`, `table cell`.
    pub role: String,
    /// What it is called.
    pub name: String,
    /// What is written in it, or the number that it stands at.
    pub value: Option<String>,
    /// How it is at the moment.
    pub states: StateSet,
    /// Left, top, width and height on the screen, in pixels; nothing where it has no place or is not shown.
    pub bounds: Option<[i32; 4]>,
    /// The process that shows it, as it is counted on the computer.
    pub process: u32,
    /// What is in it.
    pub children: Vec<AccessibleElement>,
}

impl AccessibleElement {
    /// Whether it is so at the moment.
    pub fn is(&self, state: State) -> bool {
        self.states.contains(state)
    }

    /// Whether it can be seen, or could be if nothing lay over it.
    pub fn is_shown(&self) -> bool {
        let has_area = self.bounds.is_some_and(|[_, _, width, height]| width > 0 && height > 0);
        self.is(State::Showing) && self.is(State::Visible) && has_area
    }

    /// It and everything in it, in order.
    pub fn all(&self) -> Vec<&Self> {
        let mut found = vec![self];
        found.extend(self.children.iter().flat_map(Self::all));
        found
    }

    /// The first in it with this role and this name.
    pub fn find(&self, role: &str, name: &str) -> Option<&Self> {
        self.all().into_iter().find(|element| element.role == role && element.name == name)
    }

    /// How many there are of it and in it.
    pub fn count(&self) -> usize {
        1 + self.children.iter().map(Self::count).sum::<usize>()
    }
}

/// The words of a role.
pub(super) fn role_words(role: Role) -> String {
    role.name().to_owned()
}

/// Whether elements of a role hold what a person has written.
pub(super) fn is_written(role: Role) -> bool {
    matches!(
        role,
        Role::Entry
            | Role::Text
            | Role::Paragraph
            | Role::PasswordText
            | Role::Terminal
            | Role::SpinButton
            | Role::ComboBox
    )
}
