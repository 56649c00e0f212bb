//! What is on a lake and in the sky.

use super::shape::{Dab, ThingLook, bar, disc, oval, polygon, round};
use crate::sources::photos::scenes::sheet::{lit, mix};

const WOOD: [f32; 3] = [112.0, 66.0, 36.0];
const DARK: [f32; 3] = [40.0, 38.0, 42.0];
const BEAK: [f32; 3] = [240.0, 142.0, 26.0];
const PALE: [f32; 3] = [248.0, 246.0, 240.0];

pub(super) fn boat(dab: &mut Dab, (x, y): (f32, f32), look: &ThingLook) {
    dab.lay(bar((x, y), (0.0, -0.9), (0.0, 0.5), (0.03, 0.035)), WOOD);
    let sail = polygon((x, y), [(0.06, -0.88), (0.72, 0.28), (0.06, 0.34)]);
    dab.lay(sail, lit(look.color, 1.0 - x * 0.24));
    let jib = polygon((x, y), [(-0.07, -0.74), (-0.07, 0.3), (-0.58, 0.26)]);
    dab.lay(jib, lit(look.color, 0.86 + x * 0.2));
    let hull = polygon((x, y), [(-0.82, 0.42), (0.88, 0.42), (0.56, 0.78), (-0.54, 0.78)]);
    dab.lay(hull, lit(WOOD, 1.3 - (y - 0.42) * 1.5));
    dab.tint((y - 0.47).abs() - 0.035, PALE, 0.8 * f32::from(u8::from(hull < 0.0)));
}

pub(super) fn duck(dab: &mut Dab, (x, y): (f32, f32), look: &ThingLook) {
    dab.lay(polygon((x, y), [(0.5, 0.12), (0.95, -0.16), (0.8, 0.4)]), lit(look.color, 0.72));
    dab.lay(bar((x, y), (-0.44, -0.4), (-0.34, 0.2), (0.2, 0.26)), lit(look.color, 0.86));
    dab.lay(
        oval(x - 0.12, y - 0.28, 0.74, 0.42),
        round(look.color, ((x - 0.12) / 0.8, (y - 0.28) / 0.5), look.light, 0.2),
    );
    dab.tint(oval(x - 0.24, y - 0.22, 0.4, 0.2), lit(look.color, 0.74), 0.7);
    dab.lay(bar((x, y), (-0.6, -0.46), (-0.9, -0.4), (0.12, 0.05)), BEAK);
    dab.lay(disc(x + 0.44, y + 0.52, 0.3), round(look.color, ((x + 0.44) / 0.32, (y + 0.52) / 0.32), look.light, 0.3));
    dab.lay(disc(x + 0.54, y + 0.58, 0.06), DARK);
}

pub(super) fn buoy(dab: &mut Dab, (x, y): (f32, f32), look: &ThingLook) {
    dab.lay(disc(x, y + 0.82, 0.12), [250.0, 240.0, 170.0]);
    let cone = polygon((x, y), [(-0.12, -0.74), (0.12, -0.74), (0.44, 0.36), (-0.44, 0.36)]);
    let side = 0.94 + (x * look.light.0) * 0.7;
    dab.lay(cone, lit(look.color, side));
    dab.tint((y + 0.16).abs() - 0.13, lit(PALE, side), f32::from(u8::from(cone < 0.02)));
    let float = oval(x, y - 0.52, 0.82, 0.32);
    dab.lay(float, round(mix(look.color, DARK, 0.2), (x / 0.86, (y - 0.52) / 0.36), look.light, 0.3));
}

pub(super) fn balloon(dab: &mut Dab, (x, y): (f32, f32), look: &ThingLook) {
    for side in [-0.13, 0.13] {
        dab.lay(bar((x, y), (side * 1.6, 0.4), (side, 0.78), (0.02, 0.02)), DARK);
    }
    let envelope = bar((x, y), (0.0, -0.28), (0.0, 0.42), (0.68, 0.18));
    let bend = x / (1.0 - (y + 0.28) * (y + 0.28) * 0.8).max(0.2).sqrt();
    let gore = (bend.abs() / 0.27 + 0.5) as i32;
    let color = if gore % 2 == 0 { look.color } else { mix(look.color, PALE, 0.34) };
    dab.lay(envelope, round(color, (x / 0.74, (y + 0.16) / 0.86), look.light, 0.4));
    let basket = polygon((x, y), [(-0.16, 0.74), (0.16, 0.74), (0.13, 0.97), (-0.13, 0.97)]);
    dab.lay(basket, lit(WOOD, 1.2 - x));
}

pub(super) fn kite(dab: &mut Dab, (x, y): (f32, f32), look: &ThingLook) {
    // The tail swings out and back on its way down.
    let sway = |down: f32| {
        let along = ((down - 0.4) / 0.56).clamp(0.0, 1.0) * 4.0 - 1.0;
        0.1 * (1.0 - along * along).clamp(-1.0, 1.0)
    };
    dab.lay((x - sway(y)).abs().max((y - 0.68).abs() - 0.3) - 0.022, lit(look.color, 0.6));
    for bow in [0.62, 0.86] {
        let (across, down) = (x - sway(bow), y - bow);
        dab.lay((down.abs() - across.abs() * 0.6).max(across.abs() - 0.17), mix(look.color, PALE, 0.3));
    }
    let sheet = polygon((x, y), [(0.0, -0.98), (0.62, -0.34), (0.0, 0.44), (-0.62, -0.34)]);
    let quarter = if (x > 0.0) == (y > -0.34) { 1.06 } else { 0.8 };
    dab.lay(sheet, lit(look.color, quarter));
    if sheet < 0.0 {
        dab.tint(x.abs().min((y + 0.34).abs()) - 0.02, WOOD, 0.9);
    }
}

pub(super) fn bird(dab: &mut Dab, (x, y): (f32, f32), look: &ThingLook) {
    let side = x.abs();
    let inner = bar((side, y), (0.08, 0.12), (0.5, -0.22), (0.14, 0.13));
    let outer = bar((side, y), (0.5, -0.22), (0.94, 0.02), (0.13, 0.03));
    dab.lay(inner.min(outer), lit(look.color, 1.25 - side * 0.4));
    dab.lay(bar((x, y), (0.0, -0.2), (0.0, 0.46), (0.13, 0.07)), lit(look.color, 0.9));
    dab.lay(disc(x, y + 0.26, 0.13), look.color);
    dab.lay(polygon((x, y), [(0.0, 0.34), (0.2, 0.66), (-0.2, 0.66)]), lit(look.color, 0.85));
    dab.lay(polygon((x, y), [(0.0, -0.56), (0.06, -0.34), (-0.06, -0.34)]), BEAK);
}

pub(super) fn airplane(dab: &mut Dab, (x, y): (f32, f32), look: &ThingLook) {
    let side = x.abs();
    let wing = polygon((side, y), [(-0.1, -0.22), (0.9, 0.12), (0.9, 0.3), (-0.1, 0.16)]);
    dab.lay(wing, lit(look.color, 0.86 - side * 0.1));
    let tail = polygon((side, y), [(-0.1, 0.6), (0.36, 0.76), (0.36, 0.9), (-0.1, 0.84)]);
    dab.lay(tail, lit(look.color, 0.8));
    let body = bar((x, y), (0.0, -0.76), (0.0, 0.84), (0.17, 0.07));
    dab.lay(body, round(PALE, (x / 0.2, 0.0), look.light, 0.3));
    dab.tint(oval(x, y + 0.7, 0.1, 0.08), [60.0, 80.0, 110.0], 0.9);
    dab.tint((y + 0.44).abs() - 0.06, look.color, 1.0);
}
