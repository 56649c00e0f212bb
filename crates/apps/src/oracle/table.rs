//! Where everything on the screen is, by name.

use std::collections::BTreeMap;

use quintain_core::action::Place;

/// A rectangle in pixels: left, top, width, height.
pub(crate) type Rectangle = [f64; 4];

/// The table of places of one turn.
pub(crate) struct PlaceTable(BTreeMap<String, Rectangle>);

impl PlaceTable {
    /// Reads the table as the world shows it.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map(Self).map_err(|error| format!("the table of places cannot be read: {error}"))
    }

    /// Where a thing is, if it can be seen.
    pub(crate) fn place(&self, name: &str) -> Option<Rectangle> {
        self.0.get(name).copied()
    }

    /// Whether a thing can be seen.
    pub(crate) fn shows(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The middle of a thing.
    pub(crate) fn middle(&self, name: &str) -> Option<Place> {
        let [left, top, width, height] = self.place(name)?;
        Some(Place::from(((left + width / 2.0).round(), (top + height / 2.0).round())))
    }

    /// The names of all things that can be seen.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
