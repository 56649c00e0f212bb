//! Scaling parts of pictures, in whole-number arithmetic so that it comes out the same everywhere.

use super::Picture;

/// Weights are shares of this.
const ONE: u32 = 1 << 14;

/// A pixel with room for sums; the fourth number is there for the processor's sake.
type Wide = [u32; 4];

/// A rectangle of pixels within rows of them, four bytes each.
#[derive(Clone, Copy)]
pub struct Cut<'a> {
    /// All rows, whole.
    pub rgba: &'a [u8],
    /// Pixels of a whole row.
    pub row_width: u32,
    /// The upper left corner: pixels from the left and from the top.
    pub corner: (u32, u32),
    /// Pixels across and down.
    pub size: (u32, u32),
}

/// The pixels of a rectangle, scaled to a size. See-through ones become white. The rectangle must lie within the rows.
pub fn scale(cut: Cut<'_>, (width, height): (u32, u32)) -> Picture {
    let (x, y) = (cut.corner.0 as usize, cut.corner.1 as usize);
    let (across, down) = (taps(cut.size.0, width), taps(cut.size.1, height));
    let width_px = width as usize;
    let mut source = vec![[0; 4]; cut.size.0 as usize];
    let mut narrowed = vec![[0; 4]; width_px * cut.size.1 as usize];
    for (row, line) in narrowed.chunks_exact_mut(width_px).enumerate() {
        let from = ((y + row) * cut.row_width as usize + x) * 4;
        for (wide, pixel) in source.iter_mut().zip(cut.rgba[from..from + cut.size.0 as usize * 4].chunks_exact(4)) {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn four_pixels_make_one() {
        let rgba = [[0, 100, 255, 255], [40, 100, 255, 255], [80, 100, 255, 255], [120, 100, 255, 0]];
        let picture = Picture::from_rgba(2, 2, rgba.as_flattened().to_vec()).unwrap();
        // The last one is see-through: white.
        assert_eq!(picture.scaled((1, 1)).rgba(), [94, 139, 255, 255]);
        assert_eq!(picture.scaled((2, 2)).rgba()[..12], picture.rgba()[..12]);
    }

    proptest! {
        #[test]
        fn one_colour_stays_that_colour(from in (1_u32..40, 1_u32..40), to in (1_u32..40, 1_u32..40), color: [u8; 3]) {
            let picture = Picture::filled(from.0, from.1, color);
            prop_assert_eq!(picture.scaled(to), Picture::filled(to.0, to.1, color));
        }
    }
}
