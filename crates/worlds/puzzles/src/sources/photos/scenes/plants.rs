//! Trees, grass and flowers.

use quintain_core::rng::Rng;

use super::noise::noise;
use super::sheet::{PaintSheet, Rgb, lit, mix, near, within};

/// A broad-leaved tree that stands at a point.
pub(super) fn tree(sheet: &mut PaintSheet, rng: &mut Rng, foot: (f32, f32), height: f32, leaf: Rgb, haze: (Rgb, f32)) {
    let bark = mix([78.0, 60.0, 44.0], haze.0, haze.1);
    let crown = (foot.0 + within(rng, -0.05, 0.05) * height, foot.1 - height * 0.62);
    sheet.stroke(foot, crown, (height * 0.075, height * 0.03), bark);
    for side in [-1.0, 1.0] {
        let branch = (crown.0 + side * height * 0.2, crown.1 - height * 0.08);
        sheet.stroke((foot.0, foot.1 - height * 0.38), branch, (height * 0.03, height * 0.012), bark);
    }
    let n_clumps = 46 + rng.below(20);
    for i in 0..n_clumps {
        let (x, y) = loop {
            let (x, y) = (within(rng, -1.0, 1.0), within(rng, -1.0, 1.0));
            if x * x + y * y < 1.0 {
                break (x, y);
            }
        };
        let at = (crown.0 + x * height * 0.31, crown.1 + y * height * 0.36);
        let late = i as f32 / n_clumps as f32;
        let light = 0.5 + late * 0.35 - y * 0.22 - x * 0.14 + within(rng, -0.1, 0.1);
        let color = mix(lit(leaf, light), haze.0, haze.1);
        sheet.disc(at, height * within(rng, 0.05, 0.1) * (1.15 - late * 0.5), color, 0.92);
    }
    let speck = (height * 0.012).max(0.6);
    for _ in 0..(height * 2.2) as usize {
        let (x, y) = (within(rng, -1.0, 1.0), within(rng, -1.0, 1.0));
        if x * x + y * y < 1.05 {
            let at = (crown.0 + x * height * 0.34, crown.1 + y * height * 0.39);
            let light = 0.62 - y * 0.3 - x * 0.2 + within(rng, -0.22, 0.3);
            sheet.disc(at, speck, mix(lit(leaf, light), haze.0, haze.1), 0.8);
        }
    }
}

/// A fir that stands at a point.
pub(super) fn fir(sheet: &mut PaintSheet, rng: &mut Rng, foot: (f32, f32), height: f32, needle: Rgb, haze: (Rgb, f32)) {
    let noise = noise();
    let seed = within(rng, 0.0, 256.0);
    let tiers = 7.0 + within(rng, 0.0, 3.0);
    let top = foot.1 - height;
    for y in top.max(0.0) as i32..foot.1 as i32 {
        let down = (y as f32 - top) / height;
        let tier = down * tiers;
        let within_tier = tier - tier as i32 as f32;
        let half = height * 0.19 * down * (0.62 + 0.5 * within_tier) + height * 0.008;
        let rag = height * 0.05;
        let left = foot.0 - half - (noise.near(seed, y as f32 * 3.0) - 0.5) * rag;
        let right = foot.0 + half + (noise.near(seed + 90.0, y as f32 * 3.0) - 0.5) * rag;
        let per_half = 1.0 / (half + 1.0);
        sheet.span(y, (left, right), |x| {
            let across = (x - foot.0) * per_half;
            let needles = noise.near(seed + x * 1.7, y as f32 * 1.3);
            let light = 0.55 + needles * 0.7 - within_tier * 0.28 - across * 0.16;
            mix(lit(needle, light), haze.0, haze.1)
        });
    }
}

/// Blades of grass whose roots lie between two rows.
pub(super) fn grass(sheet: &mut PaintSheet, rng: &mut Rng, (top, bottom): (f32, f32), blade: Rgb, n_blades: usize) {
    let (width, scale) = (sheet.width as f32, sheet.scale());
    for i in 0..n_blades {
        let near_by = i as f32 / n_blades as f32;
        let root = (within(rng, 0.0, width), top + (bottom - top) * near_by + within(rng, -6.0, 6.0));
        let long = (5.0 + near_by * 22.0) * scale * within(rng, 0.6, 1.3);
        let tip = (root.0 + within(rng, -0.4, 0.4) * long, root.1 - long);
        let color = lit(near(rng, blade, 26.0), 0.62 + near_by * 0.42);
        sheet.stroke(root, tip, ((0.8 + near_by * 1.1) * scale, 0.4), color);
    }
}

/// Flowers between two rows, small and many far away, large and few near by.
pub(super) fn flowers(
    sheet: &mut PaintSheet,
    rng: &mut Rng,
    (top, bottom): (f32, f32),
    colors: &[Rgb],
    n_flowers: usize,
) {
    let (width, scale) = (sheet.width as f32, sheet.scale());
    for i in 0..n_flowers {
        let near_by = i as f32 / n_flowers as f32;
        let near_by = near_by * near_by;
        let at = (within(rng, 0.0, width), top + (bottom - top) * near_by + within(rng, -4.0, 4.0));
        let size = (0.9 + near_by * 5.4) * scale * within(rng, 0.7, 1.25);
        let color = *rng.choose(colors);
        let color = near(rng, color, 16.0);
        if size < 2.0 {
            sheet.disc(at, size, color, 0.95);
        } else {
            bloom(sheet, rng, at, size, color);
        }
    }
}

/// One flower near enough to show its petals.
fn bloom(sheet: &mut PaintSheet, rng: &mut Rng, at: (f32, f32), size: f32, color: Rgb) {
    let stalk = (at.0 + within(rng, -0.5, 0.5) * size, at.1 + size * 3.6);
    sheet.stroke(at, stalk, (size * 0.24, size * 0.2), [58.0, 92.0, 38.0]);
    let petals = [(0.0, -1.0), (0.95, -0.31), (0.59, 0.81), (-0.59, 0.81), (-0.95, -0.31)];
    for (i, (x, y)) in petals.into_iter().enumerate() {
        let petal = (at.0 + x * size * 0.62, at.1 + y * size * 0.52);
        sheet.ellipse(petal, (size * 0.56, size * 0.48), lit(color, 0.8 + 0.06 * i as f32), 1.0);
    }
    sheet.disc(at, size * 0.34, [246.0, 196.0, 52.0], 1.0);
}
