//! What lies on a table.

use super::shape::{Dab, ThingLook, bar, disc, oval, round};
use crate::sources::photos::scenes::sheet::{lit, mix};

const STALK: [f32; 3] = [92.0, 62.0, 34.0];
const LEAF: [f32; 3] = [74.0, 138.0, 48.0];
const CREAM: [f32; 3] = [255.0, 244.0, 190.0];

pub(super) fn apple(dab: &mut Dab, (x, y): (f32, f32), look: &ThingLook) {
    // Two rounds side by side make the hollow at the top.
    let body = oval(x.abs() - 0.2, y - 0.14, 0.64, 0.74);
    dab.lay(body, round(look.color, (x / 0.84, (y - 0.14) / 0.76), look.light, 1.0));
    dab.tint(oval(x, y + 0.5, 0.2, 0.1), lit(look.color, 0.42), 0.8);
    dab.lay(bar((x, y), (0.0, -0.46), (0.1, -0.86), (0.05, 0.06)), STALK);
    let (u, v) = (x - 0.36, y + 0.74);
    dab.lay(oval(u * 0.9 + v * 0.44, v * 0.9 - u * 0.44, 0.28, 0.13), lit(LEAF, 1.05 - u * 0.6));
}

pub(super) fn lemon(dab: &mut Dab, (x, y): (f32, f32), look: &ThingLook) {
    let color = [250.0, 220.0, 60.0];
    dab.lay(disc(x.abs() - 0.78, y, 0.17), lit(color, 0.82));
    let pores = if (x * 9.0) as i32 % 2 == (y * 9.0) as i32 % 2 { 1.0 } else { 0.975 };
    dab.lay(oval(x, y, 0.82, 0.6), lit(round(color, (x / 0.84, y / 0.62), look.light, 0.7), pores));
}

pub(super) fn strawberry(dab: &mut Dab, (x, y): (f32, f32), look: &ThingLook) {
    let body = bar((x, y), (0.0, -0.16), (0.0, 0.72), (0.66, 0.16));
    dab.lay(body, round([216.0, 30.0, 44.0], (x / 0.72, (y - 0.1) / 0.92), look.light, 0.8));
    let row = ((y + 1.0) / 0.24) as i32;
    let shift = if row % 2 == 0 { 0.13 } else { 0.0 };
    let (u, v) = ((x + 2.0 + shift) % 0.26 - 0.13, (y + 1.0) % 0.24 - 0.12);
    if body < -0.06 {
        dab.tint(oval(u, v, 0.035, 0.055), CREAM, 0.9);
    }
    for (sx, sy) in [(0.0, -0.5), (0.34, -0.56), (-0.34, -0.56)] {
        dab.lay(bar((x, y), (0.0, -0.8), (sx * 1.3, sy), (0.12, 0.07)), lit(LEAF, 1.0 + sx * 0.5));
    }
    dab.lay(bar((x, y), (0.0, -0.76), (0.06, -0.94), (0.05, 0.05)), LEAF);
}

pub(super) fn button(dab: &mut Dab, (x, y): (f32, f32), look: &ThingLook) {
    let slope = x * look.light.0 + y * look.light.1;
    dab.lay(disc(x, y, 0.95), lit(look.color, 0.92 + slope * 0.26));
    dab.tint(disc(x, y, 0.7), lit(look.color, 0.84 - slope * 0.3), 1.0);
    dab.tint(disc(x, y, 0.62), mix(look.color, [255.0; 3], 0.1), 1.0);
    dab.tint(disc(x.abs() - 0.22, y.abs() - 0.22, 0.12), lit(look.color, 0.2), 1.0);
}
