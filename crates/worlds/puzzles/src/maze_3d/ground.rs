//! Floor and ceiling: row by row, each row being a line of texture, darker near walls and under the ball.

use quintain_core::picture::Picture;

use super::draw::{EDGE_DARK, EDGE_REACH, ONE_CELL, light};
use super::texture::{MazeTexture, TexelLine, TextureAxis, surfaces};
use super::view::{BALL_RADIUS, EYE_BACK, EYE_HEIGHT, MazeView, Wall};
use crate::maze::MazeDirection;

/// Paints what is seen of the floor and the ceiling. The eye is halfway up, so each row of the one mirrors a row of the
/// other.
pub(super) fn paint(picture: &mut Picture, view: &MazeView<'_>, walls: &[Wall]) {
    let mut lines = [TexelLine::new(), TexelLine::new()];
    let half_heights: Vec<f32> = walls.iter().map(|wall| wall.half_height).collect();
    let stride = view.width as usize * 4;
    let (upper, lower) = picture.rgba_mut().split_at_mut(view.height as usize / 2 * stride);
    let pairs = upper.chunks_exact_mut(stride).zip(lower.chunks_exact_mut(stride).rev());
    for (row, pair) in pairs.enumerate() {
        let off_horizon = f64::from(view.height) / 2.0 - 0.5 - row as f64;
        paint_rows(pair, view, &half_heights, off_horizon, &mut lines);
    }
}

/// Paints what is seen of a row of ceiling and the row of floor below it.
fn paint_rows(
    (upper, lower): (&mut [u8], &mut [u8]),
    view: &MazeView<'_>,
    half_heights: &[f32],
    off_horizon: f64,
    [above, below]: &mut [TexelLine; 2],
) {
    let depth = EYE_HEIGHT * view.focal / off_horizon;
    let lane = FloorRow::new(view, depth);
    lane.prepare(view, &surfaces().ceiling, above);
    lane.prepare(view, &surfaces().floor, below);
    let mut shade = Shade::new(view, depth);
    let outer = (off_horizon + 0.5) as f32;
    let pixels = upper.chunks_exact_mut(4).zip(lower.chunks_exact_mut(4));
    for ((column, (upper, lower)), half_height) in pixels.enumerate().zip(half_heights) {
        if *half_height >= outer {
            continue;
        }
        let across = lane.across(column);
        let fraction = lane.fraction(across);
        let light = shade.at(across);
        upper.copy_from_slice(&above.dimmed(above.place(fraction), light));
        lower.copy_from_slice(&below.dimmed(below.place(fraction), shade.below_ball(across, light)));
    }
}

/// A row of floor and ceiling as a line of texture.
struct FloorRow {
    depth: f64,
    /// Cells to the right of the cell one stands in, with 32 bits of fraction: at the first column, and per column.
    first: i64,
    step: i64,
    is_reversed: bool,
}

impl FloorRow {
    fn new(view: &MazeView<'_>, depth: f64) -> Self {
        Self {
            depth,
            first: ((0.5 + view.slope(0) * depth) * ONE_CELL) as i64,
            step: (depth / view.focal * ONE_CELL) as i64,
            is_reversed: matches!(view.heading(), MazeDirection::South | MazeDirection::West),
        }
    }

    /// Prepares the line of a texture that the row shows.
    fn prepare(&self, view: &MazeView<'_>, texture: &MazeTexture, line: &mut TexelLine) {
        let spans = (self.depth / view.focal, self.depth * self.depth / (EYE_HEIGHT * view.focal));
        let ahead = ((self.depth + 0.5 - EYE_BACK) * ONE_CELL) as i64 as u32;
        let (axis, place) = match view.heading() {
            MazeDirection::North => (TextureAxis::U, ahead.wrapping_neg()),
            MazeDirection::South => (TextureAxis::U, ahead),
            MazeDirection::East => (TextureAxis::V, ahead),
            MazeDirection::West => (TextureAxis::V, ahead.wrapping_neg()),
        };
        let light = (256.0 * light(self.depth as f32)) as u32;
        texture.line(axis, place, spans, light, line);
    }

    fn across(&self, column: usize) -> i64 {
        self.first + self.step * column as i64
    }

    /// The place in its cell, in 32 bits.
    fn fraction(&self, across: i64) -> u32 {
        if self.is_reversed { (across as u32).wrapping_neg() } else { across as u32 }
    }
}

/// How dark a row of floor and ceiling is near walls, and the floor under the ball. Distances from walls are whole
/// numbers of [`FINE`] to a cell.
struct Shade<'a> {
    view: &'a MazeView<'a>,
    ahead: i32,
    /// The row of cells that the nearer edge leads to, and how far that edge is, squared.
    next_ahead: i32,
    edge_squared: u32,
    /// Which half of which cell the next two belong to.
    half: i64,
    /// What to add to the squared distance from the nearer edge on the side.
    beside: u32,
    /// The squared distance from the wall before or behind.
    before: u32,
    shadow: Option<Shadow>,
}

/// The parts of a cell that distances from walls are counted in, as a power of two.
const FINE_BITS: u32 = 12;
const FINE: f32 = (1 << FINE_BITS) as f32;
const REACH_SQUARED: u32 = (EDGE_REACH * FINE * EDGE_REACH * FINE) as u32;
/// What the square of the rest of that, a thousandth of it, takes of 256 parts of light, times a power of two.
const DARK_BITS: u32 = 24;
const DARK: u32 = {
    let most = (REACH_SQUARED >> 10) as f32;
    (EDGE_DARK * 256.0 * (1 << DARK_BITS) as f32 / (most * most)) as u32
};
/// The squared distance of what is not there.
const FAR: u32 = 1 << (2 * FINE_BITS);

/// The ball's shadow where a row crosses it.
struct Shadow {
    across: f32,
    ahead_squared: f32,
}

const SHADOW_RADIUS: f32 = 1.5 * BALL_RADIUS as f32;

impl<'a> Shade<'a> {
    fn new(view: &'a MazeView<'a>, depth: f64) -> Self {
        let place = depth + 0.5 - EYE_BACK;
        let ahead = place.floor() as i32;
        let within = (place - place.floor()) as f32;
        let next_ahead = if within < 0.5 { ahead - 1 } else { ahead + 1 };
        let edge = (within.min(1.0 - within) * FINE) as u32;
        let (ball_across, ball_ahead) = view.ball();
        let off = (ball_ahead - depth) as f32;
        let shadow = (off.abs() < SHADOW_RADIUS)
            .then_some(Shadow { across: ball_across as f32 + 0.5, ahead_squared: off * off });
        Self { view, ahead, next_ahead, edge_squared: edge * edge, half: i64::MIN, beside: 0, before: 0, shadow }
    }

    /// The share of light that is left at a place, of 256.
    #[inline]
    fn at(&mut self, across: i64) -> u32 {
        if across >> 31 != self.half {
            self.turn_to(across >> 31);
        }
        let within = across as u32;
        let edge = within.min(!within) >> (32 - FINE_BITS);
        let nearest = (edge * edge + self.beside).min(self.before);
        let rest = REACH_SQUARED.saturating_sub(nearest) >> 10;
        256 - ((rest * rest * DARK) >> DARK_BITS)
    }

    /// The share of light that the ball leaves of it on the floor below.
    #[inline]
    fn below_ball(&self, across: i64, share: u32) -> u32 {
        let off = |shadow: &Shadow| across as f32 * (1.0 / ONE_CELL as f32) - shadow.across;
        self.shadow.as_ref().map_or(share, |shadow| (share as f32 * shadow.share(off(shadow))) as u32)
    }

    /// Looks up what stands around a half cell. What is open is as good as far away.
    fn turn_to(&mut self, half: i64) {
        let far_unless = |is_solid: bool| if is_solid { 0 } else { FAR };
        let across = (half >> 1) as i32;
        let next = if half & 1 == 0 { across - 1 } else { across + 1 };
        self.half = half;
        let corner = self.edge_squared + far_unless(self.view.is_solid(next, self.next_ahead));
        self.beside = far_unless(self.view.is_solid(next, self.ahead)).min(corner);
        self.before = self.edge_squared + far_unless(self.view.is_solid(across, self.next_ahead));
    }
}

impl Shadow {
    fn share(&self, off: f32) -> f32 {
        let rest = 1.0 - (off * off + self.ahead_squared) * (1.0 / (SHADOW_RADIUS * SHADOW_RADIUS));
        if rest > 0.0 { 1.0 - 0.8 * rest * rest.sqrt() } else { 1.0 }
    }
}
