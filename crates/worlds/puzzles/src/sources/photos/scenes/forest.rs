//! A path through a forest.

use quintain_core::rng::Rng;

use super::land::FlatGround;
use super::noise::noise;
use super::sheet::{PaintSheet, Rgb, lit, mix, near, ramp, within};

/// Leaf colours of the seasons: dark, light, on the ground.
const SEASONS: [(Rgb, Rgb, Rgb); 3] = [
    ([52.0, 84.0, 34.0], [206.0, 222.0, 110.0], [120.0, 112.0, 60.0]),
    ([150.0, 66.0, 24.0], [250.0, 196.0, 72.0], [176.0, 98.0, 42.0]),
    ([40.0, 88.0, 60.0], [170.0, 212.0, 130.0], [86.0, 96.0, 52.0]),
];

pub(super) fn paint(sheet: &mut PaintSheet, rng: &mut Rng) {
    let height = sheet.height as f32;
    let (dark, light, litter) = *rng.choose(&SEASONS);
    let (dark, light, litter) = (near(rng, dark, 14.0), near(rng, light, 14.0), near(rng, litter, 14.0));
    let horizon = (height * within(rng, 0.5, 0.6)) as usize;
    let glade = (within(rng, 0.25, 0.75), within(rng, 0.55, 0.8));
    leaves(sheet, rng, horizon, (dark, light), glade);
    let haze = mix(light, [255.0, 252.0, 226.0], 0.45);
    FlatGround { dark: lit(litter, 0.45), light: lit(litter, 1.2), haze }.paint(sheet, rng, horizon);
    path(sheet, rng, horizon, glade.0, haze);
    for layer in 0..4 {
        let closer = layer as f32 / 3.0;
        let n_trunks = 12 - 3 * layer + rng.below(3);
        for _ in 0..n_trunks {
            trunk(sheet, rng, horizon as f32, closer, haze, glade.0);
        }
        boughs(sheet, rng, (dark, light), closer);
    }
    litter_leaves(sheet, rng, horizon as f32, (litter, light));
}

/// Leaves in the distance, with light breaking through at the glade.
fn leaves(sheet: &mut PaintSheet, rng: &mut Rng, horizon: usize, (dark, light): (Rgb, Rgb), glade: (f32, f32)) {
    let noise = noise();
    let (ox, oy) = (within(rng, 0.0, 256.0), within(rng, 0.0, 256.0));
    let (across, step) = (1.0 / sheet.width as f32, 0.3 / sheet.scale());
    sheet.soft(0..horizon, |y| {
        let dy = (y as f32 / horizon as f32 - glade.1) * 1.3;
        let v = oy + y as f32 * step;
        let (clumps, single) = (noise.row(v), noise.row(v * 4.0));
        move |x, _| {
            let dx = x as f32 * across - glade.0;
            let u = ox + x as f32 * step;
            let (broad, fine) = (clumps.at(u), single.near(u * 4.0));
            let glow = 0.09 / (0.09 + dx * dx + dy * dy);
            let share = (broad * 1.1 + fine * 0.7 - 0.75 + glow * 0.6).clamp(0.0, 1.0);
            let gap = ramp(0.56, 0.72, broad * 0.6 + fine * 0.25 + glow * 0.22);
            mix(mix(dark, light, share), [252.0, 252.0, 232.0], gap * 0.85)
        }
    });
}

/// A path from the front to the glade.
fn path(sheet: &mut PaintSheet, rng: &mut Rng, horizon: usize, glade: f32, haze: Rgb) {
    let noise = noise();
    let seed = within(rng, 0.0, 256.0);
    let earth = near(rng, [164.0, 138.0, 104.0], 14.0);
    let (width, height) = (sheet.width as f32, sheet.height as f32);
    let front = within(rng, 0.25, 0.75);
    for y in horizon..sheet.height {
        let near_by = (y - horizon) as f32 / (height - horizon as f32);
        let bend = noise.at(seed + near_by * 20.0, seed) - 0.5;
        let middle = width * (glade + (front - glade) * near_by + bend * 0.3 * near_by);
        let half = width * (0.012 + near_by * 0.13);
        let distance = 1.0 / (near_by + 0.1);
        for x in (middle - half * 1.4).max(0.0) as usize..((middle + half * 1.4).max(0.0) as usize).min(sheet.width) {
            let u = seed + (x as f32 - middle) * distance * 0.2;
            let grit = noise.near(u * 3.0, distance * 60.0);
            let patch = noise.at(u, distance * 20.0);
            let off = (x as f32 - middle).abs() / half + (patch - 0.5) * 0.9;
            let color = mix(lit(earth, 0.52 + grit * 0.5 + patch * 0.4), haze, (0.4 - near_by).max(0.0));
            sheet.blend(x as i32, y as i32, color, 1.0 - ramp(0.7, 1.1, off));
        }
    }
}

/// A trunk; the farther, the thinner and the paler.
fn trunk(sheet: &mut PaintSheet, rng: &mut Rng, horizon: f32, closer: f32, haze: Rgb, glade: f32) {
    let noise = noise();
    let (width, height, scale) = (sheet.width as f32, sheet.height as f32, sheet.scale());
    let seed = within(rng, 0.0, 256.0);
    let foot = horizon + (height - horizon) * (0.02 + closer * closer * 0.6) * within(rng, 0.7, 1.2);
    let half = (2.0 + closer * closer * 15.0) * scale * within(rng, 0.7, 1.3);
    let mut x0 = within(rng, 0.0, width);
    if (x0 / width - glade).abs() < 0.07 + closer * 0.08 {
        x0 += width * if x0 / width < glade { -0.16 } else { 0.16 };
    }
    let lean = within(rng, -0.06, 0.06);
    let bark = near(rng, [88.0, 72.0, 58.0], 16.0);
    let pale = 0.62 * (1.0 - closer);
    let lit_from = if x0 / width < glade { 1.0 } else { -1.0 };
    for y in 0..(foot as usize).min(sheet.height) {
        let up = 1.0 - y as f32 / foot;
        let root = ramp(0.88, 1.0, 1.0 - up) * 0.5;
        let half = half * (1.05 - up * 0.35 + root);
        let middle = x0 + lean * (foot - y as f32) + (noise.at(seed, y as f32 * 0.06) - 0.5) * half;
        let (per_half, v) = (1.0 / half, y as f32 * 0.5 / scale);
        sheet.span(y as i32, (middle - half, middle + half), |x| {
            let across = (x - middle) * per_half;
            let rough = noise.near(seed + across * 22.0, v);
            let light = 0.62 + across * lit_from * 0.36 - across * across * 0.24 + (rough - 0.5) * 0.9;
            mix(lit(bark, light), haze, pale)
        });
    }
}

/// Leaves that hang into the picture from above.
fn boughs(sheet: &mut PaintSheet, rng: &mut Rng, (dark, light): (Rgb, Rgb), closer: f32) {
    let (width, height, scale) = (sheet.width as f32, sheet.height as f32, sheet.scale());
    for _ in 0..4 {
        let middle = (within(rng, 0.0, width), height * within(rng, -0.02, 0.26));
        let reach = width * within(rng, 0.05, 0.13);
        for _ in 0..70 {
            let (x, y) = (within(rng, -1.0, 1.0), within(rng, -1.0, 1.0) * within(rng, 0.0, 1.0));
            let share = (0.5 - y * 0.4 + within(rng, -0.4, 0.4)).clamp(0.0, 1.0);
            let size = (1.8 + closer * 2.6) * scale * within(rng, 0.7, 1.3);
            let at = (middle.0 + x * reach, middle.1 + y * reach * 0.7);
            sheet.ellipse(at, (size, size * 0.66), mix(dark, light, share), 0.95);
        }
    }
}

/// Single leaves on the ground.
fn litter_leaves(sheet: &mut PaintSheet, rng: &mut Rng, horizon: f32, (litter, light): (Rgb, Rgb)) {
    let (width, height, scale) = (sheet.width as f32, sheet.height as f32, sheet.scale());
    for i in 0..700 {
        let closer = i as f32 / 700.0;
        let at = (within(rng, 0.0, width), horizon + (height - horizon) * (0.08 + closer * 0.94));
        let size = (0.8 + closer * 3.2) * scale * within(rng, 0.6, 1.3);
        let color = mix(litter, light, within(rng, 0.0, 0.8));
        sheet.ellipse(at, (size, size * 0.5), lit(color, within(rng, 0.6, 1.15)), 0.9);
    }
}
