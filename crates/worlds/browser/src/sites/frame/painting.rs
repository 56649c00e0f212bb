//! How the frame looks.

use tiny_skia::{Color, FillRule, LineCap, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

use super::{BrowserFrame, FRAME_HEIGHT, FramePart, STRIP_HEIGHT, letters};
use crate::page::TabFacts;

type FrameInk = [u8; 3];
const STRIP: FrameInk = [222, 225, 230];
const BAR: FrameInk = [255, 255, 255];
const EDGE: FrameInk = [218, 220, 224];
const FIELD: FrameInk = [241, 243, 244];
const INK: FrameInk = [32, 33, 36];
const SOFT_INK: FrameInk = [95, 99, 104];
const PALE_INK: FrameInk = [189, 193, 198];
const ACCENT: FrameInk = [26, 115, 232];
const SELECTION: FrameInk = [180, 213, 254];
/// The marks of sites, by a number drawn from their host.
const MARKS: [FrameInk; 8] = [
    [66, 133, 244],
    [219, 68, 55],
    [15, 157, 88],
    [171, 71, 188],
    [0, 131, 143],
    [230, 124, 15],
    [92, 107, 192],
    [120, 94, 82],
];
/// Where the text of the address field begins, from the field's left edge.
const FIELD_TEXT: f32 = 32.0;
const FIELD_REST: f32 = 12.0;

/// The frame as pixels: red, green, blue and full opacity, row by row.
pub(super) fn painted(frame: &BrowserFrame) -> Vec<u8> {
    let Some(mut canvas) = Pixmap::new(frame.width, FRAME_HEIGHT).map(FrameCanvas) else { return Vec::new() };
    canvas.0.fill(colour(STRIP));
    canvas.fill([0.0, STRIP_HEIGHT, f64::from(frame.width), f64::from(FRAME_HEIGHT) - STRIP_HEIGHT], BAR);
    canvas.fill([0.0, f64::from(FRAME_HEIGHT) - 1.0, f64::from(frame.width), 1.0], EDGE);
    for idx in 0..frame.tabs.len() {
        paint_tab(&mut canvas, frame, idx);
    }
    paint_buttons(&mut canvas, frame);
    paint_field(&mut canvas, frame);
    canvas.0.take()
}

/// The character of the address field before which a click at `x` puts the caret.
pub(super) fn character_at(frame: &BrowserFrame, x: f64) -> usize {
    let Some(text) = frame.field.text() else { return 0 };
    let mut left = field_left(frame) - scrolled(frame);
    let before = text.chars().take_while(|letter| {
        let advance = letters::advance(*letter);
        let is_left = left + advance / 2.0 < x as f32;
        left += advance;
        is_left
    });
    before.count()
}

fn paint_tab(canvas: &mut FrameCanvas, frame: &BrowserFrame, idx: usize) {
    let [x, y, width, height] = frame.tab_box(idx);
    let is_shown = idx == frame.shown;
    if is_shown {
        canvas.round([x, y, width, height + 12.0], 8.0, BAR);
        canvas.fill([0.0, STRIP_HEIGHT, f64::from(frame.width), 12.0], BAR);
    } else if idx + 1 != frame.shown {
        canvas.fill([x + width - 1.0, y + 6.0, 1.0, height - 11.0], PALE_INK);
    }
    let room = width as f32 - if frame.tabs.len() > 1 { 62.0 } else { 44.0 };
    paint_mark(canvas, &frame.tabs[idx], [x + 10.0, y + 5.0, 14.0, 14.0]);
    let ink = if is_shown { INK } else { SOFT_INK };
    canvas.write(&letters::fitted(frame.title(idx), room), x as f32 + 31.0, y as i32 + 2, ink);
    if frame.tabs.len() > 1 {
        let [x, y, width, height] = frame.cross(idx).map(|side| side as f32);
        let (left, right, top, bottom) = (x + 4.5, x + width - 4.5, y + 4.5, y + height - 4.5);
        canvas.line(&[(left, top), (right, bottom)], 1.3, SOFT_INK);
        canvas.line(&[(left, bottom), (right, top)], 1.3, SOFT_INK);
    }
}

/// The mark of a site: its first letter on its colour.
fn paint_mark(canvas: &mut FrameCanvas, tab: &TabFacts, [x, y, width, height]: [f64; 4]) {
    let host = tab.address.split("://").nth(1).unwrap_or("?");
    let host = host.split('/').next().unwrap_or_default();
    let number = host.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)));
    canvas.round([x, y, width, height], 3.5, MARKS[number as usize % MARKS.len()]);
    let letter: String = host.chars().take(1).flat_map(char::to_uppercase).collect();
    let middle = x as f32 + (width as f32 - letters::width(letter.chars())) / 2.0;
    canvas.write(&letter, middle, y as i32 - 3, BAR);
}

fn paint_buttons(canvas: &mut FrameCanvas, frame: &BrowserFrame) {
    let middle = |part| {
        let [x, y, width, height] = frame.box_of(part);
        ((x + width / 2.0) as f32, (y + height / 2.0) as f32)
    };
    let facts = frame.shown_tab().cloned().unwrap_or_default();
    let ink = |can: bool| if can { SOFT_INK } else { PALE_INK };
    for (part, way, can) in
        [(FramePart::Back, -1.0, facts.can_go_back), (FramePart::Forward, 1.0, facts.can_go_forward)]
    {
        let (x, y) = middle(part);
        canvas.line(&[(x - 5.5 * way, y), (x + 5.5 * way, y)], 1.7, ink(can));
        canvas.line(&[(x + 0.5 * way, y - 5.0), (x + 5.5 * way, y), (x + 0.5 * way, y + 5.0)], 1.7, ink(can));
    }
    let (x, y) = middle(FramePart::Reload);
    let arc: Vec<(f32, f32)> = ARC.iter().map(|(dx, dy)| (x + 5.6 * dx, y + 5.6 * dy)).collect();
    canvas.line(&arc, 1.7, SOFT_INK);
    canvas.line(&[(x + 5.4, y - 6.2), (x + 5.4, y - 2.2), (x + 1.4, y - 2.2)], 1.7, SOFT_INK);
    let (x, y) = middle(FramePart::NewTab);
    canvas.line(&[(x - 4.5, y), (x + 4.5, y)], 1.6, SOFT_INK);
    canvas.line(&[(x, y - 4.5), (x, y + 4.5)], 1.6, SOFT_INK);
}

/// Most of a circle, in steps of twenty degrees.
const ARC: [(f32, f32); 15] = [
    (0.940, 0.342),
    (0.766, 0.643),
    (0.500, 0.866),
    (0.174, 0.985),
    (-0.174, 0.985),
    (-0.500, 0.866),
    (-0.766, 0.643),
    (-0.940, 0.342),
    (-1.000, 0.000),
    (-0.940, -0.342),
    (-0.766, -0.643),
    (-0.500, -0.866),
    (-0.174, -0.985),
    (0.340, -0.940),
    (0.866, -0.500),
];

fn paint_field(canvas: &mut FrameCanvas, frame: &BrowserFrame) {
    let found = frame.box_of(FramePart::Address);
    let [x, y, width, height] = found;
    if frame.field.is_active() {
        canvas.round(found, 12.0, ACCENT);
        canvas.round([x + 2.0, y + 2.0, width - 4.0, height - 4.0], 10.0, BAR);
    } else {
        canvas.round(found, 12.0, FIELD);
    }
    paint_lock(canvas, (x as f32 + 18.0, y as f32 + 12.0));
    let (left, room) = (field_left(frame), field_room(frame));
    let Some((caret, selection)) = frame.field.caret_and_selection() else {
        let address = frame.shown_tab().map_or("", |tab| tab.address.as_str());
        let address = address.strip_prefix("https://").unwrap_or(address);
        canvas.write(&letters::fitted(address, room), left, y as i32 + 2, INK);
        return;
    };
    let text: Vec<char> = frame.field.text().unwrap_or_default().chars().collect();
    let at = |idx: usize| left - scrolled(frame) + letters::width(text[..idx].iter().copied());
    let clip = (left, left + room);
    let (from, to) = (at(selection.start).max(clip.0), at(selection.end).min(clip.1));
    if to > from {
        canvas.fill([f64::from(from), y + 4.0, f64::from(to - from), height - 8.0], SELECTION);
    }
    let written: String = text.iter().collect();
    canvas.write_within(&written, at(0), y as i32 + 2, INK, clip);
    if selection.is_empty() {
        canvas.fill([f64::from(at(caret).round()), y + 4.0, 1.0, height - 8.0], INK);
    }
}

fn field_left(frame: &BrowserFrame) -> f32 {
    frame.box_of(FramePart::Address)[0] as f32 + FIELD_TEXT
}

fn field_room(frame: &BrowserFrame) -> f32 {
    frame.box_of(FramePart::Address)[2] as f32 - FIELD_TEXT - FIELD_REST
}

/// How far a text that is too long has moved to the left, so that the caret is to be seen.
fn scrolled(frame: &BrowserFrame) -> f32 {
    let caret = frame.field.caret_and_selection().map_or(0, |(caret, _)| caret);
    let before = letters::width(frame.field.text().unwrap_or_default().chars().take(caret));
    (before - field_room(frame) + 2.0).max(0.0)
}

fn paint_lock(canvas: &mut FrameCanvas, (x, y): (f32, f32)) {
    canvas.round([f64::from(x) - 4.5, f64::from(y) - 1.0, 9.0, 7.0], 1.5, SOFT_INK);
    let bow = [
        (x - 2.8, y - 1.0),
        (x - 2.8, y - 3.4),
        (x - 1.4, y - 5.0),
        (x + 1.4, y - 5.0),
        (x + 2.8, y - 3.4),
        (x + 2.8, y - 1.0),
    ];
    canvas.line(&bow, 1.4, SOFT_INK);
}

struct FrameCanvas(Pixmap);

impl FrameCanvas {
    fn fill(&mut self, found: [f64; 4], ink: FrameInk) {
        let [x, y, width, height] = found.map(|side| side as f32);
        if let Some(area) = Rect::from_xywh(x, y, width, height) {
            self.0.fill_rect(area, &paint(ink), Transform::identity(), None);
        }
    }

    fn round(&mut self, found: [f64; 4], radius: f32, ink: FrameInk) {
        if let Some(path) = rounded_path(found.map(|side| side as f32), radius) {
            self.0.fill_path(&path, &paint(ink), FillRule::Winding, Transform::identity(), None);
        }
    }

    fn line(&mut self, points: &[(f32, f32)], width: f32, ink: FrameInk) {
        let mut builder = PathBuilder::new();
        for (idx, (x, y)) in points.iter().enumerate() {
            if idx == 0 { builder.move_to(*x, *y) } else { builder.line_to(*x, *y) }
        }
        if let Some(path) = builder.finish() {
            let stroke = Stroke { width, line_cap: LineCap::Round, ..Stroke::default() };
            self.0.stroke_path(&path, &paint(ink), &stroke, Transform::identity(), None);
        }
    }

    fn write(&mut self, text: &str, x: f32, top: i32, ink: FrameInk) {
        self.write_within(text, x, top, ink, (0.0, f32::MAX));
    }

    /// Writes what of a text lies between two places.
    fn write_within(&mut self, text: &str, x: f32, top: i32, ink: FrameInk, clip: (f32, f32)) {
        let (width, height) = (self.0.width() as i32, self.0.height() as i32);
        let bytes = self.0.data_mut();
        letters::set(text, x, top, |x, y, covered| {
            let is_clipped = (x as f32) < clip.0 - 2.0 || (x as f32) >= clip.1;
            if is_clipped || x < 0 || y < 0 || x >= width || y >= height {
                return;
            }
            let place = (y * width + x) as usize * 4;
            for (channel, to) in bytes[place..place + 3].iter_mut().zip(ink) {
                let (from, to, share) = (i32::from(*channel), i32::from(to), i32::from(covered));
                *channel = (from + (to - from) * share / 255) as u8;
            }
        });
    }
}

fn rounded_path([x, y, width, height]: [f32; 4], radius: f32) -> Option<Path> {
    // The control points of a quarter of a circle.
    let bend = radius * 0.447_7;
    let (right, bottom) = (x + width, y + height);
    let mut builder = PathBuilder::new();
    builder.move_to(x + radius, y);
    builder.line_to(right - radius, y);
    builder.cubic_to(right - bend, y, right, y + bend, right, y + radius);
    builder.line_to(right, bottom - radius);
    builder.cubic_to(right, bottom - bend, right - bend, bottom, right - radius, bottom);
    builder.line_to(x + radius, bottom);
    builder.cubic_to(x + bend, bottom, x, bottom - bend, x, bottom - radius);
    builder.line_to(x, y + radius);
    builder.cubic_to(x, y + bend, x + bend, y, x + radius, y);
    builder.close();
    builder.finish()
}

fn paint(ink: FrameInk) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(colour(ink));
    paint
}

fn colour([red, green, blue]: FrameInk) -> Color {
    Color::from_rgba8(red, green, blue, 255)
}
