//! Letters, drawn from one bundled font so that they look the same everywhere.

use std::sync::OnceLock;

use quintain_core::picture::Picture;
use tiny_skia::PathBuilder;
use ttf_parser::{Face, OutlineBuilder};

use crate::canvas::{Color, fill_path};

static FONT: &[u8] = include_bytes!("../fonts/DejaVuSans-Bold.subset.ttf");

fn face() -> &'static Face<'static> {
    static FACE: OnceLock<Face<'static>> = OnceLock::new();
    FACE.get_or_init(|| Face::parse(FONT, 0).expect("the bundled font can be read"))
}

/// Draws a text with its middle at a point. The size is the height of a capital letter in pixels.
pub fn text(picture: &mut Picture, words: &str, (x, y): (f32, f32), size: f32, color: Color) {
    let scale = scale(size);
    let mut pen =
        TextPen { builder: PathBuilder::new(), x: x - text_width(words, size) / 2.0, y: y + size / 2.0, scale };
    for letter in words.chars() {
        let Some(glyph) = face().glyph_index(letter) else { continue };
        face().outline_glyph(glyph, &mut pen);
        pen.x += f32::from(face().glyph_hor_advance(glyph).unwrap_or(0)) * scale;
    }
    if let Some(path) = pen.builder.finish() {
        fill_path(picture, &path, color);
    }
}

/// How wide a text is, in pixels.
pub fn text_width(words: &str, size: f32) -> f32 {
    let advance = |letter| face().glyph_index(letter).and_then(|glyph| face().glyph_hor_advance(glyph));
    words.chars().filter_map(advance).map(f32::from).sum::<f32>() * scale(size)
}

fn scale(size: f32) -> f32 {
    size / f32::from(face().capital_height().unwrap_or(1493))
}

struct TextPen {
    builder: PathBuilder,
    x: f32,
    y: f32,
    scale: f32,
}

impl TextPen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for TextPen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.builder.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.builder.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}
