//! A still life: fruit on a table before a wall.

use quintain_core::rng::Rng;

use super::noise::noise;
use super::sheet::{PaintSheet, Rgb, lit, mix, near, ramp, within};

/// Skins of fruit: the colour, the colour of its blush, how shiny it is.
const SKINS: [(Rgb, Rgb, f32); 6] = [
    ([188.0, 34.0, 32.0], [226.0, 160.0, 60.0], 0.8),
    ([236.0, 140.0, 32.0], [246.0, 170.0, 60.0], 0.4),
    ([244.0, 214.0, 60.0], [206.0, 204.0, 70.0], 0.5),
    ([146.0, 180.0, 62.0], [190.0, 200.0, 90.0], 0.7),
    ([96.0, 44.0, 98.0], [134.0, 80.0, 130.0], 0.5),
    ([228.0, 148.0, 104.0], [206.0, 70.0, 62.0], 0.15),
];

/// Colours of curtains.
const CLOTHS: [Rgb; 3] = [[132.0, 44.0, 46.0], [52.0, 78.0, 112.0], [66.0, 92.0, 70.0]];

pub(super) fn paint(sheet: &mut PaintSheet, rng: &mut Rng) {
    let (width, height) = (sheet.width as f32, sheet.height as f32);
    let edge = (height * within(rng, 0.48, 0.58)) as usize;
    wall(sheet, rng, edge);
    curtain(sheet, rng, edge);
    table(sheet, rng, edge);
    let n_fruit = 7 + rng.below(4);
    let mut places: Vec<(f32, f32)> = (0..n_fruit)
        .map(|i| ((i as f32 + within(rng, 0.1, 0.9)) / n_fruit as f32 * width, within(rng, 0.0, 1.0)))
        .collect();
    places.sort_by(|a, b| a.1.total_cmp(&b.1));
    for (x, closer) in places {
        let radius = height * (0.075 + closer * 0.06) * within(rng, 0.8, 1.2);
        let bottom = edge as f32 + height * (0.06 + closer * 0.34);
        ball(sheet, rng, (x, bottom - radius), radius);
    }
}

/// A plastered wall, lit from the upper left, with a branch's shadow on it.
fn wall(sheet: &mut PaintSheet, rng: &mut Rng, edge: usize) {
    let noise = noise();
    let (ox, oy) = (within(rng, 0.0, 256.0), within(rng, 0.0, 256.0));
    let color = near(rng, [150.0, 140.0, 120.0], 34.0);
    let (step, darker) = (0.36 / sheet.scale(), 0.5 / sheet.width as f32);
    sheet.soft(0..edge, |y| {
        let v = oy + y as f32 * step;
        let (here, above) = (noise.row(v), noise.row(v - 1.4));
        let bright = 1.18 - y as f32 / edge as f32 * 0.24;
        move |x, _| {
            let u = ox + x as f32 * step;
            let plaster = here.at(u);
            let relief = (plaster - above.at(u - 1.4)) * 1.9;
            lit(color, (bright - x as f32 * darker) * (0.74 + plaster * 0.5 + relief))
        }
    });
    painting(sheet, rng, edge as f32);
    for _ in 0..2 + rng.below(3) {
        branch_shadow(sheet, rng, edge as f32, lit(color, 0.42));
    }
}

/// A small painting in a frame.
fn painting(sheet: &mut PaintSheet, rng: &mut Rng, edge: f32) {
    let noise = noise();
    let seed = within(rng, 0.0, 256.0);
    let (wide, tall) = (edge * within(rng, 0.5, 0.85), edge * within(rng, 0.4, 0.6));
    let left = within(rng, 0.24, 0.72) * sheet.width as f32 - wide / 2.0;
    let top = edge * within(rng, 0.06, 0.2);
    let rim = edge * 0.045;
    let (sky, hill) = (near(rng, [176.0, 190.0, 190.0], 30.0), near(rng, [84.0, 92.0, 66.0], 30.0));
    let corner = |off: f32| ((left + off) as i32, (top + off) as i32);
    let opposite = |off: f32| ((left + wide - off) as i32, (top + tall - off) as i32);
    let ((x0, y0), (x1, y1)) = (corner(0.0), opposite(0.0));
    sheet.block(corner(rim * 0.5), (x1 + (rim * 0.6) as i32, y1 + (rim * 0.6) as i32), |_, _| [44.0, 38.0, 34.0]);
    sheet.block((x0, y0), (x1, y1), |x, y| {
        let raised = if x - x0 < y1 - y && y - y0 < x1 - x { 1.2 } else { 0.8 };
        lit([132.0, 94.0, 46.0], raised * (0.7 + noise.near(seed + x as f32, y as f32 * 0.7) * 0.6))
    });
    sheet.block(corner(rim), opposite(rim), |x, y| {
        let (u, v) = ((x - x0) as f32 / wide, (y - y0) as f32 / tall);
        let brush = noise.at(seed + u * 60.0, v * 30.0);
        let crest = 0.35 + noise.at(seed + u * 26.0, 9.0) * 0.4;
        lit(if v > crest { lit(hill, 1.3 - v * 0.5) } else { sky }, 0.7 + brush * 0.6)
    });
}

fn branch_shadow(sheet: &mut PaintSheet, rng: &mut Rng, edge: f32, dark: Rgb) {
    let (width, scale) = (sheet.width as f32, sheet.scale());
    let mut at = (within(rng, 0.0, width), within(rng, -0.1, 0.4) * edge);
    let turn = (within(rng, 10.0, 26.0) * scale, within(rng, 4.0, 14.0) * scale);
    for leaf in 0..14 {
        let next = (at.0 + turn.0, at.1 + turn.1 + within(rng, -5.0, 5.0) * scale);
        if next.1 > edge - 14.0 * scale {
            return;
        }
        sheet.stroke(at, next, (1.6 * scale, 1.4 * scale), dark);
        let side = if leaf % 2 == 0 { -1.0 } else { 1.0 };
        let middle = (next.0 + 2.0 * scale, next.1 + side * 9.0 * scale);
        sheet.ellipse(middle, (5.0 * scale, 9.0 * scale), dark, 0.72);
        at = next;
    }
}

/// A curtain that hangs at one side.
fn curtain(sheet: &mut PaintSheet, rng: &mut Rng, edge: usize) {
    let noise = noise();
    let seed = within(rng, 0.0, 256.0);
    let cloth = *rng.choose(&CLOTHS);
    let cloth = near(rng, cloth, 16.0);
    let (width, scale) = (sheet.width as f32, sheet.scale());
    let reach = width * within(rng, 0.16, 0.3);
    let on_right = rng.chance(0.5);
    for y in 0..edge {
        let sway = reach * (1.0 - 0.35 * ramp(0.2, 1.0, y as f32 / edge as f32));
        let (folds, threads) = (noise.row(y as f32 * 0.02), noise.row(y as f32 * 2.0));
        for step in 0..sway as usize {
            let x = if on_right { sheet.width - 1 - step } else { step };
            let fold = folds.at(seed + step as f32 / sway * 46.0);
            let weave = threads.near(seed + x as f32 * 2.0);
            let check = (x as f32 / (13.0 * scale)) as usize + (y as f32 / (13.0 * scale)) as usize;
            let color = if check.is_multiple_of(2) { cloth } else { mix(cloth, [222.0, 206.0, 170.0], 0.22) };
            sheet.set(x, y, lit(color, fold * 1.7 + weave * 0.2 - 0.1));
        }
    }
}

/// A table of planks.
fn table(sheet: &mut PaintSheet, rng: &mut Rng, edge: usize) {
    let noise = noise();
    let (ox, oy) = (within(rng, 0.0, 256.0), within(rng, 0.0, 256.0));
    let wood = near(rng, [142.0, 94.0, 56.0], 24.0);
    let (width, height, scale) = (sheet.width as f32, sheet.height as f32, sheet.scale());
    let darker = 0.3 / width;
    sheet.soft(edge..sheet.height, |y| {
        let near_by = (y - edge) as f32 / (height - edge as f32);
        let distance = 1.0 / (near_by + 0.35);
        let plank_at = (near_by + 0.05) * 5.5 / (near_by * 0.4 + 0.7);
        let plank = plank_at as usize as f32;
        let seam = plank_at - plank;
        let dark = if seam < 0.05 { 0.45 } else { 1.0 };
        let v = oy + plank * 31.0 + seam * 16.0;
        let (fibres, bend, step) = (noise.row(v * 5.0), noise.row(v), distance * 0.06 / scale);
        move |x, _| {
            let u = ox + (x as f32 - width / 2.0) * step + plank * 57.0;
            let grain = noise.at(u, v + bend.near(u * 0.4) * 8.0);
            let light = 1.12 - x as f32 * darker;
            lit(wood, dark * light * (0.4 + grain * 0.9 + fibres.near(u * 6.0) * 0.24))
        }
    });
}

/// A round fruit with its shadow.
fn ball(sheet: &mut PaintSheet, rng: &mut Rng, (cx, cy): (f32, f32), radius: f32) {
    let noise = noise();
    let (skin, blush, shine) = *rng.choose(&SKINS);
    let (skin, blush) = (near(rng, skin, 12.0), near(rng, blush, 12.0));
    let seed = within(rng, 0.0, 256.0);
    for (wide, dark) in [(1.25, 0.34), (0.95, 0.5)] {
        let shadow = (cx + radius * 0.34, cy + radius * 0.93);
        sheet.ellipse(shadow, (radius * wide, radius * 0.26 * wide), [30.0, 18.0, 12.0], dark);
    }
    let per_radius = 1.0 / radius;
    sheet.round((cx, cy), radius, |dx, dy| {
        let (nx, ny) = (dx * per_radius, dy * per_radius);
        let nz = (1.0 - nx * nx - ny * ny).max(0.0).sqrt();
        let light = (0.34 - nx * 0.52 - ny * 0.58 + nz * 0.5).clamp(0.0, 1.25);
        let round = 30.0 / (nz + 0.6);
        let mottle = noise.at(seed + nx * round, seed + ny * round);
        let speck = noise.near(seed + nx * round * 6.0, ny * round * 6.0);
        let color = mix(skin, blush, ramp(0.42, 0.68, mottle));
        let bounce = (ny * 0.11).max(0.0);
        let gloss = (light - 0.98).max(0.0) * 4.2;
        let color = lit(color, 0.18 + bounce + light * (0.74 + speck * 0.26));
        mix(color, [255.0, 252.0, 240.0], (gloss * shine).min(0.9))
    });
    let dimple = (cx + radius * 0.08, cy - radius * 0.74);
    sheet.ellipse(dimple, (radius * 0.2, radius * 0.08), lit(skin, 0.35), 0.7);
    let tip = (dimple.0 + radius * within(rng, -0.1, 0.22), dimple.1 - radius * 0.34);
    sheet.stroke(dimple, tip, (radius * 0.09, radius * 0.06), [84.0, 58.0, 34.0]);
}
