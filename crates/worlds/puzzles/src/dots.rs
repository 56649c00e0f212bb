//! Dots that an agent sets on a picture.

use std::sync::Arc;

use quintain_core::picture::Picture;
use serde_json::Value;

use crate::canvas::{Area, Color, circle, copy, text};
use crate::twin::Twin;

const RIM: Color = [255, 255, 255];
const INSIDE: Color = [16, 16, 20];
const DIGITS: Color = [255, 255, 255];
const CORE: Color = [255, 48, 64];

const PAPER: [u8; 4] = [246, 245, 240, 255];

/// How many steps a fraction is written in.
const STEPS: f64 = 1e4;

/// A pixel, from the left and from the top.
pub(crate) type DotPixel = [i32; 2];

/// The pixel that two fractions of a picture's sides mean: 0 is the first, 1 the last.
pub(crate) fn pixel(x: &Value, y: &Value, (width, height): (u32, u32)) -> Option<DotPixel> {
    let at = |fraction: &Value, side: u32| Some((fraction.as_f64()? * f64::from(side - 1)).round() as i32);
    Some([at(x, width)?, at(y, height)?])
}

/// The fractions that mean a pixel, in short.
pub(crate) fn fractions([x, y]: DotPixel, (width, height): (u32, u32)) -> [Value; 2] {
    let of = |at: i32, side: u32| (f64::from(at) / f64::from(side - 1) * STEPS).round() / STEPS;
    [of(x, width).into(), of(y, height).into()]
}

/// What dots look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DotStyle {
    /// Each carries its number, counted from one.
    Numbered,
    /// Small, with a red core.
    Plain,
}

/// What is shown: dots, and words below them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DotMarks {
    pub(crate) dots: Vec<DotPixel>,
    pub(crate) caption: String,
}

/// A picture with dots on it, and a strip for words below it.
pub struct Dotted {
    ground: Picture,
    pen: DotPen,
    twin: Twin<DotMarks>,
}

impl Dotted {
    /// A picture with nothing on it yet, and a strip of so many pixels below it.
    pub(crate) fn new(photo: &Picture, style: DotStyle, strip_px: u32) -> Self {
        let unit = (photo.height() as f32 / 432.0).clamp(0.75, 2.0);
        let radius = unit * if style == DotStyle::Numbered { 9.5 } else { 6.5 };
        let mut rgba = photo.rgba().to_vec();
        rgba.extend(PAPER.repeat((photo.width() * strip_px) as usize));
        let ground = Picture::from_rgba(photo.width(), photo.height() + strip_px, rgba);
        let ground = ground.expect("the strip is as wide as the photograph");
        let strip = Area::new(0, photo.height() as i32, photo.width() as i32, strip_px as i32);
        Self { twin: Twin::new(ground.clone(), DotMarks::default()), ground, pen: DotPen { style, radius, strip } }
    }

    /// The picture with these dots and words. Only where something came or went is it drawn again.
    pub(crate) fn show(&mut self, wanted: &DotMarks) -> Arc<Picture> {
        let Self { ground, pen, twin } = self;
        twin.show(wanted, |picture, shown| pen.mend(picture, ground, shown, wanted))
    }
}

/// How dots and words are drawn.
#[derive(Clone, Copy)]
struct DotPen {
    style: DotStyle,
    radius: f32,
    strip: Area,
}

impl DotPen {
    /// Brings a picture that shows some things to show others.
    fn mend(self, picture: &mut Picture, ground: &Picture, from: &DotMarks, to: &DotMarks) {
        let (shown, wanted) = (&from.dots, &to.dots);
        let n_kept = shown.iter().zip(wanted).take_while(|(a, b)| a == b).count();
        let disturbed = self.disturbed(&shown[..n_kept], &shown[n_kept..]);
        let mut is_strip_stale = from.caption != to.caption;
        for dot in shown[n_kept..].iter().chain(disturbed.iter().map(|idx| &shown[*idx])) {
            let area = self.around(*dot).clipped(picture);
            copy(ground, area, picture, (area.x, area.y));
            is_strip_stale |= area.y + area.height > self.strip.y;
        }
        for idx in disturbed.into_iter().chain(n_kept..wanted.len()) {
            self.draw(picture, idx, wanted[idx]);
            let area = self.around(wanted[idx]);
            is_strip_stale |= area.y + area.height > self.strip.y;
        }
        if is_strip_stale && self.strip.height > 0 {
            copy(ground, self.strip, picture, (self.strip.x, self.strip.y));
            self.write(picture, &to.caption);
        }
    }

    /// Writes words into the strip.
    fn write(self, picture: &mut Picture, caption: &str) {
        let Area { y, width, height, .. } = self.strip;
        let middle = (width as f32 / 2.0, y as f32 + height as f32 / 2.0);
        text(picture, caption, middle, height as f32 * 0.46, INSIDE);
    }

    /// Which of the kept dots must be drawn again when others are wiped out: those that touch one, and those that touch
    /// these.
    fn disturbed(self, kept: &[DotPixel], gone: &[DotPixel]) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let mut wiped = gone.to_vec();
        while let Some(dot) = wiped.pop() {
            for (idx, other) in kept.iter().enumerate() {
                if self.touch(dot, *other) && !found.contains(&idx) {
                    found.push(idx);
                    wiped.push(*other);
                }
            }
        }
        found.sort_unstable();
        found
    }

    fn touch(self, a: DotPixel, b: DotPixel) -> bool {
        let reach = self.around(a).width;
        (a[0] - b[0]).abs() < reach && (a[1] - b[1]).abs() < reach
    }

    /// All pixels that a dot can touch.
    fn around(self, [x, y]: DotPixel) -> Area {
        let reach = self.radius as i32 + 2;
        Area::new(x - reach, y - reach, 2 * reach + 1, 2 * reach + 1)
    }

    fn draw(self, picture: &mut Picture, idx: usize, [x, y]: DotPixel) {
        let middle = (x as f32 + 0.5, y as f32 + 0.5);
        circle(picture, middle, self.radius, RIM);
        circle(picture, middle, self.radius * 0.84, INSIDE);
        match self.style {
            DotStyle::Numbered => {
                let number = (idx + 1).to_string();
                let size = self.radius * [0.0, 0.92, 0.76, 0.56].get(number.len()).unwrap_or(&0.5);
                text(picture, &number, middle, size, DIGITS);
            }
            DotStyle::Plain => circle(picture, middle, self.radius * 0.5, CORE),
        }
    }
}

#[cfg(test)]
mod tests;
