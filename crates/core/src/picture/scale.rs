//! Scaling parts of pictures. Plain `f32` arithmetic in one order: it comes out the same everywhere.

use super::Picture;

/// A rectangle of pixels within rows of them, four bytes each.
#[derive(Clone, Copy)]
pub struct PixelRectangle<'a> {
    /// All rows, whole.
    pub rgba: &'a [u8],
    /// Pixels of a whole row.
    pub row_width: u32,
    /// The upper left corner: pixels from the left and from the top.
    pub corner: (u32, u32),
    /// Pixels across and down.
    pub size: (u32, u32),
}

impl<'a> PixelRectangle<'a> {
    fn row(&self, row: usize) -> &'a [u8] {
        let from = (self.corner.1 as usize + row) * self.row_width as usize + self.corner.0 as usize;
        &self.rgba[from * 4..][..self.size.0 as usize * 4]
    }
}

/// The pixels of a rectangle, scaled to a size. The rectangle must lie within the rows.
pub fn scale(cut: PixelRectangle<'_>, (width, height): (u32, u32)) -> Picture {
    let (across, down) = (taps(cut.size.0, width), taps(cut.size.1, height));
    let mut line = vec![0.0; cut.size.0 as usize * 4];
    let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
    for tap in &down {
        tap.gather_rows(cut, &mut line);
        let (pixels, _) = line.as_chunks::<4>();
        rgba.extend(across.iter().flat_map(|tap| tap.gather(&pixels[tap.first..])));
    }
    Picture::from_rgba(width, height, rgba).expect("every pixel was written")
}

/// Which source pixels, or lines of them, make a target pixel or line, and by which shares.
struct PixelShares {
    first: usize,
    shares: Vec<f32>,
}

impl PixelShares {
    /// The pixel that a stretch of pixels makes, the first of them the tap's first.
    #[inline]
    fn gather(&self, source: &[[f32; 4]]) -> [u8; 4] {
        let mut sum = [0.0; 4];
        for (share, pixel) in self.shares.iter().zip(source) {
            for (sum, channel) in sum.iter_mut().zip(pixel) {
                *sum += channel * share;
            }
        }
        sum.map(nearest)
    }

    /// The line that a stack of lines makes.
    fn gather_rows(&self, cut: PixelRectangle<'_>, line: &mut [f32]) {
        line.fill(0.0);
        for (row, share) in (self.first..).zip(&self.shares) {
            for (sum, byte) in line.iter_mut().zip(cut.row(row)) {
                *sum += f32::from(*byte) * share;
            }
        }
    }
}

/// The whole number nearest to one from 0 to 255: 2^23 more, and it stands in the last bits.
#[inline]
fn nearest(sum: f32) -> u8 {
    (sum + 8_388_608.0).to_bits() as u8
}

/// The taps of a triangle filter, as wide as the source pixels that one target pixel covers.
fn taps(from: u32, to: u32) -> Vec<PixelShares> {
    let (from, to) = (i64::from(from), i64::from(to));
    let reach = from.max(to);
    // All distances are in units of 1 / (2 * to) source pixels, so that every one is whole.
    let tap = |target: i64| {
        let centre = (2 * target + 1) * from;
        let weight = |source: i64| (2 * reach - ((2 * source + 1) * to - centre).abs()).max(0);
        let first = ((centre - 2 * reach) / (2 * to)).clamp(0, from - 1);
        let last = ((centre + 2 * reach) / (2 * to)).clamp(0, from - 1);
        let sum = (first..=last).map(weight).sum::<i64>().max(1) as f32;
        PixelShares {
            first: first as usize,
            shares: (first..=last).map(|source| weight(source) as f32 / sum).collect(),
        }
    };
    (0..to).map(tap).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn four_pixels_make_one() {
        let rgba = [[0, 100, 255, 255], [40, 100, 255, 255], [80, 100, 255, 255], [120, 100, 255, 255]];
        let picture = Picture::from_rgba(2, 2, rgba.as_flattened().to_vec()).unwrap();
        assert_eq!(picture.scaled((1, 1)).rgba(), [60, 100, 255, 255]);
        assert_eq!(picture.scaled((2, 2)), picture);
        assert_eq!(picture.scaled((2, 1)).rgba(), [40, 100, 255, 255, 80, 100, 255, 255]);
    }

    proptest! {
        #[test]
        fn one_colour_stays_that_colour(from in (1_u32..40, 1_u32..40), to in (1_u32..40, 1_u32..40), color: [u8; 3]) {
            let picture = Picture::filled(from.0, from.1, color);
            prop_assert_eq!(picture.scaled(to), Picture::filled(to.0, to.1, color));
        }
    }
}
