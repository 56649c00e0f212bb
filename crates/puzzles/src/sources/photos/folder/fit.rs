//! Cropping and scaling, in whole-number arithmetic so that it comes out the same everywhere.

use image::RgbaImage;
use quintain_core::picture::Picture;

/// Weights are shares of this.
const ONE: u32 = 1 << 14;

/// Cuts the middle out of a photograph in the wanted proportions and scales it. See-through parts become white.
pub(super) fn fit(photo: &RgbaImage, width: u32, height: u32) -> Picture {
    let (x, y, crop_width, crop_height) = crop(photo.dimensions(), (width, height));
    let (across, down) = (taps(crop_width, width), taps(crop_height, height));
    let (width, height) = (width as usize, height as usize);
    let stride = photo.width() as usize;
    let pixels: Vec<[u32; 3]> = photo.pixels().map(|pixel| on_white(pixel.0)).collect();
    let mut narrowed = vec![[0_u32; 3]; width * crop_height as usize];
    for (row, line) in narrowed.chunks_exact_mut(width).enumerate() {
        let from = (y as usize + row) * stride + x as usize;
        let source = &pixels[from..from + crop_width as usize];
        for (pixel, tap) in line.iter_mut().zip(&across) {
            *pixel = tap.gather(|i| source[i]);
        }
    }
    let mut rgba = Vec::with_capacity(width * height * 4);
    for tap in &down {
        for column in 0..width {
            let [red, green, blue] = tap.gather(|i| narrowed[i * width + column]);
            rgba.extend_from_slice(&[red as u8, green as u8, blue as u8, 255]);
        }
    }
    Picture::from_rgba(width as u32, height as u32, rgba).expect("every pixel was written")
}

/// The largest part in the middle that has the wanted proportions.
fn crop((width, height): (u32, u32), (wanted_width, wanted_height): (u32, u32)) -> (u32, u32, u32, u32) {
    let (w, h) = (u64::from(width), u64::from(height));
    let (ww, wh) = (u64::from(wanted_width), u64::from(wanted_height));
    let (cw, ch) = if w * wh > h * ww { (h * ww / wh, h) } else { (w, w * wh / ww) };
    let (cw, ch) = (cw.max(1) as u32, ch.max(1) as u32);
    ((width - cw) / 2, (height - ch) / 2, cw, ch)
}

fn on_white([red, green, blue, alpha]: [u8; 4]) -> [u32; 3] {
    let alpha = u32::from(alpha);
    [red, green, blue].map(|channel| (u32::from(channel) * alpha + 255 * (255 - alpha) + 127) / 255)
}

/// Which source pixels make a target pixel, and by which shares.
struct Tap {
    first: usize,
    shares: Vec<u32>,
}

impl Tap {
    fn gather(&self, source: impl Fn(usize) -> [u32; 3]) -> [u32; 3] {
        let mut sum = [ONE / 2; 3];
        for (i, share) in self.shares.iter().enumerate() {
            let pixel = source(self.first + i);
            for (sum, channel) in sum.iter_mut().zip(pixel) {
                *sum += channel * share;
            }
        }
        sum.map(|sum| sum / ONE)
    }
}

/// The taps of a triangle filter, as wide as the source pixels that one target pixel covers.
fn taps(from: u32, to: u32) -> Vec<Tap> {
    let (from, to) = (i64::from(from), i64::from(to));
    let reach = from.max(to);
    // All distances are in units of 1 / (2 * to) source pixels, so that every one is whole.
    let tap = |target: i64| {
        let centre = (2 * target + 1) * from;
        let first = ((centre - 2 * reach) / (2 * to)).clamp(0, from - 1);
        let last = ((centre + 2 * reach) / (2 * to)).clamp(0, from - 1);
        let weight = |source: i64| (2 * reach - ((2 * source + 1) * to - centre).abs()).max(0);
        let weights: Vec<i64> = (first..=last).map(weight).collect();
        Tap { first: first as usize, shares: shares(&weights) }
    };
    (0..to).map(tap).collect()
}

/// Weights as shares that add up to one exactly: the largest takes what rounding leaves.
fn shares(weights: &[i64]) -> Vec<u32> {
    let sum: i64 = weights.iter().sum::<i64>().max(1);
    let mut shares: Vec<u32> = weights.iter().map(|weight| (weight * i64::from(ONE) / sum) as u32).collect();
    let left = ONE - shares.iter().sum::<u32>();
    let largest = (0..shares.len()).max_by_key(|i| (shares[*i], std::cmp::Reverse(*i))).unwrap_or(0);
    shares[largest] += left;
    shares
}
