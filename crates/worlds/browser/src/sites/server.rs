//! What a web of sites is to the driver.

use serde_json::Value;

/// Makes the sites of one instance from the document its app prepared and the instance's seed.
pub type OpenSites = fn(document: &Value, seed: u64) -> Result<Box<dyn SiteServer>, String>;

/// Many sites that answer requests and keep one state. Nothing else is asked of them: no clock, no network, no threads.
///
/// Pages must hold no scripts; what they may hold besides is said in `docs/sites.md`.
pub trait SiteServer: Send {
    /// The names of all hosts, in lower case: `numbers.test`. Nothing else can be reached.
    fn hosts(&self) -> Vec<String>;

    /// The address that a new tab opens with: `https://find.test/`.
    fn home(&self) -> String;

    /// Answers a request to one of the hosts. Any request has an answer.
    fn respond(&mut self, request: &ServerRequest) -> ServerResponse;

    /// The state as one document: what was ordered, sent, saved.
    fn state(&self) -> Value;

    /// How often the state has changed.
    fn n_changes(&self) -> u64;

    /// The address that answers words which were typed into the address field and are no address.
    fn search_address(&self, _words: &str) -> Option<String> {
        None
    }
}

/// How a request is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerMethod {
    /// To look.
    Get,
    /// To change something.
    Post,
}

/// One request to a site, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerRequest {
    /// How it is made.
    pub method: ServerMethod,
    /// The whole address, as it was asked for.
    pub address: String,
    /// One of the hosts.
    pub host: String,
    /// The path, decoded, with its leading slash.
    pub path: String,
    /// The fields after the question mark, decoded, in order.
    pub query: Vec<(String, String)>,
    /// The fields of a form that was sent, decoded, in order.
    pub form: Vec<(String, String)>,
    /// The form as it was sent.
    pub body: String,
    /// How the answer is read.
    pub medium: PageMedium,
}

/// How pages are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageMedium {
    /// In a browser.
    #[default]
    Screen,
    /// As text: whoever reads it sees no pictures, and sites may put them into words.
    Text,
}

/// What a site answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerResponse {
    /// The status of HTTP: 200, 303 and errors. Whatever a browser would show no page for is served as 500.
    pub status: u16,
    /// What is shown.
    pub content: SiteContent,
    /// Where the browser goes instead, with a status of 301 to 308.
    pub location: Option<String>,
    /// How many facts were stated.
    pub stated: u32,
    /// These facts, where they are to be part of the evidence. Nobody looks into them here.
    pub facts: Option<Value>,
}

/// What can be shown. There is nothing here that makes the browser open something besides a page: no documents of other
/// programs, no downloads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteContent {
    /// A page.
    Html(String),
    /// Plain text, also of tables to be downloaded.
    Text(String),
    /// A style sheet.
    Css(String),
    /// A drawing.
    Svg(String),
    /// A picture.
    Png(Vec<u8>),
}

impl ServerRequest {
    /// The first value of a field after the question mark.
    pub fn query_value(&self, name: &str) -> Option<&str> {
        value_of(&self.query, name)
    }

    /// The first value of a field of the form.
    pub fn form_value(&self, name: &str) -> Option<&str> {
        value_of(&self.form, name)
    }
}

fn value_of<'a>(fields: &'a [(String, String)], name: &str) -> Option<&'a str> {
    fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

impl ServerResponse {
    /// A page.
    pub fn page(status: u16, html: impl Into<String>) -> Self {
        Self::of(status, SiteContent::Html(html.into()))
    }

    /// Something to show, whatever it is.
    pub fn of(status: u16, content: SiteContent) -> Self {
        Self { status, content, location: None, stated: 0, facts: None }
    }

    /// After something was changed: the browser goes on to a page that can be loaded again.
    pub fn see_other(location: impl Into<String>) -> Self {
        Self { location: Some(location.into()), ..Self::page(303, "") }
    }

    /// The same answer, with what it states.
    #[must_use]
    pub fn stating(self, stated: u32, facts: Option<Value>) -> Self {
        Self { stated, facts, ..self }
    }
}

impl SiteContent {
    /// A text of a type that HTTP has a word for; plain text where there is nothing better to show it as.
    pub fn of_type(mime: &str, text: String) -> Self {
        match mime.split(';').next().unwrap_or_default().trim() {
            "text/html" => Self::Html(text),
            "text/css" => Self::Css(text),
            "image/svg+xml" => Self::Svg(text),
            _ => Self::Text(text),
        }
    }

    pub(crate) fn mime(&self) -> &'static str {
        match self {
            Self::Html(_) => "text/html; charset=utf-8",
            Self::Text(_) => "text/plain; charset=utf-8",
            Self::Css(_) => "text/css; charset=utf-8",
            Self::Svg(_) => "image/svg+xml",
            Self::Png(_) => "image/png",
        }
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Html(text) | Self::Text(text) | Self::Css(text) | Self::Svg(text) => text.into_bytes(),
            Self::Png(bytes) => bytes,
        }
    }
}
