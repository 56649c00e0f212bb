//! What things lie on, float on or fly before.

use quintain_core::rng::Rng;

use super::kinds::ThingSetting;
use crate::sources::photos::scenes::noise::noise;
use crate::sources::photos::scenes::sheet::{PaintSheet, Rgb, lit, mix, near, ramp, within};
use crate::sources::photos::scenes::sky::Sky;

pub(super) fn paint(setting: ThingSetting, sheet: &mut PaintSheet, rng: &mut Rng) {
    match setting {
        ThingSetting::Table => table(sheet, rng),
        ThingSetting::Meadow => meadow(sheet, rng),
        ThingSetting::Lake => lake(sheet, rng),
        // The horizon lies below the picture, where clouds would be flat and far.
        ThingSetting::Sky => Sky::day(rng).paint(sheet, rng, sheet.height * 5 / 4),
    }
}

/// Planks, seen from above.
fn table(sheet: &mut PaintSheet, rng: &mut Rng) {
    let noise = noise();
    let (ox, oy) = (within(rng, 0.0, 256.0), within(rng, 0.0, 256.0));
    let wood = near(rng, [150.0, 112.0, 78.0], 16.0);
    let (scale, plank_px) = (sheet.scale(), sheet.height as f32 / within(rng, 4.5, 6.5));
    sheet.soft(0..sheet.height, |y| {
        let plank = (y as f32 / plank_px) as usize as f32;
        let across = y as f32 - plank * plank_px;
        let dark = if across < 2.0 * scale { 0.5 } else { 1.0 };
        let v = oy + plank * 37.0 + across * 0.16 / scale;
        let (fibres, broad) = (noise.row(v * 6.0), noise.row(v));
        move |x, _| {
            let u = ox + plank * 61.0 + x as f32 * 0.05 / scale;
            lit(wood, dark * (0.72 + broad.at(u) * 0.4 + fibres.near(u * 5.0) * 0.16))
        }
    });
}

/// Grass, seen from above.
fn meadow(sheet: &mut PaintSheet, rng: &mut Rng) {
    let noise = noise();
    let (ox, oy) = (within(rng, 0.0, 256.0), within(rng, 0.0, 256.0));
    let (dark, light): (Rgb, Rgb) = (near(rng, [48.0, 88.0, 34.0], 8.0), near(rng, [104.0, 146.0, 58.0], 10.0));
    let scale = 1.0 / sheet.scale();
    sheet.soft(0..sheet.height, |y| {
        let v = y as f32 * scale;
        let (broad, blades) = (noise.row(oy + v * 0.12), noise.row(oy + v * 0.7));
        move |x, _| {
            let u = x as f32 * scale;
            let share = broad.at(ox + u * 0.14) * 0.55 + blades.near(ox + u * 2.6) * 0.6;
            mix(dark, light, (share - 0.1).clamp(0.0, 1.0))
        }
    });
}

/// Water with ripples that grow smaller with distance.
fn lake(sheet: &mut PaintSheet, rng: &mut Rng) {
    let noise = noise();
    let (ox, oy) = (within(rng, 0.0, 256.0), within(rng, 0.0, 256.0));
    let (deep, pale): (Rgb, Rgb) = (near(rng, [34.0, 92.0, 128.0], 10.0), near(rng, [96.0, 158.0, 186.0], 10.0));
    let (height, scale) = (sheet.height as f32, 1.0 / sheet.scale());
    sheet.soft(0..sheet.height, |y| {
        let depth = 1.0 / (0.5 + y as f32 / height);
        let v = oy - depth * 190.0;
        let (swell, ripple) = (noise.row(v * 0.5), noise.row(v * 2.0));
        let far = (1.0 - y as f32 / height) * 0.34;
        move |x, _| {
            let u = ox + x as f32 * scale * depth * 0.16;
            let crest = ramp(0.5, 0.72, ripple.at(u * 1.7));
            mix(deep, pale, far + swell.at(u) * 0.3 + crest * 0.26)
        }
    });
}
