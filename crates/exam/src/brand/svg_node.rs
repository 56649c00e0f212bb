//! Elements of a drawing, written as Inkscape writes them.

use std::fmt::Write as _;

/// An element.
#[derive(Clone, Debug)]
pub(super) struct SvgNode {
    tag: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<SvgNode>,
    text: String,
}

impl SvgNode {
    pub(super) fn new(tag: &'static str, id: &str) -> Self {
        Self { tag, attributes: vec![("id", id.to_owned())], children: Vec::new(), text: String::new() }
    }

    /// With an attribute more; one that says nothing is left out.
    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        let value = value.into();
        if !value.is_empty() {
            self.attributes.push((name, value));
        }
        self
    }

    pub(super) fn saying(mut self, text: &str) -> Self {
        text.clone_into(&mut self.text);
        self
    }

    pub(super) fn holding(mut self, children: impl IntoIterator<Item = SvgNode>) -> Self {
        self.children.extend(children);
        self
    }

    /// As a document.
    pub(super) fn document(&self) -> String {
        let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n".to_owned();
        self.write(&mut out, 0, true);
        out.push('\n');
        out
    }

    /// Nothing is put between the lines of a text: there white space would count.
    fn write(&self, out: &mut String, depth: usize, is_spaced: bool) {
        let indent = format!("\n{}", "  ".repeat(depth));
        write!(out, "<{}", self.tag).ok();
        for (name, value) in &self.attributes {
            write!(out, "{indent}   {name}=\"{}\"", escaped(value)).ok();
        }
        if self.children.is_empty() && self.text.is_empty() {
            out.push_str(" />");
            return;
        }
        write!(out, ">{}", escaped(&self.text)).ok();
        let is_spaced = is_spaced && self.tag != "text";
        for child in &self.children {
            if is_spaced {
                write!(out, "{indent}  ").ok();
            }
            child.write(out, depth + 1, is_spaced);
        }
        if is_spaced && !self.children.is_empty() {
            out.push_str(&indent);
        }
        write!(out, "</{}>", self.tag).ok();
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// A number as drawings have it.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.5}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
