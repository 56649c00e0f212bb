//! Where in a picture a thing can be seen.

use serde::{Deserialize, Serialize};

use crate::canvas::Area;

/// A set of pixels, as stretches of rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mask {
    /// Row, first column, column after the last; from the top, in each row from the left, without overlap.
    spans: Vec<[u32; 3]>,
}

/// The cost of a step to the side and of one across a corner, about one to the square root of two.
const SIDE: u16 = 5;
const CORNER: u16 = 7;

impl Mask {
    /// Adds a stretch after all others.
    pub(in crate::sources) fn push(&mut self, [y, from, to]: [u32; 3]) {
        match self.spans.last_mut() {
            Some([row, _, end]) if *row == y && *end >= from => *end = to.max(*end),
            _ => self.spans.push([y, from, to]),
        }
    }

    /// Its stretches of rows: row, first column, column after the last.
    pub fn spans(&self) -> &[[u32; 3]] {
        &self.spans
    }

    /// How many pixels it has.
    pub fn area(&self) -> usize {
        self.spans.iter().map(|[_, from, to]| (to - from) as usize).sum()
    }

    /// The smallest rectangle that holds it.
    pub fn bounds(&self) -> Area {
        let left = self.spans.iter().map(|span| span[1]).min().unwrap_or(0);
        let right = self.spans.iter().map(|span| span[2]).max().unwrap_or(0);
        let top = self.spans.first().map_or(0, |span| span[0]);
        let bottom = self.spans.last().map_or(0, |span| span[0] + 1);
        Area::new(left as i32, top as i32, (right - left) as i32, (bottom - top) as i32)
    }

    /// Its centre of mass.
    pub fn centre(&self) -> (f64, f64) {
        let (mut x, mut y, mut n) = (0.0, 0.0, 0.0);
        for [row, from, to] in &self.spans {
            let width = f64::from(to - from);
            x += width * (f64::from(from + to) - 1.0) / 2.0;
            y += width * f64::from(*row);
            n += width;
        }
        if n == 0.0 { (0.0, 0.0) } else { (x / n, y / n) }
    }

    /// How many pixels away a point is; none if it lies in the mask. Infinitely many if the mask is empty.
    pub fn distance(&self, (x, y): (i64, i64)) -> f64 {
        let squared = |[row, from, to]: &[u32; 3]| {
            let dx = (i64::from(*from) - x).max(x - (i64::from(*to) - 1)).max(0);
            let dy = i64::from(*row) - y;
            dx * dx + dy * dy
        };
        self.spans.iter().map(squared).min().map_or(f64::INFINITY, |squared| (squared as f64).sqrt())
    }

    /// Whether a point lies in it.
    pub fn contains(&self, point: (i64, i64)) -> bool {
        self.distance(point) == 0.0
    }

    /// The point that lies deepest inside; of several, the one nearest to the centre of mass.
    pub fn inmost(&self) -> (i64, i64) {
        let bounds = self.bounds();
        let depths = Depths::of(self, bounds);
        let (cx, cy) = self.centre();
        let mut best = ((0, 0), 0, f64::INFINITY);
        for [row, from, to] in &self.spans {
            for x in *from..*to {
                let point = (i64::from(x), i64::from(*row));
                let depth = depths.at(point);
                let (dx, dy) = (f64::from(x) - cx, f64::from(*row) - cy);
                let off = dx * dx + dy * dy;
                if depth > best.1 || (depth == best.1 && off < best.2) {
                    best = (point, depth, off);
                }
            }
        }
        best.0
    }
}

/// How deep inside a mask every pixel of its rectangle lies, in steps of [`SIDE`] and [`CORNER`].
struct Depths {
    bounds: Area,
    stride: usize,
    cells: Vec<u16>,
}

impl Depths {
    fn of(mask: &Mask, bounds: Area) -> Self {
        let stride = bounds.width as usize + 2;
        let mut depths = Self { bounds, stride, cells: vec![0; stride * (bounds.height as usize + 2)] };
        for [row, from, to] in &mask.spans {
            let first = depths.cell((i64::from(*from), i64::from(*row)));
            depths.cells[first..first + (to - from) as usize].fill(u16::MAX);
        }
        let inside = stride + 1..depths.cells.len() - stride - 1;
        for at in inside.clone() {
            depths.lower(at, [at - 1, at - stride, at - stride - 1, at - stride + 1]);
        }
        for at in inside.rev() {
            depths.lower(at, [at + 1, at + stride, at + stride + 1, at + stride - 1]);
        }
        depths
    }

    /// Lowers a cell to what two neighbours by the side and two by the corner allow.
    fn lower(&mut self, at: usize, [across, down, one, other]: [usize; 4]) {
        let cells = &self.cells;
        let by_side = cells[across].min(cells[down]).saturating_add(SIDE);
        let by_corner = cells[one].min(cells[other]).saturating_add(CORNER);
        self.cells[at] = self.cells[at].min(by_side).min(by_corner);
    }

    fn cell(&self, (x, y): (i64, i64)) -> usize {
        let (x, y) = (x - i64::from(self.bounds.x) + 1, y - i64::from(self.bounds.y) + 1);
        y as usize * self.stride + x as usize
    }

    fn at(&self, point: (i64, i64)) -> u16 {
        self.cells[self.cell(point)]
    }
}
