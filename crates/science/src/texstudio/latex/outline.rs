//! How a paper is built up: its headings, floats, lists, references, and its prose in order.

use serde_json::{Value, json};

use super::plain::{first, formula, is_silent, keys, one_line, plain};
use super::tabular::{columns, rows};
use super::{LatexNode, LatexNodes};

/// Stands for what is not seen, so that lines before and after it are not taken for an end of a paragraph.
const UNSEEN: char = '\u{1}';

/// What a paper consists of.
#[derive(Default)]
struct PaperOutline {
    front: serde_json::Map<String, Value>,
    sections: Vec<String>,
    labels: Vec<String>,
    references: Vec<String>,
    citations: Vec<String>,
    tables: Vec<Value>,
    figures: Vec<Value>,
    formulas: Vec<Value>,
    lists: Vec<Value>,
    environments: Vec<String>,
    bibliography: serde_json::Map<String, Value>,
    prose: String,
}

/// The outline of a paper, as a document.
pub(in super::super) fn outline(nodes: &[LatexNode]) -> Value {
    let mut paper = PaperOutline::default();
    for node in nodes {
        match node {
            LatexNode::Environment { name, body, .. } if name == "document" => paper.walk(body),
            LatexNode::Command { name, arguments, .. } => paper.front_matter(name, arguments),
            _ => {}
        }
    }
    paper.told()
}

impl PaperOutline {
    fn told(self) -> Value {
        json!({
            "front": self.front,
            "sections": self.sections,
            "labels": self.labels,
            "references": self.references,
            "citations": self.citations,
            "tables": self.tables,
            "figures": self.figures,
            "formulas": self.formulas,
            "lists": self.lists,
            "environments": self.environments,
            "bibliography": self.bibliography,
            "prose": paragraphs(&self.prose),
        })
    }

    fn front_matter(&mut self, name: &str, arguments: &[LatexNodes]) {
        if let "title" | "author" | "date" | "documentclass" = name {
            self.front.insert(name.to_owned(), json!(first(arguments)));
        }
    }

    fn walk(&mut self, nodes: &[LatexNode]) {
        for node in nodes {
            match node {
                LatexNode::Text(text) => self.prose.push_str(&text.replace('~', " ")),
                LatexNode::Group(nodes) => self.walk(nodes),
                LatexNode::Math(raw) => self.prose.push_str(&formula(raw)),
                LatexNode::Command { name, arguments, .. } => self.command(name, node, arguments),
                LatexNode::Environment { name, arguments, body, .. } => self.environment(name, arguments, body),
            }
        }
    }

    fn command(&mut self, name: &str, node: &LatexNode, arguments: &[LatexNodes]) {
        match name.trim_end_matches('*') {
            "part" | "chapter" | "section" | "subsection" | "subsubsection" | "paragraph" => {
                let heading = format!("{name}: {}", first(arguments));
                self.prose.extend(["\n\n# ", &heading, "\n\n"]);
                self.sections.push(heading);
            }
            "label" => {
                self.labels.push(first(arguments));
                self.prose.push(UNSEEN);
            }
            "ref" | "pageref" | "eqref" | "autoref" => {
                self.references.push(first(arguments));
                self.prose.push_str(&plain(std::slice::from_ref(node)));
            }
            "cite" | "citep" | "citet" => {
                self.citations.extend(keys(arguments));
                self.prose.push_str(&plain(std::slice::from_ref(node)));
            }
            "bibliography" | "bibliographystyle" => {
                self.bibliography.insert(name.to_owned(), json!(keys(arguments)));
            }
            "item" => self.prose.push_str("\n\n* "),
            "par" => self.prose.push_str("\n\n"),
            "title" | "author" | "date" => self.front_matter(name, arguments),
            _ if is_silent(name) => {
                self.prose.push(UNSEEN);
                for nodes in arguments {
                    self.walk(nodes);
                }
            }
            _ => self.prose.push_str(&plain(std::slice::from_ref(node))),
        }
    }

    fn environment(&mut self, name: &str, arguments: &[String], body: &[LatexNode]) {
        self.environments.push(name.to_owned());
        match name.trim_end_matches('*') {
            "figure" => {
                let mut figure = figure(body);
                figure["section"] = json!(self.sections.last());
                self.figures.push(figure);
                self.aside(body);
            }
            "table" => {
                let (caption, label) = (found(body, "caption"), found(body, "label"));
                let (columns, rows) = tabular(body).unwrap_or_default();
                let section = self.sections.last();
                self.tables.push(json!({
                    "caption": caption, "label": label, "columns": columns, "rows": rows, "section": section,
                }));
                self.aside(body);
            }
            "tabular" | "longtable" => {
                let columns = columns(arguments.last().map_or("", String::as_str));
                let section = self.sections.last();
                self.tables.push(json!({
                    "caption": null, "label": null, "columns": columns, "rows": rows(body), "section": section,
                }));
                self.prose.push(UNSEEN);
            }
            "equation" | "displaymath" | "align" => {
                let raw = body.iter().find_map(|node| if let LatexNode::Math(raw) = node { Some(raw) } else { None });
                let raw = raw.map(|raw| formula(raw)).unwrap_or_default();
                self.formulas.push(json!({ "label": found(body, "label"), "formula": raw }));
                self.labels.extend(found(body, "label"));
                self.prose.push(UNSEEN);
            }
            "itemize" | "enumerate" | "description" => {
                self.lists.push(json!({ "kind": name, "items": items(body) }));
                self.walk(body);
                self.prose.push_str("\n\n");
            }
            "abstract" => {
                self.prose.push_str("\n\n# abstract\n\n");
                self.walk(body);
                self.prose.push_str("\n\n");
            }
            _ => self.walk(body),
        }
    }

    /// Labels, references and citations of a float, which stands beside the prose.
    fn aside(&mut self, body: &[LatexNode]) {
        let before = (self.prose.clone(), self.tables.len());
        self.walk(body);
        self.prose = before.0;
        self.tables.truncate(before.1);
        self.prose.push(UNSEEN);
    }
}

fn figure(body: &[LatexNode]) -> Value {
    let graphic = all(body).into_iter().find_map(|node| match node {
        LatexNode::Command { name, option, arguments } if name == "includegraphics" => Some((option, arguments)),
        _ => None,
    });
    let (file, width) = graphic.map_or((None, None), |(option, arguments)| {
        let file = first(arguments);
        let file = ["pdf", "png", "jpg"].iter().fold(file.as_str(), |file, end| {
            file.strip_suffix(end).and_then(|file| file.strip_suffix('.')).unwrap_or(file)
        });
        let file = file.trim_start_matches("./").to_owned();
        (Some(file), option.as_deref().and_then(width_of))
    });
    json!({ "caption": found(body, "caption"), "label": found(body, "label"), "graphic": file, "width": width })
}

/// The width among the options of a graphic. In a float all of the widths of lines are one.
fn width_of(options: &str) -> Option<String> {
    // The last one counts.
    let mut named = options.split(',').rev().filter_map(|option| option.split_once('='));
    let width = named.find(|(name, _)| name.trim() == "width");
    let width = formula(width?.1).replace("\\linewidth", "\\textwidth").replace("\\columnwidth", "\\textwidth");
    let number = width.strip_suffix("\\textwidth").and_then(|number| number.parse::<f64>().ok());
    Some(number.map_or(width, |number| format!("{number}\\textwidth")))
}

/// The first argument of the first command of this name.
fn found(body: &[LatexNode], wanted: &str) -> Option<String> {
    all(body).into_iter().find_map(|node| match node {
        LatexNode::Command { name, arguments, .. } if name == wanted => Some(first(arguments)),
        _ => None,
    })
}

type LatexTable = (String, Vec<Vec<String>>);

fn tabular(body: &[LatexNode]) -> Option<LatexTable> {
    all(body).into_iter().find_map(|node| match node {
        LatexNode::Environment { name, arguments, body, .. } if name.starts_with("tabular") => {
            Some((columns(arguments.last().map_or("", String::as_str)), rows(body)))
        }
        _ => None,
    })
}

/// The items of a list, each as its words.
fn items(body: &[LatexNode]) -> Vec<String> {
    let is_item = |node: &LatexNode| matches!(node, LatexNode::Command { name, .. } if name == "item");
    body.split(is_item).skip(1).map(plain).collect()
}

/// Everything in nodes, in order.
fn all(nodes: &[LatexNode]) -> Vec<&LatexNode> {
    let mut found = Vec::new();
    for node in nodes {
        found.push(node);
        match node {
            LatexNode::Group(nodes) | LatexNode::Environment { body: nodes, .. } => found.extend(all(nodes)),
            LatexNode::Command { arguments, .. } => found.extend(arguments.iter().flat_map(|nodes| all(nodes))),
            LatexNode::Text(_) | LatexNode::Math(_) => {}
        }
    }
    found
}

/// The paragraphs of a text: blank lines are between them.
fn paragraphs(prose: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in prose.lines() {
        if line.trim().is_empty() {
            paragraphs.push(String::new());
        } else if let Some(last) = paragraphs.last_mut() {
            last.push_str(line);
            last.push('\n');
        }
    }
    let seen = paragraphs.iter().map(|paragraph| one_line(&paragraph.replace(UNSEEN, "")));
    seen.filter(|paragraph| !paragraph.is_empty()).collect()
}
