//! Bodies made by moving an outline: around an axis, along a path, or straight on.

use super::mesh::Mesh;
use super::vector::{Vector, add, cross, dot, normalised, scaled, sub};
use crate::canvas::Color;

/// Bands of a lathed body that meet at a sharper angle than one with this cosine have an edge between them.
const CREASE: f32 = 0.75;

/// A body turned around the y axis. The profile is given as distances from the axis and heights; the outside lies to
/// the right of who walks along it (so an outer wall is walked upwards).
pub fn lathe(profile: &[[f32; 2]], n_around: usize, color: Color) -> Mesh {
    let bands: Vec<[[f32; 2]; 2]> = profile.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    let normals: Vec<[f32; 2]> = bands.iter().map(band_normal).collect();
    let circle = circle(n_around);
    let mut mesh = Mesh::default();
    for (i, band) in bands.iter().enumerate() {
        let own = normals[i];
        let lower = if i > 0 { joint(normals[i - 1], own) } else { own };
        let upper = normals.get(i + 1).map_or(own, |next| joint(*next, own));
        let ends = [(band[0], lower), (band[1], upper)];
        let first = mesh.positions.len() as u32;
        for [sin, cos] in &circle {
            for ([radius, height], [out, up]) in ends {
                mesh.positions.push([radius * sin, height, radius * cos]);
                mesh.normals.push([out * sin, up, out * cos]);
            }
        }
        join_rings(&mut mesh, first, n_around as u32, [band[0][0] > 0.0, band[1][0] > 0.0]);
    }
    mesh.colors = vec![color; mesh.positions.len()];
    mesh
}

/// The triangles between two rings whose corners alternate; a ring that is a point makes none with its own edge.
fn join_rings(mesh: &mut Mesh, first: u32, n_around: u32, [is_lower_ring, is_upper_ring]: [bool; 2]) {
    for i in 0..n_around {
        let (here, next) = (first + 2 * i, first + 2 * ((i + 1) % n_around));
        if is_lower_ring {
            mesh.triangles.push([here, next, next + 1]);
        }
        if is_upper_ring {
            mesh.triangles.push([here, next + 1, here + 1]);
        }
    }
}

fn band_normal([from, to]: &[[f32; 2]; 2]) -> [f32; 2] {
    let [out, up, _] = normalised([to[1] - from[1], from[0] - to[0], 0.0]);
    [out, up]
}

/// The normal where two bands meet, for one of them.
fn joint(other: [f32; 2], own: [f32; 2]) -> [f32; 2] {
    if other[0] * own[0] + other[1] * own[1] < CREASE {
        return own;
    }
    let [out, up, _] = normalised([other[0] + own[0], other[1] + own[1], 0.0]);
    [out, up]
}

/// Sines and cosines of evenly spread angles.
fn circle(n_around: usize) -> Vec<[f32; 2]> {
    let radians = |i: usize| std::f64::consts::TAU * i as f64 / n_around as f64;
    (0..n_around).map(|i| [libm::sin(radians(i)) as f32, libm::cos(radians(i)) as f32]).collect()
}

/// A tube along a path, with a radius at each of its points and flat ends.
pub fn tube(path: &[[f32; 3]], radii: &[f32], n_around: usize, color: Color) -> Mesh {
    let circle = circle(n_around);
    let tangents: Vec<Vector> = (0..path.len()).map(|i| tangent(path, i)).collect();
    let mut side = any_side(tangents[0]);
    let mut mesh = Mesh::default();
    let mut rings = Vec::new();
    for (i, at) in path.iter().enumerate() {
        // Carried along without twisting.
        side = normalised(sub(side, scaled(tangents[i], dot(side, tangents[i]))));
        let other = cross(tangents[i], side);
        let out = |[sin, cos]: &[f32; 2]| add(scaled(side, *cos), scaled(other, *sin));
        let normals: Vec<Vector> = circle.iter().map(out).collect();
        let ring: Vec<Vector> = normals.iter().map(|normal| add(*at, scaled(*normal, radii[i]))).collect();
        mesh.positions.extend_from_slice(&ring);
        mesh.normals.extend(normals);
        rings.push(ring);
    }
    let n_around = n_around as u32;
    for ring in 0..path.len() as u32 - 1 {
        for i in 0..n_around {
            let (here, next) = (ring * n_around + i, ring * n_around + (i + 1) % n_around);
            mesh.triangles.push([here, next, next + n_around]);
            mesh.triangles.push([here, next + n_around, here + n_around]);
        }
    }
    mesh.colors = vec![color; mesh.positions.len()];
    cap(&mut mesh, &rings, &tangents, color);
    mesh
}

/// Closes both ends of a tube.
fn cap(mesh: &mut Mesh, rings: &[Vec<Vector>], tangents: &[Vector], color: Color) {
    if let (Some(first), Some(last), Some(tangent)) = (rings.first(), rings.last(), tangents.last()) {
        let backwards: Vec<Vector> = first.iter().rev().copied().collect();
        mesh.polygon(&backwards, scaled(tangents[0], -1.0), color);
        mesh.polygon(last, *tangent, color);
    }
}

fn tangent(path: &[Vector], i: usize) -> Vector {
    let (before, after) = (i.saturating_sub(1), (i + 1).min(path.len() - 1));
    normalised(sub(path[after], path[before]))
}

/// A direction across another.
fn any_side(direction: Vector) -> Vector {
    let axis = if direction[1].abs() < 0.9 { [0.0, 1.0, 0.0] } else { [1.0, 0.0, 0.0] };
    normalised(cross(direction, axis))
}

/// Points along an arc in the x-y plane, counter-clockwise between two angles in degrees; radii along x and y.
pub fn arc(middle: [f32; 2], radii: [f32; 2], from_deg: f64, to_deg: f64, n_pieces: usize) -> Vec<[f32; 3]> {
    let at = |i: usize| {
        let radians = (from_deg + (to_deg - from_deg) * i as f64 / n_pieces as f64).to_radians();
        let (x, y) = (libm::cos(radians) as f32, libm::sin(radians) as f32);
        [middle[0] + radii[0] * x, middle[1] + radii[1] * y, 0.0]
    };
    (0..=n_pieces).map(at).collect()
}

/// An outline in the x-y plane, counter-clockwise, drawn out along z, its middle at z = 0. Every point of the outline
/// must be seen from the mean of its points.
pub fn prism(outline: &[[f32; 2]], depth: f32, color: Color) -> Mesh {
    let (n_points, half) = (outline.len(), depth / 2.0);
    let mean = |i: usize| outline.iter().map(|point| point[i]).sum::<f32>() / n_points as f32;
    let middle = [mean(0), mean(1)];
    let mut mesh = Mesh::default();
    for (i, a) in outline.iter().enumerate() {
        let b = outline[(i + 1) % n_points];
        let at = |point: [f32; 2], z: f32| [point[0], point[1], z];
        mesh.polygon(&[at(middle, half), at(*a, half), at(b, half)], [0.0, 0.0, 1.0], color);
        mesh.polygon(&[at(middle, -half), at(b, -half), at(*a, -half)], [0.0, 0.0, -1.0], color);
        let wall = [at(*a, half), at(*a, -half), at(b, -half), at(b, half)];
        mesh.polygon(&wall, normalised([b[1] - a[1], a[0] - b[0], 0.0]), color);
    }
    mesh
}
