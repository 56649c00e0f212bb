//! Putting an object together from what a file holds.

use std::collections::BTreeMap;
use std::sync::Arc;

use image::ImageReader;
use quintain_core::picture::Picture;

use super::thin;
use crate::canvas::Color;
use crate::solid::{Mesh, MeshTexture, Sides, Skin};

/// Texels along a side of a texture, at most: views are not larger.
const MOST_TEXELS: u32 = 256;
/// Triangles of an object, at most.
const MOST_TRIANGLES: usize = 12_000;

/// The surfaces of a file so far.
#[derive(Default)]
pub(super) struct Gathered {
    surfaces: Vec<MeshSurface>,
}

/// A surface as files hold it.
#[derive(Default)]
pub(super) struct MeshSurface {
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// One for each corner, or none.
    pub(super) colors: Vec<Color>,
    /// One for each corner, or none.
    pub(super) places: Vec<[f32; 2]>,
    pub(super) texture: Option<Arc<MeshTexture>>,
    /// Where neither colours nor a texture say more.
    pub(super) color: Color,
}

impl Gathered {
    pub(super) fn add(&mut self, surface: MeshSurface) {
        if !surface.triangles.is_empty() {
            self.surfaces.push(surface);
        }
    }

    /// All surfaces, thinned out where there are too many triangles, fitted together into the unit ball.
    pub(super) fn finish(self) -> Result<Vec<Mesh>, String> {
        let n_triangles: usize = self.surfaces.iter().map(|surface| surface.triangles.len()).sum();
        if n_triangles == 0 {
            return Err("it has no triangles".to_owned());
        }
        let positions = self.surfaces.iter().flat_map(|surface| &surface.positions);
        if !positions.flatten().all(|part| part.is_finite()) {
            return Err("a corner is not a number".to_owned());
        }
        let meshes: Vec<Mesh> = self.surfaces.into_iter().map(MeshSurface::mesh).collect();
        let meshes = Mesh::all_fitted(meshes);
        let meshes = if n_triangles > MOST_TRIANGLES { thin::thinned(&meshes, MOST_TRIANGLES) } else { meshes };
        Ok(meshes.into_iter().map(Mesh::smoothed).collect())
    }
}

impl MeshSurface {
    fn mesh(self) -> Mesh {
        let n_corners = self.positions.len();
        let colors = if self.colors.len() == n_corners { self.colors } else { vec![self.color; n_corners] };
        let places = self.places;
        let skin = self.texture.filter(|_| places.len() == n_corners).map(|texture| Skin { texture, places });
        let normals = vec![[0.0; 3]; n_corners];
        // Files seldom say whether a body is closed.
        Mesh { positions: self.positions, normals, colors, triangles: self.triangles, skin, sides: Sides::Both }
    }
}

/// The textures of a file by name, each decoded once.
#[derive(Default)]
pub(super) struct Textures(BTreeMap<String, Arc<MeshTexture>>);

impl Textures {
    /// The texture of a picture's bytes.
    pub(super) fn of(&mut self, name: &str, bytes: &[u8]) -> Result<Arc<MeshTexture>, String> {
        if let Some(found) = self.0.get(name) {
            return Ok(Arc::clone(found));
        }
        let no_picture = |why: String| format!("its picture `{name}` cannot be decoded: {why}");
        let reader = ImageReader::new(std::io::Cursor::new(bytes)).with_guessed_format();
        let decoded = reader.map_err(|error| no_picture(error.to_string()))?.decode();
        let pixels = decoded.map_err(|error| no_picture(error.to_string()))?.into_rgba8();
        let (width, height) = pixels.dimensions();
        let picture = Picture::from_rgba(width, height, pixels.into_raw());
        let picture = picture.ok_or_else(|| no_picture("it has too few pixels".to_owned()))?;
        let texture = Arc::new(MeshTexture::of(&picture, MOST_TEXELS));
        self.0.insert(name.to_owned(), Arc::clone(&texture));
        Ok(texture)
    }
}
