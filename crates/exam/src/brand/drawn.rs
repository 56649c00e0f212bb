//! What is shown of a drawing: its shapes and texts from back to front, with their colours, wherever these are told.

use std::collections::{BTreeMap, BTreeSet};

use super::cascade::{StyleSheet, ToldStyle};
use super::xml_tree::{XmlContent, XmlElement, XmlTree};

/// What holds other elements and is nothing itself.
const CONTAINERS: [&str; 4] = ["svg", "g", "a", "switch"];
/// What is not shown where it stands.
const UNSHOWN: [&str; 15] = [
    "defs",
    "style",
    "title",
    "desc",
    "metadata",
    "namedview",
    "symbol",
    "marker",
    "mask",
    "clipPath",
    "pattern",
    "filter",
    "linearGradient",
    "radialGradient",
    "meshgradient",
];
/// What has no place in a poster.
const REFUSED: [&str; 5] = ["script", "image", "foreignObject", "set", "animate"];
/// What is more than a flat colour, and the value that does nothing.
const EFFECTS: [(&str, &str); 10] = [
    ("opacity", "1"),
    ("fill-opacity", "1"),
    ("stroke-opacity", "1"),
    ("filter", "none"),
    ("mask", "none"),
    ("clip-path", "none"),
    ("marker-start", "none"),
    ("marker-mid", "none"),
    ("marker-end", "none"),
    ("mix-blend-mode", "normal"),
];
/// What makes other letters of those that a font has, or moves them; and the values that do nothing.
const TEXT_EFFECTS: [(&str, &[&str]); 9] = [
    ("letter-spacing", &["normal", "0", "0px"]),
    ("word-spacing", &["normal", "0", "0px"]),
    ("text-decoration", &["none"]),
    ("text-decoration-line", &["none"]),
    ("font-style", &["normal"]),
    ("font-variant", &["normal"]),
    ("font-variant-caps", &["normal"]),
    ("text-transform", &["none"]),
    ("textLength", &[]),
];
/// How many elements are looked at, and how often copies may name copies.
const MOST_STEPS: usize = 50_000;
const MOST_COPIES: usize = 6;

/// A shape, a copy or a text.
#[derive(Clone, Debug)]
pub(super) struct DrawnLeaf {
    pub(super) id: String,
    pub(super) tag: String,
    /// The ids of what it lies in.
    pub(super) around: Vec<String>,
    pub(super) fills: BTreeSet<String>,
    pub(super) strokes: BTreeSet<String>,
    pub(super) has_effect: bool,
    /// What a text says, runs of white space as one blank.
    pub(super) words: String,
}

/// What goes from an element to what is in it.
#[derive(Clone)]
struct InheritedLook {
    told: ToldStyle,
    has_effect: bool,
    around: Vec<String>,
}

struct DrawnWalk<'a> {
    tree: &'a XmlTree,
    sheet: StyleSheet,
    by_id: BTreeMap<&'a str, usize>,
    n_steps: usize,
    leaves: Vec<DrawnLeaf>,
}

/// All that is shown; or what is wrong with the drawing.
pub(super) fn leaves(tree: &XmlTree) -> Result<Vec<DrawnLeaf>, String> {
    refuse(tree)?;
    let by_id: BTreeMap<&str, usize> =
        tree.nodes.iter().enumerate().filter_map(|(at, node)| Some((node.attribute("id")?, at))).collect();
    let mut walk = DrawnWalk { tree, sheet: StyleSheet::of(tree)?, by_id, n_steps: 0, leaves: Vec::new() };
    walk.element(0, &InheritedLook { told: ToldStyle::new(), has_effect: false, around: Vec::new() })?;
    Ok(walk.leaves)
}

/// Whether a drawing has something that no poster may have.
fn refuse(tree: &XmlTree) -> Result<(), String> {
    let mut ids = BTreeSet::new();
    if tree.nodes[0].tag != "svg" {
        return Err("it is no SVG".to_owned());
    }
    for node in &tree.nodes {
        if REFUSED.contains(&node.tag.as_str()) {
            return Err(format!("it has an element `{}`", node.tag));
        }
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
        if let Some(id) = node.attribute("id") {
            if !id.chars().all(is_plain) || id.len() > 200 {
                return Err("it has an id of other characters than letters, digits and -_.:".to_owned());
            }
            if !ids.insert(id) {
                return Err(format!("it has two elements with the id `{id}`"));
            }
        }
        let refers = ["href", "xlink:href"].iter().filter_map(|name| node.attribute(name));
        if refers.into_iter().any(|target| !target.trim().starts_with('#')) {
            return Err("it refers to something outside".to_owned());
        }
    }
    Ok(())
}

impl DrawnWalk<'_> {
    fn element(&mut self, at: usize, outer: &InheritedLook) -> Result<(), String> {
        let node = &self.tree.nodes[at];
        let Some(look) = self.look(at, outer)? else { return Ok(()) };
        if UNSHOWN.contains(&node.tag.as_str()) {
            return Ok(());
        }
        if CONTAINERS.contains(&node.tag.as_str()) {
            return node.children().try_for_each(|child| self.element(child, &look));
        }
        let mut leaf = DrawnLeaf {
            id: node.id().to_owned(),
            tag: node.tag.clone(),
            around: look.around.clone(),
            fills: BTreeSet::new(),
            strokes: BTreeSet::new(),
            has_effect: look.has_effect,
            words: String::new(),
        };
        self.paint(at, &look, &mut leaf, 0)?;
        leaf.words = leaf.words.split_whitespace().collect::<Vec<_>>().join(" ");
        if leaf.tag != "text" || !leaf.words.is_empty() {
            self.leaves.push(leaf);
        }
        Ok(())
    }

    /// What an element looks like; nothing if it is not shown.
    fn look(&mut self, at: usize, outer: &InheritedLook) -> Result<Option<InheritedLook>, String> {
        self.n_steps += 1;
        if self.n_steps > MOST_STEPS {
            return Err("it copies too much".to_owned());
        }
        let told = self.sheet.told(self.tree, at)?;
        if told.get("display").is_some_and(|display| display == "none") {
            return Ok(None);
        }
        let does = |(name, nothing): &(&str, &str)| told.get(*name).is_some_and(|value| !is_nothing(value, nothing));
        let mut look = outer.clone();
        look.has_effect |= EFFECTS.iter().any(does);
        look.told.extend(told.into_iter().filter(|(_, value)| value != "inherit"));
        look.around.push(self.tree.nodes[at].id().to_owned());
        Ok(Some(look))
    }

    /// Gathers the colours and the words of a leaf.
    fn paint(&mut self, at: usize, look: &InheritedLook, leaf: &mut DrawnLeaf, n_copies: usize) -> Result<(), String> {
        let node = &self.tree.nodes[at];
        match node.tag.as_str() {
            "use" if n_copies == MOST_COPIES => return Err("it copies copies".to_owned()),
            "use" => {
                let target = node.attribute("xlink:href").or(node.attribute("href")).unwrap_or_default();
                let target = self.by_id.get(target.trim_start_matches('#')).copied();
                return target.map_or(Ok(()), |target| self.within(target, look, leaf, n_copies + 1));
            }
            "g" | "symbol" | "svg" => {
                return node.children().try_for_each(|child| self.within(child, look, leaf, n_copies));
            }
            "text" | "tspan" | "textPath" => return self.text(at, look, leaf, n_copies),
            _ => leaf.take(look),
        }
        Ok(())
    }

    fn within(
        &mut self,
        at: usize,
        outer: &InheritedLook,
        leaf: &mut DrawnLeaf,
        n_copies: usize,
    ) -> Result<(), String> {
        let Some(look) = self.look(at, outer)? else { return Ok(()) };
        leaf.has_effect |= look.has_effect;
        self.paint(at, &look, leaf, n_copies)
    }

    fn text(&mut self, at: usize, look: &InheritedLook, leaf: &mut DrawnLeaf, n_copies: usize) -> Result<(), String> {
        let tree = self.tree;
        let node = &tree.nodes[at];
        if ["x", "y", "dy", "sodipodi:role"].iter().any(|name| node.attribute(name).is_some()) {
            leaf.words.push(' ');
        }
        leaf.has_effect |= moves_letters(node);
        for content in &node.content {
            match content {
                XmlContent::Text(text) => {
                    if !text.trim().is_empty() {
                        leaf.has_effect |= has_text_effect(look);
                        leaf.take(look);
                    }
                    leaf.words.push_str(text);
                }
                XmlContent::Element(child) => self.within(*child, look, leaf, n_copies)?,
            }
        }
        Ok(())
    }
}

impl DrawnLeaf {
    /// Something is painted so. What is invisible keeps its place, but not in this list: its colour is told as such.
    fn take(&mut self, look: &InheritedLook) {
        let told = |name: &str| look.told.get(name).map(String::as_str);
        if told("visibility").is_some_and(|visibility| visibility != "visible") {
            self.fills.insert("invisible".to_owned());
            return;
        }
        let own = told("color").unwrap_or("#000000");
        self.fills.insert(paint_of(told("fill").unwrap_or("#000000"), own));
        self.strokes.insert(paint_of(told("stroke").unwrap_or("none"), own));
    }
}

/// Whether some letters are moved away from where those before them end.
fn moves_letters(node: &XmlElement) -> bool {
    let lengths = |name: &str| {
        let told = node.attribute(name).unwrap_or_default();
        told.split(|letter: char| letter.is_whitespace() || letter == ',').filter(|length| !length.is_empty())
    };
    ["x", "y", "dx", "dy"].iter().any(|name| lengths(name).count() > 1)
        || (node.tag == "tspan" && lengths("dx").any(|length| length.contains(|digit| matches!(digit, '1'..='9'))))
}

/// Whether letters are spaced, slanted, decorated or replaced.
fn has_text_effect(look: &InheritedLook) -> bool {
    let does = |(name, nothing): &(&str, &[&str])| {
        look.told.get(*name).is_some_and(|value| !nothing.iter().any(|nothing| is_nothing(value, nothing)))
    };
    TEXT_EFFECTS.iter().any(does)
}

/// Whether a value is the one that does nothing, however it is written.
fn is_nothing(value: &str, nothing: &str) -> bool {
    let as_number = |text: &str| match text.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().ok().map(|share| share / 100.0),
        None => text.parse::<f64>().ok(),
    };
    value == nothing
        || matches!(value, "inherit" | "initial" | "unset")
        || as_number(value).is_some_and(|number| as_number(nothing) == Some(number))
}

/// A paint as `#rrggbb`, `none`, or as it is told where it is no plain colour.
fn paint_of(told: &str, own: &str) -> String {
    let told = told.trim().to_ascii_lowercase();
    if told == "currentcolor" {
        return if own.eq_ignore_ascii_case("currentcolor") { "#000000".to_owned() } else { paint_of(own, "#000000") };
    }
    if told == "none" || told == "transparent" {
        return "none".to_owned();
    }
    let short: String = told.chars().take(40).collect();
    rgb(&told).map_or(short, |[r, g, b]| format!("#{r:02x}{g:02x}{b:02x}"))
}

/// The forms `#abc`, `#aabbcc`, `rgb(1, 2, 3)` and `rgb(1%, 2%, 3%)`.
fn rgb(told: &str) -> Option<[u8; 3]> {
    if let Some(digits) = told.strip_prefix('#') {
        let value = u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?;
        return match digits.len() {
            3 => Some([8, 4, 0].map(|shift| ((value >> shift & 15) * 17) as u8)),
            6 => Some([16, 8, 0].map(|shift| (value >> shift & 255) as u8)),
            _ => None,
        };
    }
    let inner = told.strip_prefix("rgb(")?.strip_suffix(')')?;
    let parts: Vec<&str> = inner.split([',', ' ']).filter(|part| !part.is_empty()).collect();
    let channel = |part: &&str| match part.strip_suffix('%') {
        Some(percent) => {
            percent.parse::<f64>().ok().map(|share| (share / 100.0 * 255.0).round().clamp(0.0, 255.0) as u8)
        }
        None => part.parse::<f64>().ok().map(|value| value.round().clamp(0.0, 255.0) as u8),
    };
    let channels: Option<Vec<u8>> = parts.iter().map(channel).collect();
    channels?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(drawing: &str) -> String {
        let tree = XmlTree::read(format!("<svg xmlns:xlink='x'>{drawing}</svg>").as_bytes()).unwrap();
        let one = |leaf: &DrawnLeaf| {
            let all = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join("+");
            let effect = if leaf.has_effect { " effect" } else { "" };
            format!("{} {} {}{effect}{}", leaf.id, all(&leaf.fills), all(&leaf.strokes), leaf.words)
        };
        leaves(&tree).map_or_else(|why| why, |leaves| leaves.iter().map(one).collect::<Vec<_>>().join("; "))
    }

    #[test]
    fn colours_come_from_everywhere() {
        assert_eq!(told("<rect id='a'/>"), "a #000000 none");
        assert_eq!(told("<g fill='#ABC'><rect id='a'/></g>"), "a #aabbcc none");
        assert_eq!(told("<g fill='red'><rect id='a' style='fill:rgb(1, 2,255)'/></g>"), "a #0102ff none");
        assert_eq!(told("<g color='#010203'><rect id='a' fill='currentColor' stroke='red'/></g>"), "a #010203 red");
        assert_eq!(
            told("<defs><path id='p' stroke='#fff'/></defs><use id='u' fill='rgb(100%,0%,50%)' xlink:href='#p'/>"),
            "u #ff0080 #ffffff"
        );
        assert_eq!(
            told("<text id='t' fill='#111'>a<tspan fill='#222'>b</tspan></text>"),
            "t #111111+#222222 none".to_owned() + "ab"
        );
        assert_eq!(told("<text id='t'><tspan x='1'>a</tspan><tspan x='2'>b</tspan></text>"), "t #000000 nonea b");
        assert_eq!(told("<g style='display:none'><rect id='a'/></g>"), "");
        assert_eq!(told("<rect id='a' visibility='hidden'/>"), "a invisible ");
        assert_eq!(told("<g opacity='0.5'><rect id='a'/></g>"), "a #000000 none effect");
        assert_eq!(told("<rect id='a' style='opacity:1.0;fill-opacity:100%;filter:none'/>"), "a #000000 none");
        assert_eq!(told("<g letter-spacing='0.1'><text id='t'>a</text></g>"), "t #000000 none effecta");
        assert_eq!(told("<text id='t'><tspan style='font-style:oblique'>a</tspan></text>"), "t #000000 none effecta");
        assert_eq!(told("<text id='t' style='letter-spacing:0px;text-decoration:none'>a</text>"), "t #000000 nonea");
        assert_eq!(told("<text id='t' dx='0 2mm'>ab</text>"), "t #000000 none effectab");
        assert_eq!(told("<text id='t' x='1,9'>ab</text>"), "t #000000 none effectab");
        assert_eq!(told("<text id='t'>a<tspan dx='2mm'>b</tspan></text>"), "t #000000 none effectab");
        assert_eq!(told("<text id='t' x='1' dx='2' dy='3'><tspan dx='0'>ab</tspan></text>"), "t #000000 noneab");
        assert_eq!(told("<g letter-spacing='0.1'><rect id='a'/></g>"), "a #000000 none");
        assert_eq!(told("<rect id='a' fill='url(#w)'/>"), "a url(#w) none");
    }

    #[test]
    fn what_no_poster_has_is_told() {
        assert!(told("<script/>").contains("script"));
        assert!(told("<use xlink:href='file:///etc/passwd'/>").contains("outside"));
        assert!(told("<rect id='a'/><rect id='a'/>").contains("two elements"));
        assert!(told("<rect id='a&#10;b,1,2,3,4'/>").contains("characters"));
        assert!(told("<use id='u' xlink:href='#u'/>").contains("copies"));
        let level = |at: usize| format!("<g id='g{at}'>{}</g>", format!("<use xlink:href='#g{}'/>", at - 1).repeat(20));
        let bomb = (1..12).map(level).collect::<Vec<_>>().concat();
        assert!(told(&format!("<defs><rect id='g0'/>{bomb}</defs><use id='u' xlink:href='#g5'/>")).contains("copies"));
    }
}
