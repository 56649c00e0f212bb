//! Walls: column by column, each column being a line of texture. Neighbouring columns are painted together, row by row,
//! because their pixels lie together.

use quintain_core::picture::Picture;

use super::draw::{ONE_CELL, dimmed, light};
use super::texture::{ONE_TEXEL, Rgba, TexelLine, TextureAxis, mix, surfaces};
use super::view::{MazeView, Wall};

/// How many columns are painted together.
const N_TOGETHER: usize = 16;

/// Room for the columns that are painted together.
pub(super) struct Strips(Vec<Strip>);

/// One column of wall.
struct Strip {
    line: TexelLine,
    top: f32,
    bottom: f32,
    /// The rows that it covers in full.
    full: std::ops::Range<usize>,
    /// Where on the line the first row of the picture would be, and how far it goes with each row.
    place: i32,
    step: i32,
}

impl Strips {
    pub(super) fn new() -> Self {
        Self((0..N_TOGETHER).map(|_| Strip::new()).collect())
    }

    /// Paints all walls.
    pub(super) fn paint(&mut self, picture: &mut Picture, view: &MazeView<'_>, walls: &[Wall]) {
        let stride = view.width as usize * 4;
        for (block, walls) in walls.chunks(N_TOGETHER).enumerate() {
            let strips = &mut self.0[..walls.len()];
            for (strip, wall) in strips.iter_mut().zip(walls) {
                strip.prepare(view, wall);
            }
            let in_full = strips
                .iter()
                .fold(0..usize::MAX, |rows, strip| rows.start.max(strip.full.start)..rows.end.min(strip.full.end));
            let at = block * N_TOGETHER * 4;
            for (row, pixels) in picture.rgba_mut().chunks_exact_mut(stride).enumerate() {
                let pixels = pixels[at..].chunks_exact_mut(4).zip(strips.iter());
                if in_full.contains(&row) {
                    pixels.for_each(|(pixel, strip)| pixel.copy_from_slice(&strip.color(row)));
                } else {
                    pixels.for_each(|(pixel, strip)| strip.paint(pixel, row));
                }
            }
        }
    }
}

impl Strip {
    fn new() -> Self {
        Self { line: TexelLine::new(), top: 0.0, bottom: 0.0, full: 0..0, place: 0, step: 0 }
    }

    fn prepare(&mut self, view: &MazeView<'_>, wall: &Wall) {
        let texture = if wall.faces_sideways { &surfaces().sideways } else { &surfaces().lengthways };
        let span = wall.depth / view.focal;
        let light = (256.0 * light(wall.depth as f32) * corner_share(wall)) as u32;
        texture.line(TextureAxis::V, (wall.along * ONE_CELL) as u32, (span, wall.stretch), light, &mut self.line);
        let middle = view.height as f32 / 2.0;
        self.top = middle - wall.half_height;
        self.bottom = middle + wall.half_height;
        self.full = self.top.max(0.0).ceil() as usize..self.bottom as usize;
        let texels = span * f64::from(self.line.n_texels());
        self.place = (((0.5 - f64::from(self.top)) * texels - 0.5) * ONE_TEXEL) as i32;
        self.step = (texels * ONE_TEXEL) as i32;
    }

    #[inline]
    fn color(&self, row: usize) -> Rgba {
        self.line.at(self.place.wrapping_add(self.step.wrapping_mul(row as i32)) as u32)
    }

    /// Paints one pixel, if the wall reaches there; at its upper and lower end only as much as it covers.
    fn paint(&self, pixel: &mut [u8], row: usize) {
        if self.full.contains(&row) {
            return pixel.copy_from_slice(&self.color(row));
        }
        let cover = (self.bottom - row as f32).min(row as f32 + 1.0 - self.top);
        if cover > 0.0 {
            let behind = [pixel[0], pixel[1], pixel[2], pixel[3]];
            pixel.copy_from_slice(&mix(behind, self.color(row), (256.0 * cover.min(1.0)) as u32));
        }
    }
}

/// The share of light that is left on a wall near the corners where it meets others.
fn corner_share(wall: &Wall) -> f32 {
    let along = wall.along as f32;
    let share = |is_corner: bool, off: f32| if is_corner { dimmed(off * off) } else { 1.0 };
    share(wall.corners[0], along) * share(wall.corners[1], 1.0 - along)
}
