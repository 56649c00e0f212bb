//! What a site answers, and what it said by it.

use quintain_atlas::provenance::Source;
use quintain_atlas::{Date, Value};

use crate::facts::Fact;

/// How what was said stands to what rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It is what rules.
    Ruling,
    /// It was right on the day of which it is told, and is no longer.
    Outdated,
    /// It was filed or told before a later version that rules.
    Superseded,
    /// It was never right.
    Wrong,
}

/// One thing that a page said.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    /// What it was said of.
    pub fact: Fact,
    /// What was said.
    pub value: Value,
    /// The words or figures on the page.
    pub shown: String,
    /// Who said it.
    pub source: Source,
    /// The day of which it is told.
    pub as_of: Date,
    /// How it stands to what rules.
    pub standing: Standing,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq)]
pub struct SiteResponse {
    /// The status: 200, 303, 404.
    pub status: u16,
    /// What kind of content it is.
    pub content_type: &'static str,
    /// The page.
    pub html: String,
    /// Where to go instead, for 303.
    pub location: Option<String>,
    /// Everything that the page said, in its order.
    pub stated: Vec<Stated>,
}

impl SiteResponse {
    /// A page that was found.
    pub(crate) fn page(html: String, stated: Vec<Stated>) -> Self {
        Self { status: 200, content_type: "text/html; charset=utf-8", html, location: None, stated }
    }

    /// A page that says that there is none.
    pub(crate) fn not_found(html: String) -> Self {
        Self { status: 404, ..Self::page(html, Vec::new()) }
    }

    /// A way to another address.
    pub(crate) fn see_other(location: String) -> Self {
        Self { status: 303, location: Some(location), ..Self::page(String::new(), Vec::new()) }
    }
}
