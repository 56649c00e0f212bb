//! Things of a room, and a house around them.

use quintain_core::rng::Rng;

use super::kit::{
    BROWN, CREAM, DARK, GLASS, STEEL, WHITE, YELLOW, about, ball, block, drum, joined, rod, shade, two_paints,
};
use crate::solid::{Mesh, SolidTurn, shapes};

/// A desk lamp with a bent arm.
pub(super) fn lamp(rng: &mut Rng) -> Mesh {
    let (paint, trim) = two_paints(rng);
    let elbow = [-about(rng, 0.45, 0.25), about(rng, 0.95, 0.12), 0.0];
    let head = [about(rng, 0.45, 0.25), about(rng, 1.55, 0.1), 0.0];
    let tilt = rng.uniform(25.0, 50.0);
    let outer = [[0.42, -0.28], [0.18, 0.16], [0.1, 0.24], [0.0, 0.24]];
    let inner = [[0.0, 0.04], [0.16, 0.04], [0.4, -0.28], [0.42, -0.28]];
    let hood = joined([
        shapes::lathe(&outer, 22, paint),
        shapes::lathe(&inner, 22, CREAM),
        ball([0.0, -0.1, 0.0], [0.13; 3], YELLOW),
    ]);
    joined([
        drum(0.55, 0.5, 0.0, 0.1, paint),
        drum(0.12, 0.08, 0.1, 0.2, trim),
        rod([0.0, 0.15, 0.0], elbow, 0.05, STEEL),
        ball(elbow, [0.09; 3], trim),
        rod(elbow, head, 0.045, STEEL),
        hood.turned(SolidTurn::about_z(tilt)).shifted(head),
        block([0.3, 0.13, 0.2], [0.12, 0.06, 0.12], DARK),
    ])
}

/// A chair with a cushion and a back of slats.
pub(super) fn chair(rng: &mut Rng) -> Mesh {
    let (paint, cushion) = two_paints(rng);
    let wood = if rng.chance(0.5) { BROWN } else { shade(paint, 0.85) };
    let (half, seat, top) = (about(rng, 0.48, 0.1), about(rng, 0.75, 0.1), about(rng, 1.75, 0.1));
    let mut parts = vec![
        block([0.0, seat, 0.0], [2.0 * half, 0.1, 2.0 * half], wood),
        block([0.0, seat + 0.08, 0.03], [1.7 * half, 0.1, 1.7 * half], cushion),
        block([0.0, top, -half + 0.05], [2.0 * half, 0.16, 0.09], wood),
    ];
    for x in [-half + 0.06, half - 0.06] {
        parts.push(block([x, seat / 2.0, half - 0.06], [0.1, seat, 0.1], wood));
        parts.push(block([x, top / 2.0, -half + 0.05], [0.1, top, 0.1], wood));
        parts.push(block([x, seat * 0.4, 0.0], [0.05, 0.06, 1.7 * half], shade(wood, 0.8)));
    }
    for x in [-0.5, 0.0, 0.5] {
        parts.push(block(
            [x * half, f32::midpoint(seat, top), -half + 0.05],
            [0.09, top - seat, 0.05],
            shade(wood, 1.1),
        ));
    }
    if rng.chance(0.5) {
        parts.push(block([half, seat + 0.35, 0.05], [0.1, 0.07, 1.7 * half], wood));
        parts.push(block([half, seat + 0.18, half - 0.15], [0.08, 0.34, 0.08], wood));
    }
    joined(parts)
}

/// A house with a door, windows and a chimney on one side.
pub(super) fn house(rng: &mut Rng) -> Mesh {
    let (roof, door) = two_paints(rng);
    let walls = if rng.chance(0.5) { CREAM } else { WHITE };
    let (x, z, wall, ridge) =
        (about(rng, 0.75, 0.15), about(rng, 0.55, 0.12), about(rng, 0.75, 0.12), about(rng, 0.6, 0.15));
    let gable = [[-z - 0.1, wall - 0.02], [z + 0.1, wall - 0.02], [0.0, wall + ridge]];
    let mut parts = vec![
        block([0.0, wall / 2.0, 0.0], [2.0 * x, wall, 2.0 * z], walls),
        shapes::prism(&gable, 2.0 * x + 0.16, roof).turned(SolidTurn::about_y(90.0)),
        block([x * 0.55, wall + ridge * 0.75, -z * 0.4], [0.22, ridge * 0.9, 0.22], shade(BROWN, 1.2)),
        block([-x * 0.4, wall * 0.32, z], [0.34, wall * 0.64, 0.06], door),
        ball([-x * 0.4 + 0.1, wall * 0.32, z + 0.04], [0.03; 3], YELLOW),
        block([-x * 0.4, 0.03, z + 0.12], [0.5, 0.06, 0.26], STEEL),
        block([x * 0.45, wall * 0.52, z], [0.42, 0.34, 0.05], GLASS),
        block([x, wall * 0.52, 0.0], [0.05, 0.34, 0.4], GLASS),
        block([-x * 0.3, wall * 0.52, -z], [0.3, 0.3, 0.05], GLASS),
    ];
    if rng.chance(0.6) {
        parts.push(block([-x - 0.2, wall * 0.3, -z * 0.2], [0.4, wall * 0.6, z], shade(walls, 0.9)));
        parts.push(block([-x - 0.2, wall * 0.62, -z * 0.2], [0.48, 0.06, z * 1.15], roof));
    }
    joined(parts)
}
