//! Scaling parts of pictures, in whole-number arithmetic so that it comes out the same everywhere.

use quintain_core::picture::Picture;

use crate::canvas::Area;

/// Weights are shares of this.
const ONE: u32 = 1 << 14;

/// A pixel with room for sums; the fourth number is there for the processor's sake.
type Wide = [u32; 4];

/// Cuts an area out of rows of pixels, four bytes each, and scales it. See-through parts become white. The area must
/// lie within the rows.
pub(crate) fn scale(rgba: &[u8], row_width: u32, area: Area, (width, height): (u32, u32)) -> Picture {
    let (across, down) = (taps(area.width as u32, width), taps(area.height as u32, height));
    let width_px = width as usize;
    let mut source = vec![[0; 4]; area.width as usize];
    let mut narrowed = vec![[0; 4]; width_px * area.height as usize];
    for (row, line) in narrowed.chunks_exact_mut(width_px).enumerate() {
        let from = ((area.y as usize + row) * row_width as usize + area.x as usize) * 4;
        for (wide, pixel) in source.iter_mut().zip(rgba[from..from + area.width as usize * 4].chunks_exact(4)) {
            *wide = on_white([pixel[0], pixel[1], pixel[2], pixel[3]]);
        }
        for (pixel, tap) in line.iter_mut().zip(&across) {
            *pixel = tap.gather(&source[tap.first..]);
        }
    }
    let mut rgba = Vec::with_capacity(width_px * height as usize * 4);
    let mut line = vec![[0; 4]; width_px];
    for tap in &down {
        tap.gather_rows(&narrowed[tap.first * width_px..], &mut line);
        rgba.extend(line.iter().flat_map(|[red, green, blue, _]| [*red as u8, *green as u8, *blue as u8, 255]));
    }
    Picture::from_rgba(width, height, rgba).expect("every pixel was written")
}

/// The largest part in the middle of a picture that has the proportions of another.
pub(crate) fn middle((width, height): (u32, u32), (wanted_width, wanted_height): (u32, u32)) -> Area {
    let (w, h) = (u64::from(width), u64::from(height));
    let (ww, wh) = (u64::from(wanted_width), u64::from(wanted_height));
    let (cw, ch) = if w * wh > h * ww { (h * ww / wh, h) } else { (w, w * wh / ww) };
    let (cw, ch) = (cw.max(1) as u32, ch.max(1) as u32);
    Area::new(((width - cw) / 2) as i32, ((height - ch) / 2) as i32, cw as i32, ch as i32)
}

#[inline]
fn on_white([red, green, blue, alpha]: [u8; 4]) -> Wide {
    let [red, green, blue, alpha] = [red, green, blue, alpha].map(u32::from);
    if alpha == 255 {
        return [red, green, blue, 255];
    }
    let [red, green, blue] = [red, green, blue].map(|channel| (channel * alpha + 255 * (255 - alpha) + 127) / 255);
    [red, green, blue, 255]
}

/// Which source pixels make a target pixel, and by which shares.
struct Tap {
    first: usize,
    shares: Vec<u32>,
}

impl Tap {
    /// The pixel that a stretch of pixels makes, the first of them the tap's first.
    #[inline]
    fn gather(&self, source: &[Wide]) -> Wide {
        let mut sum = [ONE / 2; 4];
        for (share, pixel) in self.shares.iter().zip(source) {
            for (sum, channel) in sum.iter_mut().zip(pixel) {
                *sum += channel * share;
            }
        }
        sum.map(|sum| sum / ONE)
    }

    /// The line that a stack of lines makes, the first of them the tap's first.
    fn gather_rows(&self, lines: &[Wide], into: &mut [Wide]) {
        into.fill([ONE / 2; 4]);
        for (share, line) in self.shares.iter().zip(lines.chunks_exact(into.len())) {
            for (sum, pixel) in into.as_flattened_mut().iter_mut().zip(line.as_flattened()) {
                *sum += pixel * share;
            }
        }
        for sum in into.as_flattened_mut() {
            *sum /= ONE;
        }
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
