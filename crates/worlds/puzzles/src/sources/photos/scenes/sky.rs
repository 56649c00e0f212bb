//! Skies: a gradient, a sun's glow, clouds lit from its side.

use quintain_core::rng::Rng;

use super::noise::noise;
use super::sheet::{PaintSheet, Rgb, mix, near, ramp, within};

/// A sky.
pub(in crate::sources) struct Sky {
    pub(in crate::sources) top: Rgb,
    pub(in crate::sources) low: Rgb,
    pub(in crate::sources) glow: Rgb,
    pub(in crate::sources) cloud: Rgb,
    pub(in crate::sources) shade: Rgb,
    /// Where the sun is, as shares of width and horizon.
    pub(in crate::sources) sun: (f32, f32),
    /// How much of it the clouds cover, from 0 to 1.
    pub(in crate::sources) cover: f32,
}

impl Sky {
    /// A sky of the day, from clear to cloudy.
    pub(in crate::sources) fn day(rng: &mut Rng) -> Self {
        Self {
            top: near(rng, [58.0, 112.0, 190.0], 18.0),
            low: near(rng, [188.0, 214.0, 232.0], 12.0),
            glow: [70.0, 60.0, 34.0],
            cloud: [250.0, 249.0, 246.0],
            shade: near(rng, [138.0, 150.0, 172.0], 10.0),
            sun: (within(rng, 0.1, 0.9), within(rng, 0.1, 0.5)),
            cover: within(rng, 0.54, 0.72),
        }
    }

    /// A sky when the sun is low.
    pub(in crate::sources) fn dusk(rng: &mut Rng) -> Self {
        Self {
            top: near(rng, [44.0, 54.0, 108.0], 16.0),
            low: near(rng, [250.0, 170.0, 104.0], 16.0),
            glow: [150.0, 84.0, 16.0],
            cloud: near(rng, [255.0, 176.0, 128.0], 14.0),
            shade: near(rng, [92.0, 66.0, 104.0], 14.0),
            sun: (within(rng, 0.15, 0.85), within(rng, 0.8, 0.95)),
            cover: within(rng, 0.54, 0.74),
        }
    }

    /// Paints it from the top to the horizon.
    pub(in crate::sources) fn paint(&self, sheet: &mut PaintSheet, rng: &mut Rng, horizon: usize) {
        let noise = noise();
        let (ox, oy) = (within(rng, 0.0, 256.0), within(rng, 0.0, 256.0));
        let (width, depth_of_sky) = (sheet.width, horizon.max(1) as f32);
        let scale = sheet.scale();
        let per_scale = 1.0 / scale;
        let sun = (self.sun.0 * width as f32, self.sun.1 * depth_of_sky);
        let towards = if self.sun.0 > 0.5 { 2.5 } else { -2.5 };
        let (from, to) = (0.66 - self.cover * 0.42, 0.86 - self.cover * 0.42);
        sheet.soft(0..horizon.min(sheet.height), |y| {
            let height = 1.0 - y as f32 / depth_of_sky;
            let base = mix(self.low, self.top, height * (1.6 - 0.6 * height));
            // Clouds lie on a ceiling: the nearer to the horizon, the farther away and the flatter.
            let distance = 1.0 / (height * 1.1 + 0.22);
            let v = oy + distance * 62.0;
            let step = distance * 0.19 / scale;
            let left = ox - step * width as f32 / 2.0;
            let (broad, fine, beside) = (noise.row(v), noise.row(v * 4.0), noise.row(v - 3.0));
            let thin = ramp(0.0, 0.12, height);
            let dy = (y as f32 - sun.1) / scale;
            let far = 5200.0 + dy * dy;
            move |x, _| {
                let dx = (x as f32 - sun.0) * per_scale;
                let bright = 5200.0 / (far + dx * dx);
                let glow = [self.glow[0] * bright, self.glow[1] * bright, self.glow[2] * bright];
                let color = [base[0] + glow[0], base[1] + glow[1], base[2] + glow[2]];
                let u = left + x as f32 * step;
                let thick = broad.at(u) * 0.8 + fine.near(u * 4.0) * 0.2;
                let share = ramp(from, to, thick) * thin;
                let relief = (thick - beside.at(u + towards)) * 2.6 + 0.62 - share * 0.25;
                mix(color, mix(self.shade, self.cloud, relief.clamp(0.0, 1.0)), share * 0.94)
            }
        });
    }
}
