//! Vehicles. Their front looks along x.

use quintain_core::rng::Rng;

use super::kit::{
    CREAM, DARK, GLASS, RED, STEEL, WHITE, YELLOW, about, ball, block, drum, hull, joined, rod, shade, two_paints,
    wheel,
};
use crate::solid::{Mesh, SolidTurn, shapes};

/// A boat with a cabin, a funnel and a flag.
pub(super) fn boat(rng: &mut Rng) -> Mesh {
    let (paint, trim) = two_paints(rng);
    let (long, wide) = (about(rng, 1.3, 0.12), about(rng, 0.42, 0.12));
    let outline = |scale: f32, bow: f32| -> Vec<[f32; 2]> {
        let (l, w) = (long * scale, wide * scale);
        vec![
            [-l, w * 0.8],
            [-l * 0.2, w],
            [l * 0.45, w * 0.8],
            [l * bow, 0.0],
            [l * 0.45, -w * 0.8],
            [-l * 0.2, -w],
            [-l, -w * 0.8],
        ]
    };
    let cabin = about(rng, 0.36, 0.15);
    let funnel = -about(rng, 0.45, 0.2);
    joined([
        hull(&outline(0.8, 0.85), &outline(0.93, 1.05), -0.25, 0.05, shade(paint, 0.7)),
        hull(&outline(0.93, 1.05), &outline(1.0, 1.15), 0.05, 0.32, paint),
        block([-0.05, 0.34 + cabin / 2.0, 0.0], [long * 0.75, cabin, wide * 1.2], WHITE),
        block([0.1, 0.36 + cabin * 1.35, 0.0], [long * 0.34, cabin * 0.75, wide * 0.95], CREAM),
        block([0.1 + long * 0.17, 0.36 + cabin * 1.4, 0.0], [0.04, cabin * 0.4, wide * 0.75], GLASS),
        drum(0.13, 0.12, 0.34 + cabin, 0.34 + cabin * 2.3, trim).shifted([funnel, 0.0, 0.0]),
        drum(0.135, 0.13, 0.34 + cabin * 2.0, 0.34 + cabin * 2.15, DARK).shifted([funnel, 0.0, 0.0]),
        rod([-long * 0.9, 0.3, 0.0], [-long * 0.95, 1.05, 0.0], 0.03, STEEL),
        block([-long * 0.95 - 0.17, 0.94, 0.0], [0.34, 0.2, 0.03], RED),
        ball([long * 0.6, 0.38, 0.0], [0.07; 3], trim),
        block([0.0, 0.34 + cabin * 0.55, wide * 0.6], [0.5, cabin * 0.35, 0.03], GLASS),
        ball([-0.35, 0.34 + cabin * 0.5, -wide * 0.62], [0.12, 0.12, 0.05], trim),
    ])
}

/// A car with a cabin towards its back.
pub(super) fn car(rng: &mut Rng) -> Mesh {
    let (paint, trim) = two_paints(rng);
    let (long, wide, high) = (about(rng, 1.2, 0.1), about(rng, 0.5, 0.1), about(rng, 0.34, 0.15));
    let body = [[-long, 0.2], [long * 0.97, 0.2], [long, 0.36], [long * 0.9, 0.52], [-long * 0.9, 0.56], [-long, 0.5]];
    let rake = about(rng, 0.3, 0.3);
    let cabin =
        [[-long * 0.82, 0.54], [long * 0.35, 0.52], [long * 0.35 - rake, 0.54 + high], [-long * 0.72, 0.54 + high]];
    let inset = cabin.map(|[x, y]| [-long * 0.2 + (x + long * 0.2) * 0.84, 0.54 + (y - 0.54) * 0.8 + 0.03]);
    let wheels = [-0.62, 0.62].into_iter().flat_map(|x| [-1.0, 1.0].map(|side| (x * long, side * wide * 0.9)));
    let mut parts: Vec<Mesh> = wheels.map(|(x, z)| wheel([x, 0.2, z], 0.22, 0.16, STEEL)).collect();
    parts.extend([
        shapes::prism(&body, 2.0 * wide, paint),
        shapes::prism(&cabin, 1.7 * wide, shade(paint, 0.9)),
        shapes::prism(&inset, 1.74 * wide, GLASS),
        block([long * 0.35 - rake * 0.5, 0.54 + high * 0.5, 0.0], [0.06, high * 0.7, 1.4 * wide], GLASS),
        block([0.0, 0.22, 0.0], [2.06 * long, 0.1, 1.9 * wide], DARK),
        block([-long * 0.2, 0.58 + high, 0.0], [0.3, 0.1, 0.4 * wide], trim),
        block([long * 0.6, 0.53, 0.0], [long * 0.5, 0.03, 0.4 * wide], trim),
    ]);
    for side in [-0.7, 0.7] {
        parts.push(ball([long, 0.38, side * wide], [0.06, 0.09, 0.09], YELLOW));
        parts.push(block([-long, 0.42, side * wide], [0.05, 0.12, 0.2], RED));
    }
    joined(parts)
}

/// A small aeroplane with a propeller.
pub(super) fn plane(rng: &mut Rng) -> Mesh {
    let (paint, trim) = two_paints(rng);
    let (span, long) = (about(rng, 1.25, 0.1), about(rng, 1.15, 0.08));
    let fuselage = [[0.0, -1.0], [0.07, -0.98], [0.13, -0.6], [0.23, 0.1], [0.25, 0.55], [0.2, 0.88], [0.0, 0.95]];
    let fuselage = fuselage.map(|[r, h]: [f32; 2]| [r, h * long]);
    let sweep = about(rng, 0.18, 0.4);
    let wing = [[-0.02, -span], [0.2, -span], [0.42, 0.0], [0.2, span], [-0.02, span], [-sweep, 0.0]];
    let tail = [[-long, -0.42], [-long + 0.16, -0.42], [-long + 0.34, 0.0], [-long + 0.16, 0.42], [-long, 0.42]];
    let fin = [[-long - 0.05, 0.05], [-long + 0.36, 0.05], [-long + 0.12, 0.52], [-long - 0.05, 0.52]];
    let flat = |outline: &[[f32; 2]], color| shapes::prism(outline, 0.06, color).turned(SolidTurn::about_x(90.0));
    let nose = long * 0.97;
    let mut parts = vec![
        shapes::lathe(&fuselage, 18, paint).turned(SolidTurn::about_z(-90.0)),
        flat(&wing, trim).shifted([0.0, -0.06, 0.0]),
        flat(&tail, trim).shifted([0.0, 0.04, 0.0]),
        shapes::prism(&fin, 0.06, trim),
        ball([0.28, 0.2, 0.0], [0.3, 0.16, 0.15], GLASS),
        ball([nose, 0.0, 0.0], [0.12, 0.09, 0.09], YELLOW),
        block([nose + 0.04, 0.0, 0.0], [0.03, 0.8, 0.1], DARK),
    ];
    for side in [-0.3, 0.3] {
        parts.push(rod([0.35, -0.1, side * 0.6], [0.38, -0.4, side], 0.03, STEEL));
        parts.push(wheel([0.38, -0.42, side], 0.11, 0.08, STEEL));
    }
    joined(parts)
}

/// A steam engine: boiler, cab, funnel, wheels.
pub(super) fn engine(rng: &mut Rng) -> Mesh {
    let (paint, trim) = two_paints(rng);
    let (long, radius) = (about(rng, 1.3, 0.12), about(rng, 0.3, 0.1));
    let (axle, top) = (0.22, 0.5 + radius);
    let boiler = shapes::cylinder(radius, long, paint).turned(SolidTurn::about_z(90.0)).shifted([0.3, top, 0.0]);
    let front = 0.3 + long / 2.0;
    let back = 0.3 - long / 2.0;
    let cab = about(rng, 0.8, 0.1);
    let band =
        |x: f32| shapes::cylinder(radius * 1.06, 0.07, trim).turned(SolidTurn::about_z(90.0)).shifted([x, top, 0.0]);
    let mut parts = vec![
        boiler,
        band(front - 0.1),
        band(0.3),
        shapes::cylinder(radius * 0.8, 0.06, DARK).turned(SolidTurn::about_z(90.0)).shifted([front + 0.02, top, 0.0]),
        ball([front + 0.06, top, 0.0], [0.06, 0.1, 0.1], YELLOW),
        block([0.0, 0.42, 0.0], [long + 0.75, 0.12, 0.72], DARK),
        block([back - 0.2, 0.48 + cab / 2.0, 0.0], [0.56, cab, 0.74], paint),
        block([back - 0.2, 0.5 + cab, 0.0], [0.74, 0.08, 0.86], trim),
        block([back - 0.2, 0.48 + cab * 0.7, 0.0], [0.3, cab * 0.3, 0.78], GLASS),
        drum(0.1, 0.16, top + radius * 0.8, top + radius + about(rng, 0.36, 0.2), DARK).shifted([
            front - 0.22,
            0.0,
            0.0,
        ]),
        ball([0.2, top + radius, 0.0], [0.14, 0.16, 0.14], YELLOW),
        hull(&[[0.0, 0.36], [0.28, 0.0], [0.0, -0.36]], &[[0.0, 0.36], [0.08, 0.0], [0.0, -0.36]], 0.1, 0.4, RED)
            .shifted([front + 0.06, 0.0, 0.0]),
    ];
    for x in [back - 0.2, back + long * 0.36, back + long * 0.72] {
        for side in [-0.36, 0.36] {
            parts.push(wheel([x, axle, side], 0.22, 0.1, RED));
        }
    }
    joined(parts)
}
