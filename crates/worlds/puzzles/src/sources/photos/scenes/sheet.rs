//! The sheet that scenes are painted on: blending, discs, strokes, and the last touch of a lens.

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

/// Red, green, blue, each from 0 to 255; beyond is cut off when painted.
pub(in crate::sources) type Rgb = [f32; 3];

/// Below this radius an ellipse is painted without looking for its rim row by row.
const SMALL: f32 = 6.0;

/// How many places there are to begin a row of grain.
const GRAINS: usize = 1024;

/// A sheet to paint on.
pub(in crate::sources) struct PaintSheet {
    pub(in crate::sources) width: usize,
    pub(in crate::sources) height: usize,
    rgba: Vec<u8>,
}

/// A colour between two others.
#[inline]
pub(in crate::sources) fn mix(from: Rgb, to: Rgb, share: f32) -> Rgb {
    [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, from[2] + (to[2] - from[2]) * share]
}

/// A colour made lighter or darker.
#[inline]
pub(in crate::sources) fn lit([red, green, blue]: Rgb, light: f32) -> Rgb {
    [red * light, green * light, blue * light]
}

/// 0 below one value, 1 above another, and a smooth way between.
#[inline]
pub(in crate::sources) fn ramp(from: f32, to: f32, value: f32) -> f32 {
    let t = ((value - from) * (1.0 / (to - from))).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// A number in a range.
pub(in crate::sources) fn within(rng: &mut Rng, low: f32, high: f32) -> f32 {
    rng.uniform(f64::from(low), f64::from(high)) as f32
}

/// A colour near another, so that no two scenes are tinted alike.
pub(in crate::sources) fn near(rng: &mut Rng, color: Rgb, by: f32) -> Rgb {
    let all = within(rng, -by, by);
    color.map(|channel| channel + all + within(rng, -by, by) * 0.6)
}

impl PaintSheet {
    pub(in crate::sources) fn new(width: usize, height: usize) -> Self {
        Self { width, height, rgba: vec![255; width * height * 4] }
    }

    /// How many pixels of this sheet a pixel of the usual size is: things keep their share of the picture.
    pub(in crate::sources) fn scale(&self) -> f32 {
        self.height as f32 / 432.0
    }

    /// The pixels of a row, four bytes each.
    #[inline]
    pub(in crate::sources) fn row(&mut self, y: usize) -> &mut [u8] {
        let stride = self.width * 4;
        &mut self.rgba[y * stride..(y + 1) * stride]
    }

    /// Paints whole rows of something soft: every other pixel of every other row, and what is between by halves.
    /// For each of those rows a painter is made, which is then asked for its pixels and told what is there.
    pub(in crate::sources) fn soft<P: Fn(usize, Rgb) -> Rgb>(
        &mut self,
        rows: std::ops::Range<usize>,
        painter: impl Fn(usize) -> P,
    ) {
        let stride = self.width * 4;
        for y in rows.clone() {
            let is_painted = (y - rows.start).is_multiple_of(2) || y + 1 == rows.end;
            if !is_painted {
                continue;
            }
            soft_row(self.row(y), &painter(y));
            if y >= rows.start + 2 && (y - rows.start).is_multiple_of(2) {
                let (above, here) = self.rgba[(y - 2) * stride..(y + 1) * stride].split_at_mut(2 * stride);
                let (above, between) = above.split_at_mut(stride);
                for ((byte, above), below) in between.iter_mut().zip(above).zip(here) {
                    *byte = half(*above, *below);
                }
            }
        }
    }

    /// A copy of the upper part, down to a row.
    pub(in crate::sources) fn above(&self, row: usize) -> Self {
        Self { width: self.width, height: row, rgba: self.rgba[..row * self.width * 4].to_vec() }
    }

    #[inline]
    pub(in crate::sources) fn get(&self, x: usize, y: usize) -> Rgb {
        let at = (y * self.width + x) * 4;
        [f32::from(self.rgba[at]), f32::from(self.rgba[at + 1]), f32::from(self.rgba[at + 2])]
    }

    #[inline]
    pub(in crate::sources) fn set(&mut self, x: usize, y: usize, color: Rgb) {
        let at = (y * self.width + x) * 4;
        put(&mut self.rgba[at..at + 4], color);
    }

    /// Covers a pixel by a share. Points off the sheet are passed over.
    #[inline]
    pub(in crate::sources) fn blend(&mut self, x: i32, y: i32, color: Rgb, share: f32) {
        if x >= 0 && y >= 0 && (x as usize) < self.width && (y as usize) < self.height {
            let (x, y) = (x as usize, y as usize);
            self.set(x, y, mix(self.get(x, y), color, share));
        }
    }

    /// A soft-edged disc.
    pub(in crate::sources) fn disc(&mut self, (x, y): (f32, f32), radius: f32, color: Rgb, share: f32) {
        self.ellipse((x, y), (radius, radius), color, share);
    }

    /// A soft-edged ellipse.
    pub(in crate::sources) fn ellipse(&mut self, (x, y): (f32, f32), (rx, ry): (f32, f32), color: Rgb, share: f32) {
        let (rx, ry) = (rx.max(0.5), ry.max(0.5));
        let (per_x, per_y, edge) = (1.0 / rx, 1.0 / ry, rx.min(ry) * 0.5);
        let (top, bottom) = clipped(y - ry, y + ry, self.height);
        for py in top..bottom {
            let dy = (py as f32 - y) * per_y;
            let rest = 1.0 - dy * dy;
            let half = if rx < SMALL { rx } else { rest.max(0.0).sqrt() * rx };
            let (left, right) = clipped(x - half - 1.0, x + half, self.width);
            let mut dx = (left as f32 - x) * per_x;
            for pixel in self.row(py)[left * 4..right * 4].chunks_exact_mut(4) {
                // Near the rim, half of one less the square is about the distance from it.
                let cover = ((rest - dx * dx) * edge + 0.5).clamp(0.0, 1.0);
                if cover > 0.0 {
                    put(pixel, mix(read(pixel), color, cover * share));
                }
                dx += per_x;
            }
        }
    }

    /// A disc with a soft edge whose colour is told for every point, as seen from its middle.
    pub(in crate::sources) fn round(&mut self, (x, y): (f32, f32), radius: f32, color: impl Fn(f32, f32) -> Rgb) {
        let (top, bottom) = clipped(y - radius, y + radius, self.height);
        let per_radius = 0.5 / radius;
        for py in top..bottom {
            let dy = py as f32 - y;
            let rest = radius * radius - dy * dy;
            let half = rest.max(0.0).sqrt();
            let (left, right) = clipped(x - half - 1.0, x + half, self.width);
            for (step, pixel) in self.row(py)[left * 4..right * 4].chunks_exact_mut(4).enumerate() {
                let dx = (left + step) as f32 - x;
                let cover = ((rest - dx * dx) * per_radius + 0.5).clamp(0.0, 1.0);
                match cover {
                    1.0 => put(pixel, color(dx, dy)),
                    0.0 => {}
                    _ => put(pixel, mix(read(pixel), color(dx, dy), cover)),
                }
            }
        }
    }

    /// A line from one point to another that may grow thinner.
    pub(in crate::sources) fn stroke(
        &mut self,
        from: (f32, f32),
        to: (f32, f32),
        (thick, thin): (f32, f32),
        color: Rgb,
    ) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let steps = dx.abs().max(dy.abs()).max(1.0) as usize;
        for step in 0..=steps {
            let along = step as f32 / steps as f32;
            let (x, y) = (from.0 + dx * along, from.1 + dy * along);
            let width = thick + (thin - thick) * along;
            if width <= 1.2 {
                self.blend(x as i32, y as i32, color, width.min(1.0));
            } else {
                self.disc((x, y), width / 2.0, color, 1.0);
            }
        }
    }

    /// Fills a stretch of one row, cut to the sheet; columns are told to the painter.
    #[inline]
    pub(in crate::sources) fn span(&mut self, y: i32, (left, right): (f32, f32), color: impl Fn(f32) -> Rgb) {
        let left = left.max(0.0) as usize;
        let right = ((right.max(-1.0) + 1.0) as usize).min(self.width);
        if left < right && y >= 0 && (y as usize) < self.height {
            let row = &mut self.row(y as usize)[left * 4..right * 4];
            for (step, pixel) in row.chunks_exact_mut(4).enumerate() {
                put(pixel, color((left + step) as f32));
            }
        }
    }

    /// Fills a rectangle of whole pixels, cut to the sheet.
    pub(in crate::sources) fn block(
        &mut self,
        (left, top): (i32, i32),
        (right, bottom): (i32, i32),
        color: impl Fn(i32, i32) -> Rgb,
    ) {
        let (left, right) = (left.max(0), right.min(self.width as i32));
        if left >= right {
            return;
        }
        for y in top.max(0)..bottom.min(self.height as i32) {
            let row = &mut self.row(y as usize)[left as usize * 4..right as usize * 4];
            for (pixel, x) in row.chunks_exact_mut(4).zip(left..) {
                put(pixel, color(x, y));
            }
        }
    }

    /// The finished picture: darker corners and the grain of a film.
    pub(in crate::sources) fn develop(mut self, rng: &mut Rng) -> Picture {
        let (width, height) = (self.width, self.height);
        let grain: Vec<i16> = (0..width + GRAINS).flat_map(|_| [grain(rng); 4]).collect();
        let across: Vec<u16> = (0..width * 4).map(|byte| off_middle(byte / 4, width)).collect();
        for y in 0..height {
            let down = off_middle(y, height);
            let grain = &grain[rng.below(GRAINS) * 4..];
            for ((byte, across), grain) in self.row(y).iter_mut().zip(&across).zip(grain) {
                let off = (across + down) >> 1;
                let light = 256 - ((off * off) >> 8);
                let toned = ((u16::from(*byte) * light) >> 8) as i16;
                *byte = (toned + grain).clamp(0, 255) as u8;
            }
            self.row(y).chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
        }
        Picture::from_rgba(width as u32, height as u32, self.rgba).expect("the sheet is as large as it says")
    }
}

/// Paints every other pixel of a row, and those between by halves.
fn soft_row(row: &mut [u8], painter: &impl Fn(usize, Rgb) -> Rgb) {
    let last = row.len() / 4 - 1;
    let was = read(&row[last * 4..]);
    let mut left = packed(painter(0, read(row)));
    row[..4].copy_from_slice(&left.to_le_bytes());
    for (i, pair) in row[4..].chunks_exact_mut(8).enumerate() {
        let here = packed(painter(2 * i + 2, read(&pair[4..])));
        pair[..4].copy_from_slice(&halves(left, here).to_le_bytes());
        pair[4..].copy_from_slice(&here.to_le_bytes());
        left = here;
    }
    put(&mut row[last * 4..], painter(last, was));
}

/// The pixel halfway between two: half of where they differ, added to where they agree, byte by byte.
#[inline]
fn halves(a: u32, b: u32) -> u32 {
    (a & b) + (((a ^ b) & 0xfefe_fefe) >> 1)
}

/// The byte halfway between two.
#[inline]
fn half(a: u8, b: u8) -> u8 {
    ((u16::from(a) + u16::from(b) + 1) >> 1) as u8
}

/// The whole pixels around a stretch, as far as they are on the sheet.
fn clipped(from: f32, to: f32, side: usize) -> (usize, usize) {
    let from = (from.max(0.0) as usize).min(side);
    (from, ((to + 2.0).max(0.0) as usize).clamp(from, side))
}

/// A little darker or lighter.
fn grain(rng: &mut Rng) -> i16 {
    let bits = rng.next_u64();
    (bits & 7) as i16 + (bits >> 8 & 7) as i16 - 7
}

/// How far a pixel is from the middle: the square of the share of the way to the edge, out of 128.
fn off_middle(at: usize, side: usize) -> u16 {
    let off = 2 * at as i64 - side as i64;
    (off * off * 128 / (side * side) as i64) as u16
}

/// Writes a colour into the four bytes of a pixel.
#[inline]
pub(in crate::sources) fn put(pixel: &mut [u8], color: Rgb) {
    pixel.copy_from_slice(&packed(color).to_le_bytes());
}

#[inline]
fn packed([red, green, blue]: Rgb) -> u32 {
    byte(red) | byte(green) << 8 | byte(blue) << 16 | 0xff00_0000
}

/// The nearest whole number from 0 to 255. Adding so large a number leaves it in the last bits.
#[inline]
fn byte(channel: f32) -> u32 {
    (channel.clamp(0.0, 255.0) + 8_388_608.0).to_bits() & 0xff
}

/// The colour in the four bytes of a pixel.
#[inline]
pub(in crate::sources) fn read(pixel: &[u8]) -> Rgb {
    [f32::from(pixel[0]), f32::from(pixel[1]), f32::from(pixel[2])]
}
