//! The red ball that marks the goal: a sphere met by each ray, hidden by whatever wall is nearer.

use quintain_core::picture::Picture;

use super::draw::light;
use super::texture::{Rgba, mix, pack};
use super::view::{BALL_RADIUS, MazeView, Wall};

/// How far the middle of the ball is below the eye, in cells.
const BELOW_EYE: f32 = 0.06;
const RED: [f32; 3] = [226.0, 26.0, 30.0];
/// Where the light on the ball comes from: left, above, behind the eye.
const LIGHT: [f32; 3] = [-0.48, -0.64, -0.6];

struct MazeBall {
    middle: [f32; 3],
    radius: f32,
    focal: f32,
}

/// Paints what can be seen of the ball.
pub(super) fn paint(picture: &mut Picture, view: &MazeView<'_>, walls: &[Wall]) {
    let (across, ahead) = view.ball();
    let ball = MazeBall {
        middle: [across as f32, BELOW_EYE, ahead as f32],
        radius: BALL_RADIUS as f32,
        focal: view.focal as f32,
    };
    if ahead <= BALL_RADIUS {
        return;
    }
    let (width, height) = (view.width as usize, view.height as usize);
    let columns = ball.reach(ball.middle[0], width);
    let rows = ball.reach(ball.middle[1], height);
    for row in rows {
        for column in columns.clone() {
            let slope = |pixel: usize, size: usize| (pixel as f32 + 0.5 - size as f32 / 2.0) / ball.focal;
            let ray = [slope(column, width), slope(row, height), 1.0];
            let Some((color, cover)) = ball.seen(ray, walls[column].depth as f32) else { continue };
            let pixel = &mut picture.rgba_mut()[(row * width + column) * 4..][..4];
            let behind = [pixel[0], pixel[1], pixel[2], pixel[3]];
            pixel.copy_from_slice(&mix(behind, color, cover));
        }
    }
}

impl MazeBall {
    /// The pixels along one axis of the picture that the ball may cover.
    fn reach(&self, middle: f32, size: usize) -> std::ops::Range<usize> {
        let nearest = self.middle[2] - self.radius;
        let pixel = |offset: f32, depth: f32| size as f32 / 2.0 + self.focal * offset / depth;
        let least =
            pixel(middle - self.radius, if middle < self.radius { nearest } else { self.middle[2] + self.radius });
        let most =
            pixel(middle + self.radius, if middle > -self.radius { nearest } else { self.middle[2] + self.radius });
        let clip = |at: f32| at.clamp(0.0, size as f32) as usize;
        clip(least - 1.0)..clip(most + 2.0)
    }

    /// The colour that a ray meets, and how much of the pixel it covers, of 256.
    fn seen(&self, ray: [f32; 3], wall_depth: f32) -> Option<(Rgba, u32)> {
        let length_squared = dot(ray, ray);
        let along = dot(ray, self.middle) / length_squared;
        let off_squared = dot(self.middle, self.middle) - along * along * length_squared;
        let off = off_squared.max(0.0).sqrt();
        let pixel = along / self.focal;
        let cover = (self.radius - off) / pixel + 0.5;
        if cover <= 0.0 {
            return None;
        }
        let inside = (self.radius * self.radius - off_squared).max(0.0);
        let depth = along - (inside / length_squared).sqrt();
        (depth < wall_depth).then(|| (self.color(ray, depth), (256.0 * cover.min(1.0)) as u32))
    }

    /// The colour of the ball where a ray meets it.
    fn color(&self, ray: [f32; 3], depth: f32) -> Rgba {
        let away = |axis: usize| (ray[axis] * depth - self.middle[axis]) / self.radius;
        let normal = [away(0), away(1), away(2)];
        let facing = dot(normal, LIGHT).max(0.0);
        let back = 1.0 / dot(ray, ray).sqrt();
        let toward_eye = ray.map(|part| -part * back);
        let half = [0, 1, 2].map(|axis| toward_eye[axis] + LIGHT[axis]);
        let gleam = dot(normal, half).max(0.0) / dot(half, half).sqrt();
        let gleam = [(); 5].iter().fold(gleam, |gleam, ()| gleam * gleam);
        let bright = (0.34 + 0.66 * facing) * (0.35 + 0.65 * light(depth));
        pack(RED.map(|channel| channel * bright + 190.0 * gleam * light(depth)))
    }
}

fn dot(one: [f32; 3], other: [f32; 3]) -> f32 {
    one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
}
