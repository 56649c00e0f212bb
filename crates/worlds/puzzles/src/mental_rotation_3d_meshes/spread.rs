//! How the surface of an object is spread around its middle.

use crate::solid::Mesh;
use crate::solid::vector::{cross, length, sub};

/// A surface is spread evenly around an axis if the squares of its widest and its narrowest reach across the axis differ
/// by at most this share of their sum.
const UNEVEN: f64 = 0.05;

/// The middle of a surface, and how far it reaches from there.
pub(super) struct SurfaceSpread {
    /// The mean of its points.
    pub(super) middle: [f32; 3],
    /// For every two axes, the mean product of how far a point lies from the middle along them.
    products: [[f64; 3]; 3],
}

impl SurfaceSpread {
    pub(super) fn of(body: &[Mesh]) -> Self {
        let (mut area, mut points, mut products) = (0.0_f64, [0.0_f64; 3], [[0.0_f64; 3]; 3]);
        for (weight, corners) in body.iter().flat_map(triangles) {
            let sum = [0, 1, 2].map(|i: usize| corners[0][i] + corners[1][i] + corners[2][i]);
            let product = |i: usize, j: usize| {
                let own: f64 = corners.iter().map(|corner| corner[i] * corner[j]).sum();
                (own + sum[i] * sum[j]) / 12.0
            };
            area += weight;
            points = [0, 1, 2].map(|i: usize| points[i] + weight * sum[i] / 3.0);
            products = [0, 1, 2].map(|i: usize| [0, 1, 2].map(|j: usize| products[i][j] + weight * product(i, j)));
        }
        let area = area.max(f64::MIN_POSITIVE);
        let middle = points.map(|sum| sum / area);
        let product = |i: usize, j: usize| products[i][j] / area - middle[i] * middle[j];
        let products = [0, 1, 2].map(|i| [0, 1, 2].map(|j| product(i, j)));
        Self { middle: middle.map(|part| part as f32), products }
    }

    /// Whether the surface reaches about as far in every direction across an axis, as it does wherever three sides or
    /// more are alike.
    pub(super) fn is_even_around(&self, axis: usize) -> bool {
        let (one, other) = ((axis + 1) % 3, (axis + 2) % 3);
        let (across, down) = (self.products[one][one], self.products[other][other]);
        let (off, aslant) = (across - down, 2.0 * self.products[one][other]);
        (off * off + aslant * aslant).sqrt() <= UNEVEN * (across + down)
    }
}

/// The triangles of a mesh, each with twice its area.
fn triangles(mesh: &Mesh) -> impl Iterator<Item = (f64, [[f64; 3]; 3])> {
    mesh.triangles.iter().map(move |triangle| {
        let [a, b, c] = triangle.map(|i| mesh.positions[i as usize]);
        let weight = f64::from(length(cross(sub(b, a), sub(c, a))));
        (weight, [a, b, c].map(|corner| corner.map(f64::from)))
    })
}
