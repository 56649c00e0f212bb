//! A drawing that somebody left, as a tree of elements. It is bounded in size and depth, and refers to nothing outside.

use std::collections::BTreeMap;
use std::fmt::Display;

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

const MOST_NODES: usize = 20_000;
const MOST_DEPTH: usize = 64;

/// All elements; the first is the root.
#[derive(Clone, Debug, Default)]
pub(super) struct XmlTree {
    pub(super) nodes: Vec<XmlElement>,
}

/// An element, its name without its prefix.
#[derive(Clone, Debug)]
pub(super) struct XmlElement {
    pub(super) tag: String,
    pub(super) attributes: BTreeMap<String, String>,
    pub(super) parent: Option<usize>,
    pub(super) content: Vec<XmlContent>,
}

/// What is in an element.
#[derive(Clone, Debug)]
pub(super) enum XmlContent {
    Element(usize),
    Text(String),
}

impl XmlElement {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }

    pub(super) fn id(&self) -> &str {
        self.attribute("id").unwrap_or_default()
    }

    /// The elements in it.
    pub(super) fn children(&self) -> impl Iterator<Item = usize> {
        self.content.iter().filter_map(|content| match content {
            XmlContent::Element(at) => Some(*at),
            XmlContent::Text(_) => None,
        })
    }

    /// What is said in it, not in what is in it.
    pub(super) fn own_text(&self) -> String {
        let said = self.content.iter().filter_map(|content| match content {
            XmlContent::Element(_) => None,
            XmlContent::Text(text) => Some(text.as_str()),
        });
        said.collect()
    }
}

/// A tree that is being read.
#[derive(Default)]
struct XmlReading {
    tree: XmlTree,
    open: Vec<usize>,
}

impl XmlTree {
    /// Reads a document; tells what is wrong with it.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|_why| "it is no UTF-8")?;
        let mut reader = Reader::from_str(text.strip_prefix('\u{feff}').unwrap_or(text));
        let mut reading = XmlReading::default();
        loop {
            match reader.read_event().map_err(|why| no_xml(&why))? {
                Event::Start(start) => reading.begin(&start)?,
                Event::Empty(start) => {
                    reading.begin(&start)?;
                    reading.open.pop();
                }
                Event::End(_) => drop(reading.open.pop()),
                Event::Text(text) => reading.say(&text.xml10_content().map_err(|why| no_xml(&why))?)?,
                Event::CData(text) => reading.say(&text.xml10_content().map_err(|why| no_xml(&why))?)?,
                Event::GeneralRef(name) => reading.say(&named(&name)?)?,
                Event::DocType(_) => return Err("it has a DOCTYPE".to_owned()),
                Event::PI(_) => return Err("it has a processing instruction".to_owned()),
                Event::Comment(_) | Event::Decl(_) => {}
                Event::Eof => break,
            }
        }
        match (reading.open.is_empty(), reading.tree.nodes.is_empty()) {
            (true, false) => Ok(reading.tree),
            (_, true) => Err("it holds no element".to_owned()),
            (false, _) => Err("it ends too early".to_owned()),
        }
    }
}

impl XmlReading {
    fn begin(&mut self, start: &BytesStart<'_>) -> Result<(), String> {
        let at = self.tree.nodes.len();
        if at == MOST_NODES || self.open.len() == MOST_DEPTH {
            return Err(format!("it has more than {MOST_NODES} elements, or is nested deeper than {MOST_DEPTH}"));
        }
        let mut attributes = BTreeMap::new();
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|why| no_xml(&why))?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|why| no_xml(&why))?;
            attributes.insert(String::from_utf8_lossy(attribute.key.as_ref()).into_owned(), value.into_owned());
        }
        let tag = String::from_utf8_lossy(start.local_name().as_ref()).into_owned();
        let parent = self.open.last().copied();
        match parent {
            Some(parent) => self.tree.nodes[parent].content.push(XmlContent::Element(at)),
            None if at > 0 => return Err("it has two roots".to_owned()),
            None => {}
        }
        self.tree.nodes.push(XmlElement { tag, attributes, parent, content: Vec::new() });
        self.open.push(at);
        Ok(())
    }

    fn say(&mut self, text: &str) -> Result<(), String> {
        match self.open.last() {
            Some(at) => self.tree.nodes[*at].content.push(XmlContent::Text(text.to_owned())),
            None if text.trim().is_empty() => {}
            None => return Err("it is no XML: there is text outside of its root".to_owned()),
        }
        Ok(())
    }
}

fn no_xml(why: &dyn Display) -> String {
    let why: String = why.to_string().chars().take(200).collect();
    format!("it is no XML: {why}")
}

fn named(name: &BytesRef<'_>) -> Result<String, String> {
    if let Some(character) = name.resolve_char_ref().map_err(|why| no_xml(&why))? {
        return Ok(character.to_string());
    }
    let name = name.decode().map_err(|why| no_xml(&why))?;
    resolve_predefined_entity(&name).map(str::to_owned).ok_or_else(|| "it uses an entity that is not known".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_attributes_and_texts_are_read() {
        let tree = XmlTree::read(b"<?xml version='1.0'?><s:svg a='1&amp;2'><t>x &lt;<u/>&#121;</t></s:svg>").unwrap();
        let told: Vec<String> = tree.nodes.iter().map(|node| format!("{} {}", node.tag, node.own_text())).collect();
        assert_eq!(told, ["svg ", "t x <y", "u "]);
        assert_eq!((tree.nodes[0].attribute("a"), tree.nodes[2].parent), (Some("1&2"), Some(1)));
    }

    #[test]
    fn what_is_no_drawing_is_told() {
        let told = |text: &str| XmlTree::read(text.as_bytes()).err().unwrap_or_default();
        assert!(told("<a><b></a>").contains("no XML"));
        assert!(told("<a>").contains("too early"));
        assert!(told("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>").contains("DOCTYPE"));
        assert!(told("<a>&x;</a>").contains("entity"));
        assert!(told("<a/><b/>").contains("two roots"));
        assert!(told("").contains("no element"));
        assert!(told(&"<a>".repeat(100)).contains("deeper"));
        assert!(told(&format!("<a>{}</a>", "<b/>".repeat(30_000))).contains("elements"));
        assert!(XmlTree::read(&[0xff, 0xfe, 0x00]).is_err());
    }
}
