//! Cutting a photograph and mixing the pieces.

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

use super::{Parameters, Start};
use crate::canvas::Area;
use crate::sources::photos::Photos;

/// Pieces in a row or column, at most.
const MAX_SIDE: usize = 8;
/// Pixels along a side of a piece, at least.
const MIN_PIECE: u32 = 24;
/// Pixels along a side of the photograph, at most.
const MAX_PHOTO: u32 = 2048;
/// How many photographs are tried before giving up.
const TRIES: usize = 16;
/// How different two pieces must look: the mean difference of a colour channel, out of 255.
const LEAST_DIFFERENCE: u32 = 3;
/// Every so many pixels are compared, across and down.
const COMPARE_EVERY: usize = 4;

/// Picks a photograph whose pieces can be told apart, and mixes them.
pub(super) fn generate(parameters: &Parameters, rng: &mut Rng, photos: &dyn Photos) -> Result<Start, String> {
    let (rows, cols) = (parameters.rows, parameters.cols);
    let (width, height) = size(parameters)?;
    for _ in 0..TRIES {
        let photo = photos.pick(rng, width, height)?;
        let picture = photos.load(&photo)?;
        if can_be_told_apart(&picture, rows, cols) {
            return Ok(Start { rows, cols, photo, order: mixed(rows * cols, rng) });
        }
    }
    let source = photos.name();
    Err(format!(
        "{TRIES} photographs of {source} were tried: none cuts into {rows}x{cols} pieces that can be told apart"
    ))
}

/// The size of the photograph: as asked or a little more, so that all pieces are of one size.
fn size(parameters: &Parameters) -> Result<(u32, u32), String> {
    let Parameters { rows, cols, width, height } = *parameters;
    for (name, side) in [("rows", rows), ("cols", cols)] {
        if !(1..=MAX_SIDE).contains(&side) {
            return Err(format!("`{name}` is {side}: a jigsaw has 1 to {MAX_SIDE}"));
        }
    }
    if rows * cols < 2 {
        return Err("a jigsaw of one piece is no puzzle: `rows` or `cols` must be more than 1".to_owned());
    }
    for (name, pixels, pieces) in [("width", width, cols), ("height", height, rows)] {
        if !(MIN_PIECE * pieces as u32..=MAX_PHOTO).contains(&pixels) {
            let least = MIN_PIECE * pieces as u32;
            return Err(format!("`{name}` is {pixels}: {pieces} pieces need {least} to {MAX_PHOTO} pixels"));
        }
    }
    Ok((width.next_multiple_of(cols as u32), height.next_multiple_of(rows as u32)))
}

/// Any order but the right one.
fn mixed(n_pieces: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n_pieces).collect();
    while order.is_sorted() {
        rng.shuffle(&mut order);
    }
    order
}

/// Whether no two pieces look the same. Two that do could be exchanged without anyone seeing it.
pub(super) fn can_be_told_apart(photo: &Picture, rows: usize, cols: usize) -> bool {
    let (width, height) = (photo.width() as i32 / cols as i32, photo.height() as i32 / rows as i32);
    let piece = |i: usize| Area::new((i % cols) as i32 * width, (i / cols) as i32 * height, width, height);
    let looks: Vec<Vec<u8>> = (0..rows * cols).map(|i| look(photo, piece(i))).collect();
    looks.iter().enumerate().all(|(i, a)| looks[..i].iter().all(|b| differ(a, b)))
}

/// A sparse sample of a piece's colours.
fn look(photo: &Picture, area: Area) -> Vec<u8> {
    let stride = photo.width() as usize * 4;
    let mut sample = Vec::new();
    for y in (area.y..area.y + area.height).step_by(COMPARE_EVERY) {
        let from = y as usize * stride + area.x as usize * 4;
        let row = &photo.rgba()[from..from + area.width as usize * 4];
        sample.extend(row.chunks_exact(4).step_by(COMPARE_EVERY).flat_map(|pixel| &pixel[..3]));
    }
    sample
}

fn differ(a: &[u8], b: &[u8]) -> bool {
    let sum: u32 = a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
    sum >= LEAST_DIFFERENCE * a.len() as u32
}
