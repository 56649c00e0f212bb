//! Cutting a photograph and mixing the pieces.

use quintain_core::picture::Picture;
use quintain_core::rng::Rng;

use super::{Parameters, Start};
use crate::canvas::Area;
use crate::sources::photos::Photos;
use crate::tiles::look::{all_differ, look};
use crate::tiles::order::mixed;

/// Pieces in a row or column, at most.
const MAX_SIDE: usize = 8;
/// Pixels along a side of a piece, at least.
const MIN_PIECE: u32 = 24;
/// Pixels along a side of the photograph, at most.
const MAX_PHOTO: u32 = 2048;
/// How many photographs are tried before giving up.
const TRIES: usize = 16;
/// How different two pieces must look: the mean difference of a colour channel, out of 255.
const LEAST_DIFFERENCE: f64 = 3.0;

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

/// Whether no two pieces look the same. Two that do could be exchanged without anyone seeing it.
pub(super) fn can_be_told_apart(photo: &Picture, rows: usize, cols: usize) -> bool {
    let (width, height) = (photo.width() as i32 / cols as i32, photo.height() as i32 / rows as i32);
    let piece = |i: usize| Area::new((i % cols) as i32 * width, (i / cols) as i32 * height, width, height);
    let looks: Vec<Vec<u8>> = (0..rows * cols).map(|i| look(photo, piece(i))).collect();
    all_differ(&looks, LEAST_DIFFERENCE)
}
