//! A page of a PDF as Inkscape reads it: its letters and its shapes, in the order in which they are painted.

use super::cascade::{StyleSheet, ToldStyle};
use super::inkscape::{MeasuredBox, MeasuredBoxes};
use super::matrix::{DrawingTransform, numbers_of};
use super::outline::{FillRule, ShapeOutline};
use super::xml_tree::XmlTree;

pub(super) const MM_PER_PX: f64 = 25.4 / 96.0;
const POINTS_PER_PX: f64 = 0.75;
/// Letters that fonts draw as one.
const LIGATURES: [(char, &str); 5] = [('ﬀ', "ff"), ('ﬁ', "fi"), ('ﬂ', "fl"), ('ﬃ', "ffi"), ('ﬄ', "ffl")];

/// What is on a page.
#[derive(Clone, Debug, Default)]
pub(super) struct PrintedPage {
    pub(super) size_mm: [f64; 2],
    pub(super) letters: Vec<PrintedLetter>,
    pub(super) shapes: Vec<PrintedShape>,
}

/// A letter, where its pen begins. Blanks are none.
#[derive(Clone, Debug)]
pub(super) struct PrintedLetter {
    pub(super) letter: char,
    pub(super) pen_mm: [f64; 2],
    /// Zero if it is stretched or does not stand upright.
    pub(super) size_pt: f64,
    /// The name of the font, as PostScript has it.
    pub(super) font: String,
    pub(super) fill: String,
}

/// Something that is no letter.
#[derive(Clone, Debug)]
pub(super) struct PrintedShape {
    pub(super) fill: String,
    pub(super) covers: MeasuredBox,
    /// In millimetres; nothing if it is no path.
    pub(super) outline: Option<ShapeOutline>,
}

impl PrintedPage {
    /// Reads the drawing that Inkscape made of a PDF.
    pub(super) fn read(bytes: &[u8], boxes: &MeasuredBoxes) -> Result<Self, String> {
        let tree = XmlTree::read(bytes)?;
        let mut page = Self { size_mm: page_size(&tree), ..Self::default() };
        for at in (0..tree.nodes.len()).filter(|at| is_painted(&tree, *at)) {
            let node = &tree.nodes[at];
            match node.tag.as_str() {
                "tspan" => page.say(&tree, at),
                "path" | "rect" | "image" | "use" | "circle" | "ellipse" => {
                    let fill = look(&tree, at).get("fill").cloned().unwrap_or_default();
                    let covers = boxes.get(node.id()).copied().unwrap_or_default();
                    page.shapes.push(PrintedShape { fill, covers, outline: outline(&tree, at) });
                }
                _ => {}
            }
        }
        Ok(page)
    }

    /// Takes the letters of a run.
    fn say(&mut self, tree: &XmlTree, at: usize) {
        let (node, look, place) = (&tree.nodes[at], look(tree, at), transform(tree, at));
        let [across, down] = ["x", "y"].map(|name| numbers_of(node.attribute(name).unwrap_or_default()));
        let font_px: f64 =
            look.get("font-size").and_then(|size| size.trim_end_matches("px").parse().ok()).unwrap_or_default();
        let told = |name: &str| look.get(name).map(|value| value.trim_matches('\'').to_owned()).unwrap_or_default();
        let number = |all: &[f64], at: usize| all.get(at).or(all.last()).copied().unwrap_or_default();
        for (at, letter) in node.own_text().chars().enumerate().filter(|(_, letter)| !letter.is_whitespace()) {
            let one = PrintedLetter {
                letter,
                pen_mm: place.of(number(&across, at), number(&down, at)).map(|px| px * MM_PER_PX),
                size_pt: font_px * place.scale().unwrap_or_default() * POINTS_PER_PX,
                font: told("-inkscape-font-specification"),
                fill: told("fill"),
            };
            let parts = LIGATURES.iter().find(|(joined, _)| *joined == letter);
            let parts = parts.map_or_else(|| letter.to_string(), |(_, parts)| (*parts).to_owned());
            self.letters.extend(parts.chars().map(|letter| PrintedLetter { letter, ..one.clone() }));
        }
    }
}

fn page_size(tree: &XmlTree) -> [f64; 2] {
    let side = |name: &str| {
        let text = tree.nodes[0].attribute(name).unwrap_or_default();
        text.trim_end_matches("px").parse::<f64>().map_or(0.0, |px| px * MM_PER_PX)
    };
    [side("width"), side("height")]
}

/// From an element to the outermost.
fn upwards(tree: &XmlTree, at: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(at), |at| tree.nodes[*at].parent)
}

fn is_painted(tree: &XmlTree, at: usize) -> bool {
    let is_kept =
        |at: usize| matches!(tree.nodes[at].tag.as_str(), "defs" | "clipPath" | "mask" | "symbol" | "pattern");
    !upwards(tree, at).any(is_kept)
}

pub(super) fn transform(tree: &XmlTree, at: usize) -> DrawingTransform {
    let own = |at: usize| DrawingTransform::read(tree.nodes[at].attribute("transform").unwrap_or_default());
    upwards(tree, at).fold(DrawingTransform::NONE, |inner, at| own(at).then_inner(inner))
}

fn outline(tree: &XmlTree, at: usize) -> Option<ShapeOutline> {
    let node = &tree.nodes[at];
    let is_even_odd = look(tree, at).get("fill-rule").is_some_and(|rule| rule == "evenodd");
    let rule = if is_even_odd { FillRule::EvenOdd } else { FillRule::NonZero };
    let place = DrawingTransform::MM_OF_PX.then_inner(transform(tree, at));
    ShapeOutline::read(node.attribute("d").filter(|_| node.tag == "path")?, place, rule)
}

/// The styles of an element and of what it lies in: such drawings have no style sheets.
fn look(tree: &XmlTree, at: usize) -> ToldStyle {
    let mut all: Vec<usize> = upwards(tree, at).collect();
    all.reverse();
    all.into_iter().fold(ToldStyle::new(), |mut look, at| {
        look.extend(StyleSheet::default().told(tree, at).unwrap_or_default());
        look
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_with_their_places() {
        let drawing = "<svg width='96' height='192'><defs><path id='c'/></defs><g transform='scale(2)'><path id='p' style='fill:#010203'/>\
            <text transform='translate(24,0)' style=\"font-size:12px;fill:#abcdef;-inkscape-font-specification:DejaVuSans\">\
            <tspan x='0 24 36' y='48'>aﬁ b</tspan></text></g></svg>";
        let page = PrintedPage::read(drawing.as_bytes(), &MeasuredBoxes::new()).unwrap();
        let told: Vec<String> = page
            .letters
            .iter()
            .map(|l| {
                format!("{} {:.1} {:.1} {:.1} {} {}", l.letter, l.pen_mm[0], l.pen_mm[1], l.size_pt, l.font, l.fill)
            })
            .collect();
        assert_eq!(
            told,
            [
                "a 12.7 25.4 18.0 DejaVuSans #abcdef",
                "f 25.4 25.4 18.0 DejaVuSans #abcdef",
                "i 25.4 25.4 18.0 DejaVuSans #abcdef",
                "b 31.8 25.4 18.0 DejaVuSans #abcdef"
            ]
        );
        assert_eq!((page.shapes.len(), page.size_mm), (1, [25.4, 50.8]));
    }
}
