//! Simple bodies, each around the origin and of one colour.

use super::mesh::Mesh;
use super::vector::{Vector, add};
use crate::canvas::Color;

pub use super::sweep::{arc, lathe, prism, tube};

/// Around a round body: how many corners.
pub const ROUND: usize = 24;

/// A box with these lengths along x, y and z.
pub fn cuboid(size: [f32; 3], color: Color) -> Mesh {
    let mut mesh = Mesh::default();
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            // The two other axes, in the order whose cross product points outward.
            let (second, third) = ((axis + 1) % 3, (axis + 2) % 3);
            let (second, third) = if sign > 0.0 { (second, third) } else { (third, second) };
            let along = |axis: usize, by: f32| -> Vector {
                let mut vector = [0.0; 3];
                vector[axis] = size[axis] / 2.0 * by;
                vector
            };
            let middle = along(axis, sign);
            let corner = |u: f32, v: f32| add(middle, add(along(second, u), along(third, v)));
            let mut normal = [0.0; 3];
            normal[axis] = sign;
            mesh.polygon(&[corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)], normal, color);
        }
    }
    mesh
}

/// An upright cylinder with its middle at the origin.
pub fn cylinder(radius: f32, height: f32, color: Color) -> Mesh {
    cone(radius, radius, height, color)
}

/// An upright cone, cut off at the top unless its upper radius is nothing, with its middle at the origin.
pub fn cone(lower: f32, upper: f32, height: f32, color: Color) -> Mesh {
    let half = height / 2.0;
    lathe(&[[0.0, -half], [lower, -half], [upper, half], [0.0, half]], ROUND, color)
}

/// A ball.
pub fn sphere(radius: f32, color: Color) -> Mesh {
    lathe(&half_circle([0.0, 0.0], radius, ROUND / 2), ROUND, color)
}

/// An upright cylinder with round ends; the height is that between the middles of the ends.
pub fn capsule(radius: f32, height: f32, color: Color) -> Mesh {
    let n_bands = ROUND / 2;
    let mut profile = half_circle([0.0, -height / 2.0], radius, n_bands);
    profile.truncate(n_bands / 2 + 1);
    profile.extend(half_circle([0.0, height / 2.0], radius, n_bands).split_off(n_bands / 2));
    lathe(&profile, ROUND, color)
}

/// A flat rectangle that faces up, with these lengths along x and z. It cannot be seen from below.
pub fn plane(size: [f32; 2], color: Color) -> Mesh {
    let (x, z) = (size[0] / 2.0, size[1] / 2.0);
    let mut mesh = Mesh::default();
    mesh.polygon(&[[-x, 0.0, z], [x, 0.0, z], [x, 0.0, -z], [-x, 0.0, -z]], [0.0, 1.0, 0.0], color);
    mesh
}

/// The right half of a circle, from the bottom to the top, for a lathe.
pub fn half_circle(middle: [f32; 2], radius: f32, n_bands: usize) -> Vec<[f32; 2]> {
    let at = |i: usize| {
        let radians = std::f64::consts::PI * i as f64 / n_bands as f64;
        // The ends lie on the axis exactly.
        let out = if i == 0 || i == n_bands { 0.0 } else { libm::sin(radians) as f32 };
        [middle[0] + radius * out, middle[1] - radius * libm::cos(radians) as f32]
    };
    (0..=n_bands).map(at).collect()
}

/// A body drawn out along a line from one point to another: a rod with flat ends.
pub fn rod(from: [f32; 3], to: [f32; 3], radius: f32, color: Color) -> Mesh {
    tube(&[from, to], &[radius, radius], ROUND / 2, color)
}
