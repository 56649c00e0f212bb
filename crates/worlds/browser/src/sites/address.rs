//! Addresses, as far as a closed web needs them.

use percent_encoding::percent_decode_str;

/// An address taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SiteAddress {
    pub(super) scheme: AddressScheme,
    /// The host in lower case, with its port and whatever else stands before the path.
    pub(super) host: String,
    /// The rest as it was written, from the slash on, without what follows a `#`.
    pub(super) rest: String,
}

/// How an address is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddressScheme {
    Http,
    Https,
}

impl SiteAddress {
    /// The address in a text; nothing where it is none of the web's.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (scheme, rest) = text.split_once("://")?;
        let scheme = match scheme.to_ascii_lowercase().as_str() {
            "http" => AddressScheme::Http,
            "https" => AddressScheme::Https,
            _ => return None,
        };
        let rest = rest.split('#').next().unwrap_or_default();
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (host, rest) = rest.split_at(end);
        let rest = if rest.starts_with('/') { rest.to_owned() } else { format!("/{rest}") };
        (!host.is_empty()).then(|| Self { scheme, host: host.to_ascii_lowercase(), rest })
    }

    /// The path, decoded.
    pub(super) fn path(&self) -> String {
        let path = self.rest.split('?').next().unwrap_or_default();
        percent_decode_str(path).decode_utf8_lossy().into_owned()
    }

    /// The fields after the question mark.
    pub(super) fn query(&self) -> Vec<(String, String)> {
        self.rest.split_once('?').map(|(_, query)| fields(query)).unwrap_or_default()
    }

    /// The address as one text.
    pub(super) fn text(&self) -> String {
        format!("https://{}{}", self.host, self.rest)
    }
}

/// The fields of a form or a query, as browsers write them.
pub(super) fn fields(text: &str) -> Vec<(String, String)> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (field_text(name), field_text(value))
        })
        .collect()
}

fn field_text(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}

/// What somebody means who types a text into an address field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TypedText {
    /// An address, complete.
    Address(String),
    /// An address of another kind: a file, a script, the browser's own pages.
    Foreign(String),
    /// Words to look for.
    Words(String),
}

impl TypedText {
    /// Addresses have a scheme, or no spaces and a dot or slash in them.
    pub(super) fn read(text: &str) -> Self {
        let text = text.trim();
        if SiteAddress::parse(text).is_some() {
            return Self::Address(text.to_owned());
        }
        if has_scheme(text) {
            return Self::Foreign(text.to_owned());
        }
        let host = text.split('/').next().unwrap_or_default();
        let is_address = !host.is_empty() && !text.contains(char::is_whitespace) && host.contains('.');
        if is_address { Self::Address(format!("https://{text}")) } else { Self::Words(text.to_owned()) }
    }
}

/// Whether a text begins as `javascript:` and `file:` do; `numbers.test:8080` does not.
fn has_scheme(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_word = scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-".contains(c));
    let is_port = !rest.is_empty() && rest.split('/').next().is_some_and(|port| port.parse::<u16>().is_ok());
    is_word && scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_port && !rest.starts_with(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart() {
        let address = SiteAddress::parse(" HTTPS://Numbers.test/a%20b/c?q=x+y&z=%C3%A9&w#part ").expect("an address");
        assert_eq!((address.scheme, address.host.as_str()), (AddressScheme::Https, "numbers.test"));
        assert_eq!(address.path(), "/a b/c");
        let expected = [("q", "x y"), ("z", "é"), ("w", "")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(address.query(), expected);
        assert_eq!(SiteAddress::parse("https://find.test?q=1").expect("an address").rest, "/?q=1");
        for none in ["", "find.test", "file:///etc/passwd", "https://", "javascript:alert(1)"] {
            assert_eq!(SiteAddress::parse(none), None, "{none}");
        }
    }

    #[test]
    fn typed_texts_are_understood_as_browsers_do() {
        let told = [
            "find.test",
            "https://find.test/x",
            "find.test/a?b",
            "growth of Orvia",
            "orvia",
            "file:///etc",
            "javascript:alert(1)",
            "numbers.test:8080/",
            "note: this",
        ]
        .map(|text| format!("{text} -> {:?}", TypedText::read(text)));
        insta::assert_snapshot!(told.join("\n"), @r#"
        find.test -> Address("https://find.test")
        https://find.test/x -> Address("https://find.test/x")
        find.test/a?b -> Address("https://find.test/a?b")
        growth of Orvia -> Words("growth of Orvia")
        orvia -> Words("orvia")
        file:///etc -> Foreign("file:///etc")
        javascript:alert(1) -> Foreign("javascript:alert(1)")
        numbers.test:8080/ -> Address("https://numbers.test:8080/")
        note: this -> Words("note: this")
        "#);
    }
}
