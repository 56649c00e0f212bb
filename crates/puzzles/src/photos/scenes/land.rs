//! Hills, mountains, ground and water.

use quintain_core::rng::Rng;

use super::noise::noise;
use super::sheet::{Rgb, Sheet, lit, mix, ramp, within};

/// A range of hills or mountains, seen from the side.
pub(super) struct Ridge {
    /// Where its foot is, in pixels from the top.
    pub(super) foot: f32,
    /// How high it rises at most, in pixels.
    pub(super) rise: f32,
    /// How many peaks there are across a usual picture, about.
    pub(super) peaks: f32,
    pub(super) color: Rgb,
    pub(super) haze: Rgb,
    /// How much of the haze lies on it at the foot, from 0 to 1.
    pub(super) haze_share: f32,
    /// Height from which snow lies, as a share of the rise; 2 means never.
    pub(super) snow: f32,
    /// How rough its sides are.
    pub(super) rough: f32,
}

impl Ridge {
    /// Paints it down to a row.
    pub(super) fn paint(&self, sheet: &mut Sheet, rng: &mut Rng, bottom: usize) {
        let noise = noise();
        let (ox, oy) = (within(rng, 0.0, 256.0), within(rng, 0.0, 256.0));
        let scale = sheet.scale();
        let pitch = self.peaks * 64.0 / sheet.width as f32;
        let detail = 0.55 / scale;
        let bottom = bottom.min(sheet.height);
        for x in 0..sheet.width {
            let along = ox + x as f32 * pitch;
            let height = (noise.at(along, oy) * 1.5 - 0.3) * 0.82 + noise.at(along * 5.0, oy + 40.0) * 0.18;
            let crest = self.foot - height.max(0.04) * self.rise;
            let u = ox + x as f32 * detail;
            for y in crest.max(0.0) as usize..bottom {
                let up = ((self.foot - y as f32) / self.rise).clamp(0.0, 1.0);
                let v = y as f32 * detail;
                let stone = noise.at(u + v * 0.35, v);
                let relief = (stone - noise.at(u + v * 0.35 - 1.6, v - 1.8)) * self.rough;
                let white = ramp(self.snow, self.snow + 0.12, up + (stone - 0.5) * 0.5);
                let ground = mix(self.color, [244.0, 246.0, 252.0], white);
                let color = lit(ground, 0.72 + stone * 0.5 + relief * (1.0 - white * 0.45));
                let haze = self.haze_share * (1.0 - up * 0.8);
                let edge = if y as f32 - crest < 1.0 { 0.5 } else { 1.0 };
                sheet.blend(x as i32, y as i32, mix(color, self.haze, haze), edge);
            }
        }
    }
}

/// Flat ground that runs to the horizon.
pub(super) struct Ground {
    pub(super) dark: Rgb,
    pub(super) light: Rgb,
    pub(super) haze: Rgb,
}

impl Ground {
    /// Paints it from the horizon to the bottom.
    pub(super) fn paint(&self, sheet: &mut Sheet, rng: &mut Rng, horizon: usize) {
        let noise = noise();
        let (ox, oy) = (within(rng, 0.0, 256.0), within(rng, 0.0, 256.0));
        let span = (sheet.height - horizon) as f32;
        let (width, scale) = (sheet.width as f32, sheet.scale());
        for y in horizon..sheet.height {
            let near = (y - horizon) as f32 / span;
            let distance = 1.0 / (near + 0.09);
            let haze = (1.0 - near * 3.0).clamp(0.0, 1.0) * 0.55;
            let (v, step) = (oy + distance * 24.0, distance * 0.16 / scale);
            for x in 0..sheet.width {
                let u = ox + (x as f32 - width / 2.0) * step;
                let broad = noise.at(u * 0.5, v * 0.5);
                let fine = noise.near(u * 5.0, v * 7.0);
                let share = (broad * 1.5 + fine * 0.7 - 0.62).clamp(0.0, 1.0);
                let color = mix(self.dark, self.light, share);
                sheet.set(x, y, mix(lit(color, 0.82 + near * 0.22), self.haze, haze));
            }
        }
    }
}

/// Water that mirrors what stands above its shore.
pub(super) struct Water {
    pub(super) tint: Rgb,
    pub(super) glint: Rgb,
    /// How strong the waves are; 1 is a quiet lake.
    pub(super) waves: f32,
}

impl Water {
    /// Paints it from the shore to the bottom; what stands above must be painted already.
    pub(super) fn paint(&self, sheet: &mut Sheet, rng: &mut Rng, shore: usize) {
        let noise = noise();
        let (ox, oy) = (within(rng, 0.0, 256.0), within(rng, 0.0, 256.0));
        let span = (sheet.height - shore) as f32;
        let (width, scale) = (sheet.width as f32, sheet.scale());
        let stretch = (shore as f32 / span).min(1.15);
        for y in shore..sheet.height {
            let near = (y - shore) as f32 / span;
            let distance = 1.0 / (near + 0.12);
            let (v, step) = (oy + distance * 46.0, distance * 0.11 / scale);
            let reach = (3.0 + near * 22.0) * self.waves * scale;
            let mirrored = shore as f32 - 1.0 - near * span * stretch;
            for x in 0..sheet.width {
                let u = ox + (x as f32 - width / 2.0) * step;
                let wave = noise.at(u, v) - 0.5;
                let ripple = noise.near(u * 3.0, v * 3.0) - 0.5;
                let from_x = (x as f32 + (wave + ripple) * reach * 0.7).clamp(0.0, width - 1.0);
                let from_y = (mirrored + (wave * 1.4 + ripple) * reach).clamp(0.0, shore as f32 - 1.0);
                let mirror = sheet.get(from_x as usize, from_y as usize);
                let color = mix(lit(mirror, 0.86), self.tint, 0.22 + near * 0.3);
                let sparkle = ramp(0.14, 0.3, wave * 0.8 + ripple * 0.5) * (0.3 + near * 0.4);
                sheet.set(x, y, mix(lit(color, 1.0 + (wave + ripple) * 0.55), self.glint, sparkle));
            }
        }
    }
}
