//! What toys are built from.

use quintain_core::rng::Rng;

use crate::canvas::Color;
use crate::solid::{Mesh, SolidTurn, shapes};

pub(super) const WHITE: Color = [244, 242, 236];
pub(super) const CREAM: Color = [236, 220, 184];
pub(super) const DARK: Color = [52, 54, 62];
pub(super) const STEEL: Color = [150, 158, 168];
pub(super) const BROWN: Color = [122, 78, 48];
pub(super) const GLASS: Color = [96, 150, 190];
pub(super) const YELLOW: Color = [246, 204, 72];
pub(super) const RED: Color = [214, 58, 48];

/// Colours that toys are painted in.
const PAINTS: [Color; 9] = [
    [214, 62, 52],
    [58, 118, 196],
    [70, 158, 92],
    [240, 178, 52],
    [146, 84, 176],
    [232, 122, 48],
    [44, 150, 158],
    [222, 110, 146],
    [120, 132, 60],
];

/// Two different paints.
pub(super) fn two_paints(rng: &mut Rng) -> (Color, Color) {
    let first = rng.below(PAINTS.len());
    let other = (first + 1 + rng.below(PAINTS.len() - 1)) % PAINTS.len();
    (PAINTS[first], PAINTS[other])
}

/// A number somewhere around one that is meant, by up to a share of it.
pub(super) fn about(rng: &mut Rng, meant: f32, share: f32) -> f32 {
    meant * rng.uniform(f64::from(1.0 - share), f64::from(1.0 + share)) as f32
}

/// A colour made darker or brighter.
pub(super) fn shade(color: Color, by: f32) -> Color {
    color.map(|channel| (f32::from(channel) * by) as u8)
}

/// All parts in one mesh.
pub(super) fn joined(parts: impl IntoIterator<Item = Mesh>) -> Mesh {
    parts.into_iter().fold(Mesh::default(), |whole, part| whole.with(&part))
}

/// A box with its middle at a place.
pub(super) fn block(at: [f32; 3], size: [f32; 3], color: Color) -> Mesh {
    shapes::cuboid(size, color).shifted(at)
}

/// A ball, stretched along the axes, with its middle at a place.
pub(super) fn ball(at: [f32; 3], radii: [f32; 3], color: Color) -> Mesh {
    let small = radii[0].max(radii[1]).max(radii[2]) < 0.15;
    let (n_bands, n_around) = if small { (6, 8) } else { (8, 16) };
    shapes::lathe(&shapes::half_circle([0.0; 2], 1.0, n_bands), n_around, color).stretched(radii).shifted(at)
}

/// An upright drum, or a cone cut off, standing on a height.
pub(super) fn drum(lower: f32, upper: f32, from: f32, to: f32, color: Color) -> Mesh {
    shapes::lathe(&[[0.0, from], [lower, from], [upper, to], [0.0, to]], 20, color)
}

/// A wheel about an axis along z, with a hub.
pub(super) fn wheel(at: [f32; 3], radius: f32, width: f32, hub: Color) -> Mesh {
    let half = width / 2.0;
    let tyre = shapes::lathe(
        &[
            [0.0, -half],
            [radius * 0.9, -half],
            [radius, -half * 0.5],
            [radius, half * 0.5],
            [radius * 0.9, half],
            [0.0, half],
        ],
        16,
        DARK,
    );
    let disc = shapes::lathe(
        &[[0.0, -half * 1.15], [radius * 0.55, -half * 1.15], [radius * 0.55, half * 1.15], [0.0, half * 1.15]],
        12,
        hub,
    );
    tyre.with(&disc).turned(SolidTurn::about_x(90.0)).shifted(at)
}

/// A straight rod with flat ends.
pub(super) fn rod(from: [f32; 3], to: [f32; 3], radius: f32, color: Color) -> Mesh {
    shapes::tube(&[from, to], &[radius, radius], 10, color)
}

/// A body between a lower and an upper outline of as many points in the x-z plane, both counter-clockwise as seen from
/// above (x to the right, z down).
pub(super) fn hull(lower: &[[f32; 2]], upper: &[[f32; 2]], from: f32, to: f32, color: Color) -> Mesh {
    let n = lower.len() as u32;
    let positions: Vec<[f32; 3]> =
        lower.iter().map(|[x, z]| [*x, from, *z]).chain(upper.iter().map(|[x, z]| [*x, to, *z])).collect();
    let mut triangles = Vec::new();
    for i in 0..n {
        let next = (i + 1) % n;
        triangles.extend([[i, next, n + next], [i, n + next, n + i]]);
    }
    for i in 2..n {
        triangles.extend([[n, n + i - 1, n + i], [0, i, i - 1]]);
    }
    Mesh::flat(&positions, &triangles, color)
}
