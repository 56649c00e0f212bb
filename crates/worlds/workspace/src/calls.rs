//! What an agent can do with files without a shell.

use quintain_core::action::Call;
use quintain_core::{CallSchema, ValueType};
use serde_json::Value;

/// The longest path, and the longest pattern.
const LONGEST_PATH: usize = 1000;
/// The longest text that is written at once.
const LONGEST_TEXT: usize = 1_000_000;
/// The last line that can be asked for.
const LAST_LINE: i64 = 1_000_000_000;

/// What is wanted of files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileWish {
    /// Lines of a file, from one on.
    Read { path: String, from_line: usize },
    /// A file with this text.
    Write { path: String, text: String },
    /// A stretch of a file in place of another, which must be there once.
    Edit { path: String, old: String, new: String },
    /// What is in a folder.
    List { path: String },
    /// Lines of files that match a pattern.
    Search { pattern: String, path: String },
}

impl FileWish {
    /// The file or folder that it is about.
    pub(crate) fn path(&self) -> &str {
        let (Self::Read { path, .. }
        | Self::Write { path, .. }
        | Self::Edit { path, .. }
        | Self::List { path }
        | Self::Search { path, .. }) = self;
        path
    }
}

/// The calls, as agents are told of them. Paths begin in a folder or at the root.
pub(crate) fn published(home: &str) -> Vec<CallSchema> {
    let path = || ValueType::Text { longest: LONGEST_PATH };
    let text = || ValueType::Text { longest: LONGEST_TEXT };
    let about = &format!("a path, from {home} or from the root");
    vec![
        CallSchema::plain("read_file", "Shows lines of a text file, from the given one on.")
            .arg("path", path(), about, "input/notes.txt")
            .arg("from_line", ValueType::Integer { min: 1, max: LAST_LINE }, "the first line, counted from 1", 1),
        CallSchema::plain("write_file", "Writes a file with this text, over one that is there.")
            .arg("path", path(), about, "output/result.csv")
            .arg("text", text(), "the whole text", "name,amount\n"),
        CallSchema::plain("edit_file", "Replaces a stretch of a text file, which must be in it exactly once.")
            .arg("path", path(), about, "output/result.csv")
            .arg("old", text(), "the stretch, line ends included", "amount")
            .arg("new", text(), "what comes in its place", "total"),
        CallSchema::plain("list_folder", "Lists what is in a folder, with sizes.").arg("path", path(), about, "input"),
        CallSchema::plain("search_files", "Shows lines of files below a folder that match a regular expression.")
            .arg("pattern", path(), "an extended regular expression, as grep has them", "total|sum")
            .arg("path", path(), "a folder or a file", "input"),
    ]
}

/// Reads a call that fits what is published; nothing where it is none of these.
pub(crate) fn read(call: &Call) -> Option<FileWish> {
    let text = |at: usize| call.args.get(at).and_then(Value::as_str).map(str::to_owned);
    Some(match call.name.as_str() {
        "read_file" => {
            let from_line = call.args.get(1)?.as_u64()?;
            FileWish::Read { path: text(0)?, from_line: usize::try_from(from_line).ok()? }
        }
        "write_file" => FileWish::Write { path: text(0)?, text: text(1)? },
        "edit_file" => FileWish::Edit { path: text(0)?, old: text(1)?, new: text(2)? },
        "list_folder" => FileWish::List { path: text(0)? },
        "search_files" => FileWish::Search { pattern: text(0)?, path: text(1)? },
        _ => return None,
    })
}
