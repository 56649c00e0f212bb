//! What a browser asks for.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::host::SiteHost;

/// How something is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SiteMethod {
    /// A page is read.
    Get,
    /// Something is changed; the form's fields are the body.
    Post,
}

/// A request as it comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteRequest {
    /// How.
    pub method: SiteMethod,
    /// The whole address, with scheme and host.
    pub url: String,
    /// The body of a form that is posted, as browsers encode forms.
    pub body: String,
}

impl SiteRequest {
    /// A page is read.
    pub fn get(url: impl Into<String>) -> Self {
        Self { method: SiteMethod::Get, url: url.into(), body: String::new() }
    }
}

/// The longest value of a parameter that is looked at; nobody types more.
const LONGEST_VALUE: usize = 300;
/// The most parameters that are looked at.
const MOST_PARAMETERS: usize = 24;

/// A request whose parts are told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SiteQuery {
    pub(crate) host: SiteHost,
    pub(crate) path: String,
    pub(crate) parameters: Vec<(String, String)>,
}

impl SiteQuery {
    /// Tells the parts of an address apart; `None` where it leads to no host of ours.
    pub(crate) fn parse(request: &SiteRequest) -> Option<Self> {
        let rest = request.url.strip_prefix("https://").or_else(|| request.url.strip_prefix("http://"))?;
        let rest = rest.split('#').next().unwrap_or(rest);
        let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (host, path) = address.split_once('/').unwrap_or((address, ""));
        let host = SiteHost::of_name(host)?;
        let parameters = form_fields(query);
        Some(Self { host, path: format!("/{path}"), parameters })
    }

    /// The value of a parameter; an empty one counts as left out.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.trim().is_empty())
    }

    /// Whether every parameter is one that the page offers, and none comes twice.
    pub(crate) fn takes_only(&self, offered: &[&str]) -> bool {
        let once = |name: &str| self.parameters.iter().filter(|(other, _)| other == name).count() == 1;
        self.parameters.iter().all(|(name, _)| offered.contains(&name.as_str()) && once(name))
    }

    /// The number of the page of a list, from 1; `None` where it is no number that a page could offer.
    pub(crate) fn page_number(&self) -> Option<usize> {
        let Some(text) = self.parameter("page") else { return Some(1) };
        let is_plain = text.len() <= 6 && text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
        is_plain.then(|| text.parse().ok()).flatten()
    }
}

/// The fields of a form as a browser encodes them.
pub(crate) fn form_fields(text: &str) -> Vec<(String, String)> {
    let decoded = |text: &str| {
        let spaced = text.replace('+', " ");
        let value = percent_decode_str(&spaced).decode_utf8_lossy().into_owned();
        value.chars().take(LONGEST_VALUE).collect::<String>()
    };
    let pairs = text.split('&').filter(|pair| !pair.is_empty()).take(MOST_PARAMETERS);
    pairs
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (decoded(name), decoded(value)))
        .collect()
}

const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// An address with parameters, as a browser would write it.
pub(crate) fn with_parameters(path: &str, parameters: &[(&str, &str)]) -> String {
    let mut address = path.to_owned();
    for (nth, (name, value)) in parameters.iter().filter(|(_, value)| !value.is_empty()).enumerate() {
        address.push(if nth == 0 { '?' } else { '&' });
        address.push_str(name);
        address.push('=');
        address.push_str(&utf8_percent_encode(value, KEPT).to_string().replace("%20", "+"));
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_apart_and_written_back() {
        let query = SiteQuery::parse(&SiteRequest::get("https://find.web/search?q=a+b%26c&site=&page=2#x")).unwrap();
        assert_eq!((query.host, query.path.as_str()), (SiteHost::Find, "/search"));
        assert_eq!(
            (query.parameter("q"), query.parameter("site"), query.page_number()),
            (Some("a b&c"), None, Some(2))
        );
        assert!(query.takes_only(&["q", "site", "page"]) && !query.takes_only(&["q", "page"]));
        assert_eq!(with_parameters("/search", &[("q", "a b&c"), ("site", "")]), "/search?q=a+b%26c");
        for wrong in ["ftp://find.web/", "https://find.com/", "https://findweb/", "", "https://"] {
            assert_eq!(SiteQuery::parse(&SiteRequest::get(wrong)), None, "{wrong}");
        }
    }
}
