//! Mountains over a lake.

use quintain_core::rng::Rng;

use super::land::{Ridge, Water};
use super::plants::{fir, grass};
use super::sheet::{PaintSheet, mix, near, within};
use super::sky::Sky;

pub(super) fn paint(sheet: &mut PaintSheet, rng: &mut Rng) {
    let height = sheet.height as f32;
    let sky = if rng.chance(0.35) { Sky::dusk(rng) } else { Sky::day(rng) };
    let shore = (height * within(rng, 0.56, 0.64)) as usize;
    sky.paint(sheet, rng, shore);
    let rock = near(rng, [104.0, 106.0, 118.0], 14.0);
    let wood = near(rng, [62.0, 84.0, 58.0], 12.0);
    let far = Ridge {
        foot: shore as f32,
        rise: height * within(rng, 0.44, 0.56),
        peaks: within(rng, 1.2, 2.0),
        color: rock,
        haze: sky.low,
        haze_share: 0.62,
        snow: within(rng, 0.36, 0.6),
        rough: 3.4,
    };
    far.paint(sheet, rng, shore);
    let near_by = Ridge {
        foot: shore as f32,
        rise: height * within(rng, 0.2, 0.3),
        peaks: within(rng, 1.5, 2.6),
        color: wood,
        haze: sky.low,
        haze_share: 0.3,
        snow: 2.0,
        rough: 2.4,
    };
    near_by.paint(sheet, rng, shore);
    let haze = (mix(sky.low, sky.shade, 0.3), 0.12);
    let middle = within(rng, 0.0, sheet.width as f32);
    for _ in 0..16 + rng.below(14) {
        let x = middle + (within(rng, -1.0, 1.0) + within(rng, -1.0, 1.0)) * sheet.width as f32 * 0.3;
        let tall = height * within(rng, 0.07, 0.17);
        fir(sheet, rng, (x, shore as f32 + 1.0), tall, [48.0, 74.0, 50.0], haze);
    }
    let water = Water { tint: near(rng, [30.0, 66.0, 84.0], 10.0), glint: sky.low, waves: within(rng, 0.6, 1.2) };
    water.paint(sheet, rng, shore);
    stones(sheet, rng, shore);
    grass(sheet, rng, (height * 1.0, height * 1.03), [104.0, 122.0, 58.0], 260);
}

/// Stones in the water, larger towards the front.
fn stones(sheet: &mut PaintSheet, rng: &mut Rng, shore: usize) {
    let (width, height, scale) = (sheet.width as f32, sheet.height as f32, sheet.scale());
    let n_stones = 9 + rng.below(10);
    for i in 0..n_stones {
        let near_by = (i as f32 + 0.5) / n_stones as f32;
        let at = (within(rng, 0.0, width), shore as f32 + (height - shore as f32) * (0.15 + near_by * 0.8));
        let wide = (4.0 + near_by * 20.0) * scale * within(rng, 0.6, 1.3);
        let stone = near(rng, [112.0, 106.0, 100.0], 16.0);
        sheet.ellipse((at.0, at.1 + wide * 0.34), (wide * 1.08, wide * 0.3), [24.0, 40.0, 50.0], 0.55);
        for layer in 0..6 {
            let up = layer as f32 / 5.0;
            let color = mix(stone.map(|channel| channel * 0.45), stone.map(|channel| channel * 1.3), up);
            let top = (at.0 - up * wide * 0.16, at.1 - up * wide * 0.22);
            sheet.ellipse(top, (wide * (1.0 - up * 0.55), wide * 0.46 * (1.0 - up * 0.6)), color, 0.9);
        }
    }
}
