//! Hills, mountains, ground and water.

use quintain_core::rng::Rng;

use super::noise::noise;
use super::sheet::{PaintSheet, Rgb, lit, mix, ramp, within};

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
    pub(super) fn paint(&self, sheet: &mut PaintSheet, rng: &mut Rng, bottom: usize) {
        let noise = noise();
        let (ox, oy) = (within(rng, 0.0, 256.0), within(rng, 0.0, 256.0));
        let scale = sheet.scale();
        let detail = 0.55 / scale;
        let crests = self.crests(sheet.width, (ox, oy));
        let highest = crests.iter().copied().fold(self.foot, f32::min);
        let bottom = bottom.min(sheet.height);
        sheet.soft(highest.clamp(0.0, bottom as f32) as usize..bottom, |y| {
            let up = ((self.foot - y as f32) / self.rise).clamp(0.0, 1.0);
            let haze = self.haze_share * (1.0 - up * 0.8);
            let v = y as f32 * detail;
            let (rock, above) = (noise.row(v), noise.row(v - 1.8));
            let (skew, crests) = (ox + v * 0.35, &crests);
            move |x, behind| {
                let cover = ((y as f32 - crests[x]) * 0.4).min(1.0);
                if cover <= 0.0 {
                    return behind;
                }
                let u = skew + x as f32 * detail;
                let stone = rock.at(u);
                let relief = (stone - above.at(u - 1.6)) * self.rough;
                let white = ramp(self.snow, self.snow + 0.12, up + (stone - 0.5) * 0.5);
                let ground = mix(self.color, [244.0, 246.0, 252.0], white);
                let color = lit(ground, 0.72 + stone * 0.5 + relief * (1.0 - white * 0.45));
                mix(behind, mix(color, self.haze, haze), cover)
            }
        });
    }

    /// How high up it reaches at every column, in pixels from the top.
    fn crests(&self, width: usize, (ox, oy): (f32, f32)) -> Vec<f32> {
        let pitch = self.peaks * 64.0 / width as f32;
        let (broad, fine) = (noise().row(oy), noise().row(oy + 40.0));
        let height = |x: usize| {
            let along = ox + x as f32 * pitch;
            (broad.at(along) * 1.5 - 0.3) * 0.82 + fine.at(along * 5.0) * 0.18
        };
        (0..width).map(|x| self.foot - height(x).max(0.04) * self.rise).collect()
    }
}

/// Flat ground that runs to the horizon.
pub(super) struct FlatGround {
    pub(super) dark: Rgb,
    pub(super) light: Rgb,
    pub(super) haze: Rgb,
}

impl FlatGround {
    /// Paints it from the horizon to the bottom.
    pub(super) fn paint(&self, sheet: &mut PaintSheet, rng: &mut Rng, horizon: usize) {
        let noise = noise();
        let (ox, oy) = (within(rng, 0.0, 256.0), within(rng, 0.0, 256.0));
        let span = (sheet.height - horizon) as f32;
        let (width, scale) = (sheet.width as f32, sheet.scale());
        sheet.soft(horizon..sheet.height, |y| {
            let near = (y - horizon) as f32 / span;
            let distance = 1.0 / (near + 0.09);
            let haze = (1.0 - near * 3.0).clamp(0.0, 1.0) * 0.55;
            let (v, step) = (oy + distance * 24.0, distance * 0.16 / scale);
            let (broad, fine) = (noise.row(v * 0.5), noise.row(v * 7.0));
            let [dark, light] =
                [self.dark, self.light].map(|color| mix(lit(color, 0.82 + near * 0.22), self.haze, haze));
            move |x, _| {
                let u = ox + (x as f32 - width / 2.0) * step;
                let share = broad.at(u * 0.5) * 1.5 + fine.near(u * 5.0) * 0.7 - 0.62;
                mix(dark, light, share.clamp(0.0, 1.0))
            }
        });
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
    pub(super) fn paint(&self, sheet: &mut PaintSheet, rng: &mut Rng, shore: usize) {
        let noise = noise();
        let (ox, oy) = (within(rng, 0.0, 256.0), within(rng, 0.0, 256.0));
        let span = (sheet.height - shore) as f32;
        let (width, scale) = (sheet.width as f32, sheet.scale());
        let stretch = (shore as f32 / span).min(1.15);
        let above = sheet.above(shore);
        sheet.soft(shore..sheet.height, |y| {
            let near = (y - shore) as f32 / span;
            let distance = 1.0 / (near + 0.12);
            let (v, step) = (oy + distance * 46.0, distance * 0.11 / scale);
            let reach = (3.0 + near * 22.0) * self.waves * scale;
            let mirrored = shore as f32 - 1.0 - near * span * stretch;
            let (broad, fine) = (noise.row(v), noise.row(v * 3.0));
            let above = &above;
            move |x, _| {
                let u = ox + (x as f32 - width / 2.0) * step;
                let wave = broad.at(u) - 0.5;
                let ripple = fine.near(u * 3.0) - 0.5;
                let from_x = (x as f32 + (wave + ripple) * reach * 0.7).clamp(0.0, width - 1.0);
                let from_y = (mirrored + (wave * 1.4 + ripple) * reach).clamp(0.0, shore as f32 - 1.0);
                let mirror = above.get(from_x as usize, from_y as usize);
                let color = mix(lit(mirror, 0.86), self.tint, 0.22 + near * 0.3);
                let sparkle = ramp(0.14, 0.3, wave * 0.8 + ripple * 0.5) * (0.3 + near * 0.4);
                mix(lit(color, 1.0 + (wave + ripple) * 0.55), self.glint, sparkle)
            }
        });
    }
}
