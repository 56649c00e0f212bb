//! What authors of tasks can write, in words that stand beside the code that reads it: `docs/reference.md` is made of them.

/// What can be written in one place of a task: the starts of an app, say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManualChapter {
    /// The heading.
    pub title: String,
    /// Where it is written and what it does, in a sentence or two of Markdown.
    pub says: String,
    /// What there is to choose from, in order.
    pub entries: Vec<ManualEntry>,
}

/// One word that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManualEntry {
    /// The word.
    pub name: String,
    /// What it says, in a sentence of Markdown.
    pub says: String,
    /// What stands beside it: each key, and what that says.
    pub keys: Vec<(String, String)>,
}

impl ManualEntry {
    /// A word with nothing beside it.
    pub fn plain(name: impl Into<String>, says: impl Into<String>) -> Self {
        Self { name: name.into(), says: says.into(), keys: Vec::new() }
    }

    /// Adds a key.
    #[must_use]
    pub fn key(mut self, name: impl Into<String>, says: impl Into<String>) -> Self {
        self.keys.push((name.into(), says.into()));
        self
    }
}
