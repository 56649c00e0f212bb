//! What lies or grows on a meadow.

use super::shape::{Dab, ThingLook, bar, disc, oval, round};
use crate::sources::photos::scenes::sheet::{lit, mix};

/// Which way the petals of a flower point: the corners of a hexagon.
const PETALS: [(f32, f32); 6] = [(1.0, 0.0), (0.5, 0.866), (-0.5, 0.866), (-1.0, 0.0), (-0.5, -0.866), (0.5, -0.866)];

pub(super) fn ball(dab: &mut Dab, (x, y): (f32, f32), look: &ThingLook) {
    let stripe = mix(look.color, [40.0, 40.0, 48.0], 0.72);
    let bend = x * (1.0 + 0.5 * y * y);
    let color = if (bend.abs() - 0.26).abs() < 0.07 { stripe } else { look.color };
    dab.lay(disc(x, y, 0.95), round(color, (x / 0.95, y / 0.95), look.light, 0.9));
}

pub(super) fn flower(dab: &mut Dab, (x, y): (f32, f32), look: &ThingLook) {
    for (along, across) in PETALS {
        let (u, v) = (x * along + y * across, y * along - x * across);
        let petal = lit(look.color, 0.72 + u * 0.34 - v.abs() * 0.3 + v * 0.16);
        dab.lay(oval(u - 0.58, v, 0.4, 0.27), petal);
    }
    let middle = round([238.0, 186.0, 40.0], (x / 0.32, y / 0.32), look.light, 0.2);
    let middle = if look.color[1] < 160.0 && look.color[0] > 220.0 { lit(middle, 0.5) } else { middle };
    dab.lay(disc(x, y, 0.3), middle);
}

pub(super) fn mushroom(dab: &mut Dab, (x, y): (f32, f32), look: &ThingLook) {
    let stem = lit([236.0, 226.0, 204.0], 0.92 + x * look.light.0 * 0.9);
    dab.lay(bar((x, y), (0.0, -0.1), (0.02, 0.7), (0.2, 0.27)), stem);
    dab.tint(oval(x, y - 0.08, 0.4, 0.14), [120.0, 104.0, 84.0], 0.7);
    let cap = oval(x, y + 0.1, 0.9, 0.8).max(y - 0.06 + x * x * 0.14);
    dab.lay(cap, round(look.color, (x / 0.95, (y + 0.16) / 0.82), look.light, 0.6));
    let pale = [250.0, 246.0, 236.0];
    let spots = if look.color[1] > 200.0 { [206.0, 196.0, 176.0] } else { pale };
    for (sx, sy, radius) in [(-0.42, -0.3, 0.12), (0.06, -0.52, 0.15), (0.46, -0.24, 0.12), (0.0, -0.12, 0.1)] {
        dab.tint(oval(x - sx, y - sy, radius, radius * 0.8), spots, 0.9);
    }
}

pub(super) fn leaf(dab: &mut Dab, (x, y): (f32, f32), look: &ThingLook) {
    dab.lay(bar((x, y), (0.0, 0.5), (0.05, 0.96), (0.045, 0.04)), lit(look.color, 0.55));
    // Where two circles overlap, a leaf is left.
    let blade = disc(x - 0.42, y + 0.12, 0.94).max(disc(x + 0.42, y + 0.12, 0.94));
    let half = if x * look.light.0 > 0.0 { 1.08 } else { 0.86 };
    dab.lay(blade, lit(look.color, half + y * 0.1));
    let vein = lit(look.color, 0.55);
    dab.tint(x.abs() - 0.035, vein, 0.9);
    let side = (y + 2.0 + x.abs() * 0.8) % 0.3 - 0.15;
    dab.tint(side.abs() - 0.02, vein, 0.45);
}
