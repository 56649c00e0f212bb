//! Scanned sheets: text as strokes, which no tree of elements holds.

use std::fmt::Write;

use super::in_words::describe;
use crate::draw::Draw;
use crate::html::Html;

/// A sheet of paper that text is written on, line by line.
#[derive(Clone, Debug)]
pub(crate) struct ScanSheet {
    path: String,
    rules: String,
    y: f64,
    draw: Draw,
    /// What is written, line by line.
    written: Vec<String>,
}

const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 560.0;
const MARGIN: f64 = 56.0;

impl ScanSheet {
    pub(crate) fn new(draw: Draw) -> Self {
        Self { path: String::new(), rules: String::new(), y: 64.0, draw, written: Vec::new() }
    }

    /// Goes down the page.
    pub(crate) fn space(&mut self, height: f64) -> &mut Self {
        self.y += height;
        self
    }

    /// A line of text from the left.
    pub(crate) fn line(&mut self, text: &str, size: f64) -> &mut Self {
        self.written.push(text.to_owned());
        self.strokes(text, MARGIN, size);
        self.space(size * 1.9)
    }

    /// A line of text in the middle.
    pub(crate) fn middle(&mut self, text: &str, size: f64) -> &mut Self {
        self.written.push(text.to_owned());
        self.strokes(text, (WIDTH - width(text, size)) / 2.0, size);
        self.space(size * 1.9)
    }

    /// An entry: words on the left, figures on the right.
    pub(crate) fn entry(&mut self, words: &str, figures: &str, size: f64) -> &mut Self {
        self.written.push(format!("{words} {figures}"));
        self.strokes(words, MARGIN, size);
        self.strokes(figures, WIDTH - MARGIN - width(figures, size), size);
        self.space(size * 2.0)
    }

    /// A text that is broken into lines.
    pub(crate) fn paragraph(&mut self, text: &str, size: f64) -> &mut Self {
        let mut line = String::new();
        for word in text.split_whitespace() {
            if !line.is_empty() && width(&format!("{line} {word}"), size) > WIDTH - 2.0 * MARGIN {
                self.line(&std::mem::take(&mut line), size);
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.line(&line, size)
    }

    /// A rule across the page.
    pub(crate) fn rule(&mut self) -> &mut Self {
        write!(self.rules, "M{MARGIN} {:.1}H{}", self.y - 6.0, WIDTH - MARGIN).expect("a string takes everything");
        self.space(10.0)
    }

    fn strokes(&mut self, text: &str, x: f64, size: f64) {
        let unit = size / 6.0;
        for (nth, c) in text.chars().enumerate() {
            let left = x + nth as f64 * size * 0.82;
            // Type bars of old machines do not stand in line.
            let rise = self.draw.below(7) as f64 / 10.0 - 0.3;
            push_glyph(&mut self.path, c, left, self.y - size + rise, unit);
        }
    }

    /// The sheet as a picture, a little askew.
    pub(crate) fn into_html(mut self) -> Html {
        let turn = format!("rotate({:.2} 310 280)", self.draw.below(13) as f64 / 10.0 - 0.6);
        let size = format!("0 0 {WIDTH} {HEIGHT}");
        let mut html = Html::new();
        html.element("div", &[("class", "sheet")], |html| {
            html.element(
                "svg",
                &[("viewBox", size.as_str()), ("role", "img"), ("aria-label", "Scanned page")],
                |html| {
                    describe(html, &self.written.join(" / "));
                    html.leaf("path", &[("d", "M0 0h620v560H0z"), ("fill", "#fbf9f2")], "");
                    html.element(
                        "g",
                        &[
                            ("transform", turn.as_str()),
                            ("fill", "none"),
                            ("stroke", "#2b2a33"),
                            ("stroke-linecap", "round"),
                        ],
                        |html| {
                            html.leaf(
                                "path",
                                &[("d", self.path.as_str()), ("stroke-width", "1.5"), ("stroke-linejoin", "round")],
                                "",
                            );
                            html.leaf("path", &[("d", self.rules.as_str()), ("stroke-width", "0.9")], "");
                        },
                    );
                },
            );
        });
        html
    }
}

fn width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.82
}

/// Letters as strokes on a grid of four by six: pairs of digits are points, a space lifts the pen.
fn push_glyph(path: &mut String, c: char, x: f64, y: f64, unit: f64) {
    for stroke in glyph(c.to_ascii_uppercase()).split(' ').filter(|stroke| !stroke.is_empty()) {
        for (nth, point) in stroke.as_bytes().chunks_exact(2).enumerate() {
            let (px, py) = (f64::from(point[0] - b'0'), f64::from(point[1] - b'0'));
            let command = if nth == 0 { 'M' } else { 'L' };
            write!(path, "{command}{:.1} {:.1}", x + px * unit, y + py * unit).expect("a string takes everything");
        }
    }
}

const fn glyph(c: char) -> &'static str {
    match c {
        'A' => "062046 1434",
        'B' => "000636454433 00304142330333",
        'C' => "4130100105163645",
        'D' => "00062644422000",
        'E' => "40000646 0333",
        'F' => "400006 0333",
        'G' => "41301001051636454323",
        'H' => "0006 4046 0343",
        'I' => "1030 2026 1636",
        'J' => "4045361605",
        'K' => "0006 400346",
        'L' => "000646",
        'M' => "0600234046",
        'N' => "06004640",
        'O' => "1030414536160501 0110",
        'P' => "06003041423303",
        'Q' => "1030414536160501 0110 2446",
        'R' => "06003041423303 2346",
        'S' => "4130100102134344453616 1605",
        'T' => "0040 2026",
        'U' => "000516364540",
        'V' => "002640",
        'W' => "0016233640",
        'X' => "0046 4006",
        'Y' => "002340 2326",
        'Z' => "00400646",
        '0' => "1030414536160501 0110 0541",
        '1' => "112026 1636",
        '2' => "01103041420646",
        '3' => "0040234344453616 1605",
        '4' => "36300444",
        '5' => "400003334345361605",
        '6' => "4130100105163645443304",
        '7' => "004016",
        '8' => "1030414233130201 0110 1333444536160504 0413",
        '9' => "4233130201103041451605",
        '.' => "2526",
        ',' => "2517",
        '-' | '\u{2212}' | '\u{2013}' => "1333",
        ':' => "2223 2526",
        '/' => "4006",
        '(' => "302336",
        ')' => "102316",
        '%' => "4006 0001 4546",
        '&' => "46101030130405163643",
        '\'' => "2021",
        _ => "",
    }
}
