//! Thinning out meshes with too many triangles.

use std::collections::BTreeMap;

use crate::solid::Mesh;

/// The finest grid that corners are gathered on: cells along the unit ball's width.
const FINEST: f32 = 160.0;

/// Gathers the corners of meshes in the unit ball on ever coarser grids, until few enough triangles are left.
pub(super) fn thinned(meshes: &[Mesh], most: usize) -> Vec<Mesh> {
    let mut cells = FINEST;
    loop {
        let thin: Vec<Mesh> = meshes.iter().map(|mesh| gathered(mesh, cells)).collect();
        let n_triangles: usize = thin.iter().map(|mesh| mesh.triangles.len()).sum();
        if n_triangles <= most || cells < 4.0 {
            return thin;
        }
        cells *= 0.8;
    }
}

/// One corner for all corners of a cell: the first of them. Corners that lie apart on the texture stay apart, so that
/// no picture is torn across a seam.
fn gathered(mesh: &Mesh, cells: f32) -> Mesh {
    let mut found: BTreeMap<([i32; 3], [i32; 2]), u32> = BTreeMap::new();
    let mut thin = Mesh { skin: mesh.skin.clone(), sides: mesh.sides, ..Mesh::default() };
    if let Some(skin) = &mut thin.skin {
        skin.places.clear();
    }
    let new: Vec<u32> = (0..mesh.positions.len())
        .map(|i| {
            let place = mesh.skin.as_ref().map_or([0.0; 2], |skin| skin.places[i]);
            let cell = mesh.positions[i].map(|part| (part * cells / 2.0).round() as i32);
            let patch = place.map(|part| (part * 12.0).floor() as i32);
            *found.entry((cell, patch)).or_insert_with(|| keep(mesh, i, &mut thin))
        })
        .collect();
    let triangles = mesh.triangles.iter().map(|triangle| triangle.map(|i| new[i as usize]));
    thin.triangles = triangles.filter(|[a, b, c]| a != b && b != c && c != a).collect();
    thin.triangles.sort_unstable();
    thin.triangles.dedup();
    thin
}

/// Takes a corner over; gives its number.
fn keep(mesh: &Mesh, i: usize, thin: &mut Mesh) -> u32 {
    thin.positions.push(mesh.positions[i]);
    thin.normals.push(mesh.normals[i]);
    thin.colors.push(mesh.colors[i]);
    if let (Some(skin), Some(own)) = (&mut thin.skin, &mesh.skin) {
        skin.places.push(own.places[i]);
    }
    thin.positions.len() as u32 - 1
}
