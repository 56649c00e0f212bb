//! The stage that happenings are painted on: a square in which places and sizes are shares of a side.

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

use crate::sources::photos::scenes::sheet::{PaintSheet, Rgb, lit, mix};

/// A place, as shares of the width and the height.
pub(super) type StagePlace = (f32, f32);

/// Lines across that a row of pixels is looked at by when a polygon's edge goes through it.
const LINES: usize = 4;

/// A square stage.
pub(super) struct ClipStage {
    sheet: PaintSheet,
    side: f32,
}

impl ClipStage {
    pub(super) fn new(side: u32) -> Self {
        Self { sheet: PaintSheet::new(side as usize, side as usize), side: side as f32 }
    }

    pub(super) fn copied(&self) -> Self {
        Self { sheet: self.sheet.above(self.sheet.height), side: self.side }
    }

    /// The finished frame.
    pub(super) fn develop(self, rng: &mut Rng) -> Picture {
        self.sheet.develop(rng)
    }

    /// Paints something soft from one height to another, all across; the painter is told the place and what is there.
    pub(super) fn soft(&mut self, (top, bottom): (f32, f32), color: impl Fn(StagePlace, Rgb) -> Rgb) {
        let (side, per_side) = (self.side, 1.0 / self.side);
        let row = |share: f32| ((share * side).max(0.0) as usize).min(self.sheet.height);
        let (top, bottom) = (row(top), row(bottom));
        let color = &color;
        self.sheet.soft(top..bottom, move |y| {
            let y = y as f32 * per_side;
            move |x: usize, under: Rgb| color((x as f32 * per_side, y), under)
        });
    }

    /// An ellipse that covers what is there by a share.
    pub(super) fn ellipse(&mut self, (x, y): StagePlace, (rx, ry): (f32, f32), color: Rgb, share: f32) {
        let side = self.side;
        self.sheet.ellipse((x * side, y * side), (rx * side, ry * side), color, share);
    }

    /// A ball in light from the upper left.
    pub(super) fn ball(&mut self, (x, y): StagePlace, radius: f32, color: Rgb) {
        let side = self.side;
        let per_radius = 1.0 / (radius * side);
        self.sheet.round((x * side, y * side), radius * side, |dx, dy| {
            let (dx, dy) = (dx * per_radius, dy * per_radius);
            let (lx, ly) = (dx + 0.36, dy + 0.42);
            let shine = (1.0 - (lx * lx + ly * ly) * 9.0).max(0.0);
            let light = 1.12 - 0.42 * (lx * lx + ly * ly);
            mix(lit(color, light), [255.0; 3], shine * 0.6)
        });
    }

    /// Light around a place that fades towards a radius.
    pub(super) fn glow(&mut self, (x, y): StagePlace, radius: f32, color: Rgb, strength: f32) {
        let per_radius = 1.0 / (radius * radius);
        self.soft(((y - radius).max(0.0), (y + radius).min(1.0)), |(px, py), under| {
            let (dx, dy) = (px - x, py - y);
            let rest = (1.0 - (dx * dx + dy * dy) * per_radius).max(0.0) * strength;
            let add = |i: usize| under[i] + color[i] * rest * rest;
            [add(0), add(1), add(2)]
        });
    }

    /// A line that may grow thinner.
    pub(super) fn stroke(&mut self, from: StagePlace, to: StagePlace, (thick, thin): (f32, f32), color: Rgb) {
        let side = self.side;
        let at = |(x, y): StagePlace| (x * side, y * side);
        self.sheet.stroke(at(from), at(to), (thick * side, thin * side), color);
    }

    /// A line through several places.
    pub(super) fn line(&mut self, places: &[StagePlace], width: f32, color: Rgb) {
        for pair in places.windows(2) {
            self.stroke(pair[0], pair[1], (width, width), color);
        }
    }

    /// A shape with straight edges; its colour is told for every place.
    pub(super) fn polygon(&mut self, corners: &[StagePlace], color: impl Fn(StagePlace) -> Rgb) {
        let side = self.side;
        let corners: Vec<StagePlace> = corners.iter().map(|(x, y)| (x * side, y * side)).collect();
        let top = corners.iter().map(|corner| corner.1).fold(f32::MAX, f32::min).max(0.0) as usize;
        let bottom = corners.iter().map(|corner| corner.1).fold(0.0, f32::max) as usize + 1;
        let mut cover = vec![0.0; self.sheet.width];
        for y in top..bottom.min(self.sheet.height) {
            cover.fill(0.0);
            for line in 0..LINES {
                cover_line(&corners, y as f32 + (line as f32 + 0.5) / LINES as f32, &mut cover);
            }
            for (x, cover) in cover.iter().enumerate().filter(|(_, cover)| **cover > 0.0) {
                let paint = color((x as f32 / side, y as f32 / side));
                self.sheet.blend(x as i32, y as i32, paint, cover.min(1.0));
            }
        }
    }
}

/// Adds to each pixel of a row how much of it lies inside along a line.
fn cover_line(corners: &[StagePlace], y: f32, cover: &mut [f32]) {
    let mut crossings: Vec<f32> = Vec::new();
    for (i, &(x0, y0)) in corners.iter().enumerate() {
        let (x1, y1) = corners[(i + 1) % corners.len()];
        if (y0 <= y) != (y1 <= y) {
            crossings.push(x0 + (x1 - x0) * (y - y0) / (y1 - y0));
        }
    }
    crossings.sort_by(f32::total_cmp);
    for pair in crossings.chunks_exact(2) {
        let (left, right) = (pair[0].max(0.0), pair[1].min(cover.len() as f32));
        let last = (right.max(0.0) as usize + 1).min(cover.len());
        let first = (left as usize).min(last);
        for (x, cover) in cover[first..last].iter_mut().enumerate() {
            let x = (first + x) as f32;
            *cover += (right.min(x + 1.0) - left.max(x)).max(0.0) / LINES as f32;
        }
    }
}
