//! Filling triangles.

use super::camera::CameraView;
use super::light::Light;
use super::mesh::{Mesh, Sides, Skin};
use super::stage::{DrawnBounds, SampleSheet};
use super::texture::MeshTexture;
use super::vector::Vector;
use crate::canvas::Color;

/// The fine grid that corners are snapped to: so many steps a sample.
const STEPS: i64 = 256;
/// Corners farther off the stage than this many samples are pulled in, so that whole numbers do not overflow.
const FARTHEST: f32 = 4_000_000.0;

/// A corner laid onto the stage.
#[derive(Clone, Copy)]
pub(super) struct Corner {
    /// Its place along the eye's axes.
    pub(super) at: Vector,
    /// Steps from the left and from the top of the stage.
    x: i64,
    y: i64,
    nearness: f32,
    /// The cosine between its normal and the light.
    pub(super) cosine: f32,
    pub(super) is_before: bool,
}

impl Corner {
    #[inline]
    pub(super) fn new(at: Vector, cosine: f32, view: &CameraView) -> Self {
        if !view.is_before(at) {
            return Self { at, x: 0, y: 0, nearness: 0.0, cosine, is_before: false };
        }
        let (x, y, nearness) = view.project(at);
        let snap = |along: f32| (along.clamp(-FARTHEST, FARTHEST) * STEPS as f32) as i64;
        Self { at, x: snap(x), y: snap(y), nearness, cosine, is_before: true }
    }
}

/// Whether a triangle cannot be seen, told from its corners alone: it lies before the eye and shows its back, or nothing.
#[inline]
pub(super) fn is_hidden([a, b, c]: [&Corner; 3], sides: Sides) -> bool {
    let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    a.is_before && b.is_before && c.is_before && (area == 0 || (area > 0 && sides == Sides::Outside))
}

/// Three corners with what belongs to each.
pub(super) struct Triangle {
    pub(super) corners: [Corner; 3],
    /// Places in the texture.
    pub(super) places: [[f32; 2]; 3],
    pub(super) colors: [Color; 3],
}

/// What triangles are filled with.
pub(super) struct TriangleInk<'a> {
    pub(super) mesh: &'a Mesh,
    pub(super) view: &'a CameraView,
    pub(super) light: Light,
}

/// A triangle made ready: which samples it covers, and how to find values in between its corners.
pub(super) struct TriangleOutline<'a> {
    triangle: &'a Triangle,
    /// The corners in the order that makes the area positive.
    order: [usize; 3],
    is_back: bool,
    pub(super) bounds: DrawnBounds,
    /// Of each edge, its value at the first sample of the bounds and its steps across and down: inside all are positive.
    edges: [[i64; 3]; 3],
    inverse_area: f32,
}

impl<'a> TriangleOutline<'a> {
    /// The outline, unless nothing of the triangle can be seen.
    #[inline]
    pub(super) fn of(triangle: &'a Triangle, sides: Sides, across: usize, down: usize) -> Option<Self> {
        let [a, b, c] = &triangle.corners;
        let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        // Counter-clockwise with y upwards is the negative way round with y downwards.
        let is_back = area > 0;
        if area == 0 || (is_back && sides == Sides::Outside) {
            return None;
        }
        let order = if is_back { [0, 1, 2] } else { [0, 2, 1] };
        let bounds = bounds(triangle, across, down)?;
        let first = (bounds.left as i64 * STEPS + STEPS / 2, bounds.top as i64 * STEPS + STEPS / 2);
        let corner = |i: usize| &triangle.corners[order[i % 3]];
        let edges = [0, 1, 2].map(|i| edge(corner(i), corner(i + 1), first));
        Some(Self { triangle, order, is_back, bounds, edges, inverse_area: STEPS as f32 / area.abs() as f32 })
    }

    /// Fills it with the ink.
    #[inline]
    pub(super) fn fill(&self, ink: &TriangleInk<'_>, sheet: &mut SampleSheet<'_>) {
        let sign = if self.is_back { -1.0 } else { 1.0 };
        let corners = &self.triangle.corners;
        let bright = [0, 1, 2].map(|i| ink.light.brightness(sign * corners[i].cosine));
        let nearness = self.slope([0, 1, 2].map(|i| corners[i].nearness));
        match &ink.mesh.skin {
            Some(skin) => self.fill_textured(skin, ink.view, bright, nearness, sheet),
            None => self.fill_colored(bright, nearness, sheet),
        }
    }

    #[inline]
    fn fill_colored(&self, bright: [f32; 3], nearness: Slope, sheet: &mut SampleSheet<'_>) {
        let colors = &self.triangle.colors;
        let lit = [0, 1, 2].map(|i| colors[i].map(|channel| f32::from(channel) * bright[i]));
        if is_same(lit[0], lit[1]) && is_same(lit[1], lit[2]) {
            let [red, green, blue] = lit[0].map(|channel| channel as u8);
            self.rows(nearness, sheet, |_, _| move |_: f32| [red, green, blue, 255]);
            return;
        }
        let [red, green, blue] = [0, 1, 2].map(|channel| self.slope([0, 1, 2].map(|i| lit[i][channel])));
        self.rows(nearness, sheet, |x, y| {
            let (mut r, mut g, mut b) = (red.at(x, y), green.at(x, y), blue.at(x, y));
            move |_: f32| {
                let color = [r as u8, g as u8, b as u8, 255];
                r += red.across;
                g += green.across;
                b += blue.across;
                color
            }
        });
    }

    #[inline]
    fn fill_textured(
        &self,
        skin: &Skin,
        view: &CameraView,
        bright: [f32; 3],
        nearness: Slope,
        sheet: &mut SampleSheet<'_>,
    ) {
        let texture: &MeshTexture = &skin.texture;
        let side = texture.side() as f32;
        let weight = |i: usize| if view.is_perspective { self.triangle.corners[i].nearness } else { 1.0 };
        let place = |axis: usize| self.slope([0, 1, 2].map(|i| self.triangle.places[i][axis] * side * weight(i)));
        let (right, down, light) = (place(0), place(1), self.slope(bright.map(|bright| bright * 256.0)));
        let is_perspective = view.is_perspective;
        self.rows(nearness, sheet, |x, y| {
            let (mut u, mut v, mut l) = (right.at(x, y), down.at(x, y), light.at(x, y));
            move |near: f32| {
                let scale = if is_perspective { 1.0 / near } else { 1.0 };
                let texel = texture.texel(u * scale, v * scale);
                let bright = l as u32;
                u += right.across;
                v += down.across;
                l += light.across;
                let [red, green, blue] = [0, 1, 2].map(|i| ((u32::from(texel[i]) * bright) >> 8).min(255) as u8);
                [red, green, blue, 255]
            }
        });
    }

    /// Goes through the samples inside, row by row; `begin` gives for the start of each row what colours its samples.
    #[inline]
    fn rows<F: FnMut(f32) -> [u8; 4]>(
        &self,
        nearness: Slope,
        sheet: &mut SampleSheet<'_>,
        begin: impl Fn(f32, f32) -> F,
    ) {
        let DrawnBounds { left, top, right, bottom } = self.bounds;
        let mut edges = self.edges.map(|edge| edge[0]);
        for row in top..bottom {
            let (first, last) = self.span(edges, right - left);
            if first < last {
                let (x, y) = ((left + first) as f32 + 0.5, row as f32 + 0.5);
                let samples = row * sheet.across + left + first..row * sheet.across + left + last;
                let line = sheet.nearness[samples.clone()].iter_mut().zip(&mut sheet.colors[samples]);
                paint(line, nearness.at(x, y), nearness.across, begin(x, y));
            }
            for (value, edge) in edges.iter_mut().zip(&self.edges) {
                *value += edge[2];
            }
        }
    }

    /// The samples of a row that lie inside, counted from the left of the bounds: each edge leaves what is on one side of
    /// the place where it crosses the row.
    #[inline]
    fn span(&self, values: [i64; 3], n_samples: usize) -> (usize, usize) {
        let (mut first, mut last) = (0, n_samples as i64);
        for (value, [_, step, _]) in values.into_iter().zip(self.edges) {
            if step > 0 {
                first = first.max((step - 1 - value).max(0) / step);
            } else if value < 0 {
                return (0, 0);
            } else if step < 0 {
                last = last.min(value / -step + 1);
            }
        }
        (first as usize, last.max(first) as usize)
    }

    /// How a value changes over the stage that is known at the corners.
    #[inline]
    fn slope(&self, values: [f32; 3]) -> Slope {
        let [i, j, k] = self.order;
        let corners = &self.triangle.corners;
        let (x0, y0) = (corners[i].x, corners[i].y);
        let from = |corner: usize| ((corners[corner].x - x0) as f32, (corners[corner].y - y0) as f32);
        let ((x1, y1), (x2, y2)) = (from(j), from(k));
        let (d1, d2) = (values[j] - values[i], values[k] - values[i]);
        let across = (d1 * y2 - d2 * y1) * self.inverse_area;
        let down = (d2 * x1 - d1 * x2) * self.inverse_area;
        Slope { value: values[i], x: x0 as f32 / STEPS as f32, y: y0 as f32 / STEPS as f32, across, down }
    }
}

/// Paints the samples of a line where nothing nearer is.
#[inline]
fn paint<'a>(
    line: impl Iterator<Item = (&'a mut f32, &'a mut [u8; 4])>,
    mut near: f32,
    step: f32,
    mut color: impl FnMut(f32) -> [u8; 4],
) {
    for (nearest, pixel) in line {
        let painted = color(near);
        if near > *nearest {
            *nearest = near;
            *pixel = painted;
        }
        near += step;
    }
}

fn is_same(one: [f32; 3], other: [f32; 3]) -> bool {
    one.map(f32::to_bits) == other.map(f32::to_bits)
}

/// A value that changes evenly over the stage.
#[derive(Clone, Copy)]
struct Slope {
    value: f32,
    x: f32,
    y: f32,
    across: f32,
    down: f32,
}

impl Slope {
    #[inline]
    fn at(&self, x: f32, y: f32) -> f32 {
        self.value + (x - self.x) * self.across + (y - self.y) * self.down
    }
}

/// The samples whose middles may lie inside, if there are any on the stage.
#[inline]
fn bounds(triangle: &Triangle, across: usize, down: usize) -> Option<DrawnBounds> {
    let [a, b, c] = &triangle.corners;
    let low = |a: i64, b: i64, c: i64| (a.min(b).min(c) + STEPS / 2 - 1).div_euclid(STEPS).max(0);
    let high = |a: i64, b: i64, c: i64, n: usize| ((a.max(b).max(c) - STEPS / 2).div_euclid(STEPS) + 1).min(n as i64);
    let (left, right) = (low(a.x, b.x, c.x), high(a.x, b.x, c.x, across));
    let (top, bottom) = (low(a.y, b.y, c.y), high(a.y, b.y, c.y, down));
    let holds = left < right && top < bottom;
    holds.then_some(DrawnBounds {
        left: left as usize,
        top: top as usize,
        right: right as usize,
        bottom: bottom as usize,
    })
}

/// An edge's value at a point, and its change a sample across and down. A sample on the edge itself belongs to the
/// triangle only if this is an upper or a left edge, so that it belongs to one of two neighbours.
#[inline]
fn edge(from: &Corner, to: &Corner, (x, y): (i64, i64)) -> [i64; 3] {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let is_upper_or_left = dy < 0 || (dy == 0 && dx > 0);
    let value = dx * (y - from.y) - dy * (x - from.x) - i64::from(!is_upper_or_left);
    [value, -dy * STEPS, dx * STEPS]
}
