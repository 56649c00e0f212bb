//! Reads the fields of a table one by one. Whatever is wrong is noted and reading goes on, so that all of it is told at once;
//! whatever nobody asked for is named.

use std::collections::BTreeMap;

use toml::{Table, Value};

use crate::problem::HarborProblem;

/// What is noted while a file is read.
#[derive(Debug, Default)]
pub(crate) struct ReadingNotes {
    pub(crate) problems: Vec<HarborProblem>,
    /// Fields that nobody asked for.
    pub(crate) unknown: Vec<String>,
}

/// A table that is being read.
pub(crate) struct TableReader<'n> {
    file: &'n str,
    /// The tables that it lies in, with a point behind; empty at the root.
    place: String,
    left: Table,
    notes: &'n mut ReadingNotes,
}

impl<'n> TableReader<'n> {
    /// Reads a whole file.
    pub(crate) fn read<T>(
        file: &'n str,
        table: Table,
        notes: &'n mut ReadingNotes,
        read: impl FnOnce(&mut TableReader<'_>) -> T,
    ) -> T {
        TableReader { file, place: String::new(), left: table, notes }.finish(read)
    }

    fn finish<T>(mut self, read: impl FnOnce(&mut TableReader<'_>) -> T) -> T {
        let made = read(&mut self);
        let place = &self.place;
        self.notes.unknown.extend(self.left.keys().map(|key| format!("{place}{key}")));
        made
    }

    /// Notes what is wrong with a field.
    pub(crate) fn wrong(&mut self, key: &str, what: impl Into<String>) {
        let field = Some(format!("{}{key}", self.place));
        self.notes.problems.push(HarborProblem { file: self.file.to_owned(), field, what: what.into() });
    }

    pub(crate) fn take(&mut self, key: &str) -> Option<Value> {
        self.left.remove(key)
    }

    /// A field that a reader makes something of, or says what must stand there.
    pub(crate) fn field<T>(&mut self, key: &str, wanted: &str, read: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        let value = self.take(key)?;
        let made = read(&value);
        if made.is_none() {
            self.wrong(key, format!("must be {wanted}, not {}", brief(&value)));
        }
        made
    }

    pub(crate) fn text(&mut self, key: &str) -> Option<String> {
        self.field(key, "a text", |value| value.as_str().map(str::to_owned))
    }

    /// A text without which nothing can be done.
    pub(crate) fn needed_text(&mut self, key: &str) -> String {
        if !self.left.contains_key(key) {
            self.wrong(key, "is missing");
        }
        self.text(key).unwrap_or_default()
    }

    pub(crate) fn number(&mut self, key: &str) -> Option<f64> {
        self.field(key, "a number", as_number)
    }

    pub(crate) fn whole(&mut self, key: &str) -> Option<i64> {
        self.field(key, "a whole number", as_whole)
    }

    pub(crate) fn flag(&mut self, key: &str) -> Option<bool> {
        self.field(key, "true or false", Value::as_bool)
    }

    pub(crate) fn texts(&mut self, key: &str) -> Option<Vec<String>> {
        self.field(key, "a list of texts", |value| {
            value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
        })
    }

    /// Texts by name; none where the field is missing.
    pub(crate) fn text_map(&mut self, key: &str) -> BTreeMap<String, String> {
        let read = |value: &Value| {
            let fields = value.as_table()?.iter();
            fields.map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
        };
        self.field(key, "a table of texts", read).unwrap_or_default()
    }

    /// A user by name or number.
    pub(crate) fn user(&mut self, key: &str) -> Option<String> {
        self.field(key, "a user's name or number", |value| match value {
            Value::String(name) => Some(name.clone()),
            Value::Integer(number) => Some(number.to_string()),
            _ => None,
        })
    }

    /// One of these words.
    pub(crate) fn choice<T: Copy>(&mut self, key: &str, all: &[(&str, T)]) -> Option<T> {
        let words: Vec<String> = all.iter().map(|(word, _)| format!("`{word}`")).collect();
        self.field(key, &format!("one of {}", words.join(", ")), |value| {
            let told = value.as_str()?;
            all.iter().find(|(word, _)| *word == told).map(|(_, choice)| *choice)
        })
    }

    /// A table within this one.
    pub(crate) fn nested<T>(&mut self, key: &str, read: impl FnOnce(&mut TableReader<'_>) -> T) -> Option<T> {
        let table = self.field(key, "a table", |value| value.as_table().cloned())?;
        Some(self.inside(&format!("{key}."), table).finish(read))
    }

    /// A list of tables; nothing where the field is missing.
    pub(crate) fn tables<T>(&mut self, key: &str, mut read: impl FnMut(&mut TableReader<'_>) -> T) -> Option<Vec<T>> {
        let items = self.field(key, "a list of tables", |value| value.as_array().cloned())?;
        let mut made = Vec::new();
        for (idx, item) in items.into_iter().enumerate() {
            match item {
                Value::Table(table) => made.push(self.inside(&format!("{key}[{idx}]."), table).finish(&mut read)),
                other => self.wrong(&format!("{key}[{idx}]"), format!("must be a table, not {}", brief(&other))),
            }
        }
        Some(made)
    }

    /// A reader of a table that lies in this one.
    fn inside(&mut self, below: &str, table: Table) -> TableReader<'_> {
        TableReader { file: self.file, place: format!("{}{below}", self.place), left: table, notes: self.notes }
    }

    /// Reads all of a table that lies in this one.
    pub(crate) fn within<T>(&mut self, below: &str, table: Table, read: impl FnOnce(&mut TableReader<'_>) -> T) -> T {
        self.inside(below, table).finish(read)
    }
}

/// A number, also one in quotes: the package takes both.
pub(crate) fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(whole) => Some(*whole as f64),
        Value::Float(number) => Some(*number),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn as_whole(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(whole) => Some(*whole),
        Value::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => Some(*number as i64),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A value as it is told of, cut where it is long.
pub(crate) fn brief(value: &Value) -> String {
    const LONGEST: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text,
    }
}
