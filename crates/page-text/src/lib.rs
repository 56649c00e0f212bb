//! A page as somebody reads it who sees no pictures: its text, its links, its forms.
//!
//! [`PageReading::of`] reads a document once. In its text a link is written `[label](3)`, a field of a form
//! `{name: value}`; numbers count links and forms from 1, in the order of the page. Nothing is laid out, no style is
//! looked at and no script runs.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod form;
mod reader;

use url::Url;

pub use form::{FormField, FormRequest, PageForm};

/// A link of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLink {
    /// The whole address it leads to.
    pub to: String,
    /// What is written on it.
    pub text: String,
}

/// What was read off a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageReading {
    /// The title of the window.
    pub title: String,
    /// The text, line by line.
    pub text: String,
    /// The links, in order.
    pub links: Vec<PageLink>,
    /// The forms, in order.
    pub forms: Vec<PageForm>,
}

/// An address that is written on a page, made whole.
pub fn whole_address(page: &str, address: &str) -> String {
    joined(Url::parse(page).ok().as_ref(), address)
}

/// The same, on a page whose address was read already.
fn joined(page: Option<&Url>, address: &str) -> String {
    let joined = page.and_then(|page| page.join(address).ok());
    joined.map_or_else(|| address.to_owned(), Into::into)
}

impl PageReading {
    /// Reads a document that was found at an address.
    pub fn of(address: &str, html: &str) -> Self {
        reader::read(address, html)
    }
}
