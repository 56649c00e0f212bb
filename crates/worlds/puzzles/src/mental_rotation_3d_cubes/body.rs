//! The surface of a snake.

use super::snake::{CubeCell, Snake, WAYS};
use crate::canvas::Color;
use crate::solid::Mesh;

/// How much of a cube's side the dark line along each edge takes.
const LINE: f32 = 0.07;

/// The outer faces of all cubes, each with a dark line around it, fitted into the unit ball.
pub(super) fn mesh(snake: &Snake) -> Mesh {
    let dark = snake.color.map(|channel| (u16::from(channel) * 3 / 10) as u8);
    let mut mesh = Mesh::default();
    for (cell, way) in outer_faces(snake) {
        let face = Face { cell, way };
        let (outer, inner) = (face.corners(0.0), face.corners(LINE));
        mesh.polygon(&inner, face.normal(), snake.color);
        for i in 0..4 {
            let next = (i + 1) % 4;
            mesh.polygon(&[outer[i], outer[next], inner[next], inner[i]], face.normal(), dark);
        }
    }
    mesh.fitted()
}

/// The same surface with one plain colour for each cube, by which it can be told: the number of the cube as red.
pub(super) fn numbered(snake: &Snake) -> Mesh {
    let mut mesh = Mesh::default();
    for (cell, way) in outer_faces(snake) {
        let number = snake.cells.iter().position(|other| *other == cell).unwrap_or(0);
        let face = Face { cell, way };
        let color: Color = [number as u8, 0, 0];
        mesh.polygon(&face.corners(0.0), face.normal(), color);
    }
    mesh.fitted()
}

fn outer_faces(snake: &Snake) -> impl Iterator<Item = (CubeCell, CubeCell)> {
    let faces = snake.cells.iter().flat_map(|cell| WAYS.iter().map(move |way| (*cell, *way)));
    faces.filter(|(cell, way)| !snake.cells.contains(&[0, 1, 2].map(|i| cell[i] + way[i])))
}

/// A face of a cube: of which, and towards where it looks.
struct Face {
    cell: CubeCell,
    way: CubeCell,
}

impl Face {
    fn normal(&self) -> [f32; 3] {
        self.way.map(|part| part as f32)
    }

    /// Its corners counter-clockwise as seen from outside, drawn in from the edges.
    fn corners(&self, inset: f32) -> [[f32; 3]; 4] {
        let axis = (0..3).find(|i| self.way[*i] != 0).unwrap_or(0);
        let (second, third) = ((axis + 1) % 3, (axis + 2) % 3);
        let (second, third) = if self.way[axis] > 0 { (second, third) } else { (third, second) };
        let half = 0.5 - inset;
        [(-half, -half), (half, -half), (half, half), (-half, half)].map(|(u, v)| {
            let mut corner = self.cell.map(|part| part as f32);
            corner[axis] += self.way[axis] as f32 * 0.5;
            corner[second] += u;
            corner[third] += v;
            corner
        })
    }
}
