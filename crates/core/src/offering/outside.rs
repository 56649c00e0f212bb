//! A world that is served at an address, for agents that bring their own browser.

use std::borrow::Cow;

use serde_json::Value;

use crate::world::Collected;

/// A world at the start of an instance, as whoever looks from outside sees it.
pub trait OutsidePage: Send + Sync {
    /// A file of the page, by its path.
    fn file(&self, path: &str) -> Option<OutsideFile>;

    /// Takes what a page tells, and answers what it asks.
    fn tell(&self, text: &str) -> Result<Value, String>;

    /// What there is at the end.
    fn collect(&self) -> Collected;
}

/// A file of a page, as it is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideFile {
    /// What kind of file.
    pub mime: &'static str,
    /// What the browser may do with it.
    pub policy: &'static str,
    /// The file.
    pub bytes: Cow<'static, [u8]>,
}
