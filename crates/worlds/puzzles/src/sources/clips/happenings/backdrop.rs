//! Where things happen: a table before a wall, or a field under a sky.

use quintain_core::rng::Rng;

use super::stage::ClipStage;
use crate::sources::photos::scenes::noise::noise;
use crate::sources::photos::scenes::sheet::{Rgb, lit, mix, near, ramp, within};

/// A table before a wall.
pub(super) struct RoomBackdrop {
    wall: Rgb,
    wood: Rgb,
    /// Where the table begins, from the top.
    pub(super) table: f32,
    light: f32,
    grain: f32,
}

impl RoomBackdrop {
    pub(super) fn new(rng: &mut Rng) -> Self {
        let walls = [[196.0, 188.0, 170.0], [150.0, 172.0, 182.0], [184.0, 160.0, 150.0], [160.0, 176.0, 150.0]];
        let woods = [[150.0, 102.0, 62.0], [112.0, 74.0, 48.0], [184.0, 142.0, 96.0]];
        let (wall, wood) = (*rng.choose(&walls), *rng.choose(&woods));
        Self {
            wall: near(rng, wall, 14.0),
            wood: near(rng, wood, 10.0),
            table: within(rng, 0.70, 0.75),
            light: within(rng, 0.15, 0.85),
            grain: within(rng, 0.0, 200.0),
        }
    }

    /// The same in the dark.
    pub(super) fn dimmed(mut self, light: f32) -> Self {
        (self.wall, self.wood) = (lit(self.wall, light), lit(self.wood, light));
        self
    }

    pub(super) fn paint(&self, stage: &mut ClipStage) {
        let noise = noise();
        stage.soft((0.0, 1.0), |(x, y), _| {
            if y < self.table {
                let off = (x - self.light).abs() + y * 0.6;
                let rough = noise.at(x * 90.0 + self.grain, y * 90.0) - 0.5;
                lit(self.wall, 1.14 - 0.34 * off + rough * 0.05)
            } else {
                let depth = y - self.table;
                let grain = noise.at(x * 26.0 + self.grain, y * 300.0) - 0.5;
                let edge = ramp(0.0, 0.012, depth);
                lit(self.wood, (0.78 + 0.30 * edge) * (1.0 + grain * 0.42 - depth * 0.25))
            }
        });
    }
}

/// A field under a sky.
pub(super) struct FieldBackdrop {
    sky: [Rgb; 2],
    grass: Rgb,
    /// Where the ground begins, from the top.
    pub(super) horizon: f32,
    hills: f32,
}

impl FieldBackdrop {
    pub(super) fn new(rng: &mut Rng) -> Self {
        Self {
            sky: [near(rng, [86.0, 146.0, 214.0], 16.0), near(rng, [206.0, 224.0, 236.0], 8.0)],
            grass: near(rng, [104.0, 146.0, 66.0], 16.0),
            horizon: within(rng, 0.56, 0.64),
            hills: within(rng, 0.0, 200.0),
        }
    }

    pub(super) fn paint(&self, stage: &mut ClipStage) {
        let noise = noise();
        let hill = |x: f32| self.horizon - 0.16 * noise.at(x * 24.0 + self.hills, 40.0);
        stage.soft((0.0, 1.0), |(x, y), _| {
            let clouds = ramp(0.52, 0.74, noise.at(x * 34.0 + self.hills, y * 70.0 + 9.0));
            let sky = mix(mix(self.sky[0], self.sky[1], y / self.horizon), [250.0; 3], clouds * 0.7);
            let far = lit(mix(self.grass, self.sky[1], 0.45), 0.86 + 0.2 * noise.at(x * 60.0, y * 60.0));
            let blades = noise.at(x * 210.0 + self.hills, y * 120.0) - 0.5;
            let near_by = lit(self.grass, 0.84 + (y - self.horizon) * 0.5 + blades * 0.22);
            let is_hill = ramp(-0.006, 0.006, y - hill(x));
            mix(mix(sky, far, is_hill), near_by, ramp(-0.004, 0.004, y - self.horizon))
        });
    }
}
