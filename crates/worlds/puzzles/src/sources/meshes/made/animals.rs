//! Animals. They look along x.

use quintain_core::rng::Rng;

use super::kit::{BROWN, CREAM, DARK, RED, STEEL, WHITE, about, ball, joined, rod, shade};
use crate::solid::{Mesh, shapes};

/// A dog that stands and lifts its tail.
pub(super) fn dog(rng: &mut Rng) -> Mesh {
    let furs = [[182, 122, 66], [92, 74, 62], [206, 178, 132], [120, 118, 116], BROWN];
    let fur = *rng.choose(&furs);
    let patch = if rng.chance(0.5) { WHITE } else { shade(fur, 0.55) };
    let (long, leg) = (about(rng, 0.62, 0.15), about(rng, 0.62, 0.15));
    let chest = leg + 0.3;
    let head = [long + 0.32, chest + about(rng, 0.5, 0.12), 0.0];
    let muzzle = about(rng, 0.3, 0.25);
    let tail = [
        [-long * 0.95, chest + 0.08, 0.0],
        [-long - 0.35, chest + 0.25, 0.0],
        [-long - 0.42, chest + about(rng, 0.55, 0.2), 0.0],
    ];
    let mut parts = vec![
        ball([0.0, chest, 0.0], [long + 0.12, 0.3, 0.28], fur),
        ball([long * 0.5, chest + 0.02, 0.0], [0.34, 0.33, 0.3], fur),
        ball([-long * 0.35, chest + 0.12, 0.06], [0.3, 0.22, 0.26], patch),
        shapes::tube(&[[long * 0.75, chest + 0.1, 0.0], head], &[0.2, 0.17], 12, fur),
        ball([long * 0.62, chest + 0.12, 0.0], [0.17, 0.2, 0.2], RED),
        ball(head, [0.27, 0.25, 0.24], fur),
        ball([head[0] + muzzle * 0.8, head[1] - 0.07, 0.0], [muzzle, 0.13, 0.14], CREAM),
        ball([head[0] + muzzle * 1.75, head[1] - 0.02, 0.0], [0.07; 3], DARK),
        shapes::tube(&tail, &[0.09, 0.07, 0.04], 10, fur),
    ];
    for side in [-1.0_f32, 1.0] {
        parts.push(ball([head[0] + 0.2, head[1] + 0.1, side * 0.12], [0.05; 3], DARK));
        parts.push(ball([head[0] - 0.06, head[1] + 0.02, side * 0.25], [0.1, 0.22, 0.06], shade(fur, 0.6)));
        for x in [-long * 0.75, long * 0.7] {
            let foot = [x + 0.03, 0.06, side * 0.17];
            parts.push(rod([x, chest, side * 0.15], foot, 0.095, shade(fur, 0.9)));
            parts.push(ball([foot[0] + 0.05, 0.06, foot[2]], [0.14, 0.07, 0.09], patch));
        }
    }
    parts.push(ball([long * 0.8, chest - 0.08, 0.0], [0.05; 3], STEEL));
    joined(parts)
}
