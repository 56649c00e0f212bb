//! A beach and the sea.

use quintain_core::rng::Rng;

use super::land::Ridge;
use super::noise::noise;
use super::sheet::{PaintSheet, Rgb, lit, mix, near, ramp, within};
use super::sky::Sky;

pub(super) fn paint(sheet: &mut PaintSheet, rng: &mut Rng) {
    let height = sheet.height as f32;
    let sky = if rng.chance(0.5) { Sky::dusk(rng) } else { Sky::day(rng) };
    let horizon = (height * within(rng, 0.4, 0.5)) as usize;
    sky.paint(sheet, rng, horizon);
    let cape = Ridge {
        foot: horizon as f32 + 1.0,
        rise: height * within(rng, 0.12, 0.24),
        peaks: within(rng, 1.0, 1.6),
        color: near(rng, [96.0, 100.0, 92.0], 12.0),
        haze: sky.low,
        haze_share: 0.45,
        snow: 2.0,
        rough: 3.0,
    };
    cape.paint(sheet, rng, horizon + 1);
    let deep = near(rng, [26.0, 74.0, 104.0], 14.0);
    sea(sheet, rng, &sky, horizon, deep);
    for _ in 0..=rng.below(3) {
        boat(sheet, rng, horizon as f32);
    }
    beach(sheet, rng, horizon, sky.low);
    rocks(sheet, rng);
}

/// Waves that run towards the beach, with the sun's path on them.
fn sea(sheet: &mut PaintSheet, rng: &mut Rng, sky: &Sky, horizon: usize, deep: Rgb) {
    let noise = noise();
    let (ox, oy) = (within(rng, 0.0, 256.0), within(rng, 0.0, 256.0));
    let (width, scale) = (sheet.width as f32, sheet.scale());
    let span = (sheet.height - horizon) as f32;
    let sun = sky.sun.0 * width;
    let bright = mix(sky.low, [255.0, 244.0, 220.0], 0.6);
    sheet.soft(horizon..sheet.height, |y| {
        let near_by = (y - horizon) as f32 / span;
        let distance = 1.0 / (near_by + 0.07);
        let (v, step) = (oy + distance * 30.0, distance * 0.08 / scale);
        let per_path = 1.0 / ((14.0 + near_by * 120.0) * scale);
        let base = mix(mix(sky.low, deep, 0.55), mix(deep, [70.0, 150.0, 150.0], near_by), ramp(0.0, 0.5, near_by));
        let (broad, fine) = (noise.row(v), noise.row(v * 4.0));
        move |x, _| {
            let u = ox + (x as f32 - width / 2.0) * step;
            let (swell, chop) = (broad.at(u), fine.near(u * 4.0));
            let off = (x as f32 - sun) * per_path;
            let sparkle = ramp(0.5, 0.72, swell * 0.5 + chop * 0.6) / (1.0 + off * off);
            let foam = ramp(0.64, 0.74, swell * 0.85 + chop * 0.2) * near_by;
            let color = mix(lit(base, 0.5 + swell * 0.7 + chop * 0.32), bright, sparkle * 0.85);
            mix(color, [246.0, 248.0, 248.0], foam * 0.7)
        }
    });
}

/// A sailing boat near the horizon.
fn boat(sheet: &mut PaintSheet, rng: &mut Rng, horizon: f32) {
    let size = within(rng, 14.0, 34.0) * sheet.scale();
    let (x, y) = (within(rng, 0.1, 0.9) * sheet.width as f32, horizon + size * 0.5);
    let sail = near(rng, [240.0, 236.0, 226.0], 14.0);
    for row in 0..(size * 1.5) as i32 {
        let half = row as f32 / 1.5;
        let top = y - size * 1.6 + row as f32;
        sheet.block((x as i32 + 1, top as i32), ((x + half * 0.7) as i32 + 1, top as i32 + 1), |_, _| lit(sail, 0.86));
        sheet.block(((x - half * 0.45) as i32, top as i32), (x as i32, top as i32 + 1), |_, _| sail);
    }
    sheet.ellipse((x, y), (size * 0.7, size * 0.16), [70.0, 40.0, 34.0], 1.0);
    sheet.ellipse((x, y + size * 0.26), (size * 0.6, size * 0.08), [230.0, 230.0, 224.0], 0.35);
}

/// Sand with a line of foam where the last wave ran out.
fn beach(sheet: &mut PaintSheet, rng: &mut Rng, horizon: usize, sky: Rgb) {
    let noise = noise();
    let (ox, oy) = (within(rng, 0.0, 256.0), within(rng, 0.0, 256.0));
    let sand = near(rng, [206.0, 178.0, 132.0], 14.0);
    let (height, scale) = (sheet.height as f32, sheet.scale());
    let (slope, step, per_scale) = (within(rng, -0.22, 0.22), 0.5 / scale, 1.0 / scale);
    let line = horizon as f32 + (height - horizon as f32) * within(rng, 0.5, 0.64);
    let width = sheet.width;
    let bay = noise.row(oy);
    let edge = |x: usize| {
        let bend = (bay.at(ox + x as f32 * 0.05 / scale) - 0.5) * 90.0 * scale;
        line + bend + (x as f32 - width as f32 / 2.0) * slope
    };
    let edges: Vec<f32> = (0..width).map(edge).collect();
    let highest = edges.iter().copied().fold(height, f32::min) - 8.0 * scale;
    sheet.soft(highest.max(horizon as f32 + 4.0) as usize..sheet.height, |y| {
        let v = oy + y as f32 * 0.9 / scale;
        let (here, above, fine) = (noise.row(v), noise.row(v - 1.5), noise.row(v * 3.0));
        let edges = &edges;
        move |x, behind| {
            let up = (y as f32 - edges[x]) * per_scale;
            if up < -8.0 {
                return behind;
            }
            let u = ox + x as f32 * step;
            let ripple = here.at(u);
            let relief = (ripple - above.at(u - 1.3)) * 1.7;
            let grain = fine.near(u * 3.0);
            let wet = 1.0 - ramp(6.0, 46.0, up + (ripple - 0.5) * 30.0);
            let dry = lit(sand, 0.68 + ripple * 0.34 + relief + grain * 0.24);
            let color = mix(dry, mix(lit(dry, 0.62), sky, 0.2), wet);
            let foam = ramp(-8.0, -2.0, up) * (1.0 - ramp(2.0, 9.0, up + (grain - 0.5) * 12.0));
            mix(behind, mix(color, [250.0, 250.0, 248.0], foam * 0.9), ramp(-8.0, 1.0, up))
        }
    });
}

/// Rocks and pebbles on the sand.
fn rocks(sheet: &mut PaintSheet, rng: &mut Rng) {
    let (width, height, scale) = (sheet.width as f32, sheet.height as f32, sheet.scale());
    let n_rocks = 40 + rng.below(50);
    for i in 0..n_rocks {
        let closer = i as f32 / n_rocks as f32;
        let at = (within(rng, 0.0, width), height * (0.84 + closer * 0.16));
        let big = if rng.chance(0.12) { 4.0 } else { 1.0 };
        let wide = (1.6 + closer * 3.4) * big * scale * within(rng, 0.6, 1.3);
        let stone = near(rng, [122.0, 108.0, 98.0], 34.0);
        sheet.ellipse((at.0 + wide * 0.3, at.1 + wide * 0.3), (wide * 1.1, wide * 0.5), [70.0, 54.0, 40.0], 0.5);
        for layer in 0..4 {
            let up = layer as f32 / 3.0;
            let top = (at.0 - up * wide * 0.2, at.1 - up * wide * 0.24);
            let size = (wide * (1.0 - up * 0.6), wide * 0.6 * (1.0 - up * 0.6));
            sheet.ellipse(top, size, lit(stone, 0.55 + up * 0.7), 0.9);
        }
    }
}
