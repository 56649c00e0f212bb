//! Drawing on a picture: whole-pixel fills and copies by hand, curves and slants by tiny-skia.

use quintain_core::picture::Picture;
use tiny_skia::{FillRule, LineCap, Paint, Path, PathBuilder, PixmapMut, Stroke, Transform};

/// Red, green, blue.
pub type Color = [u8; 3];

/// A rectangle of whole pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Pixels from the left.
    pub x: i32,
    /// Pixels from the top.
    pub y: i32,
    /// Pixels across.
    pub width: i32,
    /// Pixels down.
    pub height: i32,
}

impl Area {
    /// A rectangle.
    pub const fn new(x: i32, y: i32, width: i32, height: i32) -> Self {
        Self { x, y, width, height }
    }

    /// The part of it that lies inside a picture.
    #[must_use]
    pub fn clipped(self, picture: &Picture) -> Self {
        let (x0, y0) = (self.x.max(0), self.y.max(0));
        let x1 = (self.x + self.width).min(picture.width() as i32);
        let y1 = (self.y + self.height).min(picture.height() as i32);
        Self { x: x0, y: y0, width: (x1 - x0).max(0), height: (y1 - y0).max(0) }
    }
}

/// Fills a rectangle.
pub fn fill(picture: &mut Picture, area: Area, [red, green, blue]: Color) {
    let area = area.clipped(picture);
    if area.width == 0 {
        return;
    }
    let stride = picture.width() as usize * 4;
    let rgba = picture.rgba_mut();
    for y in area.y..area.y + area.height {
        let from = y as usize * stride + area.x as usize * 4;
        for pixel in rgba[from..from + area.width as usize * 4].chunks_exact_mut(4) {
            pixel.copy_from_slice(&[red, green, blue, 255]);
        }
    }
}

/// Copies an area of one picture to a place in another; both must hold it whole.
pub fn copy(from: &Picture, area: Area, to: &mut Picture, (x, y): (i32, i32)) {
    let (from_stride, to_stride) = (from.width() as usize * 4, to.width() as usize * 4);
    let len = area.width as usize * 4;
    for row in 0..area.height {
        let source = (area.y + row) as usize * from_stride + area.x as usize * 4;
        let target = (y + row) as usize * to_stride + x as usize * 4;
        to.rgba_mut()[target..target + len].copy_from_slice(&from.rgba()[source..source + len]);
    }
}

/// Fills a circle.
pub fn circle(picture: &mut Picture, (x, y): (f32, f32), radius: f32, color: Color) {
    if let Some(path) = PathBuilder::from_circle(x, y, radius) {
        fill_path(picture, &path, color);
    }
}

/// Fills a rectangle with rounded corners.
pub fn rounded(picture: &mut Picture, area: Area, radius: f32, color: Color) {
    if let Some(path) = rounded_path(area, radius) {
        fill_path(picture, &path, color);
    }
}

/// Draws a line with round ends.
pub fn line(picture: &mut Picture, from: (f32, f32), to: (f32, f32), width: f32, color: Color) {
    let mut builder = PathBuilder::new();
    builder.move_to(from.0, from.1);
    builder.line_to(to.0, to.1);
    let Some(path) = builder.finish() else { return };
    let stroke = Stroke { width, line_cap: LineCap::Round, ..Stroke::default() };
    if let Some(mut pixmap) = pixmap(picture) {
        pixmap.stroke_path(&path, &paint(color), &stroke, Transform::identity(), None);
    }
}

/// Fills a path.
pub fn fill_path(picture: &mut Picture, path: &Path, color: Color) {
    if let Some(mut pixmap) = pixmap(picture) {
        pixmap.fill_path(path, &paint(color), FillRule::Winding, Transform::identity(), None);
    }
}

fn rounded_path(area: Area, radius: f32) -> Option<Path> {
    let (left, top) = (area.x as f32, area.y as f32);
    let (right, bottom) = ((area.x + area.width) as f32, (area.y + area.height) as f32);
    let mut builder = PathBuilder::new();
    builder.move_to(left + radius, top);
    builder.line_to(right - radius, top);
    builder.quad_to(right, top, right, top + radius);
    builder.line_to(right, bottom - radius);
    builder.quad_to(right, bottom, right - radius, bottom);
    builder.line_to(left + radius, bottom);
    builder.quad_to(left, bottom, left, bottom - radius);
    builder.line_to(left, top + radius);
    builder.quad_to(left, top, left + radius, top);
    builder.close();
    builder.finish()
}

fn pixmap(picture: &mut Picture) -> Option<PixmapMut<'_>> {
    let (width, height) = (picture.width(), picture.height());
    PixmapMut::from_bytes(picture.rgba_mut(), width, height)
}

fn paint([red, green, blue]: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, 255);
    paint.anti_alias = true;
    paint
}

pub use crate::text::{text, text_width};
