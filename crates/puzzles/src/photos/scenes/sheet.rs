//! The sheet that scenes are painted on: blending, discs, strokes, and the last touch of a lens.

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

/// Red, green, blue, each from 0 to 255; beyond is cut off when painted.
pub(super) type Rgb = [f32; 3];

/// A sheet to paint on.
pub(super) struct Sheet {
    pub(super) width: usize,
    pub(super) height: usize,
    rgba: Vec<u8>,
}

/// A colour between two others.
#[inline]
pub(super) fn mix(from: Rgb, to: Rgb, share: f32) -> Rgb {
    [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, from[2] + (to[2] - from[2]) * share]
}

/// A colour made lighter or darker.
#[inline]
pub(super) fn lit([red, green, blue]: Rgb, light: f32) -> Rgb {
    [red * light, green * light, blue * light]
}

/// 0 below one value, 1 above another, and a smooth way between.
#[inline]
pub(super) fn ramp(from: f32, to: f32, value: f32) -> f32 {
    let t = ((value - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// A number in a range.
pub(super) fn within(rng: &mut Rng, low: f32, high: f32) -> f32 {
    rng.uniform(f64::from(low), f64::from(high)) as f32
}

/// A colour near another, so that no two scenes are tinted alike.
pub(super) fn near(rng: &mut Rng, color: Rgb, by: f32) -> Rgb {
    let all = within(rng, -by, by);
    color.map(|channel| channel + all + within(rng, -by, by) * 0.6)
}

impl Sheet {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { width, height, rgba: vec![255; width * height * 4] }
    }

    /// How many pixels of this sheet a pixel of the usual size is: things keep their share of the picture.
    pub(super) fn scale(&self) -> f32 {
        self.height as f32 / 432.0
    }

    /// The pixels of a row, four bytes each.
    #[inline]
    pub(super) fn row(&mut self, y: usize) -> &mut [u8] {
        let stride = self.width * 4;
        &mut self.rgba[y * stride..(y + 1) * stride]
    }

    #[inline]
    pub(super) fn get(&self, x: usize, y: usize) -> Rgb {
        let at = (y * self.width + x) * 4;
        [f32::from(self.rgba[at]), f32::from(self.rgba[at + 1]), f32::from(self.rgba[at + 2])]
    }

    #[inline]
    pub(super) fn set(&mut self, x: usize, y: usize, color: Rgb) {
        let at = (y * self.width + x) * 4;
        put(&mut self.rgba[at..at + 4], color);
    }

    /// Covers a pixel by a share. Points off the sheet are passed over.
    #[inline]
    pub(super) fn blend(&mut self, x: i32, y: i32, color: Rgb, share: f32) {
        if x >= 0 && y >= 0 && (x as usize) < self.width && (y as usize) < self.height {
            let (x, y) = (x as usize, y as usize);
            self.set(x, y, mix(self.get(x, y), color, share));
        }
    }

    /// A soft-edged disc.
    pub(super) fn disc(&mut self, (x, y): (f32, f32), radius: f32, color: Rgb, share: f32) {
        self.ellipse((x, y), (radius, radius), color, share);
    }

    /// A soft-edged ellipse.
    pub(super) fn ellipse(&mut self, (x, y): (f32, f32), (rx, ry): (f32, f32), color: Rgb, share: f32) {
        let (rx, ry) = (rx.max(0.5), ry.max(0.5));
        let edge = rx.min(ry);
        for py in (y - ry) as i32..=(y + ry) as i32 + 1 {
            for px in (x - rx) as i32..=(x + rx) as i32 + 1 {
                let (dx, dy) = ((px as f32 - x) / rx, (py as f32 - y) / ry);
                let square = dx * dx + dy * dy;
                // Near the rim, half of one less the square is about the distance from it.
                let cover = ((1.0 - square) * 0.5 * edge + 0.5).clamp(0.0, 1.0);
                if cover > 0.0 {
                    self.blend(px, py, color, cover * share);
                }
            }
        }
    }

    /// A line from one point to another that may grow thinner.
    pub(super) fn stroke(&mut self, from: (f32, f32), to: (f32, f32), (thick, thin): (f32, f32), color: Rgb) {
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

    /// Fills a rectangle of whole pixels, cut to the sheet.
    pub(super) fn block(&mut self, (left, top): (i32, i32), (right, bottom): (i32, i32), color: impl Fn(i32, i32) -> Rgb) {
        for y in top.max(0)..bottom.min(self.height as i32) {
            for x in left.max(0)..right.min(self.width as i32) {
                self.set(x as usize, y as usize, color(x, y));
            }
        }
    }

    /// The finished picture: darker corners and the grain of a film.
    pub(super) fn develop(mut self, seed: u64) -> Picture {
        let (width, height) = (self.width, self.height);
        let mut state = seed | 1;
        for y in 0..height {
            let dy = (2 * y) as i32 - height as i32;
            let down = dy * dy * 128 / (height * height) as i32;
            for (x, pixel) in self.row(y).chunks_exact_mut(4).enumerate() {
                let dx = (2 * x) as i32 - width as i32;
                let off = dx * dx * 128 / (width * width) as i32 + down;
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let grain = (state & 7) as i32 + (state >> 8 & 7) as i32 - 7;
                let light = 1024 - off * off / 256;
                for channel in &mut pixel[..3] {
                    *channel = (i32::from(*channel) * light / 1024 + grain).clamp(0, 255) as u8;
                }
            }
        }
        Picture::from_rgba(width as u32, height as u32, self.rgba).expect("the sheet is as large as it says")
    }
}

/// Writes a colour into the four bytes of a pixel.
#[inline]
pub(super) fn put(pixel: &mut [u8], [red, green, blue]: Rgb) {
    pixel[0] = red as u8;
    pixel[1] = green as u8;
    pixel[2] = blue as u8;
}
