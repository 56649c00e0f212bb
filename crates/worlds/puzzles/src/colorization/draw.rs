//! The wheel on the left, the photograph with the spot on the right.

use std::sync::Arc;

use quintain_core::picture::Picture;

use super::color::{Tint, value};
use super::wheel::{RADIUS, mark, marked, paint};
use super::{Start, Surround};
use crate::canvas::{Area, Color, circle, copy};
use crate::twin::Twin;

/// Pixels between things.
const MARGIN: i32 = 20;
const PAPER: Color = [128, 128, 128];
/// The two rings around the spot: one shows on dark ground, the other on bright.
const RINGS: [(f32, Color); 2] = [(5.0, [0, 0, 0]), (3.0, [255, 255, 255])];

/// The picture, and what is needed to colour its spot anew.
pub struct Drawing {
    /// Everything but the mark; the spot in any tint.
    ground: Picture,
    /// The stretches of pixels that make up the spot: where each begins in the picture, and the values along it.
    spot: Vec<(usize, Vec<u8>)>,
    /// The middle of the wheel.
    wheel: (i32, i32),
    value: u8,
    twin: Twin<Tint>,
}

impl Drawing {
    pub(super) fn new(start: &Start, tint: Tint, photo: &Picture) -> Self {
        let (width, height) = (photo.width() as i32, photo.height() as i32);
        let left = 2 * RADIUS + 2 * MARGIN;
        let tall = height.max(2 * (RADIUS + MARGIN));
        let mut ground = Picture::filled((left + width) as u32, tall as u32, PAPER);
        let wheel = (MARGIN + RADIUS, tall / 2);
        paint(&mut ground, wheel, start.value);
        let corner = (left, (tall - height) / 2);
        lay_photo(&mut ground, photo, corner, start.surround);
        let middle = ((corner.0 + start.spot.0) as f32, (corner.1 + start.spot.1) as f32);
        for (beyond, color) in RINGS {
            circle(&mut ground, middle, start.radius as f32 + beyond, color);
        }
        let spot = spot(start, photo, corner, ground.width() as usize);
        let mut picture = ground.clone();
        fill_spot(&mut picture, &spot, tint);
        mark(&mut picture, wheel, tint, start.value);
        Self { ground, spot, wheel, value: start.value, twin: Twin::new(picture, tint) }
    }

    /// Moves the mark and colours the spot.
    pub(super) fn show(&mut self, tint: Tint) -> Arc<Picture> {
        let Self { ground, spot, wheel, value, twin } = self;
        twin.show(&tint, |picture, shown| {
            let area = marked(*wheel, *shown).clipped(picture);
            copy(ground, area, picture, (area.x, area.y));
            fill_spot(picture, spot, tint);
            mark(picture, *wheel, tint, *value);
        })
    }
}

/// Lays the photograph down, in its colours or in grey.
fn lay_photo(ground: &mut Picture, photo: &Picture, corner: (i32, i32), surround: Surround) {
    let whole = Area::new(0, 0, photo.width() as i32, photo.height() as i32);
    match surround {
        Surround::Color => copy(photo, whole, ground, corner),
        Surround::Grey => {
            let mut grey = photo.clone();
            for pixel in grey.rgba_mut().as_chunks_mut::<4>().0 {
                let value = value(*pixel);
                *pixel = [value, value, value, 255];
            }
            copy(&grey, whole, ground, corner);
        }
    }
}

/// The stretches of the spot, row by row.
fn spot(start: &Start, photo: &Picture, corner: (i32, i32), stride: usize) -> Vec<(usize, Vec<u8>)> {
    let (x, y) = start.spot;
    let pixels = photo.rgba().as_chunks::<4>().0;
    let rows = (-start.radius..start.radius).map(|row| {
        let half = half_width(start.radius, row);
        let (first, top) = (x - half, y + row);
        let from = (top * photo.width() as i32 + first) as usize;
        let values = pixels[from..from + 2 * half as usize].iter().map(|pixel| value(*pixel)).collect();
        ((corner.1 + top) as usize * stride + (corner.0 + first) as usize, values)
    });
    rows.collect()
}

/// How many pixels of a row of a disc lie on either side of its middle.
pub(super) fn half_width(radius: i32, row: i32) -> i32 {
    let off = 2 * row + 1;
    let left = f64::from(4 * radius * radius - off * off).max(0.0);
    (left.sqrt() as i32 + 1) / 2
}

/// Gives every pixel of the spot the tint, and its own value.
fn fill_spot(picture: &mut Picture, spot: &[(usize, Vec<u8>)], tint: Tint) {
    let shades = tint.shades();
    let pixels = picture.rgba_mut().as_chunks_mut::<4>().0;
    for (from, values) in spot {
        for (pixel, value) in pixels[*from..from + values.len()].iter_mut().zip(values) {
            *pixel = shades[usize::from(*value)];
        }
    }
}
