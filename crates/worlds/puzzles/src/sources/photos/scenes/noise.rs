//! A table of cloudy noise that repeats without a seam, made once and looked up ever after.

use std::sync::OnceLock;

use quintain_core::rng::Rng;

/// Cells along a side; a power of two.
const SIDE: usize = 256;
const MASK: usize = SIDE - 1;
/// A number so large that its last digit counts ones: adding it rounds, and its last bits are the whole number.
const ROUND: f32 = 12_582_912.0;

/// Cloudy noise: large shapes with ever smaller ones upon them, between 0 and 1, mostly near the middle.
pub(in crate::sources) struct Noise {
    cells: Box<[f32; SIDE * SIDE]>,
}

/// The table.
pub(in crate::sources) fn noise() -> &'static Noise {
    static NOISE: OnceLock<Noise> = OnceLock::new();
    NOISE.get_or_init(Noise::new)
}

impl Noise {
    fn new() -> Self {
        let mut rng = Rng::new(0x51ce);
        let mut cells = vec![0.0_f32; SIDE * SIDE];
        let mut strength = 1.0;
        for knots in [4, 8, 16, 32, 64, 128] {
            add_octave(&mut cells, knots, strength, &mut rng);
            strength *= 0.55;
        }
        let least = cells.iter().copied().fold(f32::MAX, f32::min);
        let greatest = cells.iter().copied().fold(f32::MIN, f32::max);
        for cell in &mut cells {
            *cell = (*cell - least) / (greatest - least);
        }
        let cells = cells.into_boxed_slice().try_into().ok();
        Self { cells: cells.expect("there are SIDE times SIDE cells") }
    }

    /// The noise at a point, smoothly between the cells. Coordinates are in cells.
    #[inline]
    pub(in crate::sources) fn at(&self, x: f32, y: f32) -> f32 {
        let ((x0, fx), (row, fy)) = (split(x), split(y));
        let y0 = row * SIDE;
        let (x1, y1) = ((x0 + 1) & MASK, (y0 + SIDE) & (SIDE * SIDE - 1));
        let top = self.cells[y0 + x0] + (self.cells[y0 + x1] - self.cells[y0 + x0]) * fx;
        let bottom = self.cells[y1 + x0] + (self.cells[y1 + x1] - self.cells[y1 + x0]) * fx;
        top + (bottom - top) * fy
    }

    /// All the noise along a line across, ready to be read quickly.
    pub(in crate::sources) fn row(&self, y: f32) -> NoiseRow {
        let (row, share) = split(y);
        let top = row * SIDE;
        let bottom = (top + SIDE) & (SIDE * SIDE - 1);
        let (top, bottom) = (&self.cells[top..top + SIDE], &self.cells[bottom..bottom + SIDE]);
        let mut cells = [0.0; SIDE + 1];
        for ((cell, top), bottom) in cells.iter_mut().zip(top).zip(bottom) {
            *cell = top + (bottom - top) * share;
        }
        cells[SIDE] = cells[0];
        NoiseRow { cells }
    }

    /// The noise of the nearest cell: coarser and quicker.
    #[inline]
    pub(in crate::sources) fn near(&self, x: f32, y: f32) -> f32 {
        self.cells[nearest(y) * SIDE + nearest(x)]
    }
}

/// The noise along a line across.
pub(in crate::sources) struct NoiseRow {
    cells: [f32; SIDE + 1],
}

impl NoiseRow {
    /// The noise at a point, smoothly between the cells.
    #[inline]
    pub(in crate::sources) fn at(&self, x: f32) -> f32 {
        let (from, share) = split(x);
        self.cells[from] + (self.cells[from + 1] - self.cells[from]) * share
    }

    /// The noise of the nearest cell.
    #[inline]
    pub(in crate::sources) fn near(&self, x: f32) -> f32 {
        self.cells[nearest(x)]
    }
}

/// The cell before a coordinate, and how far beyond it the coordinate lies. Quicker than rounding by the book.
#[inline]
fn split(x: f32) -> (usize, f32) {
    let rounded = (x - 0.5) + ROUND;
    (rounded.to_bits() as usize & MASK, x - (rounded - ROUND))
}

/// The cell nearest to a coordinate.
#[inline]
fn nearest(x: f32) -> usize {
    (x + ROUND).to_bits() as usize & MASK
}

fn add_octave(cells: &mut [f32], knots: usize, strength: f32, rng: &mut Rng) {
    let lattice: Vec<f32> = (0..knots * knots).map(|_| rng.unit() as f32).collect();
    let pitch = SIDE / knots;
    for (i, cell) in cells.iter_mut().enumerate() {
        let (x, y) = (i % SIDE, i / SIDE);
        let (column, row) = (x / pitch, y / pitch);
        let (fx, fy) = (ease((x % pitch) as f32 / pitch as f32), ease((y % pitch) as f32 / pitch as f32));
        let knot = |dx: usize, dy: usize| lattice[(row + dy) % knots * knots + (column + dx) % knots];
        let top = knot(0, 0) + (knot(1, 0) - knot(0, 0)) * fx;
        let bottom = knot(0, 1) + (knot(1, 1) - knot(0, 1)) * fx;
        *cell += strength * (top + (bottom - top) * fy);
    }
}

fn ease(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}
