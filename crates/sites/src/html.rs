//! HTML that is well formed and escaped by construction.

/// A piece of HTML. Text goes in escaped, markup only from the program itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Html(String);

/// Attributes of an element: names of the program, values from anywhere.
pub(crate) type Attributes<'a> = &'a [(&'static str, &'a str)];

/// Whether an option of a list is the one that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionState {
    Chosen,
    Other,
}

impl Html {
    /// An empty piece.
    pub(crate) const fn new() -> Self {
        Self(String::new())
    }

    /// A piece that is a text.
    pub(crate) fn of_text(text: &str) -> Self {
        let mut html = Self::new();
        html.text(text);
        html
    }

    /// A piece that is one element with a text.
    pub(crate) fn of_element(tag: &'static str, attributes: Attributes, text: &str) -> Self {
        let mut html = Self::new();
        html.leaf(tag, attributes, text);
        html
    }

    /// Adds a text.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        escape(text, &mut self.0);
        self
    }

    /// Adds markup of the program.
    pub(crate) fn markup(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Adds a style sheet. It must be the program's own: what could end it early is left out.
    pub(crate) fn style(&mut self, css: &str) -> &mut Self {
        self.0.push_str("<style>");
        self.0.push_str(&css.replace('<', ""));
        self.0.push_str("</style>");
        self
    }

    /// Adds a piece.
    pub(crate) fn piece(&mut self, piece: &Self) -> &mut Self {
        self.0.push_str(&piece.0);
        self
    }

    /// Adds an element with what is put into it.
    pub(crate) fn element(
        &mut self,
        tag: &'static str,
        attributes: Attributes,
        inside: impl FnOnce(&mut Self),
    ) -> &mut Self {
        self.open(tag, attributes);
        inside(self);
        self.close(tag)
    }

    /// Adds an element with a text.
    pub(crate) fn leaf(&mut self, tag: &'static str, attributes: Attributes, text: &str) -> &mut Self {
        self.open(tag, attributes).text(text).close(tag)
    }

    /// Adds an element with a piece.
    pub(crate) fn wrap(&mut self, tag: &'static str, attributes: Attributes, piece: &Self) -> &mut Self {
        self.open(tag, attributes).piece(piece).close(tag)
    }

    /// Adds the start of an element, or an element that has no end.
    pub(crate) fn open(&mut self, tag: &'static str, attributes: Attributes) -> &mut Self {
        self.0.push('<');
        self.0.push_str(tag);
        for (name, value) in attributes {
            self.0.push(' ');
            self.0.push_str(name);
            if !value.is_empty() {
                self.0.push_str("=\"");
                escape(value, &mut self.0);
                self.0.push('"');
            }
        }
        self.0.push('>');
        self
    }

    /// Adds the start of an option, whose value may be empty and which may be the chosen one.
    pub(crate) fn open_option(&mut self, value: &str, choice: OptionState) -> &mut Self {
        self.0.push_str("<option value=\"");
        escape(value, &mut self.0);
        self.0.push_str(if choice == OptionState::Chosen { "\" selected>" } else { "\">" });
        self
    }

    /// Adds the end of an element.
    pub(crate) fn close(&mut self, tag: &'static str) -> &mut Self {
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
        self
    }

    /// Adds a link.
    pub(crate) fn link(&mut self, address: &str, text: &str) -> &mut Self {
        self.leaf("a", &[("href", address)], text)
    }

    /// Whether the last thing that a reader sees is a full stop.
    pub(crate) fn ends_with_stop(&self) -> bool {
        self.0.trim_end_matches("</a>").trim_end_matches("</b>").ends_with('.')
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[cfg(test)]
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }

    /// The text that a reader sees, without markup.
    pub(crate) fn visible_text(&self) -> String {
        visible_text(&self.0)
    }
}

/// The text of a piece of HTML, without markup; styles and pictures are left out.
pub fn visible_text(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        let hidden = ["style", "svg", "title"].into_iter().find(|tag| rest[at + 1..].starts_with(tag));
        let end = hidden.and_then(|tag| rest[at..].find(&format!("</{tag}>")).map(|end| end + tag.len() + 2));
        let end = end.or_else(|| rest[at..].find('>')).unwrap_or(rest.len() - at - 1);
        let is_inline = ["a ", "a>", "/a", "b>", "/b", "i>", "/i", "span", "/span", "strong", "/strong", "em", "/em"];
        if !is_inline.iter().any(|tag| rest[at + 1..].starts_with(tag)) {
            text.push(' ');
        }
        rest = &rest[at + end + 1..];
    }
    text.push_str(rest);
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
}

fn escape(text: &str, into: &mut String) {
    for c in text.chars() {
        match c {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            '"' => into.push_str("&quot;"),
            '\'' => into.push_str("&#39;"),
            _ => into.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_once_and_read_back() {
        let mut html = Html::new();
        html.element("p", &[("title", "\"<a>\"")], |html| {
            html.text("A & B <c>").link("/x?a=1&b=2", "d's");
        });
        let expected =
            "<p title=\"&quot;&lt;a&gt;&quot;\">A &amp; B &lt;c&gt;<a href=\"/x?a=1&amp;b=2\">d&#39;s</a></p>";
        assert_eq!(html.as_str(), expected);
        assert_eq!(html.visible_text().trim(), "A & B <c>d's");
    }
}
