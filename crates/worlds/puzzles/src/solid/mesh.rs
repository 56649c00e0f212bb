//! Surfaces made of triangles.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::MeshTexture;
use super::turn::SolidTurn;
use super::vector::{Vector, add, cross, dot, length, normalised, sub, times};
use crate::canvas::Color;

/// A surface made of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The corners.
    pub positions: Vec<[f32; 3]>,
    /// For each corner, the direction away from the surface, of length one.
    pub normals: Vec<[f32; 3]>,
    /// For each corner, its colour.
    pub colors: Vec<Color>,
    /// Which three corners make a triangle, counter-clockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// A picture laid on the surface instead of the colours.
    pub skin: Option<Skin>,
    /// Which sides of its triangles can be seen.
    pub sides: Sides,
}

/// A picture laid on a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// The picture.
    pub texture: Arc<MeshTexture>,
    /// For each corner of the mesh, its place in the picture: from the left and from the top, as shares of its side.
    pub places: Vec<[f32; 2]>,
}

/// Which sides of a mesh's triangles can be seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sides {
    /// Only the outside; enough for closed bodies, and twice as fast.
    #[default]
    Outside,
    /// Both.
    Both,
}

/// Surfaces that meet at a sharper angle than one with this cosine have an edge between them.
const CREASE: f32 = 0.6;

impl Mesh {
    /// A mesh of one colour whose triangles are all flat, each with corners of its own.
    pub fn flat(positions: &[[f32; 3]], triangles: &[[u32; 3]], color: Color) -> Self {
        let mut mesh = Self::default();
        for triangle in triangles {
            let corners = triangle.map(|i| positions[i as usize]);
            mesh.polygon(&corners, normalised(face(&corners)), color);
        }
        mesh
    }

    /// Adds a flat convex polygon, given counter-clockwise as seen from outside.
    pub fn polygon(&mut self, corners: &[[f32; 3]], normal: [f32; 3], color: Color) {
        let first = self.positions.len() as u32;
        let n_corners = corners.len() as u32;
        self.positions.extend_from_slice(corners);
        self.normals.resize(self.positions.len(), normal);
        self.colors.resize(self.positions.len(), color);
        self.triangles.extend((2..n_corners).map(|i| [first, first + i - 1, first + i]));
    }

    /// Finds the normals anew: round where triangles that share a corner meet at a flat angle, with an edge where they
    /// meet at a sharp one (corners are doubled there).
    #[must_use]
    pub fn smoothed(mut self) -> Self {
        let faces: Vec<Vector> =
            self.triangles.iter().map(|triangle| face(&triangle.map(|i| self.positions[i as usize]))).collect();
        // Corners at the same point belong together, also where a picture has a seam.
        let mut at_point: BTreeMap<[u32; 3], usize> = BTreeMap::new();
        let point = |position: &Vector| position.map(|part| (part + 0.0).to_bits());
        let points: Vec<usize> = self
            .positions
            .iter()
            .map(|position| {
                let n_points = at_point.len();
                *at_point.entry(point(position)).or_insert(n_points)
            })
            .collect();
        let mut around = vec![Vec::new(); at_point.len()];
        for (i, triangle) in self.triangles.iter().enumerate() {
            for corner in triangle {
                around[points[*corner as usize]].push(i);
            }
        }
        self.normals = vec![[0.0; 3]; self.positions.len()];
        let mut doubles: Vec<Vec<u32>> = (0..self.positions.len() as u32).map(|i| vec![i]).collect();
        for i in 0..self.triangles.len() {
            for place in 0..3 {
                let corner = self.triangles[i][place] as usize;
                let normal = mean_normal(&faces, &around[points[corner]], faces[i]);
                self.triangles[i][place] = self.corner_with(&mut doubles[corner], normal);
            }
        }
        self
    }

    /// One of some equal corners that has this normal, or is free to take it, or a new one.
    fn corner_with(&mut self, doubles: &mut Vec<u32>, normal: Vector) -> u32 {
        for double in doubles.iter() {
            let own = &mut self.normals[*double as usize];
            if length(*own) <= 0.0 {
                *own = normal;
            }
            if dot(*own, normal) > 0.98 || length(normal) <= 0.0 {
                return *double;
            }
        }
        let (first, new) = (doubles[0] as usize, self.positions.len() as u32);
        self.positions.push(self.positions[first]);
        self.colors.push(self.colors[first]);
        self.normals.push(normal);
        if let Some(skin) = &mut self.skin {
            skin.places.push(skin.places[first]);
        }
        doubles.push(new);
        new
    }

    /// The same, shifted.
    #[must_use]
    pub fn shifted(mut self, by: [f32; 3]) -> Self {
        for position in &mut self.positions {
            *position = add(*position, by);
        }
        self
    }

    /// The same, turned about the origin.
    #[must_use]
    pub fn turned(mut self, turn: SolidTurn) -> Self {
        let rows = turn.at([0.0; 3]).turn;
        for vector in self.positions.iter_mut().chain(&mut self.normals) {
            *vector = times(&rows, *vector);
        }
        self
    }

    /// The same, stretched along each axis; every factor must be greater than nothing.
    #[must_use]
    pub fn stretched(mut self, by: [f32; 3]) -> Self {
        for position in &mut self.positions {
            *position = [position[0] * by[0], position[1] * by[1], position[2] * by[2]];
        }
        for normal in &mut self.normals {
            *normal = normalised([normal[0] / by[0], normal[1] / by[1], normal[2] / by[2]]);
        }
        self
    }

    /// Both in one mesh, without skins.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        let first = self.positions.len() as u32;
        self.positions.extend_from_slice(&other.positions);
        self.normals.extend_from_slice(&other.normals);
        self.colors.extend_from_slice(&other.colors);
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|i| i + first)));
        self
    }

    /// A ball around all corners: the middle of the box that holds them, and the distance of the farthest.
    pub fn ball(&self) -> ([f32; 3], f32) {
        let low = self.positions.iter().fold([f32::MAX; 3], |low, at| [0, 1, 2].map(|i: usize| low[i].min(at[i])));
        let high = self.positions.iter().fold([f32::MIN; 3], |high, at| [0, 1, 2].map(|i: usize| high[i].max(at[i])));
        if self.positions.is_empty() {
            return ([0.0; 3], 0.0);
        }
        let middle = [0, 1, 2].map(|i| f32::midpoint(low[i], high[i]));
        let reach = self.positions.iter().map(|at| length(sub(*at, middle))).fold(0.0, f32::max);
        (middle, reach)
    }

    /// The same, shifted and scaled so that the ball around it is the unit ball at the origin.
    #[must_use]
    pub fn fitted(self) -> Self {
        let (middle, reach) = self.ball();
        self.moved_into(middle, reach)
    }

    /// All of them, shifted and scaled alike so that the ball around them is the unit ball at the origin.
    pub fn all_fitted(meshes: Vec<Self>) -> Vec<Self> {
        let positions = meshes.iter().flat_map(|mesh| mesh.positions.iter().copied()).collect();
        let (middle, reach) = Self { positions, ..Self::default() }.ball();
        meshes.into_iter().map(|mesh| mesh.moved_into(middle, reach)).collect()
    }

    fn moved_into(self, middle: Vector, reach: f32) -> Self {
        let scale = if reach > 0.0 { 1.0 / reach } else { 1.0 };
        self.shifted(middle.map(|part| -part)).stretched([scale; 3])
    }
}

/// The direction of a triangle's outside, as long as the triangle is large.
fn face(corners: &[Vector; 3]) -> Vector {
    cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]))
}

/// The mean direction of those faces around a corner that do not turn too sharply from one of them.
fn mean_normal(faces: &[Vector], around: &[usize], own: Vector) -> Vector {
    let direction = normalised(own);
    let near = around.iter().filter(|i| dot(normalised(faces[**i]), direction) >= CREASE);
    normalised(near.fold([0.0; 3], |sum, i| add(sum, faces[*i])))
}
