//! Turning a disc quickly: whole-number arithmetic, each sum shared by two pixels.

use quintain_core::picture::Picture;

/// A pixel as it lies in memory.
type Pixel = [u8; 4];

/// One, in the fixed-point numbers that a turn is computed with.
const ONE: i32 = 1 << 16;

/// A square photograph that can be laid down turned about its middle.
///
/// It is kept on a grid twice as fine, with the colours between pixels mixed once: a turned pixel is then one look at
/// the nearest point, at most a quarter of a pixel away. Places are counted from the middle in half pixels, so that
/// pixels lie at odd numbers and a quarter turn takes pixels to pixels.
pub(super) struct Disc {
    /// Pixels across.
    size: usize,
    fine: Vec<Pixel>,
    /// For each row below the middle, how many pixels right of the middle are in the disc.
    reach: Vec<usize>,
}

impl Disc {
    /// The disc that fits in the middle of a square photograph of even size.
    pub(super) fn new(photo: &Picture) -> Self {
        let size = photo.width() as usize;
        let most = (size * size) as i64;
        let inside = |a: usize, b: usize| ((2 * a + 1).pow(2) + (2 * b + 1).pow(2)) as i64 <= most - 2 * size as i64;
        let reach = (0..size / 2).map(|b| (0..size / 2).take_while(|a| inside(*a, b)).count()).collect();
        Self { size, fine: fine(photo.rgba().as_chunks::<4>().0, size), reach }
    }

    /// Lays the disc into a picture, turned clockwise by whole degrees, its square's corner at a place.
    pub(super) fn lay(&self, picture: &mut Picture, (x, y): (usize, usize), degrees: i64) {
        let (half, stride) = (self.size / 2, picture.width() as usize);
        let pixels = picture.rgba_mut().as_chunks_mut::<4>().0;
        let (above, below) = pixels.split_at_mut((y + half) * stride);
        let (cos, sin) = cos_and_sin(degrees);
        for (row, reach) in self.reach.iter().copied().enumerate() {
            let (left, wide) = (x + half - reach, 2 * reach);
            let upper_from = above.len() - (row + 1) * stride + left;
            let upper = &mut above[upper_from..upper_from + wide];
            let lower = &mut below[row * stride + left..][..wide];
            // Where the leftmost pixel of the lower row lies from the middle, and so where it comes from.
            let (x, y) = (1 - wide as i32, 2 * row as i32 + 1);
            self.lay_rows(upper, lower, (x * cos + y * sin, y * cos - x * sin), (2 * cos, -2 * sin));
        }
    }

    /// Lays a row below the middle, and the row above that half a turn takes it to. A pixel comes from `from`, the next
    /// from a `step` further.
    fn lay_rows(&self, upper: &mut [Pixel], lower: &mut [Pixel], from: (i32, i32), step: (i32, i32)) {
        let side = 2 * self.size as i32 - 1;
        let middle = (self.fine.len() / 2) as i32;
        // Half a unit is added so that cutting off rounds.
        let (mut u, mut v) = (from.0 + ONE / 2, from.1 + ONE / 2);
        for (lower, upper) in lower.iter_mut().zip(upper.iter_mut().rev()) {
            let offset = (v >> 16) * side + (u >> 16);
            *lower = self.fine[(middle + offset) as usize];
            *upper = self.fine[(middle - offset) as usize];
            u += step.0;
            v += step.1;
        }
    }
}

/// The photograph with a point between any two neighbours, mixed of both, and one amid any four.
fn fine(pixels: &[Pixel], size: usize) -> Vec<Pixel> {
    let n_points = 2 * size - 1;
    let mut fine = Vec::with_capacity(n_points * n_points);
    for y in 0..n_points {
        let (above, below) = (&pixels[y / 2 * size..][..size], &pixels[y.div_ceil(2) * size..][..size]);
        let row: Vec<[u16; 4]> =
            above.iter().zip(below).map(|(a, b)| sum(a.map(u16::from), b.map(u16::from))).collect();
        for x in 0..n_points {
            fine.push(sum(row[x / 2], row[x.div_ceil(2)]).map(|sum| ((sum + 2) / 4) as u8));
        }
    }
    fine
}

fn sum(a: [u16; 4], b: [u16; 4]) -> [u16; 4] {
    std::array::from_fn(|i| a[i] + b[i])
}

/// Cosine and sine of whole degrees as fixed-point numbers.
fn cos_and_sin(degrees: i64) -> (i32, i32) {
    let radians = degrees.rem_euclid(360) as f64 * std::f64::consts::PI / 180.0;
    let fixed = |value: f64| (value * f64::from(ONE)).round() as i32;
    (fixed(libm::cos(radians)), fixed(libm::sin(radians)))
}
