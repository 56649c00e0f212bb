//! What elements are told to look like: by attributes, by a style sheet, and by styles of their own.

use std::collections::{BTreeMap, BTreeSet};

use super::xml_tree::XmlTree;

/// What may be told by attributes as well as by styles.
const PROPERTIES: [&str; 23] = [
    "fill",
    "stroke",
    "color",
    "display",
    "visibility",
    "opacity",
    "fill-opacity",
    "stroke-opacity",
    "filter",
    "mask",
    "clip-path",
    "marker",
    "marker-start",
    "marker-mid",
    "marker-end",
    "mix-blend-mode",
    "stroke-width",
    "letter-spacing",
    "word-spacing",
    "text-decoration",
    "font-style",
    "font-variant",
    "textLength",
];
const MOST_RULES: usize = 300;

/// The values of properties.
pub(super) type ToldStyle = BTreeMap<String, String>;

/// Properties and their values; those that are said to be important apart.
#[derive(Clone, Debug, Default)]
struct StyleBlock {
    usual: ToldStyle,
    important: ToldStyle,
}

/// What an element has to be for a part of a selector: its tag, its id and its classes.
#[derive(Clone, Debug, Default)]
struct SelectorPart {
    tag: Option<String>,
    id: Option<String>,
    classes: Vec<String>,
}

#[derive(Clone, Debug)]
struct StyleRule {
    /// From the outermost element to the one that is meant.
    parts: Vec<SelectorPart>,
    block: StyleBlock,
}

/// All rules of a drawing, weakest first.
#[derive(Clone, Debug, Default)]
pub(super) struct StyleSheet {
    rules: Vec<StyleRule>,
}

impl StyleSheet {
    /// Reads all sheets of a drawing; tells what it does not know.
    pub(super) fn of(tree: &XmlTree) -> Result<Self, String> {
        let mut rules = Vec::new();
        for sheet in tree.nodes.iter().filter(|node| node.tag == "style") {
            let text = without_comments(&sheet.own_text());
            if text.contains('@') {
                return Err("its style sheet has an at-rule".to_owned());
            }
            for rule in text.split('}').filter(|rule| !rule.trim().is_empty()) {
                rules.extend(rules_of(rule)?);
            }
            if rules.len() > MOST_RULES {
                return Err(format!("its style sheet has more than {MOST_RULES} rules"));
            }
        }
        rules.sort_by_key(StyleRule::weight);
        Ok(Self { rules })
    }

    /// What an element is told, whoever tells it: attributes are the weakest, its own style is the strongest.
    ///
    /// Two rules that set the same property are refused: which of them wins is another matter in Inkscape than by the letter of CSS.
    pub(super) fn told(&self, tree: &XmlTree, at: usize) -> Result<ToldStyle, String> {
        let node = &tree.nodes[at];
        let attributes =
            PROPERTIES.iter().filter_map(|name| Some(((*name).to_owned(), node.attribute(name)?.to_owned())));
        let mut told: ToldStyle = attributes.collect();
        let own = block_of(node.attribute("style").unwrap_or_default());
        let rules = self.rules.iter().filter(|rule| rule.is_for(tree, at)).map(|rule| &rule.block);
        let mut meant: Vec<&StyleBlock> = rules.collect();
        let mut names = BTreeSet::new();
        for name in meant.iter().flat_map(|block| block.names()) {
            if !names.insert(name) {
                let (name, id): (String, String) =
                    (name.chars().take(40).collect(), node.id().chars().take(40).collect());
                return Err(format!("two rules of its style sheets set `{name}` of `{id}`"));
            }
        }
        meant.push(&own);
        let usual = meant.iter().map(|block| &block.usual);
        let important = meant.iter().map(|block| &block.important);
        for block in usual.chain(important) {
            told.extend(block.clone());
        }
        Ok(told)
    }
}

impl StyleBlock {
    /// The properties that it sets, each once.
    fn names(&self) -> BTreeSet<&str> {
        self.usual.keys().chain(self.important.keys()).map(String::as_str).collect()
    }
}

impl StyleRule {
    fn weight(&self) -> (usize, usize, usize) {
        let count = |of: fn(&SelectorPart) -> usize| self.parts.iter().map(of).sum();
        (
            count(|part| usize::from(part.id.is_some())),
            count(|part| part.classes.len()),
            count(|part| usize::from(part.tag.is_some())),
        )
    }

    /// The last part is the element; each other one is met by some element around it, in order.
    fn is_for(&self, tree: &XmlTree, at: usize) -> bool {
        let Some((last, outer)) = self.parts.split_last() else { return false };
        if !last.is_met(tree, at) {
            return false;
        }
        let (mut outer, mut around) = (outer, tree.nodes[at].parent);
        while let (Some((part, rest)), Some(at)) = (outer.split_last(), around) {
            if part.is_met(tree, at) {
                outer = rest;
            }
            around = tree.nodes[at].parent;
        }
        outer.is_empty()
    }
}

impl SelectorPart {
    fn is_met(&self, tree: &XmlTree, at: usize) -> bool {
        let node = &tree.nodes[at];
        let classes = || node.attribute("class").unwrap_or_default().split_whitespace();
        let has = |class: &String| classes().any(|has| has == class);
        self.tag.as_ref().is_none_or(|tag| *tag == node.tag)
            && self.id.as_ref().is_none_or(|id| id == node.id())
            && self.classes.iter().all(has)
    }
}

fn without_comments(text: &str) -> String {
    let text = text.replace("<!--", "").replace("-->", "");
    let mut pieces = text.split("/*");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |kept, piece| kept + " " + piece.split_once("*/").map_or("", |(_, rest)| rest))
}

/// What stands before and behind a brace, for each of the selectors before it.
fn rules_of(rule: &str) -> Result<Vec<StyleRule>, String> {
    let (selectors, block) = rule.split_once('{').ok_or("its style sheet cannot be read")?;
    let block = block_of(block);
    let rule = |selector| Ok(StyleRule { parts: selector_of(selector)?, block: block.clone() });
    selectors.split(',').take(MOST_RULES + 1).map(rule).collect()
}

/// A selector of tags, classes and ids, and of elements within others.
fn selector_of(text: &str) -> Result<Vec<SelectorPart>, String> {
    let parts: Vec<SelectorPart> = text.split_whitespace().map(part_of).collect::<Result<_, _>>()?;
    if parts.is_empty() { Err("its style sheet has a rule for nothing".to_owned()) } else { Ok(parts) }
}

fn part_of(text: &str) -> Result<SelectorPart, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '#' | '-' | '_' | '*');
    if !text.chars().all(is_plain) {
        return Err(format!("its style sheet has the selector `{}`", text.chars().take(60).collect::<String>()));
    }
    let mut part = SelectorPart::default();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest[1..].find(['.', '#']).map_or(rest.len(), |end| end + 1);
        let (word, after) = rest.split_at_checked(end).ok_or("its style sheet cannot be read")?;
        match word.as_bytes()[0] {
            b'.' => part.classes.push(word[1..].to_owned()),
            b'#' => part.id = Some(word[1..].to_owned()),
            b'*' => {}
            _ => part.tag = Some(word.to_owned()),
        }
        rest = after;
    }
    Ok(part)
}

fn block_of(text: &str) -> StyleBlock {
    let mut block = StyleBlock::default();
    for (name, value) in text.split(';').filter_map(|told| told.split_once(':')) {
        let name = name.trim().to_ascii_lowercase();
        match value.trim().strip_suffix("!important") {
            Some(value) => block.important.insert(name, value.trim().to_owned()),
            None => block.usual.insert(name, value.trim().to_owned()),
        };
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(drawing: &str) -> String {
        let tree = XmlTree::read(drawing.as_bytes()).unwrap();
        let sheet = StyleSheet::of(&tree).unwrap();
        let at = tree.nodes.iter().position(|node| node.id() == "x").unwrap();
        sheet.told(&tree, at).map_or_else(|why| why, |told| told.get("fill").cloned().unwrap_or_default())
    }

    #[test]
    fn the_stronger_voice_is_heard() {
        let drawn = |sheet: &str, more: &str| {
            fill(&format!("<svg><style>{sheet}</style><g class='o'><rect id='x' fill='attribute' {more}/></g></svg>"))
        };
        assert_eq!(drawn("", ""), "attribute");
        assert_eq!(drawn("rect{fill:tag}", ""), "tag");
        assert_eq!(drawn(".a{fill:class} rect{stroke:tag}", "class='b a'"), "class");
        assert_eq!(drawn("#x{fill:id} .c{fill:class}", "class='a'"), "id");
        assert_eq!(drawn("#x{fill:id}", "style='fill:own'"), "own");
        assert_eq!(drawn("rect{fill:tag !important}", "style='fill:own'"), "tag");
        assert_eq!(drawn(".o rect{fill:within} .p rect{fill:other}", ""), "within");
        assert_eq!(drawn("/* .a{fill:no} */ .b,.a{fill:list}", "class='a'"), "list");
        assert_eq!(drawn(".a{fill:first;fill:second}", "class='a'"), "second");
    }

    #[test]
    fn two_rules_do_not_set_the_same() {
        let told = |sheet: &str| fill(&format!("<svg><style>{sheet}</style><g><rect id='x' class='a'/></g></svg>"));
        let refused = "two rules of its style sheets set `fill` of `x`";
        assert_eq!(told("rect{fill:tag} g #x{fill:id}"), refused);
        assert_eq!(told(".a{fill:first}.a{fill:second}"), refused);
        assert_eq!(told("rect{fill:tag !important} .a{fill:class}"), refused);
        assert_eq!(told("g{fill:group} .a{fill:class}"), "class", "another object");
    }

    #[test]
    fn sheets_that_are_not_known_are_told() {
        let told = |sheet: &str| {
            let tree = XmlTree::read(format!("<svg><style>{sheet}</style></svg>").as_bytes()).unwrap();
            StyleSheet::of(&tree).err().unwrap_or_default()
        };
        assert!(told("@import 'x';").contains("at-rule"));
        assert!(told("rect:hover{fill:red}").contains("selector"));
        assert!(told("rect").contains("cannot be read"));
        assert!(told("{fill:red}").contains("nothing"));
        assert!(told("ü#ö.ä{fill:red}").contains("selector"));
    }
}
