//! What the page tells the driver: its document after every change, what is pending, what it asks.

use std::collections::{BTreeMap, VecDeque};

use serde::Deserialize;
use serde_json::Value;

/// The largest exported file that is kept.
const MAX_FILE: usize = 4 << 20;
/// At most so many exported files are kept.
const MAX_FILES: usize = 100;

/// A question of the page to the driver.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct PageQuestion {
    pub(crate) id: u64,
    pub(crate) what: String,
    #[serde(default)]
    pub(crate) body: Value,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum PageMessage {
    Ready,
    Document { document: Value },
    Pending { count: u32 },
    Ask(PageQuestion),
    File { name: String, text: String },
}

/// What the page has told so far.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    /// Whether the app can be used.
    pub(crate) is_ready: bool,
    /// The document as the app last told it.
    pub(crate) document: Value,
    /// How often the document was told.
    pub(crate) n_changes: u64,
    /// How many things the app is waiting for.
    pub(crate) n_pending: u32,
    /// Questions not answered yet.
    pub(crate) asks: VecDeque<PageQuestion>,
    /// Files the app exported, the last of each name.
    pub(crate) files: BTreeMap<String, String>,
}

impl Inbox {
    /// Takes one message. What cannot be read is the app's mistake and is told.
    pub(crate) fn take(&mut self, text: &str) -> Result<(), String> {
        match serde_json::from_str(text).map_err(|error| format!("the page said what cannot be read: {error}"))? {
            PageMessage::Ready => self.is_ready = true,
            PageMessage::Document { document } => {
                self.document = document;
                self.n_changes += 1;
            }
            PageMessage::Pending { count } => self.n_pending = count,
            PageMessage::Ask(ask) => self.asks.push_back(ask),
            PageMessage::File { name, text } => {
                if text.len() <= MAX_FILE && self.files.len() < MAX_FILES {
                    self.files.insert(name, text);
                }
            }
        }
        Ok(())
    }

    /// Before the page is loaded again: the document stays, everything else begins anew.
    pub(crate) fn reload(&mut self) {
        self.is_ready = false;
        self.n_pending = 0;
        self.asks.clear();
    }
}
