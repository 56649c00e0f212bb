//! OBJ files. They have no rule for what is up: z is taken for up, as in Google Scanned Objects.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::gather::{Gathered, MeshSurface, Textures};
use crate::canvas::Color;
use crate::solid::MeshTexture;

/// Pictures that are laid on a mesh whose materials are not there.
const BESIDE: [&str; 3] = ["texture.png", "texture.jpg", "texture.jpeg"];
const GREY: Color = [176, 178, 182];

/// A material: a colour and a picture.
#[derive(Clone, Debug, Default)]
struct MeshMaterial {
    color: Option<Color>,
    picture: Option<PathBuf>,
}

/// The files that an OBJ file needs and that are there.
pub(super) fn needs(path: &Path, bytes: &[u8]) -> Result<Vec<PathBuf>, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut needs = libraries(path, &text);
    for library in needs.clone() {
        let text = std::fs::read(&library).map_err(|error| format!("cannot read `{}`: {error}", library.display()))?;
        needs.extend(materials(&library, &String::from_utf8_lossy(&text)).into_values().filter_map(|one| one.picture));
    }
    needs.extend(beside(path));
    Ok(needs)
}

/// The material libraries that a file names and that are there; many files name one that is not.
fn libraries(path: &Path, text: &str) -> Vec<PathBuf> {
    let named = text.lines().filter_map(|line| line.trim().strip_prefix("mtllib "));
    named.map(|name| path.with_file_name(name.trim())).filter(|library| library.is_file()).collect()
}

/// The picture beside a mesh: `texture.png`, or one of the mesh's own name.
fn beside(path: &Path) -> Option<PathBuf> {
    let own = ["png", "jpg", "jpeg"].map(|ending| path.with_extension(ending));
    let named = BESIDE.map(|name| path.with_file_name(name));
    own.into_iter().chain(named).find(|picture| picture.is_file())
}

fn materials(library: &Path, text: &str) -> BTreeMap<String, MeshMaterial> {
    let mut materials: BTreeMap<String, MeshMaterial> = BTreeMap::new();
    let mut name = String::new();
    for line in text.lines() {
        let (word, rest) = first_word(line);
        match word {
            "newmtl" => rest.clone_into(&mut name),
            "Kd" => {
                let parts: Vec<f32> = rest.split_whitespace().filter_map(|part| part.parse().ok()).collect();
                let color = <[f32; 3]>::try_from(parts).ok().map(|parts| parts.map(|part| (part * 255.0) as u8));
                materials.entry(name.clone()).or_default().color = color;
            }
            "map_Kd" => materials.entry(name.clone()).or_default().picture = picture(library, rest),
            _ => {}
        }
    }
    materials
}

/// The first word of a line, and what follows it.
fn first_word(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

/// The picture that is named after any options, if it is there. Names may have spaces: the longest that is there counts.
fn picture(library: &Path, rest: &str) -> Option<PathBuf> {
    let names = std::iter::successors(Some(rest), |name| {
        let (_, shorter) = name.split_once(char::is_whitespace)?;
        Some(shorter.trim_start())
    });
    names.map(|name| library.with_file_name(name)).find(|file| file.is_file())
}

/// The corners of a surface: by position and place on the picture, their numbers.
type Corners = BTreeMap<(usize, Option<usize>), u32>;

/// What has been read of a file so far.
#[derive(Default)]
struct ObjReader {
    positions: Vec<[f32; 3]>,
    colors: Vec<Option<Color>>,
    places: Vec<[f32; 2]>,
    /// By the name of its material, each surface with the corners it has so far.
    surfaces: BTreeMap<String, (MeshSurface, Corners)>,
    material: String,
}

/// Reads an OBJ file with the files it needs.
pub(super) fn read(path: &Path, files: &BTreeMap<PathBuf, Vec<u8>>, gathered: &mut Gathered) -> Result<(), String> {
    let text = String::from_utf8_lossy(&files[path]);
    let mut reader = ObjReader::default();
    for (i, line) in text.lines().enumerate() {
        reader.line(line).map_err(|why| format!("line {}: {why}", i + 1))?;
    }
    let mut known = BTreeMap::new();
    for library in libraries(path, &text) {
        if let Some(bytes) = files.get(&library) {
            known.extend(materials(&library, &String::from_utf8_lossy(bytes)));
        }
    }
    let mut textures = Textures::default();
    for (name, (mut surface, _)) in reader.surfaces {
        let material = known.get(&name).cloned().unwrap_or_default();
        let picture = material.picture.or_else(|| beside(path).filter(|_| material.color.is_none()));
        surface.texture = texture(picture, files, &mut textures)?;
        surface.color = material.color.unwrap_or(GREY);
        gathered.add(surface);
    }
    Ok(())
}

fn texture(
    picture: Option<PathBuf>,
    files: &BTreeMap<PathBuf, Vec<u8>>,
    textures: &mut Textures,
) -> Result<Option<Arc<MeshTexture>>, String> {
    let found = picture.and_then(|picture| files.get_key_value(&picture));
    found.map(|(path, bytes)| textures.of(&path.to_string_lossy(), bytes)).transpose()
}

impl ObjReader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = first_word(line);
        let words = rest.split_whitespace();
        match word {
            "v" => {
                let numbers = numbers(words)?;
                let [x, y, z] = *numbers.first_chunk().ok_or("a corner needs three numbers")?;
                self.positions.push([x, z, -y]);
                let color = numbers.get(3..6).map(|parts| [0, 1, 2].map(|i| (parts[i] * 255.0) as u8));
                self.colors.push(color);
            }
            "vt" => {
                let numbers = numbers(words)?;
                let [u, v] = *numbers.first_chunk().ok_or("a place on a picture needs two numbers")?;
                self.places.push([u, 1.0 - v]);
            }
            "usemtl" => rest.clone_into(&mut self.material),
            "f" => self.face(words)?,
            _ => {}
        }
        Ok(())
    }

    /// A polygon, as a fan of triangles.
    fn face<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> Result<(), String> {
        let corners = words.map(|word| self.corner(word)).collect::<Result<Vec<_>, _>>()?;
        let (surface, known) = self.surfaces.entry(self.material.clone()).or_default();
        let mut numbers = Vec::with_capacity(corners.len());
        for (position, place) in corners {
            numbers.push(*known.entry((position, place)).or_insert_with(|| {
                surface.positions.push(self.positions[position]);
                surface.colors.extend(self.colors[position]);
                surface.places.extend(place.map(|place| self.places[place]));
                surface.positions.len() as u32 - 1
            }));
        }
        surface.triangles.extend((2..numbers.len()).map(|i| [numbers[0], numbers[i - 1], numbers[i]]));
        Ok(())
    }

    /// The position and the place on the picture that a corner of a face names.
    fn corner(&self, word: &str) -> Result<(usize, Option<usize>), String> {
        let mut parts = word.split('/');
        let position = index(parts.next().unwrap_or_default(), self.positions.len());
        let position = position.ok_or_else(|| format!("`{word}` names no corner"))?;
        match parts.next().filter(|part| !part.is_empty()) {
            None => Ok((position, None)),
            Some(part) => {
                let place = index(part, self.places.len());
                Ok((position, Some(place.ok_or_else(|| format!("`{word}` names no place on a picture"))?)))
            }
        }
    }
}

fn numbers<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<f32>, String> {
    words.map(|word| word.parse().map_err(|_no_number| format!("`{word}` is no number"))).collect()
}

/// What a number in a face stands for: from one on, or from the last one backwards if it is negative.
fn index(word: &str, len: usize) -> Option<usize> {
    let number: i64 = word.parse().ok()?;
    let index = if number < 0 { len as i64 + number } else { number - 1 };
    usize::try_from(index).ok().filter(|index| *index < len)
}
