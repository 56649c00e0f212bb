//! The stage: samples with colour and depth.

use quintain_core::picture::Picture;

use super::camera::{Camera, CameraView};
use super::clip;
use super::light::Light;
use super::mesh::Mesh;
use super::pose::Pose;
use super::triangle::{self, Corner, Triangle, TriangleInk, TriangleOutline};
use super::vector::{add, dot, times};
use crate::canvas::Color;

/// How many samples make a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Samples {
    /// One: fast, with jagged edges.
    One,
    /// Two by two: clean edges.
    Four,
}

/// A rectangle of samples on which meshes are drawn; the nearest surface wins.
pub struct SampleStage {
    width: usize,
    height: usize,
    samples: Samples,
    colors: Vec<[u8; 4]>,
    nearness: Vec<f32>,
    ground: [u8; 4],
    drawn: DrawnBounds,
    seen: Vec<Corner>,
}

/// The samples that may have been drawn on: from the first to before the last, across and down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DrawnBounds {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) right: usize,
    pub(super) bottom: usize,
}

impl DrawnBounds {
    const NONE: Self = Self { left: usize::MAX, top: usize::MAX, right: 0, bottom: 0 };

    fn with(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    fn is_empty(self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }
}

/// The rows of samples that triangles are filled into.
pub(super) struct SampleSheet<'a> {
    pub(super) across: usize,
    pub(super) down: usize,
    pub(super) colors: &'a mut [[u8; 4]],
    pub(super) nearness: &'a mut [f32],
}

impl SampleStage {
    /// A stage of so many pixels, black.
    pub fn new(width: u32, height: u32, samples: Samples) -> Self {
        let (width, height) = (width as usize, height as usize);
        let n_samples = width * height * if samples == Samples::Four { 4 } else { 1 };
        let ground = [0, 0, 0, 255];
        Self {
            width,
            height,
            samples,
            colors: vec![ground; n_samples],
            nearness: vec![f32::NEG_INFINITY; n_samples],
            ground,
            drawn: DrawnBounds::NONE,
            seen: Vec::new(),
        }
    }

    fn side(&self) -> usize {
        if self.samples == Samples::Four { 2 } else { 1 }
    }

    /// Takes everything off the stage and gives it a ground of one colour.
    pub fn clear(&mut self, [red, green, blue]: Color) {
        let ground = [red, green, blue, 255];
        if ground != self.ground {
            self.ground = ground;
            self.colors.fill(ground);
            self.nearness.fill(f32::NEG_INFINITY);
        } else if !self.drawn.is_empty() {
            let across = self.width * self.side();
            let DrawnBounds { left, top, right, bottom } = self.drawn;
            for row in top..bottom {
                self.colors[row * across + left..row * across + right].fill(ground);
                self.nearness[row * across + left..row * across + right].fill(f32::NEG_INFINITY);
            }
        }
        self.drawn = DrawnBounds::NONE;
    }

    /// Draws a mesh where its pose puts it, hidden where something nearer was drawn.
    pub fn draw(&mut self, mesh: &Mesh, pose: &Pose, camera: &Camera, light: &Light) {
        let (across, down) = (self.width * self.side(), self.height * self.side());
        let view = CameraView::new(camera, across, down);
        let light = light.normalised();
        see(&mut self.seen, mesh, pose, &view, light);
        let mut sheet = SampleSheet { across, down, colors: &mut self.colors, nearness: &mut self.nearness };
        for indices in &mesh.triangles {
            let corners = indices.map(|i| &self.seen[i as usize]);
            if triangle::is_hidden(corners, mesh.sides) {
                continue;
            }
            let corners = corners.map(|corner| *corner);
            let places = indices.map(|i| mesh.skin.as_ref().map_or([0.0; 2], |skin| skin.places[i as usize]));
            let colors = indices.map(|i| mesh.colors[i as usize]);
            let triangle = Triangle { corners, places, colors };
            let ink = TriangleInk { mesh, view: &view, light };
            if corners.iter().all(|corner| corner.is_before) {
                self.drawn = draw_triangle(self.drawn, &triangle, &ink, &mut sheet);
            } else {
                for part in clip::clipped(&triangle, &view) {
                    self.drawn = draw_triangle(self.drawn, &part, &ink, &mut sheet);
                }
            }
        }
    }

    /// Puts the stage into a picture, its upper left corner at a place; the picture must hold it whole.
    pub fn show(&self, picture: &mut Picture, (x, y): (u32, u32)) {
        let stride = picture.width() as usize * 4;
        let rgba = picture.rgba_mut();
        for row in 0..self.height {
            let from = (y as usize + row) * stride + x as usize * 4;
            let (line, _) = rgba[from..from + self.width * 4].as_chunks_mut::<4>();
            self.show_row(row, line);
        }
    }

    fn show_row(&self, row: usize, line: &mut [[u8; 4]]) {
        let side = self.side();
        let DrawnBounds { left, top, right, bottom } = self.drawn;
        if row * side + side <= top || row * side >= bottom {
            line.fill(self.ground);
            return;
        }
        let (left, right) = (left / side, right.div_ceil(side));
        line[..left].fill(self.ground);
        line[right..].fill(self.ground);
        let across = self.width * side;
        let samples = |row: usize| &self.colors[row * across + left * side..row * across + right * side];
        match self.samples {
            Samples::One => line[left..right].copy_from_slice(samples(row)),
            Samples::Four => {
                let (upper, _) = samples(2 * row).as_chunks::<2>();
                let (lower, _) = samples(2 * row + 1).as_chunks::<2>();
                for ((pixel, upper), lower) in line[left..right].iter_mut().zip(upper).zip(lower) {
                    *pixel = mean([upper[0], upper[1], lower[0], lower[1]]);
                }
            }
        }
    }

    /// How many samples something was drawn on.
    pub fn n_covered(&self) -> usize {
        self.nearness.iter().filter(|nearness| **nearness > f32::NEG_INFINITY).count()
    }

    /// The colours of all samples, row by row from the top; nothing where nothing was drawn.
    pub fn covered(&self) -> impl Iterator<Item = Option<Color>> {
        let samples = self.colors.iter().zip(&self.nearness);
        samples.map(|([red, green, blue, _], near)| (*near > f32::NEG_INFINITY).then_some([*red, *green, *blue]))
    }
}

/// The mean of four colours, two channels at a time.
#[inline]
fn mean(samples: [[u8; 4]; 4]) -> [u8; 4] {
    const EVEN: u32 = 0x00ff_00ff;
    let (mut even, mut odd) = (0x0002_0002_u32, 0x0002_0002_u32);
    for sample in samples {
        let sample = u32::from_le_bytes(sample);
        even += sample & EVEN;
        odd += (sample >> 8) & EVEN;
    }
    (((even >> 2) & EVEN) | (((odd >> 2) & EVEN) << 8)).to_le_bytes()
}

/// Lays all corners of a mesh onto the stage.
fn see(seen: &mut Vec<Corner>, mesh: &Mesh, pose: &Pose, view: &CameraView, light: Light) {
    let (turn, shift) = view.of(&pose.turn, pose.shift);
    // The light as the mesh sees it, so that its normals need not be turned.
    let towards = view.direction(light.towards);
    let column = |j: usize| [turn[0][j], turn[1][j], turn[2][j]];
    let towards = [dot(column(0), towards), dot(column(1), towards), dot(column(2), towards)];
    seen.clear();
    seen.extend(mesh.positions.iter().zip(&mesh.normals).map(|(position, normal)| {
        let at = add(times(&turn, *position), shift);
        Corner::new(at, dot(*normal, towards), view)
    }));
}

/// Fills a triangle, if it can be seen; gives what has been drawn then.
fn draw_triangle(
    drawn: DrawnBounds,
    triangle: &Triangle,
    ink: &TriangleInk<'_>,
    sheet: &mut SampleSheet<'_>,
) -> DrawnBounds {
    let Some(outline) = TriangleOutline::of(triangle, ink.mesh.sides, sheet.across, sheet.down) else { return drawn };
    outline.fill(ink, sheet);
    drawn.with(outline.bounds)
}
