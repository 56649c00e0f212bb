//! glTF and GLB files: the still shapes of their scene, in the pose they were modelled in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gltf::buffer::Source as BufferSource;
use gltf::image::Source as ImageSource;
use gltf::{Gltf, Node, Primitive};

use super::gather::{Gathered, MeshSurface, Textures};
use crate::solid::MeshTexture;

/// A matrix of columns, as glTF has it.
type Matrix = [[f32; 4]; 4];

/// How deep nodes may lie below one another: in a broken file one may lie below itself.
const MOST_DEPTH: usize = 64;

/// The files beside it that a file needs.
pub(super) fn needs(path: &Path, bytes: &[u8]) -> Result<Vec<PathBuf>, String> {
    let scene = parse(bytes)?;
    let buffers = scene.buffers().filter_map(|buffer| match buffer.source() {
        BufferSource::Uri(uri) => Some(uri.to_owned()),
        BufferSource::Bin => None,
    });
    let images = scene.images().filter_map(|image| match image.source() {
        ImageSource::Uri { uri, .. } => Some(uri.to_owned()),
        ImageSource::View { .. } => None,
    });
    let uris = buffers.chain(images).filter(|uri| !uri.starts_with("data:"));
    uris.map(|uri| beside(path, &uri)).collect()
}

fn parse(bytes: &[u8]) -> Result<Gltf, String> {
    Gltf::from_slice(bytes).map_err(|error| error.to_string())
}

/// A file in the same folder or below it.
fn beside(path: &Path, uri: &str) -> Result<PathBuf, String> {
    // `my%20data.bin` is `my data.bin`.
    let name = percent_encoding::percent_decode_str(uri).decode_utf8_lossy();
    let is_plain = Path::new(&*name).components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let folder = path.parent().filter(|_| is_plain);
    folder.map(|folder| folder.join(&*name)).ok_or_else(|| format!("it needs `{uri}`, which is not beside it"))
}

/// A file being read.
struct SceneReader<'a> {
    path: &'a Path,
    files: &'a BTreeMap<PathBuf, Vec<u8>>,
    buffers: Vec<Vec<u8>>,
    textures: Textures,
}

/// Reads a glTF or GLB file with the files it needs.
pub(super) fn read(path: &Path, files: &BTreeMap<PathBuf, Vec<u8>>, gathered: &mut Gathered) -> Result<(), String> {
    let mut scene = parse(&files[path])?;
    let blob = scene.blob.take();
    let mut reader = SceneReader { path, files, buffers: Vec::new(), textures: Textures::default() };
    for buffer in scene.buffers() {
        let bytes = match buffer.source() {
            BufferSource::Bin => blob.clone().ok_or("it has no binary part")?,
            BufferSource::Uri(uri) => reader.file(uri)?,
        };
        reader.buffers.push(bytes);
    }
    let first = scene.default_scene().or_else(|| scene.scenes().next()).ok_or("it has no scene")?;
    for node in first.nodes() {
        reader.node(&node, &UNMOVED, MOST_DEPTH, gathered)?;
    }
    Ok(())
}

const UNMOVED: Matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

impl SceneReader<'_> {
    /// The bytes of a file beside it, or those that stand in the name itself.
    fn file(&self, uri: &str) -> Result<Vec<u8>, String> {
        if let Some(data) = uri.strip_prefix("data:") {
            let (_, encoded) = data.split_once(";base64,").ok_or("it holds data in an unknown form")?;
            return STANDARD.decode(encoded).map_err(|error| format!("it holds broken data: {error}"));
        }
        let path = beside(self.path, uri)?;
        self.files.get(&path).cloned().ok_or_else(|| format!("it needs `{uri}`, which is not there"))
    }

    /// A node and all below it, which may go so much deeper.
    fn node(&mut self, node: &Node<'_>, above: &Matrix, depth: usize, gathered: &mut Gathered) -> Result<(), String> {
        let deeper = depth.checked_sub(1).ok_or_else(|| format!("its nodes lie more than {MOST_DEPTH} deep"))?;
        let matrix = product(above, &node.transform().matrix());
        if let Some(mesh) = node.mesh() {
            // The corners of a mesh with bones are where the bones put them, not where the node is.
            let matrix = if node.skin().is_some() { UNMOVED } else { matrix };
            for primitive in mesh.primitives() {
                gathered.add(self.surface(&primitive, &matrix)?);
            }
        }
        for child in node.children() {
            self.node(&child, &matrix, deeper, gathered)?;
        }
        Ok(())
    }

    fn surface(&mut self, primitive: &Primitive<'_>, matrix: &Matrix) -> Result<MeshSurface, String> {
        if primitive.mode() != gltf::mesh::Mode::Triangles {
            return Ok(MeshSurface::default());
        }
        let texture = self.texture(primitive)?;
        let factor = primitive.material().pbr_metallic_roughness().base_color_factor();
        let data = primitive.reader(|buffer| self.buffers.get(buffer.index()).map(Vec::as_slice));
        let positions: Vec<[f32; 3]> =
            data.read_positions().ok_or("a mesh has no corners")?.map(|at| moved(matrix, at)).collect();
        let indices: Vec<u32> = match data.read_indices() {
            Some(indices) => indices.into_u32().collect(),
            None => (0..positions.len() as u32).collect(),
        };
        if indices.iter().any(|index| *index as usize >= positions.len()) {
            return Err("a triangle names no corner".to_owned());
        }
        let (triangles, _) = indices.as_chunks::<3>();
        Ok(MeshSurface {
            triangles: triangles.iter().map(|triangle| outward(matrix, *triangle)).collect(),
            colors: data.read_colors(0).map(|colors| colors.into_rgb_u8().collect()).unwrap_or_default(),
            places: data.read_tex_coords(0).map(|places| places.into_f32().collect()).unwrap_or_default(),
            texture,
            color: [0, 1, 2].map(|i| brightened(factor[i])),
            positions,
        })
    }

    fn texture(&mut self, primitive: &Primitive<'_>) -> Result<Option<Arc<MeshTexture>>, String> {
        let Some(texture) = primitive.material().pbr_metallic_roughness().base_color_texture() else {
            return Ok(None);
        };
        let image = texture.texture().source();
        let bytes = match image.source() {
            ImageSource::Uri { uri, .. } => self.file(uri)?,
            ImageSource::View { view, .. } => {
                let buffer = self.buffers.get(view.buffer().index());
                let bytes = buffer.and_then(|buffer| buffer.get(view.offset()..view.offset() + view.length()));
                bytes.ok_or("a picture lies outside the file")?.to_vec()
            }
        };
        self.textures.of(&image.index().to_string(), &bytes).map(Some)
    }
}

/// A share of light as a channel of a picture: files give the first, screens want the second.
fn brightened(share: f32) -> u8 {
    (libm::powf(share.clamp(0.0, 1.0), 1.0 / 2.2) * 255.0) as u8
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    b.map(|column| [0, 1, 2, 3].map(|row| (0..4).map(|k| a[k][row] * column[k]).sum()))
}

fn moved(matrix: &Matrix, at: [f32; 3]) -> [f32; 3] {
    [0, 1, 2]
        .map(|row: usize| matrix[0][row] * at[0] + matrix[1][row] * at[1] + matrix[2][row] * at[2] + matrix[3][row])
}

/// A triangle of a mirrored mesh the other way round.
fn outward(matrix: &Matrix, [first, second, third]: [u32; 3]) -> [u32; 3] {
    let [x, y, z] = [0, 1, 2].map(|i: usize| [matrix[i][0], matrix[i][1], matrix[i][2]]);
    let turn =
        x[0] * (y[1] * z[2] - y[2] * z[1]) - x[1] * (y[0] * z[2] - y[2] * z[0]) + x[2] * (y[0] * z[1] - y[1] * z[0]);
    if turn < 0.0 { [first, third, second] } else { [first, second, third] }
}
