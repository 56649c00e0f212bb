//! A city at dusk, mirrored in its river.

use quintain_core::rng::Rng;

use super::land::Water;
use super::noise::noise;
use super::sheet::{PaintSheet, Rgb, lit, mix, near, within};
use super::sky::Sky;

pub(super) fn paint(sheet: &mut PaintSheet, rng: &mut Rng) {
    let height = sheet.height as f32;
    let sky = if rng.chance(0.3) { Sky::day(rng) } else { Sky::dusk(rng) };
    let shore = (height * within(rng, 0.64, 0.72)) as usize;
    sky.paint(sheet, rng, shore);
    for layer in 0..3 {
        let closer = layer as f32 / 2.0;
        let wall = mix(near(rng, [64.0, 56.0, 84.0], 10.0), sky.low, 0.5 - closer * 0.42);
        houses(sheet, rng, shore as i32, height * (0.56 - closer * 0.16), wall, 0.25 + closer * 0.3);
    }
    quay(sheet, rng, shore);
    let water = Water { tint: [24.0, 30.0, 58.0], glint: sky.low, waves: within(rng, 0.9, 1.5) };
    water.paint(sheet, rng, shore + (height * 0.02) as usize);
}

/// A row of houses side by side, the farther rows taller and paler.
fn houses(sheet: &mut PaintSheet, rng: &mut Rng, ground: i32, tallest: f32, wall: Rgb, lights: f32) {
    let scale = sheet.scale();
    let mut left = within(rng, -40.0, 0.0) * scale;
    while left < sheet.width as f32 {
        let wide = within(rng, 26.0, 72.0) * scale;
        let tall = tallest * within(rng, 0.3, 1.0) * within(rng, 0.7, 1.0);
        let (across, down) = ((left as i32, (left + wide) as i32), (ground - tall as i32, ground));
        let wall = near(rng, wall, 12.0);
        house(sheet, rng, across, down, wall, lights);
        left += wide + within(rng, -2.0, 12.0) * scale;
    }
}

fn house(
    sheet: &mut PaintSheet,
    rng: &mut Rng,
    (left, right): (i32, i32),
    (top, ground): (i32, i32),
    wall: Rgb,
    lights: f32,
) {
    let noise = noise();
    let (seed, scale) = (within(rng, 0.0, 256.0), sheet.scale());
    let (lit_side, darker) = (left + (right - left) / 5, 0.2 / (ground - top).max(1) as f32);
    sheet.block((left, top), (right, ground), |x, y| {
        let stain = noise.near(seed + x as f32 * 0.4, y as f32 * 0.25);
        let side = if x < lit_side { 1.24 } else { 0.94 };
        lit(wall, side * (0.74 + stain * 0.5) * (1.08 - (y - top) as f32 * darker))
    });
    roof(sheet, rng, (left, right), top, wall);
    let pitch = ((within(rng, 6.0, 10.0) * scale) as i32).max(4);
    let pane = (pitch * 5 / 8).max(2);
    let storey = pitch + ((3.0 * scale) as i32).max(1);
    let (warm, cold) = (near(rng, [255.0, 206.0, 120.0], 14.0), lit(wall, 0.6));
    for y in (top + pitch..ground - pitch).step_by(storey as usize) {
        for x in (left + pitch / 2..right - pane).step_by(pitch as usize) {
            let shown = if rng.chance(f64::from(lights)) { lit(warm, within(rng, 0.62, 1.05)) } else { cold };
            sheet.block((x, y), (x + pane, y + pitch * 3 / 4), |_, row| lit(shown, 1.0 - (row - y) as f32 * 0.03));
        }
    }
}

/// What stands on a roof: a mast, a tank, a gable, or nothing.
fn roof(sheet: &mut PaintSheet, rng: &mut Rng, (left, right): (i32, i32), top: i32, wall: Rgb) {
    let (middle, scale) = (i32::midpoint(left, right), sheet.scale());
    match rng.below(4) {
        0 => {
            let mast = within(rng, 14.0, 46.0) * scale;
            let tip = (middle as f32, top as f32 - mast);
            sheet.stroke((middle as f32, top as f32), tip, (2.4 * scale, 1.0), lit(wall, 0.7));
            sheet.disc(tip, 1.6 * scale, [255.0, 84.0, 60.0], 0.9);
        }
        1 => {
            let (wide, tall) = ((right - left) / 5, (within(rng, 5.0, 14.0) * scale) as i32);
            sheet.block((middle - wide, top - tall), (middle + wide, top), |x, _| {
                lit(wall, if x < middle - wide / 2 { 1.2 } else { 0.8 })
            });
        }
        2 => {
            let rise = (within(rng, 8.0, 26.0) * scale) as i32;
            for y in top - rise..top {
                let half = (right - left) / 2 * (y - top + rise) / rise.max(1);
                sheet.block((middle - half, y), (middle + half, y + 1), |x, _| {
                    lit(wall, if x < middle { 0.9 } else { 0.62 })
                });
            }
        }
        _ => {}
    }
}

/// The river bank: a wall with lamps and round trees.
fn quay(sheet: &mut PaintSheet, rng: &mut Rng, shore: usize) {
    let noise = noise();
    let (width, scale) = (sheet.width as f32, sheet.scale());
    let seed = within(rng, 0.0, 256.0);
    let low = shore as i32 + (sheet.height as f32 * 0.02) as i32 + 1;
    sheet.block((0, shore as i32 - (3.0 * scale) as i32), (sheet.width as i32, low), |x, y| {
        lit([70.0, 62.0, 70.0], 0.6 + noise.near(seed + x as f32 * 0.9, y as f32 * 2.0) * 0.7)
    });
    for _ in 0..10 + rng.below(12) {
        let (x, size) = (within(rng, 0.0, width), within(rng, 5.0, 13.0) * scale);
        for _ in 0..26 {
            let (dx, dy) = (within(rng, -1.0, 1.0) * size, within(rng, -1.5, 0.3) * size);
            let light = 0.6 - dy / size * 0.3 + within(rng, -0.15, 0.2);
            sheet.disc((x + dx, shore as f32 + dy), size * 0.3, lit([58.0, 62.0, 52.0], light), 0.9);
        }
    }
    for _ in 0..6 + rng.below(6) {
        let (x, tall) = (within(rng, 0.0, width), 17.0 * scale);
        let lamp = (x, shore as f32 - tall);
        sheet.stroke((x, shore as f32), lamp, (1.4 * scale, 1.0), [36.0, 32.0, 40.0]);
        sheet.disc(lamp, 7.0 * scale, [255.0, 206.0, 120.0], 0.28);
        sheet.disc(lamp, 2.2 * scale, [255.0, 246.0, 214.0], 1.0);
    }
}
