//! A meadow in flower, with trees and hills behind.

use quintain_core::rng::Rng;

use super::land::{FlatGround, Ridge};
use super::plants::{flowers, grass, tree};
use super::sheet::{PaintSheet, Rgb, near, within};
use super::sky::Sky;

/// What flowers together.
const BEDS: [[Rgb; 3]; 4] = [
    [[222.0, 44.0, 38.0], [236.0, 72.0, 52.0], [250.0, 240.0, 232.0]],
    [[246.0, 206.0, 50.0], [252.0, 236.0, 140.0], [250.0, 250.0, 244.0]],
    [[128.0, 84.0, 190.0], [164.0, 120.0, 214.0], [236.0, 130.0, 180.0]],
    [[70.0, 96.0, 206.0], [244.0, 244.0, 250.0], [238.0, 96.0, 120.0]],
];

pub(super) fn paint(sheet: &mut PaintSheet, rng: &mut Rng) {
    let (width, height) = (sheet.width as f32, sheet.height as f32);
    let sky = if rng.chance(0.2) { Sky::dusk(rng) } else { Sky::day(rng) };
    let horizon = (height * within(rng, 0.44, 0.54)) as usize;
    sky.paint(sheet, rng, horizon);
    for layer in 0..3 {
        let closer = layer as f32 / 2.0;
        let ridge = Ridge {
            foot: horizon as f32 + 2.0,
            rise: height * (0.24 - closer * 0.12) * within(rng, 0.8, 1.3),
            peaks: within(rng, 1.0, 2.2),
            color: near(rng, [84.0, 112.0 + closer * 14.0, 92.0 - closer * 30.0], 10.0),
            haze: sky.low,
            haze_share: 0.66 - closer * 0.3,
            snow: 2.0,
            rough: 1.8,
        };
        ridge.paint(sheet, rng, horizon + 3);
    }
    let green = near(rng, [124.0, 152.0, 56.0], 14.0);
    let ground = FlatGround { dark: near(rng, [54.0, 82.0, 34.0], 10.0), light: green, haze: sky.low };
    ground.paint(sheet, rng, horizon);
    let leaf = near(rng, [92.0, 128.0, 50.0], 24.0);
    let mut feet: Vec<(f32, f32)> =
        (0..4 + rng.below(5)).map(|_| (within(rng, 0.0, width), within(rng, 0.0, 1.0))).collect();
    feet.sort_by(|a, b| a.1.total_cmp(&b.1));
    for (x, closer) in feet {
        let foot = (x, horizon as f32 + 3.0 + closer * closer * height * 0.14);
        let tall = height * (0.1 + closer * closer * 0.36) * within(rng, 0.85, 1.15);
        sheet.ellipse((foot.0 + tall * 0.1, foot.1), (tall * 0.36, tall * 0.05), [30.0, 48.0, 22.0], 0.5);
        tree(sheet, rng, foot, tall, leaf, (sky.low, 0.32 * (1.0 - closer)));
    }
    let span = (horizon as f32 + height * 0.02, height * 1.04);
    grass(sheet, rng, (horizon as f32 + height * 0.16, height * 1.05), green, 900);
    let (bed, n_flowers) = (rng.choose(&BEDS), 420 + rng.below(260));
    flowers(sheet, rng, span, bed, n_flowers);
}
