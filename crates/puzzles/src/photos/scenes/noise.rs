//! A table of cloudy noise that repeats without a seam, made once and looked up ever after.

use std::sync::OnceLock;

use quintain_core::rng::Rng;

/// Cells along a side; a power of two.
const SIDE: usize = 256;
const MASK: usize = SIDE - 1;
/// Added to every coordinate, so that rounding down is cutting off.
const SHIFT: f32 = 1024.0;

/// Cloudy noise: large shapes with ever smaller ones upon them, between 0 and 1, mostly near the middle.
pub(super) struct Noise {
    cells: Box<[f32; SIDE * SIDE]>,
}

/// The table.
pub(super) fn noise() -> &'static Noise {
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

    /// The noise at a point, smoothly between the cells. Coordinates are in cells, from -1024 on.
    #[inline]
    pub(super) fn at(&self, x: f32, y: f32) -> f32 {
        let (x, y) = (x + SHIFT, y + SHIFT);
        let (column, row) = (x as i32, y as i32);
        let (fx, fy) = (x - column as f32, y - row as f32);
        let (x0, y0) = (column as usize & MASK, (row as usize & MASK) * SIDE);
        let (x1, y1) = ((x0 + 1) & MASK, (y0 + SIDE) & (SIDE * SIDE - 1));
        let top = self.cells[y0 + x0] + (self.cells[y0 + x1] - self.cells[y0 + x0]) * fx;
        let bottom = self.cells[y1 + x0] + (self.cells[y1 + x1] - self.cells[y1 + x0]) * fx;
        top + (bottom - top) * fy
    }

    /// The noise of the nearest cell: coarser and quicker.
    #[inline]
    pub(super) fn near(&self, x: f32, y: f32) -> f32 {
        let (column, row) = ((x + SHIFT) as i32, (y + SHIFT) as i32);
        self.cells[(row as usize & MASK) * SIDE + (column as usize & MASK)]
    }
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
